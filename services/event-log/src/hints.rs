//! Hints: how processes tell each other at once which buckets have new entries.
//!
//! A hint names its sender and a set of buckets. It goes by Postgres' NOTIFY ([`notify`]), by NATS
//! ([`nats`]), or both ways. It only makes the follower look sooner: a hint that is lost delays
//! entries until the next poll, and one that is late, duplicated, garbled or a stranger's costs a
//! look at the heads.
//!
//! What is to be sent and what was received are each a set of buckets ([`ChangedBuckets`]), to
//! which hints add theirs, and no queue that grows. So a way that stands still delays no other, and
//! a flood of hints is one hint.
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
