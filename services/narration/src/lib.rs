//! Texts about everything on a table: entries, actions, prompts, refusals, views and results, for a
//! reader, in a language.
//!
//! Words are data: a Fluent file for each game and language in the game's folder, and one for each
//! language here with the shared messages. A game's file may override any shared message. The crate
//! is pure (`clippy.toml`). Its input is redacted for the reader, so no text can disclose more:
//! `tests/secrecy.rs` compares texts about hidden differences.
//!
//! The modules are in reading order, each after those that it imports.

// Languages, their words, and the names of players.
mod language;

// What is made for a module, once.
mod kept;

mod words;

mod people;

// The narrator of a match, and the titles of things.
mod narrator;

mod things;

mod titles;

// The primer of a game.
mod primer;

// Texts about actions, events, prompts, refusals, tables and matches.
mod actions;

mod clauses;

mod entries;

mod refusals;

mod effects;

mod drawing;

mod summary;

// Whether a game has all the words that it needs.
mod completeness;

pub use actions::{Label, SHORT_MAX};
pub use completeness::problems_of_words;
pub use drawing::{Row, Section, Shown, ShownFace, Sketch, Stack};
pub use language::{Language, UnknownLanguage};
pub use narrator::Narrator;
pub use primer::PrimerSection;
pub use summary::Standing;
pub use titles::Titles;

#[cfg(test)]
mod tests;
