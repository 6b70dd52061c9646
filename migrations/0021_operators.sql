-- What operators do by calls: they install games that are modules, for all platforms or for some.

-- The keys of operators. A caller with one tells the service a hash of it, the proof, and the
-- functions below take the proof. Here is a hash of the proof, so whoever reads this table, or
-- serves, can add no module without a key.
create table operator_keys (
    bucket      smallint    not null default 0 check (bucket = 0),
    key_id      text        not null check (key_id <> ''),
    -- SHA-256 of the proof, which is the key by BLAKE3.
    proof_hash  bytea       not null check (octet_length(proof_hash) = 32),
    create_time timestamptz not null default now(),
    -- Since when it is refused; null while it is accepted.
    revoke_time timestamptz,
    primary key (bucket, key_id)
);
comment on table operator_keys is 'everywhere; select';

-- The platforms that the module's game is for; null for all. Others are told that there is no such
-- game. The matches that there are go on in any case.
alter table modules add column platforms text[] check (cardinality(platforms) > 0);

-- Whether this proves a key of an operator.
create function is_operator(proof bytea) returns boolean
    language plpgsql stable strict security definer
as $$
begin
    perform 1
    from operator_keys
    where bucket = 0 and proof_hash = sha256(proof) and revoke_time is null;
    return found;
end
$$;
comment on function is_operator(bytea) is 'for the role that serves';

-- Adds a module, or offers it again. Returns false, and changes nothing, without a key.
create function install_module(
    proof bytea, its_hash bytea, its_game text, its_rules int, its_file bytea, its_platforms text[]
) returns boolean
    language plpgsql volatile security definer
as $$
begin
    if is_operator(proof) is not true then
        return false;
    end if;
    insert into modules (bucket, hash, game, rules, file, platforms)
    values (0, its_hash, its_game, its_rules, its_file, its_platforms)
    on conflict (bucket, hash) do update
        set install_time = excluded.install_time,
            retire_time = null,
            platforms = excluded.platforms;
    return true;
end
$$;
comment on function install_module(bytea, bytea, text, int, bytea, text[])
    is 'for the role that serves';

-- Ends new matches of a game. Returns how many of its modules got some; null without a key.
create function retire_game(proof bytea, its_game text) returns int8
    language plpgsql volatile security definer
as $$
declare
    retired int8;
begin
    if is_operator(proof) is not true then
        return null;
    end if;
    update modules
    set retire_time = now()
    where bucket = 0 and game = its_game and retire_time is null;
    get diagnostics retired = row_count;
    return retired;
end
$$;
comment on function retire_game(bytea, text) is 'for the role that serves';

-- As in `0007_erasing.sql`: a caller's own search path must not decide which tables are meant.
do $$
declare
    its record;
begin
    for its in
        select pg_proc.oid::regprocedure as signature
        from pg_proc
        where pronamespace = quote_ident(current_schema())::regnamespace
            and proname in ('is_operator', 'install_module', 'retire_game')
    loop
        execute format('alter function %s set search_path = %I, pg_temp', its.signature, current_schema());
        execute format('revoke all on function %s from public', its.signature);
    end loop;
end
$$;
