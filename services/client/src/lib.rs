//! The gRPC client of the command line.
//!
//! [`Service`] holds the options for the service's address and the API key. [`Client`] makes the
//! calls. It retries a call until its outcome is known, so a command outlives a restart of the
//! service (`two_people_play_a_match_line_by_line_through_a_crash` in `tests/it/command_line.rs`).
//! [`Error`] is a failure in words for the person at the terminal.
//!
//! Read in this order: the machine's own service ([`local`]), `language`, `names`, `error`,
//! `service`, `retry`, `client`, then `calls`; `keys` and [`actions`] stand alone.

pub mod actions;
mod calls;
mod client;
mod error;
mod keys;
mod language;
pub mod local;
mod names;
mod retry;
mod service;

pub use client::Client;
pub use error::{Error, Refusal};
pub use keys::public_keys;
pub use language::language;
pub use names::{game_name, short_game_name, viewer};
pub use retry::Retry;
pub use service::Service;
