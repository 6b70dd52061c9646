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

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(body: &'static [u8]) -> Recorded {
        Recorded {
            position: Position(2),
            bucket_position: 70,
            request_id: None,
            create_time: OffsetDateTime::UNIX_EPOCH,
            body: Bytes::from_static(body),
            digest: Some([7; 32].into()),
        }
    }

    /// Readers go on after it, so its place is that in the bucket, not that in the stream.
    #[test]
    fn an_entry_marks_its_place_in_its_bucket() {
        let mark = recorded(b"body").mark();
        assert_eq!(mark, Mark { position: 70, digest: Some([7; 32].into()) });
    }

    #[test]
    fn an_entry_is_a_stub_once_its_body_was_removed() {
        assert_eq!([&b"body"[..], b""].map(|body| recorded(body).is_stub()), [false, true]);
    }
}
