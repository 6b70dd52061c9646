//! What a game depends on: the universal table, and the wrapping of its rules as a module.
//!
//! A game implements [`table::Rules`]; [`module!`] exports it from a `cdylib` for
//! `wasm32-unknown-unknown`. `docs/modules.md` specifies what the module then exports and imports.
//!
//! # Invariants
//!
//! - A module answers as the native rules do, byte for byte
//!   (`modules/tests/same.rs`, `every_game_as_a_module_decides_as_natively`).

// What is told about a game besides its rules.
mod about;

// The rules as a guest: requests in, answers out.
mod guest;

// The functions that a module exports and imports.
pub mod exports;

pub use about::About;
pub use guest::Guest;
pub use table;
