-- A stream's bucket: the last byte of its id, modulo 64. All kinds of ids in use are random in
-- their last byte.
create or replace function bucket_of(stream uuid) returns smallint
    language sql immutable strict parallel safe
    return (get_byte(uuid_send(stream), 15) & 63)::smallint;

-- The buckets, a row each, for statements that take something from each of them. A sharded
-- Postgres keeps each row beside the rows of its bucket, so a statement that joins this table
-- reads each bucket where it is.
create table if not exists {buckets} (
    bucket smallint not null check (bucket between 0 and 63),
    primary key (bucket)
);

insert into {buckets} (bucket) select generate_series(0, 63)
on conflict do nothing;

-- The log. Two counters and two keys give every guarantee:
--
--   the primary key  Within a stream, positions run 1, 2, 3 … A writer that decided on the state at
--                    position n can add only n + 1, and only if no other writer has: every entry is
--                    decided on the newest state.
--   the unique key   Within a bucket, across its streams, likewise. A writer adds at the bucket's
--                    head + 1, which it must have read or written. So bucket positions have no gaps
--                    and follow commit order, and a reader that continues after its last bucket
--                    position misses nothing.
--
-- Rows arrive up to a thousand at a time, of many streams, in one plain insert. They are sorted by
-- bucket, so that two writers cannot deadlock. If one row is refused, all are; the writer reads
-- the heads again and retries the rest. `on conflict do nothing` would leave a gap in a bucket, so
-- it is never used here.
--
-- A writer inserts only if the last entry of each bucket it writes to is still the one it knows,
-- by position and digest. So a database that has gone back (a failover to a standby that lacked
-- the last commits, a restore to an earlier moment) is noticed before anything is added to it.
create table {entries} (
    bucket          smallint    not null check (bucket = bucket_of({stream})),
    {stream}        uuid        not null,
    position        int8        not null check (position > 0),
    bucket_position int8        not null check (bucket_position > 0),
    -- The caller's id of the request, unique within a stream: a caller that lost the answer
    -- retries with the same id.
    request_id      text,
    -- What happened, in the writer's form; empty where its content was removed or moved away.
    body            bytea       not null,
    create_time     timestamptz not null,
    -- A hash of the entry and of the digest before it in its stream. It is the writer's; the log
    -- compares it.
    digest          bytea       check (octet_length(digest) = 32),
    primary key (bucket, {stream}, position),
    unique (bucket, bucket_position)
) with (
    -- Rows hardly ever change, so the first vacuum that sees them may freeze them. A vacuum runs
    -- every million rows, however large the table has grown: the work comes in even portions
    -- instead of once, at night, for the whole table.
    autovacuum_freeze_min_age = 0,
    autovacuum_vacuum_insert_threshold = 1000000,
    autovacuum_vacuum_insert_scale_factor = 0
);

-- The processes that write: each says every few seconds that it lives, and where its peers reach
-- it. All of them find the same preferred writer in it, so what two processes decide at the same
-- time is one batch and no race. A hint, and nothing more: a row that is wrong, or that is
-- missing, costs speed.
create table if not exists {writers} (
    process   uuid        primary key,
    -- Processes speak only with those of the same protocol.
    protocol  smallint    not null,
    address   text        not null,
    -- Those who may read the log may speak with its writers, and nobody else: both sides of a
    -- connection know this key.
    key       bytea       not null check (octet_length(key) = 32),
    seen_time timestamptz not null
);
