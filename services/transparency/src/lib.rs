//! The transparency log of matches: which are under way and how they were closed, in one tree that
//! is only appended to, so that outsiders notice what was left out, dated back or changed.
//!
//! In reading order: the logs of the installation ([`Logs`], [`LogRow`]); what leaves are due
//! (`due`); appending and signing ([`Appender`]); what is served to anyone ([`Reader`]); and
//! requests to others ([`HttpClient`]).
//!
//! `docs/transparency.md` has the bytes, and what they prove.

mod appender;
mod checkpoints;
mod cosigning;
mod due;
mod error;
mod http_client;
mod logs;
pub mod meter;
mod reader;
mod sealing;

pub use appender::Appender;
pub use error::Error;
pub use http_client::HttpClient;
pub use logs::{LogRow, Logs, WitnessRow};
pub use reader::{Reader, Standing};
