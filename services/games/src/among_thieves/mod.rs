//! Among Thieves: share the loot of a heist or take it all, but do not end as the least honorable.
//!
//! The files are in reading order. `§4.2` is a paragraph of `docs/games/among_thieves.md`.

// The table: its components by name and number, and who sees them.
mod vocabulary;

mod cards;

mod layout;

// Actions and refusals.
mod actions;

mod refusals;

// The rulebook, part by part.
mod seats;

mod deals;

mod events;

mod ending;

mod heist;

mod set_up;

mod legal;

// The house's answers for absent seats, and the heuristics of bots.
mod absent;

mod opinion;

// The implementation of `Rules`.
mod rules;

pub use actions::Terms;
pub use rules::AmongThieves;
pub use vocabulary::Corporation;

#[cfg(test)]
mod tests;
