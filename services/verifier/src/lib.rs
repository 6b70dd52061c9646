//! The verification of records, and matches on the device itself, behind functions over linear
//! memory, for hosts of WebAssembly such as browsers. It is the code of `croupier verify` and of
//! the service: [`records::Verification`] and [`device::Device`].
//! `clients/rules/test/cases.test.js` compares its answers with those of the program.

// The session of a host.
mod session;

// What a host asks of its matches.
mod asked;

// The exported functions.
pub mod exports;

pub use session::Session;
