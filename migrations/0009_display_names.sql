-- Display names: what a match shows for its players.

-- The name to show for the player, as the platform gave it with the seat; null if it gave none.
-- Written once, like the rest of the row. It is no part of what the digests of the match cover:
-- neither are the players, who may take their seats later.
alter table seats add column display_name text;
-- What names that read as the same have in common: without regard to case, width, spaces, and
-- characters that show nothing. Null where `display_name` is.
alter table seats add column display_name_key text;

-- Of two players who join a match under the same name, this key lets one do so. It holds no row of
-- a seat without a name.
create unique index seats_display_names on seats (bucket, match_id, display_name_key)
    where display_name_key is not null;
