//! A process that also records others' drafts, and the prologue by which both sides of a connection
//! agree.

use uuid::Uuid;

use super::channel::Key;
use super::wire::PROTOCOL;

/// A process that also records others' drafts.
#[derive(Clone)]
pub(super) struct Peer {
    pub process: Uuid,
    pub address: String,
    pub key: Key,
}

/// The data that both sides of a channel to this process must agree on, besides its key.
pub(super) fn prologue(process: Uuid) -> Vec<u8> {
    [b"croupier peers ", &PROTOCOL.to_le_bytes()[..], process.as_bytes()].concat()
}
