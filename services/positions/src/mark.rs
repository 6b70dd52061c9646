//! Marks: how far a bucket was read or written.

use crate::{BUCKETS, Digest};

/// A position in a bucket: everything up to it was read or written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Of the last entry; 0 is before the first.
    pub position: i64,
    /// Of the entry at that position; none before the first entry, if it is not known, and for an
    /// entry without a digest.
    pub digest: Option<Digest>,
}

/// A mark for each bucket.
pub type Marks = [Mark; BUCKETS];

/// A bucket position for each bucket, such as that of its last entry; 0 is before the first entry.
pub type Heads = [i64; BUCKETS];

/// Marks as a client presents them again: each with the first bytes of its digest, or with zeros if
/// it had none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims(pub [(i64, DigestStart); BUCKETS]);

/// The first bytes of a digest. A cursor has one for each bucket; one of another history is
/// accepted once in 16 million times, and for all its buckets never.
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
