-- The record: who may use the house, which matches it keeps, and every action it ever accepted.
--
-- Read this file first. `entries` at the end is the heart: one row per accepted action, and the state of a match is the fold of
-- its entries and of nothing else. All tables above it only say who may add to a match, and what to call it.
--
-- Three habits hold throughout.
--
-- 1. Every primary and unique key begins with `bucket`. There are 64 buckets, fixed for good: they are what a sharded Postgres is
--    cut along, and a write that knows its bucket touches one shard. Rows of a match share its bucket, so they stay together.
--
-- 2. Keys are the referee. Any number of processes may race for a seat, a position or a name; the one whose row is there first has
--    won, and the others read it and decide again. There is no lock, lease, sequence, trigger or notification in here on purpose:
--    a sequence hands out numbers that commit out of order, and the others cap the whole house at a few thousand actions a second.
--
-- 3. Rows are written once. Nothing is updated or deleted (one exception: a key that is revoked says when), so there is nothing
--    to vacuum but a page's hint bits, and a copy that is behind is a prefix of the truth, never another story.
--
-- Times are the writer's clock, for people to read. Nothing is ordered by them but lists for people.

-- A match's bucket: its id's last byte, cut to six bits. Every kind of id in use is random in its last byte.
create function bucket_of(match_id uuid) returns smallint
    language sql immutable strict parallel safe
    return (get_byte(uuid_send(match_id), 15) & 63)::smallint;


-- A platform is a customer of the house: a site, a bot or an app that brings its players. Its bucket is the last byte of its
-- name's blake3, cut to six bits; Postgres knows no blake3, so here alone the bucket is taken on trust.
create table platforms (
    bucket      smallint    not null check (bucket between 0 and 63),
    platform    text        not null check (platform <> ''),
    create_time timestamptz not null,
    primary key (bucket, platform)
);

-- A platform's API keys. A key is 256 random bits, so its plain hash cannot be guessed backwards, and only the hash is kept:
-- whoever reads this table can forge nothing.
create table platform_keys (
    bucket      smallint    not null,
    platform    text        not null,
    -- Travels in front of the key, in the open, to find this row.
    key_id      text        not null check (key_id <> ''),
    hash        bytea       not null check (octet_length(hash) = 32),
    create_time timestamptz not null,
    revoke_time timestamptz,
    primary key (bucket, platform, key_id),
    foreign key (bucket, platform) references platforms
);

-- The secrets with which the house signs its own short-lived tokens. The process that first needs one writes it, and the key
-- decides which process that was; the others sign with what they find. The newest signs, all of them verify.
create table token_keys (
    -- One house, one set of keys: they all live in bucket 0.
    bucket      smallint    not null default 0 check (bucket = 0),
    key_id      smallint    not null check (key_id > 0),
    secret      bytea       not null check (octet_length(secret) = 32),
    create_time timestamptz not null,
    primary key (bucket, key_id)
);


-- A match, as it was called into being. How it stands, and whether it has ended, is in its entries.
create table matches (
    bucket          smallint    not null check (bucket = bucket_of(match_id)),
    match_id        uuid        not null,
    platform        text        not null,
    game            text        not null,
    seats           smallint    not null check (seats > 0),
    options         jsonb       not null,
    -- A digest of the request that made the match: a retry of it is told from another request with the same id.
    request         bytea       not null,
    -- A hash of the seed, told to everyone before the first card: afterwards the house can prove that it dealt from that seed.
    seed_commitment bytea       not null check (octet_length(seed_commitment) = 32),
    create_time     timestamptz not null,
    primary key (bucket, match_id)
);

-- A platform lists its matches, newest first, a page at a time. This index alone does not begin with the bucket: it guards
-- nothing, and so one Postgres reads a page from one place, while of many each gives its newest and they are merged.
create index matches_newest on matches (platform, create_time, match_id);

-- What all chance in a match flows from. It stands apart from the match and its entries, so that who may read the record need not
-- be allowed to read this; it is written in the same statement as its match, and leaves the house only when the match has ended.
create table seeds (
    bucket   smallint not null check (bucket = bucket_of(match_id)),
    match_id uuid     not null,
    seed     bytea    not null check (octet_length(seed) = 32),
    primary key (bucket, match_id),
    foreign key (bucket, match_id) references matches
);

-- Who sits where. Players race for open seats: the first key lets one player sit on a seat, the second lets a player sit once.
create table seats (
    bucket      smallint    not null check (bucket = bucket_of(match_id)),
    match_id    uuid        not null,
    -- Counted from 0, below `matches.seats`.
    seat        smallint    not null check (seat >= 0),
    -- A person, by the platform's own id.
    player      text        not null check (player <> ''),
    -- The id of the request that took the seat, if it had one: the same request again finds its own seat.
    request_id  text,
    create_time timestamptz not null,
    primary key (bucket, match_id, seat),
    unique (bucket, match_id, player),
    foreign key (bucket, match_id) references matches
);


-- The log. One row is one accepted action with everything that it caused.
--
-- Two counters, two keys, and every promise follows from them:
--
--   (bucket, match_id, position)  Within a match, positions run 1, 2, 3 … A writer that decided on the state at position n can only
--                                 add n + 1, and only if nobody else has: an action is always decided on the newest state.
--   (bucket, bucket_position)     Within a bucket, across its matches, likewise. A writer adds at the bucket's head + 1, which it
--                                 has to have read or written; so bucket positions have no gaps and stand in the order of their
--                                 commits, and whoever follows a bucket from its last known position misses nothing.
--
-- Rows arrive up to a thousand at a time, of many matches, in one plain insert, sorted by bucket so that two writers can never
-- wait for each other in a ring. If one row is refused, all are; the writer reads the heads again and asks the rest again. An
-- insert that quietly skipped what is taken (`on conflict do nothing`) would leave a hole in a bucket: it has no place here.
--
-- There is no foreign key to `matches`: it would lock the match's row for each action, and only found matches are played.
create table entries (
    bucket          smallint    not null check (bucket = bucket_of(match_id)),
    match_id        uuid        not null,
    position        int8        not null check (position > 0),
    bucket_position int8        not null check (bucket_position > 0),
    -- The caller's name for the action, once within a match: whoever lost the answer asks again by this name.
    request_id      text,
    -- The action, its events and the prompts that are open after it: protobuf `croupier.store.v1.Entry`.
    body            bytea       not null,
    create_time     timestamptz not null,
    primary key (bucket, match_id, position),
    unique (bucket, bucket_position)
) with (
    -- Rows never change, so they may be frozen as soon as a vacuum sees them, and a vacuum is due every million rows however
    -- large the table has grown: the work comes in even portions instead of once, at night, for the whole table.
    autovacuum_freeze_min_age = 0,
    autovacuum_vacuum_insert_threshold = 1000000,
    autovacuum_vacuum_insert_scale_factor = 0
);
