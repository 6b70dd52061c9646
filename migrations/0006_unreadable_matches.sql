-- Matches that a read model had to skip, because the release that updated it could not read one of
-- their entries: a newer release recorded it, or its bytes are damaged. The checkpoints go on, so
-- that one such match delays no other. The model's rows of the match stay as they were before that
-- entry, until a release that can read it has written them again and removed the row here.
create table unreadable_matches (
    bucket    smallint    not null check (bucket between 0 and 63),
    match_id  uuid        not null,
    model     text        not null,
    -- The first entry that cannot be read.
    position  int8        not null,
    reason    text        not null,
    find_time timestamptz not null,
    -- When a release last tried to read the match.
    try_time  timestamptz not null,
    primary key (bucket, match_id, model)
);
