//! The `croupier` program: it serves, and it is a client of the service.
//!
//! The modules, each of which uses only those above it:
//!
//! - `print`: standard output
//! - `database`: opening the store, on a database that is named or on the program's own Postgres
//! - `hinting`: how processes tell each other of new entries
//! - `process`: logging and signals of commands that run until stopped
//! - `listen`: opening ports
//! - `tls`: TLS on the public port
//! - `user`: the user that a service runs as
//! - `vital`: tasks without which a service must not live
//! - `threads`: the threads of a service
//! - `metering`: metrics for Prometheus
//! - `pushing`: sending subscriptions to endpoints
//! - `bots`: options of the bots that the service plays for
//! - `core`: what every process needs that decides about matches
//! - `serve`: the service, put together from all of these
//! - `retention`: what `croupier retention` does to the record
//! - `archiving`: what `croupier archive` does to it
//! - `failure`: why a command ends early
//! - `commands`: every other command, one module each
//! - [`cli`]: the command line
//!
//! Its other parts are crates: `client` calls the service, `archive` reads and writes files of
//! matches, `bench` measures, and `postgres-server` runs the program's own Postgres.

mod archiving;
mod bots;
pub mod cli;
mod commands;
mod core;
mod database;
mod failure;
mod hinting;
mod listen;
mod metering;
mod peering;
mod print;
mod process;
mod pushing;
mod retention;
mod serve;
mod threads;
mod tls;
mod user;
mod vital;
