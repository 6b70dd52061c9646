-- What is derived from the record to answer questions across matches: who won how often, which matches a player sat in, how a
-- league stands. The record needs none of it: every table below the first part may be emptied and is filled again from position 1.
--
-- The first part adds to the record what lists are found by. The second says how far each read model has read. The rest are the
-- read models, one block each.


-- A player's matches are listed newest first, those still waiting for players included, so the list is an index of who sits where
-- and not a read model. What it is ordered by is written next to each seat, once, like all else of the record.
alter table seats
    add column platform          text,
    add column match_create_time timestamptz;

update seats
set platform = matches.platform, match_create_time = matches.create_time
from matches
where matches.bucket = seats.bucket and matches.match_id = seats.match_id;

alter table seats
    alter column platform set not null,
    alter column match_create_time set not null;

-- These two guard nothing, as `matches_newest` does, and so need not begin with the bucket.
create index seats_of_player on seats (platform, player, match_create_time, match_id);
create index matches_of_game on matches (platform, game, create_time, match_id);

-- What a platform notes about its own matches, in its own words. The house reads nothing into them.
--
-- This is no part of the record of what happened: a tag may be changed and taken away, the last writer wins, key by key. It is not
-- derived either, so no rebuild touches it. It stands apart from `matches`, whose rows are written once.
create table match_tags (
    bucket            smallint    not null check (bucket = bucket_of(match_id)),
    match_id          uuid        not null,
    key               text        not null check (octet_length(key) between 1 and 64),
    -- A match has sixteen hooks for tags, and a new key takes a free one. So the bound is a key's to keep: of two writers who
    -- would together hang up a seventeenth, the second finds its hook taken, looks again and is told that there is none left.
    hook              smallint    not null check (hook between 0 and 15),
    value             text        not null check (octet_length(value) <= 256),
    platform          text        not null,
    match_create_time timestamptz not null,
    primary key (bucket, match_id, key),
    unique (bucket, match_id, hook),
    foreign key (bucket, match_id) references matches
);

create index match_tags_listed on match_tags (platform, key, value, match_create_time, match_id);


-- The read models there are, and which generation of each is the one to read. A rebuild fills tables of the same names in the
-- schema `rebuilding`, up to where the old ones are; then one transaction drops the old tables, moves the new ones to their place
-- and sets `generation`. Nobody who reads notices more than the few milliseconds of that transaction.
create table projections (
    -- The house has one set of read models: they are all named in bucket 0.
    bucket     smallint not null default 0 check (bucket = 0),
    model      text     not null,
    generation int      not null check (generation > 0),
    -- The last generation that was begun. A rebuild that finds a newer one than its own has been overtaken, and ends.
    begun      int      not null check (begun >= generation),
    primary key (bucket, model)
);

-- How far each read model has come in each bucket, saved in the transaction that saves the rows: never a row without its
-- checkpoint, nor the other way round. Bucket positions have no gaps and stand in the order of their commits, so "after this
-- position" misses nothing, however late another process commits.
--
-- Whoever takes a bucket further locks its row here first. That is all that several processes have to agree on: one that finds the
-- row locked lets the other do the work, and if it dies, its lock and its half-done rows go together.
create table checkpoints (
    bucket          smallint not null check (bucket between 0 and 63),
    model           text     not null,
    generation      int      not null check (generation > 0),
    bucket_position int8     not null check (bucket_position >= 0),
    primary key (bucket, model, generation)
) with (
    -- 64 rows a model that change all the time: keep them on a page or two.
    fillfactor = 25
);

insert into projections (model, generation, begun)
values ('matches', 1, 1), ('players', 1, 1), ('holdings', 1, 1);

insert into checkpoints (bucket, model, generation, bucket_position)
select each.bucket, model, 1, 0
from projections
cross join generate_series(0, 63) as each (bucket);

create schema rebuilding;


