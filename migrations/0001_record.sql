-- The record: platforms, matches, seats, and every accepted action.
--
-- Read this file first. `entries` at the end is the heart: one row per accepted action. The state
-- of a match is the fold of its entries and of nothing else. The tables above it say who may add to
-- a match and how a match was created.
--
-- Three rules hold for every table.
--
-- 1. Every primary and unique key begins with `bucket`. There are 64 buckets, and their number
--    never changes: a sharded Postgres distributes by them, and a write that knows its bucket
--    touches one shard. All rows of a match share its bucket.
--
-- 2. Keys decide races. Any number of processes may compete for a seat, a position or a name; the
--    row that is inserted first wins, and the others read it and decide again. There is
--    deliberately no lock, lease, sequence, trigger or notification: a sequence hands out numbers
--    that commit out of order, and the others limit the whole installation to a few thousand
--    actions a second.
--
-- 3. Rows are written once. Nothing is updated or deleted, except that revoking an API key sets its
--    `revoke_time`. So vacuum has little to do, and a replica that lags is a prefix of the truth,
--    never a different history.
--
-- Times come from the writer's clock and are meant for people. They order nothing but lists.

-- A match's bucket: the last byte of its id, modulo 64. All kinds of ids in use are random in their
-- last byte.
create function bucket_of(match_id uuid) returns smallint
    language sql immutable strict parallel safe
    return (get_byte(uuid_send(match_id), 15) & 63)::smallint;


-- The identity of this installation. Cursors carry it, so that a cursor of another installation is
-- refused.
create table installation (
    bucket          smallint not null default 0 check (bucket = 0),
    installation_id uuid     not null,
    primary key (bucket)
);

insert into installation (installation_id) values (gen_random_uuid());

-- A platform is a customer of the service: a site, a bot or an app with players of its own. Its
-- bucket is the last byte of the BLAKE3 hash of its name, modulo 64. Postgres has no BLAKE3, so
-- this bucket alone is not checked.
create table platforms (
    bucket      smallint    not null check (bucket between 0 and 63),
    platform    text        not null check (platform <> ''),
    create_time timestamptz not null,
    primary key (bucket, platform)
);

-- A platform's API keys. A key has 256 random bits, so a plain hash of it cannot be reversed. Only
-- the hash is stored: reading this table does not allow anyone to forge a key.
create table platform_keys (
    bucket      smallint    not null,
    platform    text        not null,
    -- The public prefix of the key, which finds this row.
    key_id      text        not null check (key_id <> ''),
    hash        bytea       not null check (octet_length(hash) = 32),
    create_time timestamptz not null,
    revoke_time timestamptz,
    primary key (bucket, platform, key_id),
    foreign key (bucket, platform) references platforms
);

-- The secrets that sign seat and spectator tokens. The process that needs the first one writes it;
-- the key lets only one process succeed, and the others use what they find. The newest secret
-- signs, and all of them verify.
create table token_keys (
    -- One set for the installation, in bucket 0.
    bucket      smallint    not null default 0 check (bucket = 0),
    key_id      smallint    not null check (key_id > 0),
    secret      bytea       not null check (octet_length(secret) = 32),
    create_time timestamptz not null,
    primary key (bucket, key_id)
);


-- A match as it was created. Its state, and whether it has ended, follow from its entries.
create table matches (
    bucket          smallint    not null check (bucket = bucket_of(match_id)),
    match_id        uuid        not null,
    platform        text        not null,
    game            text        not null,
    seats           smallint    not null check (seats > 0),
    options         jsonb       not null,
    -- A digest of the request that created the match. It distinguishes a retry from another request
    -- with the same id.
    request_digest  bytea       not null,
    -- A hash of the seed, published before the first card: after the match it proves that every
    -- deal came from that seed.
    seed_commitment bytea       not null check (octet_length(seed_commitment) = 32),
    -- How long after its end the whole match is revealed to everyone who may read it: at once (0),
    -- later, or never (null). Until then each seat keeps to its own view, and the seed stays
    -- secret.
    reveal_wait_s   int8        default 0 check (reveal_wait_s >= 0),
    create_time     timestamptz not null,
    primary key (bucket, match_id)
);

-- A platform lists its matches newest first, a page at a time. These two indexes enforce nothing,
-- so they need not begin with the bucket: a single Postgres reads a page from one place, and of
-- several shards each returns its newest, to be merged.
create index matches_newest on matches (platform, create_time, match_id);
create index matches_of_game on matches (platform, game, create_time, match_id);

