-- Read models: answers to questions across matches, such as who won how often, which matches a
-- player sat in, or how a league stands. They are derived from the record and may be emptied at any
-- time: they are filled again from position 1.
--
-- The first three tables record which read models exist, how far each has read, and what it had to
-- skip. The rest are the read models. A column that holds a player's id says so in its comment: an
-- erasure finds it there. It needs an index that begins with `platform` and that column.


-- The read models, and which generation of each is current. A rebuild fills tables of the same
-- names in the schema `rebuilding` until they have caught up; then one transaction of a few
-- milliseconds drops the old tables, moves the new ones into place and sets `generation`.
create table projections (
    -- One set for the installation, in bucket 0.
    bucket     smallint not null default 0 check (bucket = 0),
    model      text     not null,
    generation int      not null check (generation > 0),
    -- The newest generation that a rebuild has begun. A rebuild that finds a newer one than its own
    -- stops.
    begun      int      not null check (begun >= generation),
    primary key (bucket, model)
);
comment on table projections is 'everywhere; select';

-- How far each read model has read in each bucket. A checkpoint is saved in the same transaction as
-- the rows it covers. Bucket positions have no gaps and follow commit order, so "after this
-- position" misses nothing, however late another process commits.
--
-- A process that advances a bucket locks its row here first; another process that finds the row
-- locked works on another bucket. If the process dies, its lock and its unfinished rows disappear
-- together.
create table checkpoints (
    bucket          smallint not null check (bucket between 0 and 63),
    model           text     not null,
    generation      int      not null check (generation > 0),
    bucket_position int8     not null check (bucket_position >= 0),
    primary key (bucket, model, generation)
) with (
    -- 64 rows per model that change all the time: keep them on a page or two.
    fillfactor = 25
);
comment on table checkpoints is 'by bucket; select, update';

-- Matches that a read model had to skip, because the release that updated it could not read one of
-- their entries: a newer release recorded it, or its bytes are damaged. The checkpoints go on, so
-- that one such match delays no other. The model's rows of the match stay as they were before that
-- entry, until a release that can read it has written them again and removed the row here.
create table unreadable_matches (
    bucket    smallint    not null check (bucket between 0 and 63),
    match_id  uuid        not null,
    model     text        not null,
    -- The first entry that cannot be read.
    position  int8        not null,
    reason    text        not null,
    find_time timestamptz not null,
    -- When a release last tried to read the match.
    try_time  timestamptz not null,
    primary key (bucket, match_id, model)
);
comment on table unreadable_matches is 'by bucket; select, insert, update, delete';

insert into projections (model, generation, begun)
values ('matches', 1, 1), ('players', 1, 1), ('holdings', 1, 1);

insert into checkpoints (bucket, model, generation, bucket_position)
select each.bucket, model, 1, 0
from projections
cross join generate_series(0, 63) as each (bucket);

create schema rebuilding;


-- The model `matches`: the state of each match after its last entry. A match that was not dealt yet
-- has no row.
create table match_summaries (
    bucket        smallint    not null,
    match_id      uuid        not null,
    platform      text        not null,
    game          text        not null,
    -- Of the match, not of this row: lists are ordered by it.
    create_time   timestamptz not null,
    -- Of the first and of the last entry.
    start_time    timestamptz not null,
    update_time   timestamptz not null,
    -- Of the last entry, and so the number of entries.
    position      int8        not null,
    round         smallint    not null,
    turn          smallint    not null,
    -- By seat, as far as they are public.
    scores        int[]       not null,
    -- The seats that won; null while the match is running.
    winners       smallint[],
    -- By seat, what it contributed; empty for a seat that contributed nothing, and null for a match
    -- whose seats all contributed nothing.
    contributions bytea[],
    -- The seats that must decide, and when the first of them runs out of time: null where no clock
    -- runs.
    waiting       smallint[],
    deadline      timestamptz,
    -- Its clocks; null in a match without.
    clocks        bytea,
    is_paused     boolean     not null default false,
    -- The votes of seats for what has not happened yet, in the order in which they were given: for
    -- each, the seat and the number of the motion. None if there are none.
    votes         smallint[],
    primary key (bucket, match_id)
);
comment on table match_summaries is 'by bucket; select, insert, update';

-- Few matches are running among many that have ended; a list of running matches does not read the
-- others.
create index match_summaries_running on match_summaries (platform, create_time, match_id)
    where winners is null;

