//! What `croupier serve` and `croupier agents` share, which both decide about matches.
//!
//! In reading order: `hints`, `peers`, `webhooks` and `bots`, options of the command line and what
//! they configure; `engine`, the tasks that decide and record; `agents`, what starts by itself.

pub mod agents;
pub mod bots;
pub mod engine;
pub mod hints;
pub mod peers;
pub mod webhooks;
