//! You Dirty Rat: money is power in this town, and the town still has some.
//!
//! The engine is [`crate::hideout`], which Grifters shares; this folder holds You Dirty Rat's own
//! part.

mod cards;

mod actions;

mod rules;

pub use rules::YouDirtyRat;

#[cfg(test)]
mod tests;
