//! Hideout: the engine that Grifters and You Dirty Rat share.
//!
//! The two games are by the same designers and play alike: a turn plays one person for its text, or
//! a team for the reward of a job, into the first of three nights, and people come back to the hand
//! three nights later. They differ in names, in their catalogues, in some options, and in a few
//! rules. This folder holds everything that they share, in Grifters' names, as [`Hideout<G>`]. Each
//! game's own part is its [`Ruleset`], in a folder beside this one: `grifters` and `you_dirty_rat`
//! are peers of the other games, each with its own name, messages, layout, records and rules page.
//! Platforms need not know that they share code.
//!
//! A `Ruleset` supplies:
//!
//! - the name and the options of the game, and the effect of the options ([`Variant`]);
//! - the catalogue of people and jobs ([`Cards`]), each row with its origin;
//! - the values of rules that differ: the bonuses, and whether a Thug may be played alone;
//! - the public names that differ from the engine's ([`Ruleset::RENAMES`]);
//! - the protobuf messages, from the `messages!` macro in `actions`.
//!
//! Where to change what:
//!
//! | to change | edit |
//! | --- | --- |
//! | a card's skill, team, text or origin | `cards.rs` of the game |
//! | what an effect does, or a new one | [`Effect`](cards::Effect) and `effects` |
//! | set-up, turns, what may be played | `set_up`, `turns`, `legal` |
//! | which cards complete a job | `teams` |
//! | the ends of the game, scores and ties | `ends` |
//! | the house's answers for a seat that is away | `absent` |
//! | how a player who does not look ahead values a play | `opinion` |
//! | a public name in one game | `RENAMES` of the game |
//! | a rule in one game only | a constant of `Ruleset`, or a field of `Variant` for an option |
//!
//! `§4.2` stands for paragraph 4.2 of the game's page in `docs/games/`. A number that is on both
//! pages is the same rule.

// The table: its components by name and number, and who sees them.
pub mod vocabulary;

pub mod cards;

pub(crate) mod actions;

mod ruleset;

mod renamed;

mod catalogue;

mod layout;

// Why an action is refused.
mod refusals;

// The rulebook, part by part.
mod nights;

mod ends;

mod effects;

mod teams;

mod legal;

mod turns;

mod set_up;

// The house's answers for absent seats, and the heuristics of bots.
mod absent;

mod opinion;

// The game's own invariants, and the implementation of `Rules`.
mod invariants;

mod rules;

pub use actions::Action;
pub use cards::Cards;
pub use layout::layout;
pub use ruleset::{Hideout, Ruleset, Variant};

#[cfg(test)]
pub(crate) mod tests;
