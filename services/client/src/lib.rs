//! The gRPC client of the command line.
//!
//! [`Service`] holds the options that say where the service is and which API key to use. [`Client`]
//! makes the calls: it retries one until its outcome is known, so a service that is restarted in
//! the middle interrupts a command without ending it. [`Error`] says what went wrong in words for
//! the person at the terminal.
//!
//! The modules, each of which uses only those above it: `local`, `language`, `error`, `service`,
//! `retry`, `keys`, `actions`, `calls`.

pub mod actions;
mod calls;
mod error;
mod keys;
mod language;
pub mod local;
mod retry;
mod service;

pub use calls::{Client, viewer};
pub use error::{Error, Refusal};
pub use keys::public_keys;
pub use language::language;
pub use retry::Retry;
pub use service::Service;

/// A game's resource name, from the name with or without its `games/`.
pub fn game_name(game: &str) -> String {
    api::game_name(short_game_name(game))
}

/// A game's name as it is typed, without its `games/`.
pub fn short_game_name(game: &str) -> &str {
    game.strip_prefix("games/").unwrap_or(game)
}
