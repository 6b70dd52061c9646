-- Players who call the service themselves: taking back their tokens.

-- Revocations of the tokens of players. They are not part of the record. A token carries the number
-- that was current when it was minted, and is refused as soon as there is a greater one. Unlike
-- those of `token_revocations`, a row goes once every token that it refuses has expired, so that
-- nothing tells for long that somebody played here who was erased since. So numbers cannot be
-- counted: they are the database's time in microseconds, or one more than the last if that is
-- later.
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


-- Matches that were created for the lobby: while they wait for players, they are listed, and may be
-- joined by players themselves. Written in the statement that creates the match. A row says nothing
-- any more once the match was dealt or deleted; whoever lists it then removes it. That is also why
-- it does not refer to `matches`.
create table lobby (
    bucket      smallint    not null check (bucket = bucket_of(match_id)),
    match_id    uuid        not null,
    platform    text        not null,
    game        text        not null,
    seats       smallint    not null,
    create_time timestamptz not null,
    primary key (bucket, match_id)
);

create index lobby_listed on lobby (platform, create_time, match_id);


-- Seeks: a player wants to be seated in a match of this game. Written once.
create table seeks (
    -- The platform's, so that one statement ends all seeks of a match.
    bucket       smallint    not null check (bucket between 0 and 63),
    seek_id      uuid        not null,
    platform     text        not null,
    player       text        not null check (player <> ''),
    display_name text,
    game         text        not null,
    -- The numbers of seats that the player accepts, the best first.
    seats        smallint[]  not null,
    -- A JSON object, with the time control among the options as in a match.
    options      text        not null,
    -- In millionths, when the player asked; how far another's may be from it, if that matters, and
    -- how much further with each second.
    rating       int8        not null,
    distance     int8        check (distance >= 0),
    widening     int8        not null check (widening >= 0),
    -- It distinguishes a retry from another request with the same id.
    request      bytea       not null,
    create_time  timestamptz not null,
    primary key (bucket, seek_id),
    foreign key (bucket, platform) references platforms
);

-- The seeks that wait. The key lets a player have one for each game. A row is removed in the
-- statement that ends the seek, so few rows are read to find who can be seated together.
create table open_seeks (
    bucket      smallint    not null,
    platform    text        not null,
    player      text        not null,
    game        text        not null,
    seek_id     uuid        not null,
    -- A hash of game and options: only seeks with the same are seated together.
    pool        bytea       not null check (octet_length(pool) = 32),
    create_time timestamptz not null,
    primary key (bucket, platform, player, game),
    unique (bucket, seek_id),
    foreign key (bucket, seek_id) references seeks
);

create index open_seeks_in_pools on open_seeks (platform, pool, create_time, seek_id);

-- The ends of seeks. The key lets a seek end once, by its deletion or in one match: a match of
-- seeks is created by the statement that ends them all, or not at all.
create table seek_ends (
    bucket   smallint    not null,
    seek_id  uuid        not null,
    -- The match in which the player was seated; null if the seek was deleted.
    match_id uuid,
    end_time timestamptz not null,
    primary key (bucket, seek_id),
    foreign key (bucket, seek_id) references seeks
);

-- Of late, to find matches that were not dealt.
create index seek_ends_seated on seek_ends (end_time) where match_id is not null;

create index seeks_of_player on seeks (platform, player);

-- An erasure takes the player out of the seeks too, and ends those that wait. What it does to the
-- record stays as it is.
alter function erase_player(text, text) rename to erase_player_in_record;

create function erase_player(of_platform text, as_pseudonym text) returns boolean
    language plpgsql
    security definer
as $$
declare
    its_bucket smallint;
    person     text;
begin
    select bucket, player
    into its_bucket, person
    from erasures
    where platform = of_platform and pseudonym = as_pseudonym
    for update;
    if person is not null then
        insert into seek_ends (bucket, seek_id, end_time)
        select bucket, seek_id, now()
        from open_seeks
        where bucket = its_bucket and platform = of_platform and player = person
        order by seek_id
        on conflict do nothing;
        delete from open_seeks
        where bucket = its_bucket and platform = of_platform and player = person;
        -- The digest covers the player's id, so a guess could be confirmed.
        update seeks
        set player = as_pseudonym, display_name = null, request = ''
        where platform = of_platform and player = person;
    end if;
    return erase_player_in_record(of_platform, as_pseudonym);
end
$$;

-- A caller's own search path must not decide which tables these are.
do $$
begin
    execute format('alter function erase_player(text, text) set search_path = %I, pg_temp', current_schema());
end
$$;

revoke execute on function erase_player(text, text) from public;
