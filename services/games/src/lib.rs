//! The games, each a folder of its own, and the registry that the rest of the service knows them
//! by.
//!
//! Games are pure: no clock, no source of randomness, no input or output, no async. A new one is a
//! folder, an actions proto and a line in [`GAMES`]; every step forgotten is a failing test that
//! names it. Grifters and You Dirty Rat are one game in other words: they share an engine,
//! [`hideout`], and keep a folder each for what is their own.

mod first_seat;
mod registry;

pub mod among_thieves;
pub mod grifters;
pub mod hideout;
pub mod mountebank;
pub mod rigs;
pub mod you_dirty_rat;

pub use registry::{GAMES, Game, Legal, ParsedAction, Playout, Refused, Step, find};

#[cfg(test)]
mod tests;
