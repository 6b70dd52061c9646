//! Digests: a hash of each entry and of everything before it in its match.
//!
//! Two parties that know the same digest of an entry agree on the whole match up to it. The chain
//! begins with a digest of the match as it was created, so it also covers the seed's commitment.
//!
//! A digest is keyed with a secret that follows from the match's seed. So it shows nothing of what
//! an entry hides, although everyone is told it; once the seed is revealed, anyone can compute it.

use crate::{Follows, MatchId, MatchRow, NewMatch, Position, Recorded, Seed};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueRef};
use sqlx::{Decode, Encode, Postgres, Type};
use std::collections::BTreeMap;
use std::fmt;
use time::OffsetDateTime;

/// The digest of an entry, or of a match as it was created.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

/// Computes the digests of a match's entries.
#[derive(Clone)]
pub struct DigestKey([u8; 32]);

/// Computes the digests of a match's entries one after another.
pub struct Chain {
    key: DigestKey,
    last: Digest,
}

/// What the digest of a match as it was created covers. The players are not among it: they may take
/// their seats later.
#[derive(Clone, Copy, Debug)]
pub struct Creation<'a> {
    pub match_id: MatchId,
    pub platform: &'a str,
    pub game: &'a str,
    pub seats: i16,
    pub seed_commitment: &'a [u8],
    pub reveal_wait_s: Option<i64>,
    pub follows: Option<&'a Follows>,
    pub create_time: OffsetDateTime,
}

/// What the digest of an entry covers, besides the digest before it.
#[derive(Clone, Copy, Debug)]
pub struct Digested<'a> {
    pub position: Position,
    pub create_time: OffsetDateTime,
    /// The seat that acted, if one did.
    pub seat: Option<u8>,
    pub request_id: Option<&'a str>,
    pub body: &'a [u8],
}

const CREATION: &str = "croupier 2026-11 digest of a match";
const KEY: &str = "croupier 2026-11 digests of a match's entries";
/// The seat of an entry that no seat made.
const NO_SEAT: u8 = u8::MAX;
/// The length of a request id that is not there.
const NO_REQUEST_ID: u32 = u32::MAX;

impl Digest {
    /// The digest of a match as it was created, with the options that its row holds as JSON.
    pub fn of_match(it: Creation<'_>, options: &BTreeMap<String, String>) -> Self {
        let mut hash = blake3::Hasher::new_derive_key(CREATION);
        let mut part = |bytes: &[u8]| {
            hash.update(&(bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        part(it.match_id.0.as_bytes());
        part(it.platform.as_bytes());
        part(it.game.as_bytes());
        part(&it.seats.to_le_bytes());
        part(&(options.len() as u64).to_le_bytes());
        for (name, value) in options {
            part(name.as_bytes());
            part(value.as_bytes());
        }
        part(it.seed_commitment);
        part(&micros(it.create_time).to_le_bytes());
        part(&it.reveal_wait_s.map(i64::to_le_bytes).map_or(vec![], Vec::from));
        // A match that follows none has the digest that earlier releases gave it.
        if let Some(Follows { previous, number, wins, best_of }) = it.follows {
            part(previous.0.as_bytes());
            part(&number.to_le_bytes());
            part(&best_of.map(i32::to_le_bytes).map_or(vec![], Vec::from));
            wins.iter().for_each(|wins| part(&wins.to_le_bytes()));
        }
        Self(*hash.finalize().as_bytes())
    }

    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl DigestKey {
    pub fn new(match_id: MatchId, seed: &Seed) -> Self {
        let mut key = blake3::Hasher::new_derive_key(KEY);
        key.update(match_id.0.as_bytes());
        key.update(seed);
        Self(*key.finalize().as_bytes())
    }

    /// The digest of an entry, given the one before it. Each entry has a key of its own, so that
    /// one entry's can be given away without the others'.
    pub fn digest(&self, before: Digest, entry: Digested<'_>) -> Digest {
        let Digested { position, create_time, seat, request_id, body } = entry;
        let key = blake3::keyed_hash(&self.0, &position.0.to_le_bytes());
        let mut hash = blake3::Hasher::new_keyed(key.as_bytes());
        hash.update(&before.0);
        hash.update(&position.0.to_le_bytes());
        hash.update(&micros(create_time).to_le_bytes());
        hash.update(&[seat.unwrap_or(NO_SEAT)]);
        let length = request_id.map_or(NO_REQUEST_ID, |id| id.len() as u32);
        hash.update(&length.to_le_bytes());
        hash.update(request_id.unwrap_or_default().as_bytes());
        hash.update(body);
        Digest(*hash.finalize().as_bytes())
    }
}

impl Chain {
    pub fn new(creation: Creation<'_>, options: &BTreeMap<String, String>, seed: &Seed) -> Self {
        let key = DigestKey::new(creation.match_id, seed);
        Self { key, last: Digest::of_match(creation, options) }
    }

    /// The digest of the next entry.
    pub fn next(&mut self, entry: Digested<'_>) -> Digest {
        self.last = self.key.digest(self.last, entry);
        self.last
    }
}

impl Recorded {
    /// What the digest of the entry covers, given the seat that acted, which its body tells.
    pub fn digested(&self, seat: Option<u8>) -> Digested<'_> {
        Digested {
            position: self.position,
            create_time: self.create_time,
            seat,
            request_id: self.request_id.as_deref(),
            body: &self.body,
        }
    }
}

impl MatchRow {
    pub fn creation(&self) -> Creation<'_> {
        Creation {
            match_id: self.match_id,
            platform: &self.platform,
            game: &self.game,
            seats: self.seats,
            seed_commitment: &self.seed_commitment,
            reveal_wait_s: self.reveal_wait_s,
            follows: self.follows.as_ref(),
            create_time: self.create_time,
        }
    }
}

impl NewMatch {
    pub fn creation(&self) -> Creation<'_> {
        Creation {
            match_id: self.match_id,
            platform: &self.platform,
            game: &self.game,
            seats: self.seats,
            seed_commitment: &self.seed_commitment,
            reveal_wait_s: self.reveal_wait_s,
            follows: self.follows.as_ref(),
            create_time: self.create_time,
        }
    }
}

/// Bytes as they are written in names, archives and answers.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whole microseconds since 1970, the resolution of Postgres.
fn micros(time: OffsetDateTime) -> i64 {
    (time.unix_timestamp_nanos() / 1000) as i64
}

impl From<[u8; 32]> for Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl Type<Postgres> for Digest {
    fn type_info() -> PgTypeInfo {
        <[u8] as Type<Postgres>>::type_info()
    }
}

impl PgHasArrayType for Digest {
    fn array_type_info() -> PgTypeInfo {
        <&[u8] as PgHasArrayType>::array_type_info()
    }
}

impl Encode<'_, Postgres> for Digest {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        <&[u8] as Encode<Postgres>>::encode(&self.0[..], buffer)
    }
}

