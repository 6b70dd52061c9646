-- Matches: what each was created with, who sits where, and what is noted about it besides its
-- entries.
--
-- The rows of a match share its bucket. Keys decide races: any number of processes may compete for
-- a seat or a name; the row that is inserted first wins, and the others read it and decide again.
--
-- Rows of the record (`matches`, `seeds`, `seats`, `former_players`, `contributions`,
-- `next_matches`, `speech_keys`) are written once, with few exceptions, each of which is a function
-- of this file, `0005_keeping.sql` or `0007_erasing.sql`: a match that was never dealt may be
-- deleted, and a player may leave it; another player may take over a seat; a match that ended long
-- ago may be reduced to its result; and a person may be erased.
--
-- Times come from the writer's clock and are meant for people. They order nothing but lists.

-- A match as it was created. Its state, and whether it has ended, follow from its entries.
create table matches (
    bucket         smallint    not null check (bucket = bucket_of(match_id)),
    match_id       uuid        not null,
    platform       text        not null,
    game           text        not null,
    seats          smallint    not null check (seats > 0),
    create_time    timestamptz not null,
    -- What else it was created with, fixed from then on, and covered by its digests: the type
    -- `rows::Terms`, which has what each field means. The commitment is a hash of the seed,
    -- published before the first card: after the match it proves that every deal came from it.
    terms          jsonb       not null check (
        jsonb_typeof(terms -> 'options') = 'object'
        and length(terms ->> 'seed_commitment') = 64
        and coalesce((terms ->> 'reveal_wait_s')::int8 >= 0, true)
    ),
    -- A digest of the request that created the match. It distinguishes a retry from another request
    -- with the same id. Empty once a player was erased: it covers the players' ids.
    request_digest bytea       not null,
    primary key (bucket, match_id)
);
comment on table matches is 'by bucket; select, insert';

-- A platform lists its matches newest first, a page at a time. These two indexes enforce nothing,
-- so they need not begin with the bucket: a single Postgres reads a page from one place, and of
-- several shards each returns its newest, to be merged.
create index matches_newest on matches (platform, create_time, match_id);
create index matches_of_game on matches (platform, game, create_time, match_id);

-- The seed of a match, from which all its chance follows. It stands apart from the match and its
-- entries, so that a role that may read the record need not be allowed to read seeds. It is written
-- in the same statement as its match, and the service publishes it only after the match has ended.
create table seeds (
    bucket   smallint not null check (bucket = bucket_of(match_id)),
    match_id uuid     not null,
    seed     bytea    not null check (octet_length(seed) = 32),
    primary key (bucket, match_id),
    foreign key (bucket, match_id) references matches
);
comment on table seeds is 'by bucket; select, insert';

-- Who sits where. Players race for open seats: the primary key lets one player take a seat, the
-- unique key lets a player take one seat only. A bot sits on a seat as a player does, under an id
-- that no player can have: it begins with the control character U+0001, and names the bot's level.
create table seats (
    bucket            smallint    not null check (bucket = bucket_of(match_id)),
    match_id          uuid        not null,
    -- Counted from 0, below `matches.seats`.
    seat              smallint    not null check (seat >= 0),
    -- A person, by the platform's own id.
    player            text        not null check (player <> ''),
    -- The id of the request that took the seat, if it had one: a retry finds its own seat.
    request_id        text,
    create_time       timestamptz not null,
    -- Copied from the match, because lists of a player's matches are ordered by them.
    platform          text        not null,
    match_create_time timestamptz not null,
    -- The name to show for the player, as the platform gave it with the seat; null if it gave none.
    -- It is no part of what the digests of the match cover: neither are the players, who may take
    -- their seats later.
    display_name      text,
    -- What names that read as the same have in common: without regard to case, width, spaces, and
    -- characters that show nothing. Null where `display_name` is.
    display_name_key  text,
    -- Whether the player of the seat was erased. Then `player` is a pseudonym, and the seat says
    -- nothing more.
    is_erased         boolean     not null default false,
    primary key (bucket, match_id, seat),
    unique (bucket, match_id, player),
    foreign key (bucket, match_id) references matches
);
comment on table seats is 'by bucket; select, insert';

-- A player's matches, newest first, including those that still wait for players. That is why this
-- list is an index of the record and not a read model: a match without entries has nothing to fold.
create index seats_of_player on seats (platform, player, match_create_time, match_id);

