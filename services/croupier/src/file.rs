//! Files of matches: everything the record holds of them, readable without any service, and checked
//! line by line.
//!
//! # The format, version 1
//!
//! A file is lines of JSON, each of one field and its check:
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
//!   version, fields may be added and never change their meaning; readers pass over fields they do
//!   not know.
//! - `match` begins a match ([`MatchLine`]), `entry` lines follow at positions 1, 2, 3 …
//!   ([`EntryLine`]), and `end` says how many there were, so that a file that was cut off is known
//!   ([`EndLine`]).
//! - An entry's `body` is `croupier.store.v1.Entry`, in base64: the bytes of the log itself, whose
//!   numbers never change their meaning. So what is imported is what was exported, to the byte.
//!   `seat` and `verb` repeat what the body says, for people and `grep`.
//! - Times are RFC 3339, to the microsecond; bytes other than bodies are hexadecimal.
//! - `check` is the first 16 hexadecimal digits of the BLAKE3 hash of the check of the line before
//!   (nothing before a `croupier` and a `match` line) followed by the line without `,"check":"…"`.
//!   An altered, lost or misplaced line is found where it stands. It guards against accidents and
//!   hasty hands, not against somebody who computes the checks anew; what such a one cannot do is
//!   make a dealt card come from the seed, whose hash every player was told.
//! - Files can be joined by leaving out the first line of the second: no check reaches beyond a
//!   match.
//!
//! A file holds what the database holds: the truth of running matches and, where asked for, their
//! seeds. It is as secret.

mod line;
mod verify;

pub use line::{
    EndLine, EntryLine, Header, Line, MatchLine, Reader, SeatLine, VERSION, Writer, Wrong,
};
pub use verify::{Deals, Verified, WholeMatch, read_match};
