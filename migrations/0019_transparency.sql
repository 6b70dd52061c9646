-- The transparency log: what outsiders need to notice a match that was left out, dated back, or
-- shown with two faces. `docs/transparency.md` has its bytes.
--
-- A leaf follows from the record alone, and contains hashes and a time. So any process may append
-- it, an erasure changes nothing here, and whatever is in these tables but the secret is public.

-- The logs of the installation, one after the other. An operator begins one, under a name that no
-- other log in the world has, and ends it: after the database went back, a log cannot go on, since
-- its checkpoints were told.
create table transparency_logs (
    bucket     smallint    not null default 0 check (bucket = 0),
    log        smallint    not null check (log > 0),
    -- The first line of its checkpoints, and the name of its key.
    origin     text        not null check (origin <> ''),
    -- An Ed25519 key, which signs the checkpoints of this log and nothing else.
    secret     bytea       not null check (octet_length(secret) = 32),
    -- Matches that were created before are not in it.
    begin_time timestamptz not null default now(),
    -- Since when nothing is appended; null for the current one.
    end_time   timestamptz,
    -- A checkpoint is told once so many witnesses have cosigned it.
    cosigners  smallint    not null default 0 check (cosigners >= 0),
    primary key (bucket, log),
    unique (bucket, origin)
);
comment on table transparency_logs is 'everywhere; select';

-- Who is asked to cosign checkpoints: others, who cosign nothing that does not continue what they
-- cosigned before.
create table transparency_witnesses (
    bucket smallint not null default 0 check (bucket = 0),
    -- The verifier key, as a text.
    key    text     not null check (key <> ''),
    -- The prefix of the addresses at which it is asked.
    url    text     not null check (url <> ''),
    primary key (bucket, key)
);
comment on table transparency_witnesses is 'everywhere; select';

-- The leaves in their order. The first key lets one process append at an index, and leaves no gap:
-- a process appends after the last checkpoint, in the transaction that signs the next one. The
-- second key lets each be there once.
create table transparency_leaves (
    -- The log is one sequence, and so in one bucket.
    bucket     smallint not null default 0 check (bucket = 0),
    log        smallint not null,
    leaf_index int8     not null check (leaf_index >= 0),
    -- A hash of the match's id, as in the leaf.
    match_hash bytea    not null check (octet_length(match_hash) = 32),
    -- 1: the match was opened; 2: it was closed.
    kind       smallint not null check (kind in (1, 2)),
    leaf       bytea    not null check (octet_length(leaf) between 1 and 1024),
    primary key (bucket, log, leaf_index),
    unique (bucket, log, match_hash, kind)
);
comment on table transparency_leaves is 'by bucket; select, insert';

-- The full tiles of the tree, 256 hashes each, written with the leaf that completes them. So a
-- proof reads a few rows, however large the tree is.
create table transparency_tiles (
    bucket     smallint not null default 0 check (bucket = 0),
    log        smallint not null,
    -- 0 for the hashes of leaves, 1 for those of the tiles of level 0, and so on.
    level      smallint not null check (level between 0 and 7),
    tile_index int8     not null check (tile_index >= 0),
    hashes     bytea    not null check (octet_length(hashes) = 8192),
    -- The hash of the whole tile, for the level above.
    root       bytea    not null check (octet_length(root) = 32),
    primary key (bucket, log, level, tile_index)
);
comment on table transparency_tiles is 'by bucket; select, insert';

-- What was signed, the newest for each size: a checkpoint is signed again from time to time, so
-- that a log without news is told apart from one that is withheld.
create table transparency_checkpoints (
    bucket    smallint    not null default 0 check (bucket = 0),
    log       smallint    not null,
    -- The number of leaves.
    size      int8        not null check (size >= 0),
    root      bytea       not null check (octet_length(root) = 32),
    sign_time timestamptz not null,
    -- The signed note.
    note      text        not null,
    -- The lines of its cosignatures, and how many there are.
    cosigned  text        not null default '',
    cosigners smallint    not null default 0,
    primary key (bucket, log, size)
);
comment on table transparency_checkpoints is 'by bucket; select, insert, update';

-- The matches that have a leaf to come. A row is written in the statement that creates the match,
-- and removed once the log has both leaves. It stays when an open match is deleted, because the log
-- says that, too.
create table transparency_pending (
    bucket    smallint not null check (bucket = bucket_of(match_id)),
    match_id  uuid     not null,
    -- Whether the log has the first leaf.
    is_opened boolean  not null default false,
    primary key (bucket, match_id)
);
comment on table transparency_pending is 'by bucket; select, insert, update, delete';

create index transparency_pending_unopened on transparency_pending (bucket) where not is_opened;

-- As in `0017_routed_writes.sql`, and for the log.
create or replace function create_match(
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
    if exists (select 1 from transparency_logs where end_time is null) then
        insert into transparency_pending (bucket, match_id) values (its_bucket, its_match_id);
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
