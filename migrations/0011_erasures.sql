-- Erasing people: what a person said, and who the person was, can be taken out of the record, and
-- every digest of it still holds. Digests cover neither the players of a match nor the keys below.

-- What a seat says is stored encrypted, with a key of its own that stands here, apart from the
-- entries. Without the key nobody can read it any more. A key is written in the same statement as
-- its seat, in matches that allow talk.
create table speech_keys (
    bucket   smallint not null check (bucket = bucket_of(match_id)),
    match_id uuid     not null,
    seat     smallint not null check (seat >= 0),
    key      bytea    not null check (octet_length(key) = 32),
    primary key (bucket, match_id, seat),
    foreign key (bucket, match_id) references matches
);

-- Whether the player of the seat was erased. Then `player` is a pseudonym, and the seat says
-- nothing more.
alter table seats add column is_erased boolean not null default false;

-- Erasures of players. The row is written first: from then on the erasure is a promise, which any
-- process keeps, whatever happens to the one that gave it. All else is one transaction, which also
-- takes the player's id out of this row.
create table erasures (
    -- The platform's.
    bucket      smallint    not null check (bucket between 0 and 63),
    platform    text        not null,
    -- Random, the same everywhere, and in place of the player's id from now on.
    pseudonym   text        not null check (pseudonym like 'erased-%'),
    -- Whom to erase; null once that is done.
    player      text,
    create_time timestamptz not null default now(),
    -- The transaction that wrote the row last: processes read what has changed.
    changed_in  xid8        not null default pg_current_xact_id(),
    primary key (bucket, platform, pseudonym),
    foreign key (bucket, platform) references platforms
);

-- An erasure that is asked for again while it is under way is the same one.
create unique index erasures_under_way on erasures (bucket, platform, player)
    where player is not null;

create index erasures_changed on erasures (changed_in);

-- Carries out an erasure: as a whole or not at all. It does nothing if there is no such erasure, or
-- if it was carried out before.
--
-- The role that serves may not change the record, but it may call this function, which runs with
-- the rights of its owner and can change nothing but what an erasure is about.
create function erase_player(of_platform text, as_pseudonym text) returns boolean
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
