//! Matches played at random in this process.

use std::collections::BTreeMap;

use games::{Game, Playout};
use store::{MatchId, Seed};
use table::{Entry, MatchChance};

/// The entries of a match that is played at random to its end.
pub(crate) fn play(game: &'static dyn Game, seats: u8, id: MatchId, seed: &Seed) -> Vec<Entry> {
    let chance = MatchChance::new(id.0.as_bytes(), seed, &[]);
    let options = game.check_options(&BTreeMap::new(), seats);
    let options = options.expect("the defaults suit any number of seats");
    let Playout { opening, steps } = game.playout(seats, &options, &chance);
    std::iter::once(opening.1).chain(steps.into_iter().map(|step| step.entry)).collect()
}