-- The model `matches`: how each match stands after its last entry. A match that nobody has dealt yet has no row.
create table match_summaries (
    bucket      smallint    not null,
    match_id    uuid        not null,
    platform    text        not null,
    game        text        not null,
    -- Of the match, not of this row: lists are ordered by it.
    create_time timestamptz not null,
    -- Of the first and of the last entry.
    start_time  timestamptz not null,
    update_time timestamptz not null,
    -- Of the last entry; so it is the match's length.
    position    int8        not null,
    round       smallint    not null,
    turn        smallint    not null,
    -- By seat, as far as everybody may know.
    scores      int[]       not null,
    -- The seats that won; null while the match goes on.
    winners     smallint[],
    primary key (bucket, match_id)
);

-- Few matches are running among many that have ended; a list of those does not read the others.
create index match_summaries_running on match_summaries (platform, create_time, match_id) where winners is null;


-- The model `players`: what became of everyone who sat to the end of a match, and what that makes of them.
--
-- It is made in two steps. A match's results are rows of its own bucket and depend on nothing else. What they make of a player
-- depends on all the player's matches, in whatever buckets, and a rating on their order; so a second step *settles* them, league
-- by league. Their order is (end_time, match_id): known to everybody from the record, and the same in every rebuild. A result
-- that comes in late, behind others that are settled already, unsettles those, and they are settled again: what stands here
-- after the last result is always the fold of all results in their order, whatever order they came in.

-- A game as one platform's players play it. Whoever settles its results locks its row.
create table leagues (
    -- The platform's.
    bucket       smallint not null,
    platform     text     not null,
    game         text     not null,
    -- When the last match ended that is settled; null if none is. A result from after that unsettles nothing.
    settled_time timestamptz,
    primary key (bucket, platform, game)
);

create table results (
    bucket     smallint    not null,
    match_id   uuid        not null,
    seat       smallint    not null,
    platform   text        not null,
    game       text        not null,
    player     text        not null,
    points     int         not null,
    -- 1 for whoever won, then by points; whoever resigned comes last. Seats that are level share a rank.
    rank       smallint    not null check (rank > 0),
    -- 0 lost, 1 won, 2 won together with others.
    outcome    smallint    not null check (outcome between 0 and 2),
    end_time   timestamptz not null,
    -- Whether this result is in `opponents` already.
    is_counted boolean     not null default false,
    -- The player's standing in the league after this match; null until it is settled. Millionths, and whole ones, so that the same
    -- results give the same rows to the last bit.
    mean       int8,
    deviation  int8,
    played     int,
    won        int,
    shared     int,
    primary key (bucket, match_id, seat)
);

create index results_of_player on results (platform, game, player, end_time, match_id);
create index results_in_order on results (platform, game, end_time, match_id);
create index results_unsettled on results (platform, game, end_time, match_id) where mean is null;

-- A player in a league: the standing after the player's last result.
create table standings (
    bucket        smallint    not null,
    platform      text        not null,
    game          text        not null,
    player        text        not null,
    mean          int8        not null,
    deviation     int8        not null,
    -- What the player is good for almost certainly; players are ordered by it.
    rating        int8        not null generated always as (mean - 3 * deviation) stored,
    played        int         not null,
    won           int         not null,
    shared        int         not null,
    last_end_time timestamptz not null,
    primary key (bucket, platform, game, player)
);

create index standings_in_order on standings (bucket, platform, game, rating desc, player);
create index standings_of_player on standings (bucket, platform, player, game);

-- How a player fared against another, over all games. Each pair is here twice, once from either side.
create table opponents (
    bucket   smallint not null,
    platform text     not null,
    player   text     not null,
    opponent text     not null,
    played   int      not null,
    -- Matches in which the player came before, behind and level with the opponent.
    ahead    int      not null,
    behind   int      not null,
    level    int      not null,
    primary key (bucket, platform, player, opponent)
);

create index opponents_in_order on opponents (bucket, platform, player, played desc, opponent);


-- The model `holdings`: what lies before each seat, as everybody may know it: while a match goes on what a spectator sees, and
-- everything once it has ended. No row holds more, so nobody can be told more by mistake.
create table holdings (
    bucket   smallint not null,
    match_id uuid     not null,
    seat     smallint not null,
    position int8     not null,
    -- Pieces in the seat's places, face up or down.
    pieces   int      not null,
    -- By coin, what lies in the seat's places; a private purse counts once the match has ended.
    coins    jsonb    not null,
    primary key (bucket, match_id, seat)
);
