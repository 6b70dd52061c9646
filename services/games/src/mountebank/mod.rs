//! Mountebank: gather a hand, run a con, leave no loose ends.
//!
//! The files are in reading order. `§4.2` is a paragraph of `docs/games/mountebank.md`.

// The table: its components by name and number, and who sees them.
mod vocabulary;

mod cards;

mod layout;

// Actions and refusals.
mod actions;

mod refusals;

// The rulebook, part by part.
mod cons;

mod legal;

mod turns;

mod set_up;

// The house's answers for absent seats, and the heuristics of bots.
mod absent;

mod opinion;

// The implementation of `Rules`.
mod rules;

pub use rules::Mountebank;
pub use vocabulary::Suit;

#[cfg(test)]
mod tests;
