//! Matches played at random in this process.

use std::collections::BTreeMap;

use games::{Game, Playout};
use table::{Entry, invariants};

/// The entries of a match that is played at random to its end.
pub(crate) fn play(game: &'static dyn Game, seats: u8, seed: u64) -> Vec<Entry> {
    let options = game.check_options(&BTreeMap::new(), seats);
    let options = options.expect("the defaults suit any number of seats");
    let Playout { opening, steps } = game.playout(seats, &options, invariants::key(seed));
    std::iter::once(opening.1).chain(steps.into_iter().map(|step| step.entry)).collect()
}
