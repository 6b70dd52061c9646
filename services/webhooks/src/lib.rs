//! Sends messages to untrusted endpoints over HTTP: signed ones by Standard Webhooks, and encrypted
//! ones to browsers by Web Push.
//!
//! An endpoint may fail, stall, redirect, answer endlessly, or resolve to an address inside the
//! service's network. So each attempt has a bounded duration and reads a bounded part of the
//! answer, redirects are not followed, and connections are made only to checked addresses. The
//! crate keeps no state: its caller decides what to send, when to retry and when to give up.
//!
//! In reading order: allowed addresses ([`address`]), endpoints ([`endpoint`]), signing secrets
//! ([`secret`]), the encryption to browsers ([`encryption`]) and the key that signs for push
//! services ([`vapid`]), connections ([`connector`]), attempts ([`sender`]).

mod address;
mod connector;
mod encryption;
mod endpoint;
mod secret;
mod sender;
mod vapid;

pub use address::is_public;
pub use encryption::{BrowserKeys, BrowserKeysError, EncryptError, PADDED_BYTES};
pub use endpoint::{Endpoint, EndpointError, URL_BYTES_MAX};
pub use secret::{Secret, SecretError};
pub use sender::{Attempt, Failure, Message, Options, PushMessage, Sender};
pub use vapid::{SenderKey, SenderKeyError};
