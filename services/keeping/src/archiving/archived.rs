//! A match whose content is in an object.

use event_log::ColdError;
use positions::Position;
use rows::MatchId;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};

/// A match whose content is in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archived {
    pub match_id: MatchId,
    /// The position of the last entry.
    pub position: Position,
    /// The object's name.
    pub object: String,
    pub bytes: i64,
    /// The BLAKE3 hash of the object.
    pub hash: [u8; 32],
}

impl Archived {
    /// A match whose packed entries will be the content of an object.
    pub fn new(match_id: MatchId, position: Position, object: String, packed: &[u8]) -> Archived {
        let (bytes, hash) = (packed.len() as i64, *blake3::hash(packed).as_bytes());
        Archived { match_id, position, object, bytes, hash }
    }

    pub(crate) fn damaged(&self, problem: &str) -> ColdError {
        let (object, problem) = (self.object.clone(), problem.to_owned());
        ColdError::Damaged { stream: self.match_id, object, problem }
    }
}

impl FromRow<'_, PgRow> for Archived {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        let hash: Vec<u8> = row.try_get("hash")?;
        Ok(Self {
            match_id: row.try_get("match_id")?,
            position: row.try_get("position")?,
            object: row.try_get("object")?,
            bytes: row.try_get("bytes")?,
            hash: hash.try_into().expect("a check constraint makes hashes 32 bytes long"),
        })
    }
}
