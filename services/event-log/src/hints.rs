//! Hints: processes notify each other at once which buckets have new entries.
//!
//! A hint names its sender and a set of buckets. It goes by Postgres' NOTIFY ([`notify`]), by NATS
//! ([`nats`]), or both ways. It only makes the follower read sooner: a lost hint delays entries
//! until the next poll, and a late, duplicated, garbled or forged hint costs a read of the heads.
//!
//! Hints to send and received hints are each kept as a set of buckets ([`ChangedBuckets`]), not as
//! a queue that grows. So a stalled way delays no other, and a flood of hints becomes one hint.
//!
//! See `docs/decisions/0030-hints-are-sets-of-buckets.md`.

mod changed;
mod exchange;
mod hint;
mod nats;
mod notify;
mod servers;
mod ways;

pub(crate) use changed::ChangedBuckets;
pub(crate) use exchange::Hints;
pub use hint::HINTS;
pub use servers::{Servers, WaysError};
pub use ways::Options;
