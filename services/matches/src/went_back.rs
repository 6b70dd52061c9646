//! What clients are told when the record went back.

use positions::{Digest, Position, Term};
use rows::MatchId;

use crate::error::Error;

/// Entries that were told are void: the database lost them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordWentBack {
    /// The current term. What is told from now on is in the record.
    pub term: Term,
    /// The matches that are known to have lost entries that were told.
    pub matches: Vec<MatchWentBack>,
}

/// A match that lost entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchWentBack {
    pub match_id: MatchId,
    /// The last position up to which what was told is still valid.
    pub position: Position,
    /// The digest of the entry there; `None` at the start.
    pub digest: Option<Digest>,
}

/// The error of a read that continues after an entry which the record does not have.
pub(crate) fn went_back_to(position: Position) -> Error {
    Error::RecordWentBack { position: Some(position), resume: None }
}
