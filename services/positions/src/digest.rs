//! Digests: 32 bytes that stand for an entry and for everything before it in its stream.

use std::fmt;

/// The digest of an entry, or of a stream before its first entry. The caller defines what it
/// covers; this crate only compares digests.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

/// The length of bytes that are not a digest, which has 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a digest has 32 bytes, not {0}")]
pub struct NotADigest(pub usize);

impl Digest {
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl TryFrom<&[u8]> for Digest {
    type Error = NotADigest;

    fn try_from(bytes: &[u8]) -> Result<Self, NotADigest> {
        bytes.try_into().map(Self).map_err(|_| NotADigest(bytes.len()))
    }
}

/// Hexadecimal digits.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}