-- What a platform's matches wait for, soonest first.
create index match_summaries_due on match_summaries (platform, deadline, match_id)
    where deadline is not null;


-- The model `players`: the result of everyone who sat in a match until its end, and the standings
-- that follow.
--
-- It is made in two steps. A match's results are rows of its own bucket and depend on nothing else.
-- A player's standing depends on all the player's results, in any bucket, and a rating depends on
-- their order; so a second step *settles* results, league by league, in the order of (end_time,
-- match_id). That order follows from the record and is the same in every rebuild. A result that
-- arrives late unsettles those that come after it, and they are settled again: the rows always
-- equal the fold of all results in their order.

-- A league: one game as the players of one platform play it. A process that settles its results
-- locks its row.
create table leagues (
    -- The platform's.
    bucket       smallint not null,
    platform     text     not null,
    game         text     not null,
    -- The end of the last match that is settled; null if none is. A result that ended later
    -- unsettles nothing.
    settled_time timestamptz,
    primary key (bucket, platform, game)
);
comment on table leagues is 'by bucket; select, insert, update';

create table results (
    bucket     smallint    not null,
    match_id   uuid        not null,
    seat       smallint    not null,
    platform   text        not null,
    game       text        not null,
    player     text        not null,
    points     int         not null,
    -- 1 for the winners, then by points; seats that resigned come last. Seats that are level share
    -- a rank.
    rank       smallint    not null check (rank > 0),
    -- 0 lost, 1 won, 2 shared the win with others.
    outcome    smallint    not null check (outcome between 0 and 2),
    end_time   timestamptz not null,
    -- Whether `opponents` includes this result.
    is_counted boolean     not null default false,
    -- The player's standing in the league after this match; null until it is settled. In whole
    -- millionths, so that the same results give the same rows to the last bit.
    mean       int8,
    deviation  int8,
    played     int,
    won        int,
    shared     int,
    primary key (bucket, match_id, seat)
);
comment on table results is 'by bucket; select, insert, update';
comment on column results.player is 'a player';

create index results_of_player on results (platform, player, game, end_time, match_id);
create index results_in_order on results (platform, game, end_time, match_id);
create index results_unsettled on results (platform, game, end_time, match_id) where mean is null;

-- A player's standing in a league after the last result.
create table standings (
    bucket        smallint    not null,
    platform      text        not null,
    game          text        not null,
    player        text        not null,
    mean          int8        not null,
    deviation     int8        not null,
    -- A conservative estimate of the player's skill; standings are ordered by it.
    rating        int8        not null generated always as (mean - 3 * deviation) stored,
    played        int         not null,
    won           int         not null,
    shared        int         not null,
    last_end_time timestamptz not null,
    primary key (bucket, platform, game, player)
);
comment on table standings is 'by bucket; select, insert, update';
comment on column standings.player is 'a player';

create index standings_in_order on standings (bucket, platform, game, rating desc, player);
create index standings_of_player on standings (platform, player, game);

-- A player's record against another player, over all games. Each pair has two rows, one from either
-- side.
create table opponents (
    bucket   smallint not null,
    platform text     not null,
    player   text     not null,
    opponent text     not null,
    played   int      not null,
    -- Matches in which the player ranked before, behind and level with the opponent.
    ahead    int      not null,
    behind   int      not null,
    level    int      not null,
    primary key (bucket, platform, player, opponent)
);
comment on table opponents is 'by bucket; select, insert, update';
comment on column opponents.player is 'a player';
comment on column opponents.opponent is 'a player';

create index opponents_in_order on opponents (platform, player, played desc, opponent);
create index opponents_of_opponent on opponents (platform, opponent);


-- The model `holdings`: what each seat holds, as far as it is public: what a spectator sees while a
-- match is running, everything once it is revealed. No row holds more, so a mistake in a query
-- cannot reveal more. One row per match, because almost every action changes some seat's holdings,
-- and writing a row per seat would be most of a projector's work.
create table holdings (
    bucket   smallint not null,
    match_id uuid     not null,
    -- Of the last entry.
    position int8     not null,
    -- By seat: the number of pieces in its places, face up or down.
    pieces   int[]    not null,
    -- By seat, then coin: the amount in its places. A private purse is included once the match is
    -- revealed.
    coins    jsonb    not null check (jsonb_typeof(coins) = 'array'),
    primary key (bucket, match_id)
);
comment on table holdings is 'by bucket; select, insert, update';
