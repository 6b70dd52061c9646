//! The contract of the service: the messages of clients, generated from `proto/`.
//!
//! It stands alone, so that a client needs no part of the service.
//!
//! Read in this order: the messages and services ([`v1`]), an action of any game ([`Action`]), the
//! descriptors ([`descriptors()`]), resource names ([`names`]), the catalogue of reasons why calls
//! fail ([`reasons`]), the rpcs by their requests ([`Rpc`]), and the requests that ask for
//! texts ([`InWords`]). With the feature `actions`, `games` has the actions of each game.

mod action;
mod codec;
mod descriptors;
mod durations;
#[cfg(feature = "actions")]
pub mod games;
#[cfg(test)]
mod guidelines;
mod http_body;
pub mod names;
pub mod reasons;
mod rpc;
pub mod v1;
mod words;

pub use action::Action;
pub use codec::Codec;
pub use descriptors::{FILE_DESCRIPTOR_SET, comment_of, descriptors, json_of};
pub use durations::{duration, field_mask, seconds};
pub use http_body::HttpBody;
pub use rpc::{Bidirectional, Rpc, ServerStreaming, Unary};
pub use words::InWords;
