//! Bots: opponents for every game, present and future.
//!
//! A bot knows only what its seat was told: its only input is an
//! [`Observation`](table::Observation), which redacts each entry that it takes in. All levels play
//! over `table::Rules` and know no game. A bot reads no clock (`clippy.toml`) and takes its
//! randomness from the caller, so the same observation, budget and chance give the same action:
//! `tests.rs` compares them in every game.
//!
//! A level is a `Mind` in a file of its own, and a line in [`LEVELS`].

mod budget;

mod asked;

mod mind;

mod choosing;

mod search;

mod levels;

mod suggesting;

pub use asked::{Asked, agreement};
pub use budget::{Budget, Iterations};
pub use levels::{LEVELS, Level, find, names};
pub use suggesting::{Suggestion, suggest};

#[cfg(test)]
mod tests;
