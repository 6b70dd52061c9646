-- Subscriptions to what happens, such as results alone.

-- What must have happened with an entry, such as `ended`; an entry matches if any of these did.
-- Empty for anything.
alter table subscriptions
    add column happenings text[] not null default '{}';

-- Ratings are kept by pool: the column `game` of `leagues`, `results` and `standings` holds the
-- game, the number of seats and the class of clocks, such as `mountebank 2 untimed`. Rows of
-- earlier releases hold the game alone, and are not read: `croupier project rebuild players` makes
-- them anew.