-- Of two players who join a match under the same name, this key lets one do so. It holds no row of
-- a seat without a name.
create unique index seats_display_names on seats (bucket, match_id, display_name_key)
    where display_name_key is not null;

-- Who sat on a seat before the player who sits there now. A row is written in the statement that
-- records the entry by which the other player took over, so the record tells who sat when: up to
-- that entry, and since the one before it of the same seat.
create table former_players (
    bucket            smallint    not null check (bucket = bucket_of(match_id)),
    match_id          uuid        not null,
    seat              smallint    not null check (seat >= 0),
    -- Of the entry by which another player took over.
    until_position    int8        not null check (until_position > 0),
    player            text        not null check (player <> ''),
    display_name      text,
    -- What opens what the player said; null if there was no key, and once the player is erased.
    speech_key        bytea       check (octet_length(speech_key) = 32),
    is_erased         boolean     not null default false,
    -- Copied from the match, as in `seats`.
    platform          text        not null,
    match_create_time timestamptz not null,
    primary key (bucket, match_id, seat, until_position),
    -- Who has left does not come back.
    unique (bucket, match_id, player),
    foreign key (bucket, match_id) references matches
);
comment on table former_players is 'by bucket; select, insert';

create index former_players_of_player
    on former_players (platform, player, match_create_time, match_id);

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
comment on table speech_keys is 'by bucket; select, insert';

-- What the seats of a match contribute to its chance before the deal. A seat contributes once; the
-- key lets the first one stand. The first entry of the match repeats what was there when it was
-- dealt, and only that counts: a row that came too late means nothing.
create table contributions (
    bucket       smallint    not null check (bucket = bucket_of(match_id)),
    match_id     uuid        not null,
    seat         smallint    not null check (seat >= 0),
    contribution bytea       not null check (octet_length(contribution) between 1 and 32),
    create_time  timestamptz not null default now(),
    primary key (bucket, match_id, seat),
    foreign key (bucket, match_id) references matches
);
comment on table contributions is 'by bucket; select, insert';

-- The match that follows a match. The key lets one match do so: of two that are created at the same
-- time, the second finds it taken. The row is in the bucket of the match that is followed, and is
-- written in the same statement as the one that follows.
create table next_matches (
    bucket        smallint not null check (bucket = bucket_of(match_id)),
    match_id      uuid     not null,
    -- Of both matches. There is no foreign key: a match may be imported without the one before it.
    platform      text     not null,
    next_match_id uuid     not null,
    primary key (bucket, match_id, platform)
);
comment on table next_matches is 'by bucket; select, insert';

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
comment on table deleted_matches is 'by bucket; select';

create index deleted_matches_changed on deleted_matches (changed_in);

-- Revocations of the tokens of a match, one row each, written once. A token carries the number of
-- revocations that preceded it, and is refused as soon as there are more. So nothing depends on
-- clocks: a token minted after a revocation is valid, one minted before it is not.
create table token_revocations (
    bucket      smallint    not null check (bucket = bucket_of(match_id)),
    match_id    uuid        not null,
    -- -1 revokes the tokens of every seat, and those of spectators.
    seat        smallint    not null check (seat >= -1),
    -- Counted from 1 for each match and seat.
    number      int         not null check (number > 0),
    create_time timestamptz not null default now(),
    changed_in  xid8        not null default pg_current_xact_id(),
    primary key (bucket, match_id, seat, number),
    foreign key (bucket, match_id) references matches
);
comment on table token_revocations is 'by bucket; select, insert';

create index token_revocations_changed on token_revocations (changed_in);

-- A platform's own notes about its matches. The service does not interpret them.
--
-- Tags are not part of the record of what happened: a tag may be changed and removed, and for each
-- key the last writer wins. They are not derived either, so no rebuild touches them. They stand
-- apart from `matches`, whose rows are written once.
create table match_tags (
    bucket            smallint    not null check (bucket = bucket_of(match_id)),
    match_id          uuid        not null,
    key               text        not null check (octet_length(key) between 1 and 64),
    -- A match has sixteen slots for tags, and a new tag takes a free one. So a key enforces the
    -- limit: if two writers each add a last tag, the second finds its slot taken, tries again, and
    -- finds none free.
    slot              smallint    not null check (slot between 0 and 15),
    value             text        not null check (octet_length(value) <= 256),
    platform          text        not null,
    match_create_time timestamptz not null,
    primary key (bucket, match_id, key),
    unique (bucket, match_id, slot),
    foreign key (bucket, match_id) references matches
);
comment on table match_tags is 'by bucket; select, insert, update, delete';

