//! How the command line calls the service: by `croupier_client`, in words for a person.
//!
//! [`Service`] holds the options for the service's address and the API key. [`Client`] makes the
//! calls. A call is retried until its outcome is known, so a command outlives a restart of the
//! service (`two_people_play_a_match_line_by_line_through_a_crash` in `tests/it/command_line.rs`).
//! [`Error`] is a failure in words for the person at the terminal.
//!
//! Read in this order: the machine's own service ([`local`]), `language`, `names`, `error`, `loss`,
//! `service`, `calling`, then `calls`; [`actions`] stands alone.

pub mod actions;
mod calling;
mod calls;
mod error;
mod language;
pub mod local;
mod loss;
mod names;
mod service;

pub use calling::{Client, Following};
pub use error::Error;
pub use language::language;
pub use names::{game_name, short_game_name, viewer};
pub use service::Service;
