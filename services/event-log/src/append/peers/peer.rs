//! A process that records what others decide, too, and how the two sides of a connection know that
//! they mean the same.

use uuid::Uuid;

use super::channel::Key;
use super::wire::PROTOCOL;

/// A process that records what others decide, too.
#[derive(Clone)]
pub(super) struct Peer {
    pub process: Uuid,
    pub address: String,
    pub key: Key,
}

/// What both sides of a channel to this process must know, besides its key.
pub(super) fn prologue(process: Uuid) -> Vec<u8> {
    [b"croupier peers ", &PROTOCOL.to_le_bytes()[..], process.as_bytes()].concat()
}
