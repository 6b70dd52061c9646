-- Clocks: what is due, and for how long the service was away.

-- The seats that must decide, and when the first of them runs out of time: null where no clock
-- runs. Both are null in matches that an earlier release projected.
alter table match_summaries add column waiting smallint[], add column deadline timestamptz;

-- Its clocks; null in a match without.
alter table match_summaries add column clocks bytea;

-- What a platform's matches wait for, soonest first.
create index match_summaries_due on match_summaries (platform, deadline, match_id) where deadline is not null;

-- The clocks of a match at a snapshot; null in a match without clocks.
alter table match_snapshots add column clocks bytea;

-- When a process that watches the clocks last said that it does.
create table presence (
    -- One row for the installation, in bucket 0.
    bucket    smallint    not null default 0 check (bucket = 0),
    beat_time timestamptz not null,
    primary key (bucket)
);

-- The times in which no process watched the clocks. Whoever was to decide then gets the time back.
-- A row is written in the statement that notices, before anything is decided that it matters for.
create table outages (
    bucket     smallint    not null default 0 check (bucket = 0),
    begin_time timestamptz not null,
    end_time   timestamptz not null check (end_time > begin_time),
    primary key (bucket, begin_time)
);
