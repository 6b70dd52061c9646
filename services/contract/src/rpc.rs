//! The rpcs as data of their requests, so that a caller treats all of them alike.

use crate::v1;

/// The request of an rpc. No two rpcs have the same.
pub trait Rpc: prost::Message + Default + Clone + 'static {
    /// The path of its calls, such as `/croupier.v1.MatchService/GetMatch`.
    const PATH: &'static str;
    /// Whether the contract says that it has no side effects.
    const ONLY_READS: bool;
    type Answer: prost::Message + Default + 'static;

    /// The idempotency key, of a request that has one.
    fn request_id(&mut self) -> Option<&mut String> {
        None
    }
}

/// The request of an rpc with one answer.
pub trait Unary: Rpc {}

/// The request of an rpc whose answers are a stream.
pub trait ServerStreaming: Rpc {}

/// The requests of an rpc with a stream of them, and with a stream of answers.
pub trait Bidirectional: Rpc {}

// For every rpc.
include!(concat!(env!("OUT_DIR"), "/rpcs.rs"));
