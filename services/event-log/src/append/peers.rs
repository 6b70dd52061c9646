//! Peers: the processes on one database, which agree on a preferred writer.
//!
//! Two writers of one log use the same bucket positions: one of each two batches is refused by a
//! key and written again, and each waits for the other's commit. So every process passes what it
//! has decided to the preferred writer of the bucket's database, where the drafts of all processes
//! are one batch.
//!
//! Which one that is follows from a hash of the processes that were seen in the last seconds, so
//! nothing is elected, and a process more or less moves few preferences. It is a hint: whoever has
//! another opinion writes too, and the keys decide. When a peer does not answer, its drafts are
//! handed back and written here; an entry that it had recorded is recognised.
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
