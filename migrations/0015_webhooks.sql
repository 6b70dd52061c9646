-- Subscriptions that the service itself consumes: it sends their entries to the platform's
-- endpoint, as signed messages.
--
-- The position of such a subscription is in `subscription_cursors` like that of any other, and its
-- buckets are leased by the processes that send. So any of them continues after another was killed.

-- Where the entries of a subscription are sent. A subscription without a row here is consumed by
-- its platform. The bucket is the platform's, as in `subscriptions`.
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

-- Of a subscription that is sent, by bucket of the log. What a process is about to send from a
-- bucket is noted before it is sent: the messages of an attempt that is repeated, by whichever
-- process, then have the same contents and the same ids.
alter table subscription_cursors
    -- The bucket position up to which the messages that are being sent reach.
    add column planned       int8,
    -- How often they were tried in vain, since when, and when they are tried again.
    add column attempts      int         not null default 0,
    add column failing_since timestamptz,
    add column next_attempt  timestamptz,
    add column failure       text;

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

create index webhook_deliveries_latest
    on webhook_deliveries (bucket, platform, subscription, attempt_time desc, delivery desc);
