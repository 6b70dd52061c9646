-- Bots: seats that the service plays itself.

-- A bot sits on a seat as a player does, in `seats`, under an id that no player can have: it begins
-- with the control character U+0001, and names the bot's level.

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
