//! Entries redacted for one viewer: the form that calls and streams return.

use games::Game;
use positions::{Digest, Position};
use table::{Entry, Viewer};
use time::OffsetDateTime;

use crate::MatchId;
use crate::entry::RecordedEntry;

/// An entry as one viewer may see it.
#[derive(Clone, Debug)]
pub struct RedactedEntry {
    pub match_id: MatchId,
    pub game: &'static dyn Game,
    pub position: Position,
    pub create_time: OffsetDateTime,
    pub viewer: Viewer,
    pub entry: Entry,
    /// `None` for entries recorded before digests existed.
    pub digest: Option<Digest>,
}

/// The identity of an entry, which retention keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    pub match_id: MatchId,
    pub position: Position,
    pub create_time: OffsetDateTime,
    /// `None` for entries recorded before digests existed.
    pub digest: Option<Digest>,
}

impl RedactedEntry {
    /// The only way to make one, so every entry that leaves the service is redacted.
    pub fn redact(
        match_id: MatchId,
        game: &'static dyn Game,
        recorded: &RecordedEntry,
        viewer: Viewer,
    ) -> RedactedEntry {
        RedactedEntry {
            match_id,
            game,
            position: recorded.position,
            create_time: recorded.create_time,
            viewer,
            entry: recorded.entry.seen_by(viewer, game.layout()),
            digest: recorded.digest,
        }
    }
}
