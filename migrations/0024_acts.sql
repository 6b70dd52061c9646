-- What operators did: to platforms, keys, limits, subscriptions and games, and to the record.
--
-- An act has a row before it is carried out and another one after it, with how it ended. A process
-- that dies in between leaves the first one only: how such an act ended is unknown.
--
-- Rows are written once. As in the log, they are numbered within a bucket, and each has a digest of
-- itself and of the digest before it, so `croupier operator check-acts` finds a row that was
-- changed, removed or added later. They contain no secret and no player's id.
create table acts (
    -- The bucket of the platform; 0 for acts on the whole installation.
    bucket      smallint    not null check (bucket between 0 and 63),
    -- Runs 1, 2, 3 … within the bucket.
    number      int8        not null check (number > 0),
    act_id      uuid        not null,
    -- Whether the row tells how the act ended, instead of what was begun.
    is_outcome  boolean     not null,
    -- Null for acts on the whole installation.
    platform    text        check (platform <> ''),
    -- Such as `suspend_platform`.
    kind        text        not null check (kind <> ''),
    -- The actor and the object, or the outcome, as JSON.
    body        text        not null,
    create_time timestamptz not null,
    digest      bytea       not null check (octet_length(digest) = 32),
    primary key (bucket, number),
    unique (bucket, act_id, is_outcome)
);
comment on table acts is 'by bucket; select, insert';

create index acts_times on acts (create_time, act_id) where not is_outcome;
create index acts_of_platforms on acts (bucket, platform, create_time, act_id) where not is_outcome;

-- Also for the owner, who has all rights. It is no protection from one who means harm, who can
-- disable it; the digests are.
create function keep_acts() returns trigger
    language plpgsql
as $$
begin
    raise exception 'rows of acts are written once'
        using errcode = 'insufficient_privilege';
end
$$;

create trigger keep_acts
    before update or delete or truncate on acts
    for each statement execute function keep_acts();
