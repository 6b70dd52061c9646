//! Games have exactly the words that they need; whole matches read as in the golden stories; no
//! text discloses more than its reader knows.

mod keys;
mod labels;
mod scores;
mod secrecy;
mod stories;

use games::Game;
use table::{Entry, Table, Viewer, invariants::chance};

use crate::{Language, Narrator};

/// The games to test: all of them, or the one that `CROUPIER_GAME` names.
#[expect(clippy::disallowed_methods, reason = "the environment chooses what the tests do")]
fn games() -> impl Iterator<Item = &'static dyn Game> {
    let only = std::env::var("CROUPIER_GAME").ok();
    if let Some(name) = &only {
        assert!(games::find(name).is_some(), "CROUPIER_GAME={name}: there is no such game");
    }
    games::GAMES
        .iter()
        .copied()
        .filter(move |game| only.as_ref().is_none_or(|it| it == game.name()))
}

/// The games to test, each with every language that it has words in.
fn told() -> impl Iterator<Item = (&'static dyn Game, Language)> {
    games().flat_map(|game| Language::of_game(game).into_iter().map(move |it| (game, it)))
}

const NAMES: [&str; 8] = ["Ada", "Bruno", "Cleo", "Dario", "Elif", "Farid", "Greta", "Hugo"];

fn narrator(game: &'static dyn Game, language: Language, seats: u8, reader: Viewer) -> Narrator {
    let names: Vec<Option<&str>> = NAMES[..seats.into()].iter().map(|it| Some(*it)).collect();
    let reader = if let Viewer::Seat(seat) = reader { Some(seat) } else { None };
    Narrator::new(game, language, &names, reader)
}

/// The entries of a match played at random, each with the table after it.
fn playout(game: &'static dyn Game, seats: u8, seed: u64) -> Vec<(Table, Entry)> {
    let options = game.check_options(&Default::default(), seats).expect("the defaults fit");
    let playout = game.playout(seats, &options, &chance(seed));
    let steps = playout.steps.into_iter().map(|step| (step.after, step.entry));
    std::iter::once(playout.opening).chain(steps).collect()
}
