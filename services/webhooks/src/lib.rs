//! Sends signed messages to untrusted endpoints: Standard Webhooks over HTTP.
//!
//! An endpoint may fail, stall, redirect, answer endlessly, or resolve to an address inside the
//! service's network. So each attempt has a bounded duration and reads a bounded part of the
//! answer, redirects are not followed, and connections are made only to checked addresses. The
//! crate keeps no state: its caller decides what to send, when to retry and when to give up.
//!
//! In reading order: allowed addresses ([`address`]), endpoints ([`endpoint`]), signing secrets
//! ([`secret`]), connections ([`connector`]), attempts ([`sender`]).

mod address;
mod connector;
mod endpoint;
mod secret;
mod sender;

pub use address::is_public;
pub use endpoint::{Endpoint, EndpointError, URL_BYTES_MAX};
pub use secret::{Secret, SecretError};
pub use sender::{Attempt, Failure, Message, Options, Sender};
