//! R.I.G.S.: settle plots, work them with machines, survive disasters and your neighbours, sell
//! Luxury.
//!
//! The files are in reading order. `§4.2` is a paragraph of `docs/games/rigs.md`, and the parts of
//! the rulebook follow that page; karma interrupts all of them.

// The table: its components by name and number, and who sees them.
mod vocabulary;

mod cards;

mod layout;

mod resources;

// Actions and refusals.
mod actions;

mod refusals;

// The rulebook, part by part.
mod phases;

mod colony;

mod losses;

mod showing;

mod deals;

mod karma;

mod player;

mod disasters;

mod production;

mod market;

mod end;

mod rounds;

mod set_up;

mod answers;

mod series;

mod legal;

// The house's answers for absent seats, and the heuristics of bots.
mod absent;

mod opinion;

// The game's own invariants, and the implementation of `Rules`.
mod invariants;

mod rules;

pub use cards::DisasterKind;
pub use refusals::Refusal;
pub use rules::Rigs;
pub use vocabulary::{Karma, Land, Resource};

#[cfg(test)]
mod tests;
