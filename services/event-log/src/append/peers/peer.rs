//! A process that also records others' drafts, and the prologue by which both sides of a connection
//! agree.

use std::io;

use uuid::Uuid;

use super::channel::{Key, Receiving, Sending};
use super::wire::{Hello, PROTOCOL};
use crate::Log;

/// A process that also records others' drafts.
#[derive(Clone)]
pub(super) struct Peer {
    pub process: Uuid,
    pub address: String,
    pub key: Key,
}

/// Both sides say in which term they are. Processes in different ones do not record each other's
/// drafts: their databases may be two copies.
pub(super) async fn greet(
    log: &Log,
    (sending, receiving): &mut (Sending, Receiving),
) -> io::Result<()> {
    if !log.term().is_known() {
        log.settle_term().await.map_err(io::Error::other)?;
    }
    let own = log.term();
    sending.send([Hello::of(own)]).await?;
    let hello: Option<Hello> = receiving.receive().await?;
    let theirs = hello.ok_or(io::ErrorKind::UnexpectedEof)?.term();
    log.heard_of_term(theirs);
    match theirs == own {
        true => Ok(()),
        false => Err(io::Error::other(format!("the peer is in term {theirs}, and not in {own}"))),
    }
}

/// The data that both sides of a channel to this process must agree on, besides its key.
pub(super) fn prologue(process: Uuid) -> Vec<u8> {
    [b"croupier peers ", &PROTOCOL.to_le_bytes()[..], process.as_bytes()].concat()
}
