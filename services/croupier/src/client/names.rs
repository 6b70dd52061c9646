//! Names as people type them.

use contract::names;

/// A game's resource name, from the name with or without its `games/`.
pub fn game_name(game: &str) -> String {
    names::game_name(short_game_name(game))
}

/// A game's name as it is typed, without its `games/`.
pub fn short_game_name(game: &str) -> &str {
    game.strip_prefix("games/").unwrap_or(game)
}

/// The `viewer` of a request: a seat, or a spectator if there is none.
pub fn viewer(seat: Option<u32>) -> String {
    seat.map_or_else(|| names::SPECTATOR.to_owned(), names::seat_name)
}
