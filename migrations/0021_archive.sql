-- Archived matches: matches that ended a while ago, whose entries have their content in an object
-- store instead of in the table.
--
-- Their rows in `entries` stay, with position, bucket position, time and digest, and an empty body.
-- So everything that counts, compares or orders entries holds for them as for any other: the keys
-- still refuse a writer that knows an older state, and cursors, receipts and checkpoints need no
-- second answer. Only the last entry of a match keeps its content, since lists are made of it.
--
-- This is a third exception to the rule that rows of the record are written once, and `croupier
-- archive` alone makes it, as the role that owns the tables. Nothing that a digest covers changes:
-- what was removed from a row is in the object, and readers put it back.
create table archived_matches (
    bucket       smallint    not null check (bucket = bucket_of(match_id)),
    match_id     uuid        not null,
    -- The object, below the place that processes are told with `--archive`. A row is written before
    -- its object, and every attempt has a name of its own: so an object that no row names is of no
    -- use to anybody, and never will be.
    object       text        not null check (object <> ''),
    -- Null until the object was read back and verified, and the rows of the match were emptied, all
    -- in one statement. Until then nothing depends on the object.
    position     int8        check (position > 1),
    bytes        int8        check (bytes > 0),
    -- BLAKE3.
    hash         bytea       check (octet_length(hash) = 32),
    archive_time timestamptz not null default now(),
    primary key (bucket, match_id),
    foreign key (bucket, match_id) references matches,
    check ((position is null) = (hash is null) and (bytes is null) = (hash is null))
);
