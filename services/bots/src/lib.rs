//! Bots: opponents for every game, present and future.
//!
//! A bot knows only what its seat was told: its only input is an
//! [`Observation`](table::Observation), which redacts each entry that it takes in. It reads no
//! clock (`clippy.toml`) and takes its randomness from the caller, so the same observation, budget
//! and chance give the same action: `tests.rs` compares them in every game.
//!
//! A level is a [`Mind`](minds::Mind), which knows no game, or one that a module knows. Modules
//! have the same minds in them, where the rules have an opinion.

mod asked;

mod levels;

mod suggesting;

pub use asked::{Asked, agreement};
pub use levels::{LEVELS, Level, find, names, of_game};
pub use minds::{Budget, Iterations};
pub use suggesting::{Suggestion, suggest};

#[cfg(test)]
mod tests;
