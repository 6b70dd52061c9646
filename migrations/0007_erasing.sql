-- Erasing people: what a person said, and who the person was, can be taken out of the record, and
-- every digest of it still holds. Digests cover neither the players of a match nor the keys of what
-- they said.

-- Carries out an erasure: as a whole or not at all. It does nothing if there is no such erasure, or
-- if it was carried out before.
--
-- The role that serves may not change the record, but it may call this function, which runs with
-- the rights of its owner and can change nothing but what an erasure is about.
create function erase_player(of_platform text, as_pseudonym text) returns boolean
    language plpgsql volatile security definer
as $$
declare
    its_bucket smallint;
    person     text;
    its        record;
begin
    select bucket, player
    into its_bucket, person
    from erasures
    where platform = of_platform and pseudonym = as_pseudonym
    for update;
    if person is null then
        return false;
    end if;

    -- Whoever writes a read model holds one of these locks, and reads the names of players only
    -- once it does. So no name that was read before is written after. A sharded Postgres locks rows
    -- of one bucket at a time.
    perform 1 from projections order by model for update;
    for its_number in 0 .. 63 loop
        perform 1
        from checkpoints
        where bucket = its_number::smallint
        order by model, generation
        for update;
    end loop;
    for its in
        select relnamespace::regnamespace as namespace
        from pg_class
        where relname = 'leagues' and relnamespace in (
            quote_ident(current_schema())::regnamespace, 'rebuilding'::regnamespace
        )
    loop
        execute format(
            'select 1 from %s.leagues where bucket = $2 and platform = $1 order by game for update',
            its.namespace
        ) using of_platform, its_bucket;
    end loop;

    -- Who wants to be seated. Digests of requests cover the player's id, so a guess could be
    -- confirmed.
    insert into seek_ends (bucket, seek_id, end_time)
    select bucket, seek_id, now()
    from open_seeks
    where bucket = its_bucket and platform = of_platform and player = person
    order by seek_id
    on conflict do nothing;
    delete from open_seeks
    where bucket = its_bucket and platform = of_platform and player = person;
    update seeks
    set player = as_pseudonym, display_name = null, request = ''
    where platform = of_platform and player = person;

    -- Who sits, or sat, where, and what opens what was said there.
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

    -- What platforms note and ask for.
    update match_tags
    set value = as_pseudonym
    where platform = of_platform and value = person;
    update subscriptions
    set players = array_replace(players, person, as_pseudonym)
    where platform = of_platform and person = any (players);

    -- The read models: the current ones, and those that a rebuild fills.
    for its in
        select attrelid::regclass as relation, attname as name
        from pg_attribute
        join pg_class on pg_class.oid = attrelid
        where col_description(attrelid, attnum) = 'a player'
            and relkind in ('r', 'p')
            and relnamespace in (
                quote_ident(current_schema())::regnamespace, 'rebuilding'::regnamespace
            )
        order by attrelid, attnum
    loop
        execute format(
            'update %s set %I = $1 where platform = $2 and %I = $3', its.relation, its.name, its.name
        ) using as_pseudonym, of_platform, person;
    end loop;

    update erasures
    set player = null, changed_in = pg_current_xact_id()
    where bucket = its_bucket and platform = of_platform and pseudonym = as_pseudonym;
    return true;
end
$$;
comment on function erase_player(text, text) is 'for the role that serves';

-- A caller's own search path must not decide which tables the names of these functions mean, and
-- only those call them to whom `croupier migrate --grant` gives the right.
do $$
declare
    its record;
begin
    for its in
        select pg_proc.oid::regprocedure as signature
        from pg_proc
        where pronamespace = quote_ident(current_schema())::regnamespace
            and obj_description(pg_proc.oid, 'pg_proc') = 'for the role that serves'
    loop
        execute format('alter function %s set search_path = %I, pg_temp', its.signature, current_schema());
        execute format('revoke all on function %s from public', its.signature);
    end loop;
end
$$;
