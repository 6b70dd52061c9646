//! An entry as it was recorded.

use bytes::Bytes;
use time::OffsetDateTime;

use crate::{Digest, Mark, Position};

/// An entry as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub position: Position,
    /// Its place within its bucket, counted from 1. Cursors over the whole log consist of these.
    pub bucket_position: i64,
    pub request_id: Option<String>,
    pub create_time: OffsetDateTime,
    pub body: Bytes,
    /// `None` if it was recorded without one.
    pub digest: Option<Digest>,
}

impl Recorded {
    /// The mark of a bucket that is read up to this entry.
    pub fn mark(&self) -> Mark {
        Mark::new(self.bucket_position, self.digest)
    }

    /// Whether its content was removed: position, time and digest are left. No entry is recorded
    /// with an empty body.
    pub fn is_stub(&self) -> bool {
        self.body.is_empty()
    }
}
