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

#[cfg(test)]
mod tests {
    use super::*;

    /// Verifiers print digests, and people compare them by eye.
    #[test]
    fn a_digest_is_its_bytes_and_is_printed_as_two_digits_for_each() {
        let bytes: [u8; 32] = std::array::from_fn(|nth| nth as u8);
        let digest = Digest::try_from(&bytes[..]).expect("it has 32 bytes");
        assert_eq!(digest.as_bytes(), &bytes);
        assert_eq!(
            digest.to_string(),
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        );
        assert_eq!(Digest::try_from(&bytes[1..]), Err(NotADigest(31)));
    }
}
