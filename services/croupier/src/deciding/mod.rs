//! Code shared by `croupier serve` and `croupier agents`, which both decide about matches.
//!
//! In reading order: `hints`, `peers`, `webhooks` and `bots`, options of the command line and their
//! subjects; `engine`, the tasks that decide and record; `agents`, the service's own work.

pub mod agents;
pub mod bots;
pub mod engine;
pub mod hints;
pub mod peers;
pub mod webhooks;
