//! The kept result of a match whose entries retention has emptied.

use bytes::Bytes;
use positions::{Digest, Position};
use time::OffsetDateTime;

use crate::MatchId;

/// The kept result of a match that was reduced to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptResult {
    pub match_id: MatchId,
    /// The position of the last entry.
    pub position: Position,
    /// The digest of the last entry, as the record has it.
    pub digest: Option<Digest>,
    pub start_time: OffsetDateTime,
    pub end_time: OffsetDateTime,
    /// The final table, as far as it was public.
    pub table: Bytes,
}
