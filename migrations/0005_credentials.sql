-- Taking credentials back: suspended platforms, rotated token keys, revoked tokens.
--
-- Nothing here is part of the record. Every process keeps what it needs to check credentials in
-- memory, and reads what has changed every few seconds. It asks for the rows whose transaction was
-- not over at its last read (`changed_in`), so it misses none, however late a transaction commits,
-- and needs no clock.

-- While it is set, the platform's keys and tokens are refused.
alter table platforms add column suspend_time timestamptz;

create index platforms_suspended on platforms (platform) where suspend_time is not null;

-- The transaction that created or revoked the key.
alter table platform_keys add column changed_in xid8 not null default pg_current_xact_id();

create index platform_keys_changed on platform_keys (changed_in);

-- Finds the keys that an older process revokes, which does not know `changed_in`.
create index platform_keys_revoked on platform_keys (revoke_time) where revoke_time is not null;

-- Since when tokens that this key signed are refused. Without it, a key that another has replaced
-- verifies tokens until those it signed have expired.
alter table token_keys add column drop_time timestamptz;

-- Revocations of tokens, one row each, written once. A token carries the number of revocations
-- that preceded it, and is refused as soon as there are more. So nothing depends on clocks: a token
-- minted after a revocation is valid, one minted before it is not.
create table token_revocations (
    bucket      smallint    not null check (bucket = bucket_of(match_id)),
    match_id    uuid        not null,
    -- -1 revokes the tokens of every seat, and those of spectators.
    seat        smallint    not null check (seat >= -1),
    -- Counted from 1 for each match and seat.
    number      int         not null check (number > 0),
    create_time timestamptz not null default now(),
    changed_in  xid8        not null default pg_current_xact_id(),
    primary key (bucket, match_id, seat, number),
    foreign key (bucket, match_id) references matches
);

create index token_revocations_changed on token_revocations (changed_in);
