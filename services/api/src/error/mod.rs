//! Errors as clients receive them: a status code, a message, and details for programs.
//!
//! `errors.proto` lists every reason with its cause, its codes, its facts and the client's next
//! step. The codes are taken from there ([`contract::reasons`]), builds for development check the
//! facts, and `docs/errors.md` is generated from it (`catalogue`).

#[cfg(test)]
mod catalogue;
mod chain;
mod domain;
mod refused;
mod use_cases;

pub use chain::chain;
pub(crate) use domain::DOMAIN;
pub(crate) use refused::{Refused, invalid, of_field, status, within};
pub(crate) use use_cases::{of, resumable, too_many_invalid_credentials};
