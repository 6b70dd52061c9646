-- Subscriptions: named positions in a platform's stream of entries.
--
-- Nothing here is part of the record. A stream is read from `entries`, in the order of each bucket,
-- so it needs no table of its own; these tables keep how far its readers have come. Unlike the
-- record's, their rows are updated.

-- A subscription. Its filter is fixed when it is created; an empty list matches everything. The
-- bucket is the platform's.
create table subscriptions (
    bucket       smallint    not null,
    platform     text        not null,
    subscription text        not null check (subscription <> ''),
    games        text[]      not null,
    verbs        text[]      not null,
    players      text[]      not null,
    -- By key. Entries match if their match has all of these tags at the time they are read.
    tags         jsonb       not null default '{}' check (jsonb_typeof(tags) = 'object'),
    is_whole     boolean     not null,
    create_time  timestamptz not null,
    primary key (bucket, platform, subscription),
    foreign key (bucket, platform) references platforms
);

-- A subscription's position: one row for each bucket of the log, and `bucket` is that bucket.
--
-- The consumers of a subscription divide its buckets among them. `consumer` is the one that works
-- on this bucket, and until `lease_time` the others leave it alone. A lease that is lost or held
-- twice costs repeated entries, never a lost one: only an acknowledgement moves `acknowledged`, and
-- only forward.
create table subscription_cursors (
    bucket       smallint not null check (bucket between 0 and 63),
    platform     text     not null,
    subscription text     not null,
    -- Every entry up to this bucket position has been acknowledged.
    acknowledged int8     not null check (acknowledged >= 0),
    consumer     text,
    lease_time   timestamptz,
    primary key (bucket, platform, subscription)
);

-- The current consumers of a subscription, so that each takes its share of the buckets and leaves
-- the rest.
create table subscription_consumers (
    bucket       smallint    not null,
    platform     text        not null,
    subscription text        not null,
    consumer     text        not null,
    lease_time   timestamptz not null,
    primary key (bucket, platform, subscription, consumer),
    foreign key (bucket, platform, subscription) references subscriptions on delete cascade
);
