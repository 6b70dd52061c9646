//! Archives: files that hold whole matches, readable without a service and checked line by line.
//!
//! [`Exporter`] writes an archive from a store, [`read_match`] reads and verifies one match at a
//! time, and [`Importer`] records matches in another store.
//!
//! # The format, version 1
//!
//! An archive is lines of JSON, each an object of one field and its check:
//!
//! ```text
//! {"croupier":{"version":1},"check":"…"}
//! {"match":{"name":"matches/…","platform":"local","game":"mountebank","seats":2,…},"check":"…"}
//! {"entry":{"position":1,"verb":"open","create_time":"…","body":"…"},"check":"…"}
//! {"entry":{"position":2,"seat":0,"verb":"con","request_id":"…","create_time":"…","body":"…"},"check":"…"}
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
//!   accidents, not against someone who recomputes it; but even then a forged card cannot come from
//!   the seed, whose hash every player received.
//! - Archives can be concatenated by leaving out the first line of the second: no check depends on
//!   an earlier match.
//! - What only the platform has a use for is left out of a record that the API tells:
//!   `request_digest`, and the `request_id` of seats.
//!
//! `docs/verify.md` specifies the bytes in full: what a body holds, digests, choices and receipts.
//!
//! An archive holds what the database holds: the hidden state of running matches, the keys of what
//! was said and, on request, the seeds. Keep it as secret as the database. Of a player who was
//! erased it holds a pseudonym, and what the player said stays sealed: there is no key.
//!
//! The modules, each of which uses only those above it: `line`, `verify`, `read`, `error`,
//! `export`, `import`; for many matches at once `receipt`, `known`, `outcome`, `blocks`, `check`,
//! `parallel`.

mod blocks;
mod check;
mod error;
mod export;
#[cfg(test)]
mod fuzz;
mod import;
mod known;
mod line;
mod outcome;
mod parallel;
mod read;
mod receipt;
#[cfg(test)]
mod vectors;
mod verify;

pub use blocks::{BLOCK_MAX, Block, Blocks};
pub use check::{verify_block, verify_rows};
pub use error::Error;
pub use export::{
    Exporter, end_line, entry_line, header_line, match_line, parse_match, public_match_line,
};
pub use import::{AT_ONCE, Importer};
pub use known::Known;
pub use line::{
    EndLine, EntryLine, FollowsLine, Header, Line, LineError, MatchLine, Reader, SeatLine, VERSION,
    Writer,
};
pub use outcome::{Differs, LISTED_MAX, Outcome, Tally, Wrong};
pub use parallel::{Queue, in_order};
pub use read::{WholeMatch, read_match, unhex};
pub use receipt::{Keys, Receipt};
pub use verify::{Checked, Difference, Verified, Verifier};
