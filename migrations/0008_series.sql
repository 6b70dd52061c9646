-- Series: matches that follow each other, with the score so far.

-- What a match takes over from the one that it follows; all null for a match that follows none. It
-- is part of the match as it was created: written once, and covered by its digests.
alter table matches add column previous_match_id uuid;
-- Its number in the series. The first match, which follows none, counts as 1.
alter table matches add column series_number int;
-- The matches of the series won before this one, by seat of this match.
alter table matches add column series_wins int[];
-- The number of matches of which more than half decide the series; null for a series without end.
alter table matches add column series_best_of int;

-- The match that follows a match. The key lets one match do so: of two that are created at the same
-- time, the second finds it taken. The row is in the bucket of the match that is followed, and is
-- written in the same statement as the one that follows.
create table next_matches (
    bucket        smallint not null check (bucket = bucket_of(match_id)),
    match_id      uuid     not null,
    -- Of both matches. There is no foreign key: a match may be imported without the one before it.
    platform      text     not null,
    next_match_id uuid     not null,
    primary key (bucket, match_id, platform)
);
