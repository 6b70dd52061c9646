//! Among Thieves: share what a heist pays, or take it all, and do not be the least honorable in
//! the end.
//!
//! The files are in reading order. `§4.2` is a paragraph of `docs/games/among_thieves.md`.

// The table: what is on it, by name and number, and who sees it.
mod vocabulary;

mod cards;

mod layout;

// What a seat can do, and why it is refused.
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

// The house's answers for a seat that is away, and the opinion of bots.
mod absent;

mod opinion;

// The implementation of `Rules`.
mod rules;

pub use actions::Terms;
pub use rules::AmongThieves;
pub use vocabulary::Corporation;

#[cfg(test)]
mod tests;
