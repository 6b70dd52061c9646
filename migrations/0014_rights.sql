-- Rights end when they end: what records something also checks that the right to do so still holds.
--
-- A process reads every few seconds which keys and tokens were revoked. Until it has, it takes an
-- ended right for a valid one. So the statement that records an entry asks `rights_hold`, unless no
-- right has ended since the process read, and whatever else is written is asked for first.

-- The right by which a caller calls: the type `accounts::Right`.
create type caller_right as (
    -- The platform, and its bucket.
    bucket       smallint,
    platform     text,
    -- The API key, or the one that minted the token.
    key_id       text,
    -- The key that signed the token; null for API keys.
    signed_by    smallint,
    -- Of the token of a seat or a spectator: how many revocations preceded it.
    match_bucket smallint,
    match_id     uuid,
    seat         smallint,
    of_match     int,
    of_seat      int,
    -- Of the token of a player: the revocation that was current.
    player_hash  bytea,
    number       int8
);

-- Whether these rights hold. Each statement names its bucket, so that the function also works in a
-- database of several nodes. Equal rights, and those of one API key, stand side by side.
create function rights_hold(rights text[]) returns boolean
    language plpgsql stable strict security definer
as $$
declare
    listed text;
    its    caller_right;
    before caller_right;
begin
    foreach listed in array rights loop
        its := listed::caller_right;
        if (its.platform, its.key_id, its.signed_by)
            is distinct from (before.platform, before.key_id, before.signed_by)
        then
            perform 1
            from platforms
            where bucket = its.bucket and platform = its.platform and suspend_time is not null;
            if found then
                return false;
            end if;
            perform 1
            from platform_keys
            where bucket = its.bucket
                and platform = its.platform
                and key_id = its.key_id
                and revoke_time is not null;
            if found then
                return false;
            end if;
            perform 1
            from token_keys
            where bucket = 0 and key_id = its.signed_by and drop_time is not null;
            if found then
                return false;
            end if;
        end if;
        if its.match_id is not null then
            perform 1
            from token_revocations
            where bucket = its.match_bucket
                and match_id = its.match_id
                and (seat = -1 and number > its.of_match or seat = its.seat and number > its.of_seat);
            if found then
                return false;
            end if;
        end if;
        if its.player_hash is not null then
            perform 1
            from player_revocations
            where bucket = its.bucket
                and platform = its.platform
                and player_hash = its.player_hash
                and number > its.number;
            if found then
                return false;
            end if;
        end if;
        before := its;
    end loop;
    return true;
end
$$;
comment on function rights_hold(text[]) is 'for the role that serves';

-- The number of the lock that an erasure of this player takes.
create function lock_of_player(its_platform text, its_player text) returns int8
    language sql immutable
    return hashtextextended(its_player, hashtextextended(its_platform, 0));

-- Like `rights_hold`, for a statement that writes the id of the right's own player. An erasure
-- waits for the transaction that asked, so either it finds what that one wrote, or the right has
-- ended.
create function right_holds_for(its_platform text, its_player text, its_right text) returns boolean
    language plpgsql volatile strict security definer
as $$
begin
    perform pg_advisory_xact_lock_shared(lock_of_player(its_platform, its_player));
    return rights_hold(array[its_right]);
end
$$;
comment on function right_holds_for(text, text, text) is 'for the role that serves';

-- Waits until all that others write of this player by `right_holds_for` can be read.
create function wait_for_player(its_platform text, its_player text) returns void
    language plpgsql volatile strict security definer
as $$
begin
    perform pg_advisory_xact_lock(lock_of_player(its_platform, its_player));
end
$$;
comment on function wait_for_player(text, text) is 'for the role that serves';

-- The id of the request that created the seek, if it had one. Each player has request ids of its
-- own, as each seat of a match has. It is null once the player was erased.
alter table seeks add column request_id text;
create unique index seeks_request_ids on seeks (bucket, platform, player, request_id)
    where request_id is not null;

-- An erasure also waits for those who write the player's id by a right that has ended by now, and
-- ends the tokens of the player's seats: they are of the person too.
alter function erase_player(text, text) rename to erase_player_in_tables;
comment on function erase_player_in_tables(text, text) is null;

create function erase_player(of_platform text, as_pseudonym text) returns boolean
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
comment on function erase_player(text, text) is 'for the role that serves';

-- As in `0007_erasing.sql`: a caller's own search path must not decide which tables are meant.
do $$
declare
    its record;
begin
    for its in
        select pg_proc.oid::regprocedure as signature
        from pg_proc
        where pronamespace = quote_ident(current_schema())::regnamespace
            and proname in (
                'rights_hold', 'right_holds_for', 'wait_for_player', 'erase_player',
                'erase_player_in_tables'
            )
    loop
        execute format('alter function %s set search_path = %I, pg_temp', its.signature, current_schema());
        execute format('revoke all on function %s from public', its.signature);
    end loop;
end
$$;
