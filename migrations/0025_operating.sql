-- What operators change of platforms by calls
-- (`docs/decisions/0106-the-database-asks-for-the-key-of-an-operator.md`). Each function takes the
-- proof of a key of an operator, as in `0021_operators.sql`. Without one it changes nothing, and
-- the result is null.

-- Replaces a platform's limits, which come in the order of the columns. Returns false if there is
-- no such platform.
create function set_platform_limits(
    proof bytea, its_bucket smallint, its_platform text, its_limits int[]
) returns boolean
    language plpgsql volatile security definer
as $$
begin
    if is_operator(proof) is not true then
        return null;
    end if;
    perform 1 from platforms where bucket = its_bucket and platform = its_platform;
    if not found then
        return false;
    end if;
    insert into platform_limits
        (bucket, platform, calls_per_s, actions_per_s, actions_max, matches_per_s,
         watches_max, streams_max, subscriptions_max, consumers_max, seat_calls_per_s,
         seat_actions_per_s, seat_streams_max, seat_entries_max,
         spectator_calls_per_s, spectator_streams_max)
    values
        (its_bucket, its_platform, its_limits[1], its_limits[2], its_limits[3], its_limits[4],
         its_limits[5], its_limits[6], its_limits[7], its_limits[8], its_limits[9],
         its_limits[10], its_limits[11], its_limits[12],
         its_limits[13], its_limits[14])
    on conflict (bucket, platform) do update
        set calls_per_s = excluded.calls_per_s,
            actions_per_s = excluded.actions_per_s,
            actions_max = excluded.actions_max,
            matches_per_s = excluded.matches_per_s,
            watches_max = excluded.watches_max,
            streams_max = excluded.streams_max,
            subscriptions_max = excluded.subscriptions_max,
            consumers_max = excluded.consumers_max,
            seat_calls_per_s = excluded.seat_calls_per_s,
            seat_actions_per_s = excluded.seat_actions_per_s,
            seat_streams_max = excluded.seat_streams_max,
            seat_entries_max = excluded.seat_entries_max,
            spectator_calls_per_s = excluded.spectator_calls_per_s,
            spectator_streams_max = excluded.spectator_streams_max;
    return true;
end
$$;
comment on function set_platform_limits(bytea, smallint, text, int[]) is 'for the role that serves';

-- Refuses a platform's keys and tokens, or accepts them again. Returns false if there is no such
-- platform.
create function suspend_platform(
    proof bytea, its_bucket smallint, its_platform text, is_suspended boolean
) returns boolean
    language plpgsql volatile security definer
as $$
declare
    its_time timestamptz := now();
    its_transaction xid8 := pg_current_xact_id();
begin
    if is_operator(proof) is not true then
        return null;
    end if;
    if is_suspended then
        update platforms
        set suspend_time = least(suspend_time, its_time)
        where bucket = its_bucket and platform = its_platform;
    else
        update platforms
        set suspend_time = null
        where bucket = its_bucket and platform = its_platform;
    end if;
    if not found then
        return false;
    end if;
    -- What its keys may do has changed: whoever records something by one notices that.
    update platform_keys
    set changed_in = its_transaction
    where bucket = its_bucket and platform = its_platform;
    return true;
end
$$;
comment on function suspend_platform(bytea, smallint, text, boolean) is 'for the role that serves';

-- Returns false if there is no such key, or it is revoked already.
create function revoke_platform_key(
    proof bytea, its_bucket smallint, its_platform text, its_key_id text
) returns boolean
    language plpgsql volatile security definer
as $$
declare
    its_time timestamptz := now();
    its_transaction xid8 := pg_current_xact_id();
begin
    if is_operator(proof) is not true then
        return null;
    end if;
    update platform_keys
    set revoke_time = its_time, changed_in = its_transaction
    where bucket = its_bucket and platform = its_platform and key_id = its_key_id
        and revoke_time is null;
    return found;
end
$$;
comment on function revoke_platform_key(bytea, smallint, text, text) is 'for the role that serves';

-- As in `0007_erasing.sql`: a caller's own search path must not decide which tables are meant.
do $$
declare
    its record;
begin
    for its in
        select pg_proc.oid::regprocedure as signature
        from pg_proc
        where pronamespace = quote_ident(current_schema())::regnamespace
            and proname in ('set_platform_limits', 'suspend_platform', 'revoke_platform_key')
    loop
        execute format('alter function %s set search_path = %I, pg_temp', its.signature, current_schema());
        execute format('revoke all on function %s from public', its.signature);
    end loop;
end
$$;
