-- Players who leave, stay away and come back: pauses, votes, substitutes and open seats.

-- The public state of a match, as its last entry left it.
alter table match_summaries
    add column is_paused boolean not null default false,
    -- The votes of seats for what has not happened yet, in the order in which they were given: for
    -- each, the seat and the number of the motion. None if there are none.
    add column votes     smallint[];


-- Who sat on a seat before the player who sits there now. A row is written in the statement that
-- records the entry by which the other player took over, so the record tells who sat when: up to
-- that entry, and since the one before it of the same seat.
create table former_players (
    bucket            smallint not null check (bucket = bucket_of(match_id)),
    match_id          uuid     not null,
    seat              smallint not null check (seat >= 0),
    -- Of the entry by which another player took over.
    until_position    int8     not null check (until_position > 0),
    player            text     not null check (player <> ''),
    display_name      text,
    -- What opens what the player said; null if there was no key, and once the player is erased.
    speech_key        bytea    check (octet_length(speech_key) = 32),
    is_erased         boolean  not null default false,
    -- Copied from the match, as in `seats`.
    platform          text        not null,
    match_create_time timestamptz not null,
    primary key (bucket, match_id, seat, until_position),
    -- Who has left does not come back.
    unique (bucket, match_id, player),
    foreign key (bucket, match_id) references matches
);

create index former_players_of_player
    on former_players (platform, player, match_create_time, match_id);

-- Seats another player on a seat that is taken, as of the entry at this position, which the same
-- statement records. The tokens of the player who sat there are revoked.
create function replace_player(
    its_match_id         uuid,
    its_seat             smallint,
    its_position         int8,
    its_player           text,
    its_display_name     text,
    its_display_name_key text,
    its_speech_key       bytea,
    its_time             timestamptz
) returns boolean
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
begin atomic
    insert into former_players
        (bucket, match_id, seat, until_position, player, display_name, speech_key, is_erased,
         platform, match_create_time)
    select seats.bucket, seats.match_id, seats.seat, its_position, seats.player,
        seats.display_name, speech_keys.key, seats.is_erased, seats.platform,
        seats.match_create_time
    from seats
    left join speech_keys using (bucket, match_id, seat)
    where seats.bucket = bucket_of(its_match_id)
        and seats.match_id = its_match_id
        and seats.seat = its_seat;

    update seats
    set player = its_player, display_name = its_display_name,
        display_name_key = its_display_name_key, request_id = null, create_time = its_time,
        is_erased = false
    where bucket = bucket_of(its_match_id) and match_id = its_match_id and seat = its_seat;

    delete from speech_keys
    where bucket = bucket_of(its_match_id) and match_id = its_match_id and seat = its_seat;

    insert into speech_keys (bucket, match_id, seat, key)
    select bucket_of(its_match_id), its_match_id, its_seat, its_speech_key
    where its_speech_key is not null;

    insert into token_revocations (bucket, match_id, seat, number)
    select bucket_of(its_match_id), its_match_id, its_seat, coalesce(max(number), 0) + 1
    from token_revocations
    where bucket = bucket_of(its_match_id) and match_id = its_match_id and seat = its_seat;

    select true;
end;

revoke all on function
    replace_player(uuid, smallint, int8, text, text, text, bytea, timestamptz) from public;


-- Frees the seat of a player in a match of this platform that was never dealt and has an open seat;
-- returns whether it did. What belongs to the seat goes with it, and its tokens are revoked.
--
-- Whoever takes a seat shares a lock on the match's row, through the foreign key of the seat. The
-- first statement waits for them and keeps others out, and the second one sees what they did: so of
-- a player who leaves and one who takes the last seat, the first to come succeeds.
create function leave_open_match(its_platform text, its_match_id uuid, its_player text)
    returns boolean
    language sql volatile strict security definer
    set search_path = pg_catalog, pg_temp
begin atomic
    select
    from matches as m
    where m.bucket = bucket_of(its_match_id)
        and m.match_id = its_match_id
        and m.platform = its_platform
    for update;

    with chosen as (
        select m.bucket, m.match_id, its.seat
        from matches as m
        join seats as its using (bucket, match_id)
        where m.bucket = bucket_of(its_match_id)
            and m.match_id = its_match_id
            and m.platform = its_platform
            and its.player = its_player
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
    ), uncontributed as (
        delete from contributions as its
        using chosen
        where its.bucket = chosen.bucket
            and its.match_id = chosen.match_id
            and its.seat = chosen.seat
    ), unspoken as (
        delete from speech_keys as its
        using chosen
        where its.bucket = chosen.bucket
            and its.match_id = chosen.match_id
            and its.seat = chosen.seat
    ), revoked as (
        insert into token_revocations (bucket, match_id, seat, number)
        select chosen.bucket, chosen.match_id, chosen.seat,
            (
                select coalesce(max(number), 0) + 1
                from token_revocations as its
                where its.bucket = chosen.bucket
                    and its.match_id = chosen.match_id
                    and its.seat = chosen.seat
            )
        from chosen
    ), unseated as (
        delete from seats
        using chosen
        where seats.bucket = chosen.bucket
            and seats.match_id = chosen.match_id
            and seats.seat = chosen.seat
        returning seats.seat
    )
    select exists (select from unseated);
