//! How bots choose: over `table::Rules`, without knowing any game.
//!
//! A bot knows only what its seat was told: its only input is an
//! [`Observation`](table::Observation), which redacts each entry that it takes in. It reads no
//! clock (`clippy.toml`) and takes its randomness from the caller, so the same observation, budget
//! and chance give the same action, on every machine and within a module: `libm` computes
//! logarithms and exponentials everywhere.
//!
//! # Invariants
//!
//! - A module chooses as its native rules do
//!   (`choosing::every_game_as_a_module_chooses_as_natively`).

mod budget;

mod choosing;

mod search;

mod mind;

pub use budget::{Budget, Iterations};
pub use choosing::waits_at_random;
pub use mind::Mind;
pub use search::{Opinion, opinions};
