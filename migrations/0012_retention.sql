-- Deletion and retention: what need not be kept for good.
--
-- A match that was never dealt may be deleted; of a match that ended long ago, everything but its
-- result may be removed. Both are exceptions to the rule that rows of the record are written once,
-- so each has one way: the function below for any process, and `croupier retention`, which runs as
-- the role that owns the tables.

-- The matches that were deleted. The row keeps the id from being used again: a late retry of the
-- request that created the match does not bring it back, and tokens for it stay useless. It names
-- nobody.
create table deleted_matches (
    bucket      smallint    not null check (bucket = bucket_of(match_id)),
    match_id    uuid        not null,
    delete_time timestamptz not null default now(),
    -- Processes ask every few seconds which matches to forget.
    changed_in  xid8        not null default pg_current_xact_id(),
    primary key (bucket, match_id)
);

create index deleted_matches_changed on deleted_matches (changed_in);

-- Deletes a match of this platform that was never dealt and has an open seat; returns whether it
-- did. A dealt match has no open seat, so the function cannot delete one, whoever calls it.
--
-- It is one statement, and the keys decide the race with a player who takes a seat: the seat's
-- foreign key either makes this statement fail, or finds the match gone. All names are resolved
-- now and not when it runs, so no caller can put a table of its own in their place.
create function delete_open_match(its_platform text, its_match_id uuid) returns boolean
    language sql volatile strict security definer
    set search_path = pg_catalog, pg_temp
begin atomic
    with chosen as (
        select m.bucket, m.match_id, m.platform, m.previous_match_id
        from matches as m
        where m.bucket = bucket_of(its_match_id)
            and m.match_id = its_match_id
            and m.platform = its_platform
            and m.seats > (
                select count(*)
                from seats
                where seats.bucket = m.bucket and seats.match_id = m.match_id
            )
            and not exists (
                select
                from entries
                where entries.bucket = m.bucket and entries.match_id = m.match_id
            )
    ), unseated as (
        delete from seats
        using chosen
        where seats.bucket = chosen.bucket and seats.match_id = chosen.match_id
    ), unseeded as (
        delete from seeds
        using chosen
        where seeds.bucket = chosen.bucket and seeds.match_id = chosen.match_id
    ), uncontributed as (
        delete from contributions as its
        using chosen
        where its.bucket = chosen.bucket and its.match_id = chosen.match_id
    ), unspoken as (
        delete from speech_keys as its
        using chosen
        where its.bucket = chosen.bucket and its.match_id = chosen.match_id
    ), untagged as (
        delete from match_tags
        using chosen
        where match_tags.bucket = chosen.bucket and match_tags.match_id = chosen.match_id
    ), unrevoked as (
        delete from token_revocations as its
        using chosen
        where its.bucket = chosen.bucket and its.match_id = chosen.match_id
    ), unlinked as (
        -- Another match may follow the one before it.
        delete from next_matches as its
        using chosen
        where its.bucket = bucket_of(chosen.previous_match_id)
            and its.match_id = chosen.previous_match_id
            and its.platform = chosen.platform
            and its.next_match_id = chosen.match_id
    ), deleted as (
        delete from matches
        using chosen
        where matches.bucket = chosen.bucket and matches.match_id = chosen.match_id
        returning matches.bucket, matches.match_id
    ), noted as (
        insert into deleted_matches (bucket, match_id)
        select bucket, match_id
        from deleted
        on conflict do nothing
    )
    select exists (select from deleted);
end;

-- `croupier migrate --grant` gives it to the role that serves.
revoke all on function delete_open_match(text, uuid) from public;


-- The results of matches that ended long ago, of which nothing else is kept. Such a match has no
-- seed any more, and its entries have an empty body and no request id: position, bucket position,
-- time and digest remain, so nothing that counts or compares them notices. A row is written in the
-- statement that empties the entries.
create table kept_results (
    bucket     smallint    not null check (bucket = bucket_of(match_id)),
    match_id   uuid        not null,
    -- Of the last entry, whose digest is in `entries`.
    position   int8        not null check (position > 0),
    -- Of the first and of the last entry.
    start_time timestamptz not null,
    end_time   timestamptz not null,
    -- The final table, as far as it was public then: protobuf `croupier.store.v1.Table`. Unlike a
    -- snapshot it cannot be written again, so every later release reads it.
    body       bytea       not null,
    changed_in xid8        not null default pg_current_xact_id(),
    primary key (bucket, match_id),
    foreign key (bucket, match_id) references matches
);

create index kept_results_changed on kept_results (changed_in);
