//! The edge of the service: authentication, the gRPC services, and messages to and from the domain.
//! Other protocols become gRPC in the crate [`transcoder`].
//!
//! Read in this order: the server ([`server`], [`routes`]), callers ([`auth`], [`peers`]), the
//! services, one per file ([`service`]), names and values in requests and answers ([`names`],
//! [`cursor`], [`render`], [`diff`], [`action`]), texts ([`language`], [`texts`]), the
//! bodies of webhooks ([`bodies`]), errors ([`error`], [`domain`]), the first page ([`index`]),
//! metrics ([`meter`]) and the
//! contract's descriptors ([`descriptors`]).

mod action;
pub mod auth;
pub mod bodies;
mod cursor;
mod descriptors;
mod diff;
mod domain;
mod error;
mod index;
mod language;
mod layout;
pub mod meter;
mod names;
mod peers;
mod receipts;
mod render;
mod routes;
mod server;
mod service;
mod texts;

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
pub use auth::{ApiKey, Auth, NoCode, NoKey, SIGN_IN_LIFETIME, SignInCode};
pub use descriptors::{FILE_DESCRIPTOR_SET, descriptors, json_of};
pub use error::chain as error_chain;
pub use layout::{game_of, layout_of};
pub use names::{game_name, match_id, match_name, player_name, projection_name, wire_position};
pub use render::{entry_of, match_of, view_of};
pub use server::{Options, ServeError, openapi, serve};
pub use transcoder::{Connection, Raw, health};

/// The version of the program: the one that `.ci/version` gives to builds for release, or that of
/// the workspace.
pub const VERSION: &str = match option_env!("CROUPIER_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};
