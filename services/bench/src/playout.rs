//! Matches played at random in this process.

use std::collections::BTreeMap;

use games::{Game, Playout};
use rows::{MatchId, NewMatch, Seed, Tags, Terms};
use table::{Entry, MatchChance};

use crate::clock::now;

/// A new match without options and players.
pub(crate) fn new_match(
    match_id: MatchId,
    platform: &str,
    game: &'static dyn Game,
    seats: u8,
    seed: Seed,
) -> NewMatch {
    NewMatch {
        match_id,
        platform: platform.to_owned(),
        game: game.name().to_owned(),
        seats: seats.into(),
        create_time: now(),
        terms: terms(&seed),
        players: Vec::new(),
        display_names: Vec::new(),
        contributions: Vec::new(),
        after_commitment: false,
        speech_keys: Vec::new(),
        tags: Tags::new(),
        display_name: None,
        request_digest: Vec::new(),
        seed,
    }
}

/// The terms of a match without options, revealed at its end.
pub(crate) fn terms(seed: &Seed) -> Terms {
    Terms {
        options: BTreeMap::new(),
        seed_commitment: *blake3::hash(seed).as_bytes(),
        reveal_wait_s: Some(0),
        follows: None,
    }
}

/// The entries of a match that is played at random to its end.
pub(crate) fn play(game: &'static dyn Game, seats: u8, id: MatchId, seed: &Seed) -> Vec<Entry> {
    let chance = MatchChance::new(id.0.as_bytes(), seed, &[]);
    let options = game.check_options(&BTreeMap::new(), seats);
    let options = options.expect("the defaults suit any number of seats");
    let Playout { opening, steps } = game.playout(seats, &options, &chance);
    std::iter::once(opening.1).chain(steps.into_iter().map(|step| step.entry)).collect()
}
