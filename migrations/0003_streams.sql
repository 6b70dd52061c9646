-- Streams: what a platform is told of all its matches, where its readers stand, and when a match that is over is told whole.
--
-- Nothing in here is part of the record. A stream is read from `entries`, in the order of each bucket, so it needs no table of its
-- own; what is kept is where a reader stands. These rows are updated, unlike the record's: a bookmark moves.

-- Which house this is, for cursors: one that another house gave out is told from our own.
create table houses (
    bucket smallint not null default 0 check (bucket = 0),
    house  uuid     not null,
    primary key (bucket)
);
insert into houses (house) values (gen_random_uuid());

-- How long after its end a match is told whole, to everyone who may look at it: at once, later, or (null) never. Until then
-- each seat has what it was told, and the seed stays in the house.
alter table matches add column reveal_wait_s int8 default 0 check (reveal_wait_s >= 0);


-- A named reader of a platform's stream, whose place the house keeps. What it is told is fixed when it is made: an empty list
-- asks for everything. The bucket is the platform's.
create table subscriptions (
    bucket       smallint    not null,
    platform     text        not null,
    subscription text        not null check (subscription <> ''),
    games        text[]      not null,
    verbs        text[]      not null,
    players      text[]      not null,
    is_whole     boolean     not null,
    create_time  timestamptz not null,
    primary key (bucket, platform, subscription),
    foreign key (bucket, platform) references platforms
);

-- Where a subscription stands: a row for each bucket of the log, which is the bucket meant here.
--
-- Consumers of one subscription share it by bucket. `consumer` says who works on this one, and `lease_time` until when the others
-- leave it alone. That is a matter of who works and of nothing else: a lease that is lost or held twice costs a repeat, never an
-- entry, since only an acknowledgement moves `acknowledged`, and only forward.
create table subscription_cursors (
    bucket       smallint not null check (bucket between 0 and 63),
    platform     text     not null,
    subscription text     not null,
    -- Every entry up to here has been dealt with.
    acknowledged int8     not null check (acknowledged >= 0),
    consumer     text,
    lease_time   timestamptz,
    primary key (bucket, platform, subscription)
);

-- Who consumes a subscription at the moment, so that each takes its share and leaves the rest.
create table subscription_consumers (
    bucket       smallint    not null,
    platform     text        not null,
    subscription text        not null,
    consumer     text        not null,
    lease_time   timestamptz not null,
    primary key (bucket, platform, subscription, consumer),
    foreign key (bucket, platform, subscription) references subscriptions on delete cascade
);