-- The seed of a match, from which all its chance follows. It stands apart from the match and its
-- entries, so that a role that may read the record need not be allowed to read seeds. It is written
-- in the same statement as its match, and the service publishes it only after the match has ended.
create table seeds (
    bucket   smallint not null check (bucket = bucket_of(match_id)),
    match_id uuid     not null,
    seed     bytea    not null check (octet_length(seed) = 32),
    primary key (bucket, match_id),
    foreign key (bucket, match_id) references matches
);

-- Who sits where. Players race for open seats: the primary key lets one player take a seat, the
-- unique key lets a player take one seat only.
create table seats (
    bucket            smallint    not null check (bucket = bucket_of(match_id)),
    match_id          uuid        not null,
    -- Counted from 0, below `matches.seats`.
    seat              smallint    not null check (seat >= 0),
    -- A person, by the platform's own id.
    player            text        not null check (player <> ''),
    -- The id of the request that took the seat, if it had one: a retry finds its own seat.
    request_id        text,
    create_time       timestamptz not null,
    -- Copied from the match, because lists of a player's matches are ordered by them.
    platform          text        not null,
    match_create_time timestamptz not null,
    primary key (bucket, match_id, seat),
    unique (bucket, match_id, player),
    foreign key (bucket, match_id) references matches
);

-- A player's matches, newest first, including those that still wait for players. That is why this
-- list is an index of the record and not a read model: a match without entries has nothing to fold.
create index seats_of_player on seats (platform, player, match_create_time, match_id);


-- The log. One row is one accepted action with everything it caused.
--
-- Two counters and two keys give every guarantee:
--
--   (bucket, match_id, position)  Within a match, positions run 1, 2, 3 … A writer that decided on
--                                 the state at position n can add only n + 1, and only if no other
--                                 writer has: every action is decided on the newest state.
--   (bucket, bucket_position)     Within a bucket, across its matches, likewise. A writer adds at
--                                 the bucket's head + 1, which it must have read or written. So
--                                 bucket positions have no gaps and follow commit order, and a
--                                 reader that continues after its last bucket position misses
--                                 nothing.
--
-- Rows arrive up to a thousand at a time, of many matches, in one plain insert. They are sorted by
-- bucket, so that two writers cannot deadlock. If one row is refused, all are; the writer reads the
-- heads again and retries the rest. `on conflict do nothing` would leave a gap in a bucket, so it
-- is never used here.
--
-- There is no foreign key to `matches`: it would lock the match's row for each action, and only
-- existing matches are played.
create table entries (
    bucket          smallint    not null check (bucket = bucket_of(match_id)),
    match_id        uuid        not null,
    position        int8        not null check (position > 0),
    bucket_position int8        not null check (bucket_position > 0),
    -- The caller's id of the action, unique within a match: a caller that lost the answer retries
    -- with the same id.
    request_id      text,
    -- The action, its events and the prompts open after it: protobuf `croupier.store.v1.Entry`.
    body            bytea       not null,
    create_time     timestamptz not null,
    primary key (bucket, match_id, position),
    unique (bucket, bucket_position)
) with (
    -- Rows never change, so the first vacuum that sees them may freeze them. A vacuum runs every
    -- million rows, however large the table has grown: the work comes in even portions instead of
    -- once, at night, for the whole table.
    autovacuum_freeze_min_age = 0,
    autovacuum_vacuum_insert_threshold = 1000000,
    autovacuum_vacuum_insert_scale_factor = 0
);


-- A platform's own notes about its matches. The service does not interpret them.
--
-- Tags are not part of the record of what happened: a tag may be changed and removed, and for each
-- key the last writer wins. They are not derived either, so no rebuild touches them. They stand
-- apart from `matches`, whose rows are written once.
create table match_tags (
    bucket            smallint    not null check (bucket = bucket_of(match_id)),
    match_id          uuid        not null,
    key               text        not null check (octet_length(key) between 1 and 64),
    -- A match has sixteen slots for tags, and a new tag takes a free one. So a key enforces the
    -- limit: if two writers each add a last tag, the second finds its slot taken, tries again, and
    -- finds none free.
    slot              smallint    not null check (slot between 0 and 15),
    value             text        not null check (octet_length(value) <= 256),
    platform          text        not null,
    match_create_time timestamptz not null,
    primary key (bucket, match_id, key),
    unique (bucket, match_id, slot),
    foreign key (bucket, match_id) references matches
);

create index match_tags_listed on match_tags (platform, key, value, match_create_time, match_id);
