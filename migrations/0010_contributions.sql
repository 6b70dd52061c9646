-- Shared chance: what the seats of a match contribute to it before the deal.

-- A seat contributes once; the key lets the first one stand. The first entry of the match repeats
-- what was there when it was dealt, and only that counts: a row that came too late means nothing.
create table contributions (
    bucket       smallint    not null check (bucket = bucket_of(match_id)),
    match_id     uuid        not null,
    seat         smallint    not null check (seat >= 0),
    contribution bytea       not null check (octet_length(contribution) between 1 and 32),
    create_time  timestamptz not null default now(),
    primary key (bucket, match_id, seat),
    foreign key (bucket, match_id) references matches
);

-- The secret from which the service derives the seed of a match that is to be created with a
-- commitment told beforehand. It is written once, by the process that needs it first: another one
-- would break the commitments that were told.
create table seed_keys (
    bucket      smallint    not null default 0 check (bucket = 0),
    secret      bytea       not null check (octet_length(secret) = 32),
    create_time timestamptz not null default now(),
    primary key (bucket)
);

-- By seat, what it contributed; empty for a seat that contributed nothing, and null for a match
-- whose seats all contributed nothing.
alter table match_summaries add column contributions bytea[];
