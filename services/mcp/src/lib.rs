//! The tools with which language models and other agents play, over the Model Context Protocol:
//! what a seat knows in words, and its legal actions by number.
//!
//! There is one implementation behind two ways: [`serve_stdio`] calls a service as any client does,
//! and [`routes`] answers `/mcp` of the service itself, whose calls pass its own gRPC service with
//! the credentials, limits and metrics of the request. Nothing is kept between two calls: a list of
//! actions is identified by a hash of what it holds. So an agent resumes after a restart of either
//! side, and any process of the service answers it.
//!
//! # Invariants
//!
//! - Everything shown is read as the seat of the caller, or as a spectator:
//!   `mcp::an_agent_sees_what_its_seat_sees_and_no_more`.
//! - An answer has at most [`ANSWER_BYTES_MAX`] bytes and says what was left out:
//!   `mcp::an_agent_that_knows_no_game_plays_every_game_over_http`.
//! - An action is submitted only from a list that is legal now and is the one that was shown:
//!   `mcp::what_does_not_fit_is_refused_with_a_reason_and_nothing_is_done`.
//!
//! Read in this order: `failure` and `text`; `service`, what the tools call; `arguments`; `seen`,
//! what a seat sees; the tools in `looking`, `acting`, `starting` and `reading`; `resources`;
//! `tools`, their descriptions; `server`, the protocol; `http` and `stdio`.

mod acting;
mod arguments;
mod failure;
mod http;
mod looking;
mod reading;
mod resources;
mod seen;
mod server;
mod service;
mod starting;
mod stdio;
mod text;
mod tools;

pub use self::http::{Grpc, PATH, routes};
pub use self::stdio::{StdioError, serve_stdio};
pub use self::text::ANSWER_BYTES_MAX;
