//! Marks: how far a bucket was read or written.

use crate::{BUCKETS, Digest};

/// A position in a bucket: everything up to it was read or written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The bucket position of the last entry; 0 is before the first.
    pub position: i64,
    /// The digest of the entry at that position; `None` before the first entry, if it is unknown,
    /// and for an entry without a digest.
    pub digest: Option<Digest>,
}

/// A mark for each bucket.
pub type Marks = [Mark; BUCKETS];

/// A bucket position for each bucket, such as that of its last entry; 0 is before the first entry.
pub type Heads = [i64; BUCKETS];

/// Marks that a client presents: each with the first bytes of its digest, or with zeros if it has
/// none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims(pub [(i64, DigestStart); BUCKETS]);

/// The first bytes of a digest. A cursor has one for each bucket; one of another history is
/// accepted with a probability of 1 in 16 million for a single bucket, and practically never for
/// all.
pub type DigestStart = [u8; 3];

impl Mark {
    pub fn new(position: i64, digest: Option<Digest>) -> Self {
        Self { position, digest }
    }

    pub fn digest_start(&self) -> DigestStart {
        self.digest.map_or([0; 3], |digest| {
            *digest.as_bytes().first_chunk().expect("a digest has 32 bytes")
        })
    }
}

impl Claims {
    pub fn positions(&self) -> Heads {
        self.0.map(|(position, _)| position)
    }
}

/// The positions of marks.
pub fn positions(marks: &Marks) -> Heads {
    marks.map(|mark| mark.position)
}
