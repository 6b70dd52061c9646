//! The `croupier` program: it serves, and it is a client of the service.
//!
//! In reading order:
//!
//! - `print`: standard output, for people and for programs
//! - `client`: how commands call the service
//! - `process`: parts of long-running commands, such as the database, the log, signals, threads,
//!   vital tasks and metrics
//! - `deciding`: parts of a process that decides about matches
//! - `serve`: `croupier serve`, put together from all of these
//! - `failure`: why a command ends early
//! - `commands`: every other command, one module each, by purpose
//! - [`cli`]: the command line
//!
//! Its other parts are crates: `croupier-client` calls the service, `records` and `transfer` read
//! and write files of matches, `keeping` archives and reduces them, `bench` measures, and
//! `postgres-server` runs the program's own Postgres.

pub mod cli;
mod client;
mod commands;
mod deciding;
mod failure;
mod print;
mod process;
mod serve;
