//! Files of records: whole matches as lines of JSON, readable without a service, and the
//! verification that they were dealt and recorded correctly. Nothing here needs a database, a clock
//! or a network.
//!
//! # The format, version 1
//!
//! A file of records is lines of JSON, each an object of one field and its check:
//!
//! ```text
//! {"croupier":{"version":1},"check":"…"}
//! {"match":{"name":"matches/…","platform":"local","game":"mountebank","seats":2,…},"check":"…"}
//! {"entry":{"position":1,"verb":"open","create_time":"…","body":"…"},"check":"…"}
//! {"entry":{"position":2,"seat":0,"verb":"con","request_id":"…","body":"…"},"check":"…"}
//! {"end":{"name":"matches/…","entries":2},"check":"…"}
//! ```
//!
//! - `croupier` is the first line. A program refuses a version that it does not know. Within a
//!   version, fields may be added but never change their meaning; readers skip fields that they do
//!   not know.
//! - `match` starts a match ([`MatchLine`]), `entry` lines follow at positions 1, 2, 3 …
//!   ([`EntryLine`]), and `end` gives their number, so that truncation is detected ([`EndLine`]).
//! - An entry's `body` is `croupier.store.v1.Entry` in base64: the bytes in the store, whose field
//!   numbers never change their meaning. So an import records exactly the bytes that were exported.
//!   `seat` and `verb` repeat parts of the body, for people and `grep`.
//! - Times are RFC 3339, to the microsecond; bytes other than bodies are hexadecimal.
//! - `check` is the first 16 hexadecimal digits of the BLAKE3 hash of the check of the line before
//!   (nothing before a `croupier` and a `match` line) followed by the line without `,"check":"…"`.
//!   An altered, lost or misplaced line is detected at its place. The check guards against
//!   accidents, not against someone who recomputes it: digests, choices and receipts do.
//! - Files can be concatenated by leaving out the first line of the second: no check depends on
//!   an earlier match.
//! - A record that the API returns omits the fields that only the platform can use:
//!   `request_digest`, and the `request_id` of seats.
//!
//! `docs/verify.md` specifies the bytes in full: what a body holds, digests, choices and receipts.
//!
//! A file holds secrets of the database: the hidden state of running matches, the keys to speech
//! and, on request, the seeds. Keep it as secret as the database. For an erased player it holds a
//! pseudonym, and the player's messages stay sealed: there is no key.
//!
//! In reading order: the creation of a match ([`Creation`]), the digests of entries ([`Chain`]),
//! and the check of rows ([`Digests`]); lines ([`Line`], [`Writer`], [`Reader`]) and the lines of a
//! match ([`match_line`]); the leaves of the transparency log ([`Leaf`]); verifying entries one by
//! one ([`Verifier`]); reading a match ([`read_match`]); facts that somebody kept ([`Receipt`],
//! [`Known`]); verifying a whole file ([`Blocks`], [`verify_block`]), or one that arrives in pieces
//! ([`Verification`]); comparing with a transparency log ([`Logbook`]), also while a match is under
//! way ([`Look`]).
//!
//! # Invariants
//!
//! - A receipt contradicts a record that was changed or cut short, even if all digests were
//!   computed anew: `verify::receipts_show_that_a_record_was_changed_or_cut_short`.

// The helpers of the integration tests, which use this crate by its name.
#[cfg(test)]
extern crate self as records;
#[cfg(test)]
#[path = "../tests/verifying/common.rs"]
mod common;

mod blocks;
mod body;
#[cfg(test)]
mod cases;
mod check;
mod checked;
mod code;
mod creation;
mod digest;
#[cfg(test)]
mod forged;
#[cfg(test)]
mod fuzz;
mod known;
mod leaf;
mod line;
mod log_report;
mod logbook;
mod logged;
mod look;
mod outcome;
mod plain;
mod players;
mod proofs;
mod read;
mod receipt;
mod text;
#[cfg(test)]
mod vectors;
mod verification;
mod verified;
mod verify;
mod write;

pub use blocks::{Block, Blocks, Cut, Pieces};
pub use check::{verify_block, verify_rows};
pub use checked::{Checked, Digests};
pub use code::{Answer, Code, Problem};
pub use creation::{Creation, FollowsLine, MatchLine, SeatLine};
pub use digest::{Chain, DigestKey, Digested};
pub use known::Known;
pub use leaf::{Closed, End, Leaf, LeafKind, Opened, PlatformTag, match_hash, platform_tag};
pub use line::{
    EndLine, EntryLine, Header, LINE_BYTES_MAX, Line, LineError, MATCH_BYTES_MAX, Reader, VERSION,
    Writer,
};
pub use log_report::{ChanceOrder, LogReport, LoggedMatch};
pub use logbook::Logbook;
pub use logged::Loggable;
pub use look::{AboutMatch, Look, Looked};
pub use outcome::{Finding, LISTED_MAX, Outcome, Report, Source, Tally};
pub use players::PlayerCounts;
pub use read::{Misread, WholeMatch, read_block, read_match};
pub use receipt::{Keys, Receipt};
pub use text::unhex;
pub use verification::{Kept, Verification, commitment};
pub use verified::{Difference, Verified};
pub use verify::{VerifiedEntry, Verifier};
pub use write::{end_line, entry_line, header_line, match_line, public_match_line};
