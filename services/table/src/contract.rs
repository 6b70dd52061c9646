//! The messages of the contract of a game (`proto/croupier/rules/v1`), and their bounds. Hosts and
//! guests share them.

#[allow(clippy::all, clippy::pedantic, reason = "generated")]
mod pb {
    include!(concat!(env!("OUT_DIR"), "/croupier.rules.v1.rs"));
}

pub use pb::*;

/// The version of the contract.
pub const CONTRACT: u32 = 1;

/// The bytes of a module at most: all five built-in games in one module have 2.7 MB.
pub const MODULE_BYTES_MAX: usize = 8 << 20;

/// The bytes of a request at most. Restoring the largest table takes a few thousand.
pub const REQUEST_BYTES_MAX: usize = 1 << 20;

/// The bytes of an answer at most. Read, they take up to fifty times as much.
pub const ANSWER_BYTES_MAX: usize = 1 << 20;

/// The bytes of a description at most, with words and a rules page in it.
pub const DESCRIPTION_BYTES_MAX: usize = 4 << 20;

/// The bytes of an action at most, in its canonical form.
pub const ACTION_BYTES_MAX: usize = 64 << 10;

/// The bytes of a stored entry at most.
pub const ENTRY_BYTES_MAX: usize = 512 << 10;

/// The characters of a sentence or a fact in a refusal at most; the rest is cut off.
pub const SENTENCE_CHARS_MAX: usize = 1_000;

/// The actions in a list at most.
pub const LISTED_MAX: usize = 20_000;

/// The bytes of a message that a guest logs at most; the rest is cut off.
pub const LOG_BYTES_MAX: usize = 1 << 10;

/// The messages that a guest logs in one call at most; the others are dropped.
pub const LOGS_MAX: u32 = 16;

/// The characters of a name at most.
pub const NAME_CHARS_MAX: usize = 100;
