-- What a platform may use of what all platforms share. An operator sets a limit here to replace the
-- service's default; running processes read it within seconds. Neither part of the record nor
-- derived from it.

create table platform_limits (
    -- The platform's.
    bucket                smallint not null,
    platform              text     not null,
    -- Null is the service's default, which may change from release to release.
    calls_per_s           int      check (calls_per_s > 0),
    actions_per_s         int      check (actions_per_s > 0),
    actions_max           int      check (actions_max > 0),
    matches_per_s         int      check (matches_per_s > 0),
    watches_max           int      check (watches_max > 0),
    streams_max           int      check (streams_max > 0),
    subscriptions_max     int      check (subscriptions_max > 0),
    consumers_max         int      check (consumers_max > 0),
    seat_calls_per_s      int      check (seat_calls_per_s > 0),
    seat_actions_per_s    int      check (seat_actions_per_s > 0),
    seat_streams_max      int      check (seat_streams_max > 0),
    seat_entries_max      int      check (seat_entries_max > 0),
    primary key (bucket, platform),
    foreign key (bucket, platform) references platforms
);


-- Snapshots of long matches: the table after every five hundredth entry, so that nobody need fold
-- tens of thousands of entries to read one position. Derived from `entries`: any row may be deleted
-- at any time, and is written again by whoever folds past it. Like an entry, a snapshot holds what
-- is secret to some seats, and needs the same protection.
create table match_snapshots (
    bucket      smallint    not null check (bucket = bucket_of(match_id)),
    match_id    uuid        not null,
    position    int8        not null check (position > 0),
    -- Of the entry at this position. A row whose entry is missing or has another time belongs to a
    -- history that a restore has undone, and is not read.
    create_time timestamptz not null,
    -- Of the stored form and of the fold. Other versions are not read.
    version     int         not null,
    -- Protobuf `croupier.store.v1.Table`.
    body        bytea       not null,
    -- By seat: the entries that its actions have added to the match.
    acted       int[]       not null,
    -- The request ids since the previous snapshot, so that a retry of an old request is recognised:
    -- for each, half of its BLAKE3 hash and its distance from that snapshot, two bytes.
    requests    bytea       not null,
    -- Of the entry at this position, where entries have digests.
    digest      bytea,
    primary key (bucket, match_id, position)
);
