//! The verification of records behind functions over linear memory, for hosts of WebAssembly such
//! as browsers. It is the same code as that of `croupier verify`: [`records::Verification`].
//! `clients/rules/test/cases.test.js` compares its answers with those of the program.

// The session of a host.
mod session;

// The exported functions.
pub mod exports;

pub use session::Session;