end;

revoke all on function leave_open_match(text, uuid, text) from public;


-- As before, and what is left of the player on seats that others have taken over.
create or replace function erase_player(of_platform text, as_pseudonym text) returns boolean
    language plpgsql
    security definer
as $$
declare
    its_bucket smallint;
    person     text;
    its_schema text;
begin
    select bucket, player
    into its_bucket, person
    from erasures
    where platform = of_platform and pseudonym = as_pseudonym
    for update;
    if person is null then
        return false;
    end if;

    -- Whoever writes results or settles them holds one of these locks, and reads the names of
    -- players only once it does. So no name that was read before is written after.
    perform 1 from projections where model = 'players' for update;
    perform 1 from checkpoints where model = 'players' order by bucket, generation for update;
    foreach its_schema in array array[current_schema()::text, 'rebuilding'] loop
        if to_regclass(format('%I.leagues', its_schema)) is not null then
            execute format('select from %I.leagues where platform = $1 order by game for update', its_schema)
                using of_platform;
        end if;
    end loop;

    update seats
    set player = as_pseudonym, display_name = null, display_name_key = null, request_id = null,
        is_erased = true
    where platform = of_platform and player = person;

    update former_players
    set player = as_pseudonym, display_name = null, speech_key = null, is_erased = true
    where platform = of_platform and player = person;

    delete from speech_keys
    using seats
    where seats.platform = of_platform
        and seats.player = as_pseudonym
        and speech_keys.bucket = seats.bucket
        and speech_keys.match_id = seats.match_id
        and speech_keys.seat = seats.seat;

    -- It covers the players' ids, so a guess could be confirmed.
    update matches
    set request_digest = ''
    from seats
    where seats.platform = of_platform
        and seats.player = as_pseudonym
        and matches.bucket = seats.bucket
        and matches.match_id = seats.match_id;

    update matches
    set request_digest = ''
    from former_players as former
    where former.platform = of_platform
        and former.player = as_pseudonym
        and matches.bucket = former.bucket
        and matches.match_id = former.match_id;

    update match_tags
    set value = as_pseudonym
    where platform = of_platform and value = person;

    update subscriptions
    set players = array_replace(players, person, as_pseudonym)
    where platform = of_platform and person = any (players);

    -- The read models: the current ones, and those that a rebuild fills.
    foreach its_schema in array array[current_schema()::text, 'rebuilding'] loop
        if to_regclass(format('%I.results', its_schema)) is not null then
            execute format(
                'update %I.results as result
                 set player = $1
                 from seats
                 where seats.platform = $2
                     and seats.player = $1
                     and result.bucket = seats.bucket
                     and result.match_id = seats.match_id
                     and result.seat = seats.seat',
                its_schema
            ) using as_pseudonym, of_platform;
        end if;
        if to_regclass(format('%I.standings', its_schema)) is not null then
            execute format(
                'update %I.standings
                 set player = $1
                 where bucket = $2 and platform = $3 and player = $4',
                its_schema
            ) using as_pseudonym, its_bucket, of_platform, person;
        end if;
        if to_regclass(format('%I.opponents', its_schema)) is not null then
            execute format(
                'update %1$I.opponents
                 set opponent = $1
                 where bucket = $2
                     and platform = $3
                     and player in (
                         select opponent
                         from %1$I.opponents
                         where bucket = $2 and platform = $3 and player = $4
                     )
                     and opponent = $4',
                its_schema
            ) using as_pseudonym, its_bucket, of_platform, person;
            execute format(
                'update %I.opponents
                 set player = $1
                 where bucket = $2 and platform = $3 and player = $4',
                its_schema
            ) using as_pseudonym, its_bucket, of_platform, person;
        end if;
    end loop;

    update erasures
    set player = null, changed_in = pg_current_xact_id()
    where bucket = its_bucket and platform = of_platform and pseudonym = as_pseudonym;
    return true;
end
$$;

-- A caller's own search path must not decide which tables these are.
do $$
begin
    execute format('alter function erase_player(text, text) set search_path = %I, pg_temp', current_schema());
end
$$;

revoke execute on function erase_player(text, text) from public;
