-- Deliveries: which entries a platform has asked to be given, and how far it was given them.
--
-- Nothing here is part of the record. A stream is read from `entries`, in the order of each bucket,
-- so it needs no table of its own; these tables keep how far its readers have come.

-- A subscription: a named position in a platform's entries. Its filter is fixed when it is created;
-- an empty list matches everything. The bucket is the platform's.
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
comment on table subscriptions is 'by bucket; select, insert, update, delete';

-- A subscription's position: one row for each bucket of the log, and `bucket` is that bucket.
--
-- The consumers of a subscription divide its buckets among them. `consumer` is the one that works
-- on this bucket, and until `lease_time` the others leave it alone. A lease that is lost or held
-- twice costs repeated entries, never a lost one: only an acknowledgement moves `acknowledged`, and
-- only forward.
create table subscription_cursors (
    bucket        smallint    not null check (bucket between 0 and 63),
    platform      text        not null,
    subscription  text        not null,
    -- Every entry up to this bucket position has been acknowledged.
    acknowledged  int8        not null check (acknowledged >= 0),
    consumer      text,
    lease_time    timestamptz,
    -- Of a subscription that is sent: what a process is about to send is noted before it is sent,
    -- so the messages of an attempt that is repeated, by whichever process, have the same contents
    -- and the same ids. This is the bucket position up to which these messages reach.
    planned       int8,
    -- How often they were tried in vain, since when, and when they are tried again.
    attempts      int         not null default 0,
    failing_since timestamptz,
    next_attempt  timestamptz,
    failure       text,
    primary key (bucket, platform, subscription)
);
comment on table subscription_cursors is 'by bucket; select, insert, update, delete';

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
comment on table subscription_consumers is 'by bucket; select, insert, update, delete';

-- Where the entries of a subscription are sent, as signed messages. A subscription without a row
-- here is consumed by its platform; one with a row is consumed by the processes of the service, so
-- any of them continues after another was killed.
create table webhooks (
    bucket        smallint    not null,
    platform      text        not null,
    subscription  text        not null,
    url           text        not null check (url <> ''),
    -- Counts how often sending began anew, at another position or after it had been given up. It is
    -- part of the ids of messages and of the names of consumers: what was sent before, and what a
    -- process still does from before, has no effect on what comes after.
    generation    int         not null default 0,
    -- Since when nothing is sent any more: the endpoint failed for too long.
    disabled_time timestamptz,
    primary key (bucket, platform, subscription),
    foreign key (bucket, platform, subscription) references subscriptions on delete cascade
);
comment on table webhooks is 'by bucket; select, insert, update';

create index webhooks_enabled on webhooks (bucket) where disabled_time is null;

-- What signs the messages of an endpoint. Each message is signed with every secret that has not
-- expired, so that an endpoint can change from one to the next while it receives.
--
-- A secret is needed in the clear to sign. It is told once, to whom it was made for, and no query
-- but that of the processes that send reads this table.
create table webhook_secrets (
    bucket       smallint    not null,
    platform     text        not null,
    subscription text        not null,
    number       int         not null check (number > 0),
    secret       bytea       not null check (octet_length(secret) between 24 and 64),
    create_time  timestamptz not null,
    -- None for the newest.
    expire_time  timestamptz,
    primary key (bucket, platform, subscription, number),
    foreign key (bucket, platform, subscription) references webhooks on delete cascade
);
comment on table webhook_secrets is 'by bucket; select, insert, update, delete';

-- The last attempts to send, for those who look for a mistake in their endpoint. Older ones are
-- deleted.
create table webhook_deliveries (
    bucket         smallint    not null,
    platform       text        not null,
    subscription   text        not null,
    delivery       uuid        not null,
    attempt_time   timestamptz not null,
    duration_ms    int         not null,
    message        text        not null,
    -- The bucket of the log, and the position after which the message begins; none of a test.
    log_bucket     smallint,
    after          int8,
    -- The match and the positions of its first and last entry; none of a test.
    match_id       uuid,
    first_position int8,
    last_position  int8,
    entries        int         not null,
    -- Counted from 1.
    attempt        int         not null check (attempt > 0),
    -- Of the answer, if there was one.
    status         int,
    -- Why the message was not taken; none if it was.
    failure        text,
    -- The beginning of the answer.
    answer         text        not null,
    primary key (bucket, platform, subscription, delivery),
    foreign key (bucket, platform, subscription) references webhooks on delete cascade
);
comment on table webhook_deliveries is 'by bucket; select, insert, delete';

create index webhook_deliveries_latest
    on webhook_deliveries (bucket, platform, subscription, attempt_time desc, delivery desc);
