//! Why this release cannot read a match: an entry of a newer release, damaged bytes, an unknown
//! game.

use positions::{Bucket, Position};
use rows::MatchId;

/// A match that cannot be read.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub match_id: MatchId,
    /// The first entry that cannot be read.
    pub position: Position,
    pub reason: String,
}

impl Unreadable {
    pub fn of_unknown_game(match_id: MatchId) -> Unreadable {
        let reason = "the match was never created, or its game is unknown".to_owned();
        Unreadable { match_id, position: Position::START.next(), reason }
    }

    pub fn bucket(&self) -> Bucket {
        Bucket::of(self.match_id)
    }
}
