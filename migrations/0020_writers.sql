-- Several processes on one database.

-- The processes that record what others decide, too: each says every few seconds that it lives, and
-- where its peers reach it. All of them find the same preferred writer in it, so what two processes
-- decide at the same time is one batch and no race. A hint, and nothing more: a row that is wrong,
-- or that is missing, costs speed.
create table writers (
    process   uuid        primary key,
    -- Processes speak only with those of the same protocol.
    protocol  smallint    not null,
    address   text        not null,
    -- Whoever may read the record may speak with its writers, and nobody else: both sides of a
    -- connection know this key.
    key       bytea       not null check (octet_length(key) = 32),
    seen_time timestamptz not null
);
