//! Sends signed messages to endpoints that strangers name: Standard Webhooks over HTTP.
//!
//! An endpoint may fail, stall, redirect, answer without end, or be a name for an address inside
//! the network of the service. So each attempt has a bounded duration and reads a bounded part of
//! the answer, redirects are not followed, and a connection is made only to an address that was
//! checked. The crate keeps nothing: what to send, when to try again and when to give up is the
//! business of its caller.
//!
//! In reading order: which addresses may be called ([`address`]), endpoints ([`endpoint`]), the
//! secrets that sign ([`secret`]), connections ([`connector`]), attempts ([`sender`]).

mod address;
mod connector;
mod endpoint;
mod secret;
mod sender;

pub use address::is_public;
pub use endpoint::{Endpoint, EndpointError, URL_BYTES_MAX};
pub use secret::{Secret, SecretError};
pub use sender::{Attempt, Failure, Message, Options, Sender};
