-- Keeping the record small: matches of which only the result is kept, and matches whose content is
-- in an object store.
--
-- Both are exceptions to the rule that rows of the record are written once. `croupier retention`
-- and `croupier archive` alone make them, as the role that owns the tables. The rows in `entries`
-- stay, with position, bucket position, time and digest, and an empty body. So everything that
-- counts, compares or orders entries holds for them as for any other: the keys still refuse a
-- writer that knows an older state, and cursors, receipts and checkpoints need no second answer.

-- The results of matches that ended long ago, of which nothing else is kept: such a match has no
-- seed any more. A row is written in the statement that empties the entries.
create table kept_results (
    bucket      smallint    not null check (bucket = bucket_of(match_id)),
    match_id    uuid        not null,
    -- Of the last entry, whose digest is in `entries`.
    position    int8        not null check (position > 0),
    -- Of the first and of the last entry.
    start_time  timestamptz not null,
    end_time    timestamptz not null,
    -- The final table, as far as it was public then: protobuf `croupier.store.v1.Table`. Unlike a
    -- snapshot it cannot be written again, so every later release reads it.
    body        bytea       not null,
    changed_in  xid8        not null default pg_current_xact_id(),
    -- Where several Postgres each number their own transactions, processes read what was reduced of
    -- late.
    reduce_time timestamptz not null default now(),
    primary key (bucket, match_id),
    foreign key (bucket, match_id) references matches
);
comment on table kept_results is 'by bucket; select';

create index kept_results_changed on kept_results (changed_in);

-- Archived matches: matches that ended a while ago, whose entries have their content in an object
-- store instead of in the table. Only the last entry of a match keeps its content, since lists are
-- made of it. Nothing that a digest covers changes: what was removed from a row is in the object,
-- and readers put it back.
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
comment on table archived_matches is 'by bucket; select';
