//! The games, each a folder of its own, and the registry that the rest of the service knows them
//! by.
//!
//! Games are pure: no clock, no source of randomness, no input or output, no async. A new one is a
//! folder, an actions proto and a line in [`GAMES`]; every step forgotten is a failing test that
//! names it.

mod registry;

pub mod mountebank;
pub mod rigs;

pub use registry::{GAMES, Game, Legal, Playout, Refused, Step, find};

#[cfg(test)]
mod tests;
