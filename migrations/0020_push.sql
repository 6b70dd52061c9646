-- Web Push: the browsers that tell a player of a turn, and what they are still to be told.
--
-- Turns follow from the record. A process follows it for each platform that has browsers, queues a
-- row for each turn and browser, and sends what is queued. How far it has read advances in the
-- statement that queues, so a turn is neither lost nor queued twice when a process is killed.
-- All rows of a platform are in the platform's bucket.

-- The key that signs for push services, as PKCS #8 of P-256. Browsers subscribe to its public half,
-- so another one would end every subscription: it is made with the installation and never changes.
create table push_keys (
    bucket      smallint    not null default 0 check (bucket = 0),
    secret      bytea       not null,
    create_time timestamptz not null default now(),
    primary key (bucket)
);
comment on table push_keys is 'everywhere; select, insert';

-- How far the record was read for the browsers of a platform. A platform without any has no row.
create table push_feeds (
    bucket        smallint    not null,
    platform      text        not null,
    -- Counts registrations, so that a row is not deleted while one of them adds a browser.
    registrations int8        not null default 0,
    -- By bucket of the log, the position up to which turns are queued, and the digest there, empty
    -- if unknown.
    positions     int8[]      not null check (cardinality(positions) = 64),
    digests       bytea[]     not null check (cardinality(digests) = 64),
    -- The term in which they were read.
    term          int8        not null,
    -- The process that follows and sends, and until when others leave that to it.
    consumer      text,
    lease_time    timestamptz,
    primary key (bucket, platform),
    foreign key (bucket, platform) references platforms
);
comment on table push_feeds is 'by bucket; select, insert, update, delete';

-- A browser that is to be told of a player's turns.
create table push_subscriptions (
    bucket        smallint    not null,
    platform      text        not null,
    -- Follows from the player, the match and the endpoint.
    push_id       uuid        not null,
    player        text        not null check (player <> ''),
    -- By the token of a seat: turns in this match only.
    match_id      uuid,
    -- The address and the keys that the browser gave: RFC 8030, RFC 8291.
    endpoint      text        not null check (endpoint <> ''),
    p256dh        bytea       not null check (octet_length(p256dh) = 65),
    auth          bytea       not null check (octet_length(auth) = 16),
    language      text        not null,
    -- The right by which it was registered, as a text of `caller_right`. Nothing is sent once it
    -- has ended.
    caller_right  text        not null,
    create_time   timestamptz not null,
    register_time timestamptz not null,
    -- Nothing is sent before.
    next_time     timestamptz not null,
    -- How often sending failed in a row, and since when.
    attempts      int         not null default 0,
    failing_since timestamptz,
    primary key (bucket, platform, push_id),
    foreign key (bucket, platform) references platforms
);
comment on table push_subscriptions is 'by bucket; select, insert, update, delete';

create index push_subscriptions_players on push_subscriptions (bucket, platform, player);

-- What a browser is still to be told: the last turn of a seat.
create table push_turns (
    bucket   smallint    not null,
    platform text        not null,
    push_id  uuid        not null,
    match_id uuid        not null,
    seat     smallint    not null,
    -- The entry that asked the seat.
    position int8        not null check (position > 0),
    -- A player who is at the table answers before.
    due_time timestamptz not null,
    primary key (bucket, platform, push_id, match_id, seat),
    foreign key (bucket, platform, push_id) references push_subscriptions on delete cascade
);
comment on table push_turns is 'by bucket; select, insert, update, delete';

-- As in `0014_rights.sql`. Nobody is told any more what a person who was erased is asked.
create or replace function erase_player(of_platform text, as_pseudonym text) returns boolean
    language plpgsql volatile security definer
as $$
declare
    person text;
begin
    select player
    into person
    from erasures
    where platform = of_platform and pseudonym = as_pseudonym;
    if person is null then
        return false;
    end if;
    perform pg_advisory_xact_lock(lock_of_player(of_platform, person));

    if not erase_player_in_tables(of_platform, as_pseudonym) then
        return false;
    end if;
    update seeks
    set request_id = null
    where platform = of_platform and player = as_pseudonym;
    delete from push_subscriptions where platform = of_platform and player = person;
    insert into token_revocations (bucket, match_id, seat, number)
    select its.bucket, its.match_id, its.seat, coalesce(max(revoked.number), 0) + 1
    from seats as its
    left join token_revocations as revoked using (bucket, match_id, seat)
    where its.platform = of_platform and its.player = as_pseudonym
    group by its.bucket, its.match_id, its.seat
    on conflict do nothing;
    return true;
end
$$;

-- As in `0007_erasing.sql`: a caller's own search path must not decide which tables are meant.
do $$
declare
    its record;
begin
    for its in
        select pg_proc.oid::regprocedure as signature
        from pg_proc
        where pronamespace = quote_ident(current_schema())::regnamespace
            and proname = 'erase_player'
    loop
        execute format('alter function %s set search_path = %I, pg_temp', its.signature, current_schema());
        execute format('revoke all on function %s from public', its.signature);
    end loop;
end
$$;
