-- The model `holdings`, a row a match instead of a row a seat: what lies before the seats changes with almost every action, and while
-- many matches are played at once, writing it is most of what a projector has to do.
--
-- Nothing is carried over: the new table is filled from position 1. A rebuild of the old one that is under way ends as overtaken.
drop table holdings;
drop table if exists rebuilding.holdings;

create table holdings (
    bucket   smallint not null,
    match_id uuid     not null,
    -- Of the last entry.
    position int8     not null,
    -- By seat: pieces in its places, face up or down.
    pieces   int[]    not null,
    -- By seat, by coin: what lies in its places; a private purse counts once the match has ended.
    coins    jsonb    not null check (jsonb_typeof(coins) = 'array'),
    primary key (bucket, match_id)
);

update projections
set begun = begun + 1
where model = 'holdings' and begun > generation;

delete from checkpoints
using projections
where projections.bucket = 0
and projections.model = checkpoints.model
and checkpoints.model = 'holdings'
and checkpoints.generation <> projections.generation;

update checkpoints
set bucket_position = 0
where model = 'holdings';
