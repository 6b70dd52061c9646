//! Digests: a hash of each entry and of everything before it in its match.
//!
//! Two parties that know the same digest of an entry agree on the whole match up to it. The chain
//! begins with a digest of the match as it was created, so it also covers the seed's commitment.
//!
//! A digest is keyed with a secret that follows from the match's seed. So it discloses nothing that
//! an entry hides, although everyone receives it; once the seed is revealed, anyone can compute it.

use positions::{Digest, Position, Recorded};
use rows::{MatchId, Seed};
use time::OffsetDateTime;

use crate::creation::{Creation, micros};

/// Computes the digests of a match's entries.
#[derive(Clone)]
pub struct DigestKey([u8; 32]);

/// Computes the digests of a match's entries one after another.
pub struct Chain {
    key: DigestKey,
    last: Digest,
}

/// The data that the digest of an entry covers, besides the digest before it.
#[derive(Clone, Copy, Debug)]
pub struct Digested<'a> {
    pub position: Position,
    pub create_time: OffsetDateTime,
    /// The seat that acted, if one did.
    pub seat: Option<u8>,
    pub request_id: Option<&'a str>,
    pub body: &'a [u8],
}

const KEY: &str = "croupier 2026-11 digests of a match's entries";
/// The seat of an entry of the house.
const NO_SEAT: u8 = u8::MAX;
/// The length that stands for an absent request id.
const NO_REQUEST_ID: u32 = u32::MAX;

impl DigestKey {
    pub fn new(match_id: MatchId, seed: &Seed) -> Self {
        let mut key = blake3::Hasher::new_derive_key(KEY);
        key.update(match_id.0.as_bytes());
        key.update(seed);
        Self(*key.finalize().as_bytes())
    }

    /// The digest of an entry, given the one before it. Each entry has its own key, so that one key
    /// can be disclosed without the others.
    pub fn digest(&self, before: Digest, entry: Digested<'_>) -> Digest {
        let Digested { position, create_time, seat, request_id, body } = entry;
        let key = blake3::keyed_hash(&self.0, &position.0.to_le_bytes());
        let mut hash = blake3::Hasher::new_keyed(key.as_bytes());
        hash.update(before.as_bytes());
        hash.update(&position.0.to_le_bytes());
        hash.update(&micros(create_time).to_le_bytes());
        hash.update(&[seat.unwrap_or(NO_SEAT)]);
        let length = request_id.map_or(NO_REQUEST_ID, |id| id.len() as u32);
        hash.update(&length.to_le_bytes());
        hash.update(request_id.unwrap_or_default().as_bytes());
        hash.update(body);
        Digest::from(*hash.finalize().as_bytes())
    }
}

impl Chain {
    pub fn new(creation: Creation<'_>, seed: &Seed) -> Self {
        let key = DigestKey::new(creation.match_id, seed);
        Self { key, last: creation.digest() }
    }

    /// The digest of the next entry.
    pub fn next(&mut self, entry: Digested<'_>) -> Digest {
        self.last = self.key.digest(self.last, entry);
        self.last
    }
}

impl<'a> Digested<'a> {
    /// The digested data of an entry, given the seat that acted, which its body holds.
    pub fn of(recorded: &'a Recorded, seat: Option<u8>) -> Self {
        Self {
            position: recorded.position,
            create_time: recorded.create_time,
            seat,
            request_id: recorded.request_id.as_deref(),
            body: &recorded.body,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const ENTRY: Digested<'static> = Digested {
        position: Position(3),
        create_time: OffsetDateTime::UNIX_EPOCH,
        seat: Some(1),
        request_id: Some("r"),
        body: b"body",
    };

    #[test]
    fn an_entry_has_another_digest_for_each_part_of_it() {
        let key = DigestKey::new(MatchId(Uuid::from_u128(7)), &[9; 32]);
        let before = Digest::from([2; 32]);
        let later = OffsetDateTime::UNIX_EPOCH + std::time::Duration::from_micros(1);
        let digests = [
            key.digest(before, ENTRY),
            key.digest(Digest::from([0; 32]), ENTRY),
            DigestKey::new(MatchId(Uuid::from_u128(7)), &[8; 32]).digest(before, ENTRY),
            DigestKey::new(MatchId(Uuid::nil()), &[9; 32]).digest(before, ENTRY),
            key.digest(before, Digested { position: Position(4), ..ENTRY }),
            key.digest(before, Digested { create_time: later, ..ENTRY }),
            key.digest(before, Digested { seat: None, ..ENTRY }),
            key.digest(before, Digested { request_id: None, ..ENTRY }),
            key.digest(before, Digested { request_id: Some(""), ..ENTRY }),
            key.digest(before, Digested { request_id: Some("rb"), body: b"ody", ..ENTRY }),
            key.digest(before, Digested { body: b"other", ..ENTRY }),
        ];
        for (n, digest) in digests.iter().enumerate() {
            assert!(!digests[..n].contains(digest), "{n}");
        }
    }
}
