//! The edge: every protocol on one port, and the only crate that knows protobuf services and HTTP.
//!
//! Read in this order: how it is put together ([`server`]), who calls ([`auth`]), the services, one
//! a file ([`service`]), what was typed and what is told ([`names`], [`cursor`], [`render`],
//! [`diff`]), what goes wrong ([`error`]), how other protocols become gRPC ([`transcode`]), and
//! what is counted ([`meter`]).

mod action;
mod auth;
mod codec;
mod connection;
mod cursor;
mod deadline;
mod descriptors;
mod diff;
mod error;
mod front;
pub mod meter;
mod names;
mod openapi;
mod render;
mod server;
mod service;
mod transcode;

/// The contract's messages, servers and clients.
#[allow(
    clippy::all,
    clippy::too_many_lines,
    clippy::allow_attributes_without_reason,
    missing_docs,
    reason = "written by the build from the contract, whose comments are the ones to read"
)]
pub mod v1 {
    tonic::include_proto!("croupier.v1");
}

pub use action::Action;
pub use auth::{ApiKey, Auth, NoKey};
pub use codec::Raw;
pub use descriptors::{FILE_DESCRIPTOR_SET, descriptors};
pub use names::{match_name, wire_position};
pub use render::{entry_of, game_of, hex, layout_of, match_of, view_of};
pub use server::{Options, ServeError, serve};
pub use transcode::json_of;
