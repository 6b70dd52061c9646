//! The games, one folder each, and the registry through which the rest of the service uses them.
//!
//! Games are pure: no clock, no source of randomness, no input or output; `clippy.toml` forbids
//! them. All game folders have the same files. A new game is a folder, an actions proto, a rules
//! page and a line in [`GAMES`] (`docs/add-a-game.md`), and `tests/registry.rs` names every
//! forgotten step. Grifters and You Dirty Rat have almost the same rules, so they share an engine,
//! [`hideout`], and each keeps a folder for its own rules and cards.
//!
//! # Invariants
//!
//! - No test but that of the frozen `layout.txt` catches a place that is declared public by
//!   mistake: `layouts::a_hidden_place_declared_public_is_noticed`.

mod about;
mod attempts;
mod common;
mod first_seat;
mod groups;
mod installed;
mod json_form;
mod messages;
pub mod notation;
mod registry;
mod rules_page;
mod set_ups;
mod why_not;

pub mod among_thieves;
pub mod grifters;
pub mod hideout;
pub mod mountebank;
pub mod rigs;
pub mod you_dirty_rat;

pub use about::{About, copies, decode};
pub use attempts::attempts;
pub use common::{is_common, parse as parse_common, print as print_common, say};
pub use groups::{By, Group, UNGROUPED_MAX, groups};
pub use installed::{
    Current, Named, Platforms, install, installed, is_for, is_other, keep, kept, named, offered,
    rules_of, set_current, set_platforms,
};
pub use json_form::{action_as_struct, action_from_struct};
pub use messages::{Messages, messages};
pub use registry::{
    Chosen, GAMES, Game, Legal, LegalKind, Opinion, ParsedAction, Playout, Refused, Step, Thinking,
    WithRules, find, kinds_of, options_of_next, refused, with_rules,
};
pub use rules_page::{Paragraph, RulesPage, Section};
pub use set_ups::{PlaceSetUp, SetUp, set_ups};
pub use why_not::{Beside, Counter, Effect, Obstacle, Wanted};

#[cfg(test)]
mod tests;
