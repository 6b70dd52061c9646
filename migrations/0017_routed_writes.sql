-- Writes of one match that need no node of the database but the match's own.
--
-- In a database of several nodes, a statement that inserts into several tables sends what it
-- inserted first to every node. There, these functions insert into one table after the other.

-- Creates a match, and ends its seeks, unless a match with this id exists or was deleted. Returns
-- whether it was created.
create function create_match(
    its_bucket smallint, its_match_id uuid, its_platform text, its_game text, its_seats smallint,
    its_create_time timestamptz, its_terms jsonb, its_request_digest bytea, players text[],
    display_names text[], name_keys text[], speech_key_list bytea[], contribution_list bytea[],
    tag_keys text[], tag_values text[], previous uuid, its_seed bytea,
    is_after_commitment boolean, its_name text, is_listed boolean, has_bots boolean,
    bucket_of_seeks smallint, sought uuid[]
) returns boolean
    language plpgsql volatile
as $$
declare
    nth int;
begin
    perform 1 from deleted_matches where bucket = its_bucket and match_id = its_match_id;
    if found then
        return false;
    end if;
    insert into matches
        (bucket, match_id, platform, game, seats, create_time, terms, request_digest)
    values
        (its_bucket, its_match_id, its_platform, its_game, its_seats, its_create_time, its_terms,
         its_request_digest)
    on conflict do nothing;
    if not found then
        return false;
    end if;

    for nth in 1 .. cardinality(players) loop
        if players[nth] is not null then
            insert into seats
                (bucket, match_id, seat, player, display_name, display_name_key, create_time,
                 platform, match_create_time)
            values
                (its_bucket, its_match_id, nth - 1, players[nth], display_names[nth],
                 name_keys[nth], its_create_time, its_platform, its_create_time);
        end if;
        if speech_key_list[nth] is not null then
            insert into speech_keys (bucket, match_id, seat, key)
            values (its_bucket, its_match_id, nth - 1, speech_key_list[nth]);
        end if;
        if contribution_list[nth] is not null then
            insert into contributions (bucket, match_id, seat, contribution, after_commitment)
            values
                (its_bucket, its_match_id, nth - 1, contribution_list[nth], is_after_commitment);
        end if;
    end loop;
    for nth in 1 .. cardinality(tag_keys) loop
        insert into match_tags
            (bucket, match_id, key, slot, value, platform, match_create_time)
        values
            (its_bucket, its_match_id, tag_keys[nth], nth - 1, tag_values[nth], its_platform,
             its_create_time);
    end loop;
    if its_name is not null then
        insert into match_names (bucket, match_id, display_name)
        values (its_bucket, its_match_id, its_name);
    end if;
    if is_listed then
        insert into lobby (bucket, match_id, platform, game, seats, create_time)
        values (its_bucket, its_match_id, its_platform, its_game, its_seats, its_create_time);
    end if;
    if has_bots then
        insert into bot_matches (bucket, match_id, platform)
        values (its_bucket, its_match_id, its_platform);
    end if;
    insert into seeds (bucket, match_id, seed) values (its_bucket, its_match_id, its_seed);
    if previous is not null then
        insert into next_matches (bucket, match_id, platform, next_match_id)
        values (bucket_of(previous), previous, its_platform, its_match_id);
    end if;
    -- All lock seeks in the same order, so they cannot deadlock.
    for nth in 1 .. coalesce(cardinality(sought), 0) loop
        insert into seek_ends (bucket, seek_id, match_id, end_time)
        values (bucket_of_seeks, sought[nth], its_match_id, its_create_time);
        delete from open_seeks where bucket = bucket_of_seeks and seek_id = sought[nth];
    end loop;
    return true;
end
$$;
comment on function create_match(
    smallint, uuid, text, text, smallint, timestamptz, jsonb, bytea, text[], text[], text[],
    bytea[], bytea[], text[], text[], uuid, bytea, boolean, text, boolean, boolean, smallint, uuid[]
) is 'for the role that serves';

-- Seats a player. Returns false if the seat was taken first, the same player or name took another
-- one, or there is no such match.
create function take_seat(
    its_bucket smallint, its_match_id uuid, its_seat smallint, its_player text,
    its_request_id text, its_create_time timestamptz, its_display_name text, its_name_key text,
    its_contribution bytea, its_speech_key bytea
) returns boolean
    language plpgsql volatile
as $$
begin
    insert into seats
        (bucket, match_id, seat, player, display_name, display_name_key, request_id, create_time,
         platform, match_create_time)
    select bucket, match_id, its_seat, its_player, its_display_name, its_name_key, its_request_id,
        its_create_time, platform, create_time
    from matches
    where bucket = its_bucket and match_id = its_match_id
    on conflict do nothing;
    if not found then
        return false;
    end if;
    if its_contribution is not null then
        insert into contributions (bucket, match_id, seat, contribution, after_commitment)
        values (its_bucket, its_match_id, its_seat, its_contribution, true);
    end if;
    if its_speech_key is not null then
        insert into speech_keys (bucket, match_id, seat, key)
        values (its_bucket, its_match_id, its_seat, its_speech_key);
    end if;
    return true;
end
$$;
comment on function take_seat(
    smallint, uuid, smallint, text, text, timestamptz, text, text, bytea, bytea
) is 'for the role that serves';

do $$
declare
    its record;
begin
    for its in
        select pg_proc.oid::regprocedure as signature
        from pg_proc
        where pronamespace = quote_ident(current_schema())::regnamespace
            and proname in ('create_match', 'take_seat')
    loop
        execute format('revoke all on function %s from public', its.signature);
    end loop;
end
$$;