create index match_tags_listed on match_tags (platform, key, value, match_create_time, match_id);

-- Snapshots of long matches: the table after every five hundredth entry, so that nobody need fold
-- tens of thousands of entries to read one position. Derived from `entries`: any row may be deleted
-- at any time, and is written again by whoever folds past it. Like an entry, a snapshot holds what
-- is secret to some seats, and needs the same protection.
create table match_snapshots (
    bucket      smallint    not null check (bucket = bucket_of(match_id)),
    match_id    uuid        not null,
    position    int8        not null check (position > 0),
    -- Of the entry at this position. A row whose entry is missing, or has another time or digest,
    -- belongs to a history that a restore has undone, and is not read.
    create_time timestamptz not null,
    digest      bytea,
    -- Of the stored form and of the fold. Other versions are not read.
    version     int         not null,
    -- Protobuf `croupier.store.v1.Table`.
    body        bytea       not null,
    -- By seat: the entries that its actions have added to the match.
    acted       int[]       not null,
    -- The request ids since the previous snapshot, so that a retry of an old request is recognised:
    -- for each, half of its BLAKE3 hash and its distance from that snapshot, two bytes.
    requests    bytea       not null,
    -- Null in a match without clocks.
    clocks      bytea,
    primary key (bucket, match_id, position)
);
comment on table match_snapshots is 'by bucket; select, insert, update';


-- Matches that were created for the lobby: while they wait for players, they are listed, and may be
-- joined by players themselves. Written in the statement that creates the match. A row says nothing
-- any more once the match was dealt or deleted; whoever lists it then removes it. That is also why
-- it does not refer to `matches`.
create table lobby (
    bucket      smallint    not null check (bucket = bucket_of(match_id)),
    match_id    uuid        not null,
    platform    text        not null,
    game        text        not null,
    seats       smallint    not null,
    create_time timestamptz not null,
    primary key (bucket, match_id)
);
comment on table lobby is 'by bucket; select, insert, delete';

create index lobby_listed on lobby (platform, create_time, match_id);

-- Matches in which bots sit, to find those that wait for one. Written in the statement that creates
-- the match, or before the one that seats the bot. A row says nothing any more once the match has
-- ended or was deleted; the processes that play for bots then remove it. That is also why it does
-- not refer to `matches`.
create table bot_matches (
    bucket   smallint not null check (bucket = bucket_of(match_id)),
    match_id uuid     not null,
    platform text     not null,
    primary key (bucket, match_id)
);
comment on table bot_matches is 'by bucket; select, insert, delete';

-- Seeks: a player wants to be seated in a match of this game. Written once.
create table seeks (
    -- The platform's, so that one statement ends all seeks of a match.
    bucket       smallint    not null check (bucket between 0 and 63),
    seek_id      uuid        not null,
    platform     text        not null,
    player       text        not null check (player <> ''),
    display_name text,
    game         text        not null,
    -- The numbers of seats that the player accepts, the best first.
    seats        smallint[]  not null,
    -- A JSON object, with the time control among the options as in a match.
    options      text        not null,
    -- In millionths, when the player asked; how far another's may be from it, if that matters, and
    -- how much further with each second.
    rating       int8        not null,
    distance     int8        check (distance >= 0),
    widening     int8        not null check (widening >= 0),
    -- It distinguishes a retry from another request with the same id.
    request      bytea       not null,
    create_time  timestamptz not null,
    primary key (bucket, seek_id),
    foreign key (bucket, platform) references platforms
);
comment on table seeks is 'by bucket; select, insert';

create index seeks_of_player on seeks (platform, player);

-- The seeks that wait. The key lets a player have one for each game. A row is removed in the
-- statement that ends the seek, so few rows are read to find who can be seated together.
create table open_seeks (
    bucket      smallint    not null,
    platform    text        not null,
    player      text        not null,
    game        text        not null,
    seek_id     uuid        not null,
    -- A hash of game and options: only seeks with the same are seated together.
    pool        bytea       not null check (octet_length(pool) = 32),
    create_time timestamptz not null,
    primary key (bucket, platform, player, game),
    unique (bucket, seek_id),
    foreign key (bucket, seek_id) references seeks
);
comment on table open_seeks is 'by bucket; select, insert, delete';

