-- Players who leave, stay away and come back: pauses, votes, substitutes and open seats.

-- The public state of a match, as its last entry left it.
alter table match_summaries
    add column is_paused boolean not null default false,
    -- The votes of seats for what has not happened yet, in the order in which they were given: for
    -- each, the seat and the number of the motion. None if there are none.
    add column votes     smallint[];
