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