create index open_seeks_in_pools on open_seeks (platform, pool, create_time, seek_id);

-- The ends of seeks. The key lets a seek end once, by its deletion or in one match: a match of
-- seeks is created by the statement that ends them all, or not at all.
create table seek_ends (
    bucket   smallint    not null,
    seek_id  uuid        not null,
    -- The match in which the player was seated; null if the seek was deleted.
    match_id uuid,
    end_time timestamptz not null,
    primary key (bucket, seek_id),
    foreign key (bucket, seek_id) references seeks
);
comment on table seek_ends is 'by bucket; select, insert';

-- Of late, to find matches that were not dealt.
create index seek_ends_seated on seek_ends (end_time) where match_id is not null;

-- When a process that watches the clocks of matches last said that it does.
create table presence (
    -- One row for the installation, in bucket 0.
    bucket    smallint    not null default 0 check (bucket = 0),
    beat_time timestamptz not null,
    primary key (bucket)
);
comment on table presence is 'by bucket; select, insert, update';

-- The times in which no process watched the clocks. Whoever was to decide then gets the time back.
-- A row is written in the statement that notices, before anything is decided that it matters for.
create table outages (
    bucket     smallint    not null default 0 check (bucket = 0),
    begin_time timestamptz not null,
    end_time   timestamptz not null check (end_time > begin_time),
    primary key (bucket, begin_time)
);
comment on table outages is 'by bucket; select, insert';


-- Functions of the owner of the tables, for the role that serves: it may not change the record
-- itself. `0007_erasing.sql` fixes which tables their names mean.

-- Seats another player on a seat that is taken, as of the entry at this position, which the same
-- statement records. The tokens of the player who sat there are revoked.
create function seat_substitute(
    its_match_id uuid, its_position int8, its_time timestamptz, substitute text
) returns boolean
    language plpgsql volatile security definer
as $$
declare
    its        jsonb    := substitute::jsonb;
    its_bucket smallint := bucket_of(its_match_id);
    its_seat   smallint := (its ->> 'seat')::smallint;
begin
    insert into former_players
        (bucket, match_id, seat, until_position, player, display_name, speech_key, is_erased,
         platform, match_create_time)
    select seats.bucket, seats.match_id, seats.seat, its_position, seats.player,
        seats.display_name, speech_keys.key, seats.is_erased, seats.platform,
        seats.match_create_time
    from seats
    left join speech_keys using (bucket, match_id, seat)
    where seats.bucket = its_bucket and seats.match_id = its_match_id and seats.seat = its_seat;

    update seats
    set player = its ->> 'player', display_name = its ->> 'display_name',
        display_name_key = its ->> 'display_name_key', request_id = null, create_time = its_time,
        is_erased = false
    where bucket = its_bucket and match_id = its_match_id and seat = its_seat;

    delete from speech_keys
    where bucket = its_bucket and match_id = its_match_id and seat = its_seat;

    if its ->> 'speech_key' is not null then
        insert into speech_keys (bucket, match_id, seat, key)
        values (its_bucket, its_match_id, its_seat, decode(its ->> 'speech_key', 'hex'));
    end if;

    insert into token_revocations (bucket, match_id, seat, number)
    select its_bucket, its_match_id, its_seat, coalesce(max(number), 0) + 1
    from token_revocations
    where bucket = its_bucket and match_id = its_match_id and seat = its_seat;
    return true;
end
$$;
comment on function seat_substitute(uuid, int8, timestamptz, text) is 'for the role that serves';

-- Frees the seat of a player in a match of this platform that was never dealt and has an open seat;
-- returns whether it did. What belongs to the seat goes with it, and its tokens are revoked.
--
-- Whoever takes a seat shares a lock on the match's row, through the foreign key of the seat. The
-- first statement waits for them and keeps others out, and the next one sees what they did: so of a
-- player who leaves and one who takes the last seat, the first to come succeeds.
create function leave_open_match(its_platform text, its_match_id uuid, its_player text)
    returns boolean
    language plpgsql volatile strict security definer
as $$
declare
    its_bucket smallint := bucket_of(its_match_id);
    its_seat   smallint;
