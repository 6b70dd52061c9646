//! Bots on seats: their levels, ids and names.

use games::Game;
use rows::look_alike;
use table::Seat;

use crate::error::Error;
use crate::random::random;

/// The names of bots whose creator gives them none, more than a match has seats.
const NAMES: [&str; 16] = [
    "Ada", "Basil", "Clara", "Dexter", "Edith", "Felix", "Greta", "Hugo", "Iris", "Jasper",
    "Klara", "Leopold", "Mabel", "Nils", "Olive", "Percy",
];

/// Checks the name of a level of a game's bots in a field of a request.
pub(crate) fn bot_level(
    field: &'static str,
    name: &str,
    game: &dyn Game,
) -> Result<&'static str, Error> {
    let level = bots::find(game, name).map(|level| level.name);
    level.ok_or_else(|| {
        let (bot, levels) = (name.to_owned(), bots::names(game));
        Error::UnknownBot { field, index: None, bot, levels }
    })
}

/// The id of a new bot.
pub(crate) fn bot_id(level: &str) -> String {
    rows::bot_id(level, u64::from_le_bytes(random()))
}

/// A name for a bot on a seat, which no reader confuses with these people, given by their ids and
/// names: the seat's own, or the next one that is free.
pub(crate) fn bot_name<'a>(
    seat: Seat,
    people: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone,
) -> String {
    let is_free = |name: &str| !people.clone().any(|other| look_alike(("", Some(name)), other));
    let of_seat = NAMES.iter().cycle().skip(u8::from(seat).into()).take(NAMES.len());
    let plain = of_seat.map(|name| (*name).to_owned());
    // Each of the people takes at most two of the names.
    let numbered = (2..).map(|number| format!("{} {number}", NAMES[0]));
    plain.chain(numbered).find(|name| is_free(name)).expect("there is no end of numbers")
}

#[cfg(test)]
mod tests {
    use table::Small;

    use super::*;

    #[test]
    fn a_bot_without_a_name_gets_one_that_nobody_has() {
        let seat = Seat::nth(1).expect("a seat");
        let name = |people: &[(&'static str, Option<&'static str>)]| {
            bot_name(seat, people.iter().copied())
        };
        assert_eq!(name(&[]), "Basil");
        assert_eq!(name(&[("ann", None), ("u7", Some("BASIL"))]), "Clara");
        assert_eq!(name(&[("basil", None), ("u7", Some("Clara"))]), "Dexter");
        let all: Vec<_> = NAMES.iter().map(|&name| (name, None)).collect();
        assert_eq!(name(&all), "Ada 2");
    }
}
