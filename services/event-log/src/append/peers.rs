//! Peers: the processes on one database, which agree on a preferred writer.
//!
//! Two writers of one log use the same bucket positions: the keys refuse one of two concurrent
//! batches, which is written again, and each writer waits for the other's commit. So every process
//! passes its drafts to the preferred writer of the bucket's database, which writes the drafts of
//! all processes in one batch.
//!
//! The preferred writer follows from a hash over the processes seen in the last seconds, so there
//! is no election, and a process that joins or leaves moves few preferences. The preference is a
//! hint: if processes disagree, both write, and the keys decide. If a peer does not answer, its
//! drafts are handed back and written here; an entry that it had recorded is recognised.
//!
//! See `docs/decisions/0029-preferred-writer.md`.

mod channel;
mod choosing;
mod link;
mod listen;
mod peer;
mod wire;

pub use choosing::Listening;
pub(super) use choosing::Peers;
pub(super) use wire::Answer;