impl Decode<'_, Postgres> for Digest {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        Ok(Self(<&[u8] as Decode<Postgres>>::decode(value)?.try_into()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const MATCH: Creation<'static> = Creation {
        match_id: MatchId(Uuid::from_u128(7)),
        platform: "acme",
        game: "rigs",
        seats: 2,
        seed_commitment: &[2; 32],
        reveal_wait_s: None,
        follows: None,
        create_time: OffsetDateTime::UNIX_EPOCH,
    };

    fn options(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    const ENTRY: Digested<'static> = Digested {
        position: Position(3),
        create_time: OffsetDateTime::UNIX_EPOCH,
        seat: Some(1),
        request_id: Some("r"),
        body: b"body",
    };

    #[test]
    fn a_match_has_another_digest_for_each_part_of_it() {
        let later = OffsetDateTime::UNIX_EPOCH + std::time::Duration::from_micros(1);
        let none = options(&[]);
        let (previous, wins) = (MatchId(Uuid::from_u128(6)), vec![1, 0]);
        let follows = Follows { previous, number: 2, wins, best_of: Some(3) };
        let following =
            |follows| Digest::of_match(Creation { follows: Some(follows), ..MATCH }, &none);
        let digests = [
            Digest::of_match(MATCH, &none),
            Digest::of_match(MATCH, &options(&[("a", "b")])),
            Digest::of_match(MATCH, &options(&[("ab", "")])),
            Digest::of_match(Creation { match_id: MatchId(Uuid::nil()), ..MATCH }, &none),
            Digest::of_match(Creation { platform: "zeta", ..MATCH }, &none),
            Digest::of_match(Creation { game: "grifters", ..MATCH }, &none),
            Digest::of_match(Creation { seats: 3, ..MATCH }, &none),
            Digest::of_match(Creation { seed_commitment: &[3; 32], ..MATCH }, &none),
            Digest::of_match(Creation { create_time: later, ..MATCH }, &none),
            Digest::of_match(Creation { reveal_wait_s: Some(0), ..MATCH }, &none),
            following(&follows),
            following(&Follows { previous: MatchId(Uuid::nil()), ..follows.clone() }),
            following(&Follows { number: 3, ..follows.clone() }),
            following(&Follows { wins: vec![0, 1], ..follows.clone() }),
            following(&Follows { best_of: None, ..follows.clone() }),
        ];
        for (n, digest) in digests.iter().enumerate() {
            assert!(!digests[..n].contains(digest), "{n}");
        }
    }

    /// Receipts of matches that were created by earlier releases stay valid.
    #[test]
    fn a_match_that_follows_none_keeps_its_digest() {
        let digest = Digest::of_match(MATCH, &options(&[("a", "b")]));
        assert_eq!(
            digest.to_string(),
            "c3380049e84dddfc8e2a05bb9a94f5d14332062aad25a53754b45e0bc7a0b0e2"
        );
    }

    #[test]
    fn an_entry_has_another_digest_for_each_part_of_it() {
        let key = DigestKey::new(MATCH.match_id, &[9; 32]);
        let before = Digest::of_match(MATCH, &options(&[]));
        let later = OffsetDateTime::UNIX_EPOCH + std::time::Duration::from_micros(1);
        let digests = [
            key.digest(before, ENTRY),
            key.digest(Digest::from([0; 32]), ENTRY),
            DigestKey::new(MATCH.match_id, &[8; 32]).digest(before, ENTRY),
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
