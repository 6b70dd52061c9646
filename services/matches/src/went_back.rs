//! What clients are told when the record went back.

use positions::{Digest, Position, Term};
use rows::MatchId;
use time::OffsetDateTime;

use crate::error::Error;
use crate::matches::Matches;

/// Entries that were told are void: the database lost them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordWentBack {
    /// The current term. What is told from now on is in the record.
    pub term: Term,
    /// The matches that are known to have lost entries that were told.
    pub matches: Vec<MatchWentBack>,
    /// Whether these are all.
    pub is_complete: bool,
    /// Entries that were recorded before this time are valid; `None` if that is not known.
    pub void_since: Option<OffsetDateTime>,
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

impl Matches {
    /// These matches, each with the last position that is still valid, and with the digest there.
    pub(crate) async fn with_digests(
        &self,
        platform: &str,
        valid: Vec<(MatchId, Position)>,
    ) -> Result<Vec<MatchWentBack>, Error> {
        let dealt: Vec<_> =
            valid.iter().copied().filter(|(_, position)| *position > Position::START).collect();
        let digests = self.in_lane_of_streams(platform, self.0.store.log().digests(&dealt)).await?;
        let its = |(match_id, position)| {
            let digest = digests.get(&match_id).copied().flatten();
            MatchWentBack { match_id, position, digest }
        };
        Ok(valid.into_iter().map(its).collect())
    }
}
