//! The log on a real Postgres, with competing writers, killed servers and lost answers.
//!
//! - `append`: many writers, full queues, what is refused
//! - `companions`: what is done with an entry, and what is read with one
//! - `crashes`: servers and processes that are killed, answers that are lost
//! - `peers`: processes that pass what they decided to one of them
//! - `reading`: streams and windows
//! - `follow`: what other processes recorded
//! - `epochs`: a log that went back
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
mod reading;
