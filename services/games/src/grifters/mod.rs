//! Grifters: money is power in the Dystopian Universe, and somebody else has it.
//!
//! The engine is [`crate::hideout`], which You Dirty Rat shares; this folder holds Grifters' own
//! part.

mod cards;

mod actions;

mod rules;

pub use rules::Grifters;

#[cfg(test)]
mod tests;
