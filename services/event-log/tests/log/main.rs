//! The log on a real Postgres, with competing writers, killed servers and lost answers.
//!
//! - `append`: many writers, full queues, refusals
//! - `companions`: functions called with an entry, and headers
//! - `crashes`: servers and processes that are killed, answers that are lost
//! - `peers`: processes that pass their drafts to one of them
//! - `premises`: what must still hold when an entry is recorded
//! - `rejected`: drafts that the database rejects
//! - `reading`: streams and windows
//! - `follow`: entries of other processes
//! - `epochs`: a log that went back
//! - `terms`: a database that was promoted, restored or replaced
//!
//! `installation` and `playing` are what they share.

#![expect(clippy::disallowed_methods, reason = "these tasks end with their tests")]

mod append;
mod companions;
mod crashes;
mod epochs;
mod follow;
mod installation;
mod peers;
mod playing;
mod premises;
mod reading;
mod rejected;
mod terms;
