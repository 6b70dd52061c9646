//! Matches and entries as lines of a file.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use positions::{Position, Recorded};
use rows::{MatchId, MatchRow, match_name};
use table::Entry;

use crate::creation::line_of;
use crate::line::{EndLine, EntryLine, Header, Line, VERSION};
use crate::text::rfc3339;

/// The first line of a file of records.
pub fn header_line() -> Line {
    Line::Croupier(Header { version: VERSION })
}

/// The line that starts a match. The seed of a match that is not over is written as a secret.
pub fn match_line(row: &MatchRow, seed: Option<[u8; 32]>, is_over: bool) -> Line {
    Line::Match(Box::new(line_of(row, seed, is_over)))
}

/// The line that starts a match in a public record: it lacks the fields that only the platform can
/// use.
pub fn public_match_line(row: &MatchRow, seed: [u8; 32]) -> Line {
    let mut line = line_of(row, Some(seed), true);
    line.request_digest = None;
    line.players.iter_mut().for_each(|seat| seat.request_id = None);
    Line::Match(Box::new(line))
}

/// The line that ends a match with this number of entries.
pub fn end_line(match_id: MatchId, entries: usize) -> Line {
    Line::End(EndLine { name: match_name(match_id), entries })
}

pub fn entry_line(recorded: &Recorded, entry: &Entry) -> Line {
    let Position(position) = recorded.position;
    Line::Entry(EntryLine {
        position,
        seat: entry.seat.map(u8::from),
        verb: entry.verb.to_owned(),
        request_id: recorded.request_id.clone(),
        create_time: rfc3339(recorded.create_time),
        body: BASE64_STANDARD.encode(&recorded.body),
        digest: recorded.digest.map(|digest| digest.to_string()),
    })
}