begin
    perform 1
    from matches
    where bucket = its_bucket and match_id = its_match_id and platform = its_platform
    for update;

    select its.seat
    into its_seat
    from matches as m
    join seats as its using (bucket, match_id)
    where m.bucket = its_bucket
        and m.match_id = its_match_id
        and m.platform = its_platform
        and its.player = its_player
        and m.seats > (
            select count(*)
            from seats
            where seats.bucket = its_bucket and seats.match_id = its_match_id
        )
        and not exists (
            select
            from entries
            where entries.bucket = its_bucket and entries.match_id = its_match_id
        );
    if its_seat is null then
        return false;
    end if;

    delete from contributions
    where bucket = its_bucket and match_id = its_match_id and seat = its_seat;
    delete from speech_keys
    where bucket = its_bucket and match_id = its_match_id and seat = its_seat;
    insert into token_revocations (bucket, match_id, seat, number)
    select its_bucket, its_match_id, its_seat, coalesce(max(number), 0) + 1
    from token_revocations
    where bucket = its_bucket and match_id = its_match_id and seat = its_seat;
    delete from seats
    where bucket = its_bucket and match_id = its_match_id and seat = its_seat;
    return true;
end
$$;
comment on function leave_open_match(text, uuid, text) is 'for the role that serves';

-- Adds what a player contributes from a seat that the player has, unless the seat has contributed.
-- Returns what the seat has contributed then; null if the player does not have the seat.
--
-- A player who leaves locks the match's row against everyone who shares it. The first statement
-- shares it, and the next one sees who has left by then: so either the contribution goes with the
-- seat, or there is no seat to contribute from.
create function contribute_to_match(
    its_match_id uuid, its_seat smallint, its_player text, its_contribution bytea
) returns bytea
    language plpgsql volatile strict security definer
as $$
declare
    its_bucket smallint := bucket_of(its_match_id);
    recorded   bytea;
begin
    perform 1 from matches where bucket = its_bucket and match_id = its_match_id for key share;

    insert into contributions (bucket, match_id, seat, contribution)
    select bucket, match_id, seat, its_contribution
    from seats
    where bucket = its_bucket
        and match_id = its_match_id
        and seat = its_seat
        and player = its_player
    on conflict do nothing;

    select its.contribution
    into recorded
    from contributions as its
    join seats using (bucket, match_id, seat)
    where its.bucket = its_bucket
        and its.match_id = its_match_id
        and its.seat = its_seat
        and seats.player = its_player;
    return recorded;
end
$$;
comment on function contribute_to_match(uuid, smallint, text, bytea) is 'for the role that serves';

-- Deletes a match of this platform that was never dealt and has an open seat; returns whether it
-- did. A dealt match has no open seat, so the function cannot delete one, whoever calls it.
--
-- Whoever adds to the match shares a lock on its row, through a foreign key. The first statement
-- waits for them and keeps others out: so of a deletion and a player who takes a seat at the same
-- time, the first to come succeeds.
create function delete_open_match(its_platform text, its_match_id uuid) returns boolean
    language plpgsql volatile strict security definer
as $$
declare
    its_bucket   smallint := bucket_of(its_match_id);
    its_previous uuid;
begin
    perform 1
    from matches
    where bucket = its_bucket and match_id = its_match_id and platform = its_platform
    for update;

    select (m.terms -> 'follows' ->> 'previous')::uuid
    into its_previous
    from matches as m
    where m.bucket = its_bucket
        and m.match_id = its_match_id
        and m.platform = its_platform
        and m.seats > (
            select count(*)
            from seats
            where seats.bucket = its_bucket and seats.match_id = its_match_id
        )
        and not exists (
            select
            from entries
            where entries.bucket = its_bucket and entries.match_id = its_match_id
        );
    if not found then
        return false;
    end if;

    delete from seats where bucket = its_bucket and match_id = its_match_id;
    delete from seeds where bucket = its_bucket and match_id = its_match_id;
    delete from contributions where bucket = its_bucket and match_id = its_match_id;
    delete from speech_keys where bucket = its_bucket and match_id = its_match_id;
    delete from match_tags where bucket = its_bucket and match_id = its_match_id;
    delete from token_revocations where bucket = its_bucket and match_id = its_match_id;
    -- Another match may follow the one before it.
    delete from next_matches
    where bucket = bucket_of(its_previous)
        and match_id = its_previous
        and platform = its_platform
        and next_match_id = its_match_id;
    delete from matches where bucket = its_bucket and match_id = its_match_id;
    insert into deleted_matches (bucket, match_id)
    values (its_bucket, its_match_id)
    on conflict do nothing;
    return true;
end
$$;
comment on function delete_open_match(text, uuid) is 'for the role that serves';
