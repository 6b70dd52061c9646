-- Players who call the service themselves: taking back their tokens.

-- Revocations of the tokens of players. They are not part of the record. A token carries the number
-- that was current when it was minted, and is refused as soon as there is a greater one. Unlike
-- those of `token_revocations`, a row goes once every token that it refuses has expired, so that
-- nothing tells for long that somebody played here who was erased since. So numbers cannot be
-- counted: they are the database's time in microseconds, or one more than the last if that is later.
create table player_revocations (
    -- The platform's.
    bucket      smallint    not null check (bucket between 0 and 63),
    platform    text        not null,
    -- A hash of the platform and the player's id.
    player_hash bytea       not null check (octet_length(player_hash) = 32),
    number      int8        not null check (number > 0),
    -- Whether the tokens are refused because the player was erased.
    is_erasure  boolean     not null default false,
    create_time timestamptz not null default now(),
    changed_in  xid8        not null default pg_current_xact_id(),
    primary key (bucket, platform, player_hash, number),
    foreign key (bucket, platform) references platforms
);

create index player_revocations_changed on player_revocations (changed_in);
create index player_revocations_past on player_revocations (create_time);
