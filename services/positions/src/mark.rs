//! Marks: how far a bucket was read or written.

use crate::{BUCKETS, Digest, Term};

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

/// How far a reader has come: where a stream resumes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// The term in which the marks were read.
    pub term: Term,
    /// The buckets that the reader reads, as bits.
    pub buckets: u64,
    pub marks: Marks,
}

/// A bookmark that a client presents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Unknown if a release made it that knew no terms.
    pub term: Term,
    /// The buckets that its reader read, as bits.
    pub buckets: u64,
    /// The position in each bucket, with the first bytes of its digest, or with zeros if it has
    /// none.
    pub marks: [(i64, DigestStart); BUCKETS],
}

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

impl Bookmark {
    /// The bits of all buckets.
    pub const ALL: u64 = u64::MAX;

    /// Of a reader of all buckets.
    pub fn of_all(term: Term, marks: Marks) -> Self {
        Self { term, buckets: Self::ALL, marks }
    }
}

impl Claims {
    /// Marks of this process, some of which lack their digests.
    pub fn of_marks(marks: &Marks) -> Self {
        let marks = marks.map(|it| (it.position, it.digest_start()));
        Self { term: Term::UNKNOWN, buckets: Bookmark::ALL, marks }
    }

    pub fn positions(&self) -> Heads {
        self.marks.map(|(position, _)| position)
    }
}

/// The positions of marks.
pub fn positions(marks: &Marks) -> Heads {
    marks.map(|mark| mark.position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_has_the_first_bytes_of_a_digest_or_zeros_without_one() {
        let bytes: [u8; 32] = std::array::from_fn(|nth| nth as u8 + 1);
        let mut marks = [Mark::default(); BUCKETS];
        marks[3] = Mark::new(9, Some(bytes.into()));
        let claims = Claims::of_marks(&marks);
        assert_eq!((claims.marks[3], claims.marks[4]), ((9, [1, 2, 3]), (0, [0; 3])));
    }
}
