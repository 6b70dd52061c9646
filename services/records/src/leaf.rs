//! The leaves of the transparency log: that a match was opened, and that it was closed.
//!
//! `docs/transparency.md` defines the bytes. A leaf follows from the record, so a verifier computes
//! it again. It has hashes only: an erasure need not change it.

use positions::{Digest, Position};
use rows::{MatchId, MatchRow};
use table::{PlayerCommitment, SEATS_MAX, Seat, Small};
use time::OffsetDateTime;

use crate::creation::{Creation, micros};

/// The version of the bytes, and the one of openings that tell platforms apart.
const VERSION: u8 = 1;
const VERSION_OF_PLATFORMS: u8 = 2;

const OPENED: u8 = LeafKind::Opened.number();
const CLOSED: u8 = LeafKind::Closed.number();

const MATCH: &str = "croupier 2026-11 match of a leaf";
const PLATFORM: &str = "croupier 2026-11 platform of a leaf";

/// What stands for a platform in the leaves of a log.
pub type PlatformTag = [u8; 16];

/// A leaf of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    Opened(Opened),
    Closed(Closed),
}

/// What a leaf says of its match, which has one of each kind at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeafKind {
    Opened,
    Closed,
}

/// That a match was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// [`match_hash`] of the match.
    pub match_hash: [u8; 32],
    /// When it was created, in microseconds since 1970.
    pub time_us: i64,
    /// The digest of its creation.
    pub digest: [u8; 32],
    pub seed_commitment: [u8; 32],
    /// In logs that tell platforms apart.
    pub platform: Option<PlatformTag>,
    /// By seat: the commitment to its player; `None` for a seat that nobody had taken.
    pub players: Vec<Option<[u8; 32]>>,
}

/// That a match was closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closed {
    /// [`match_hash`] of the match.
    pub match_hash: [u8; 32],
    /// When it ended or was deleted, in microseconds since 1970.
    pub time_us: i64,
    /// The digest of its last entry; of a deleted match, that of its creation.
    pub digest: [u8; 32],
    /// The position of its last entry; 0 for a deleted match.
    pub position: i64,
    pub end: End,
}

/// How a match was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Somebody won.
    Won,
    /// Nobody won, or it was ended without a result.
    NotWon,
    /// It was deleted before it was dealt.
    Deleted,
}

/// What stands for a match in its leaves. Who knows the match finds them; the leaves do not say
/// which match it is.
pub fn match_hash(match_id: MatchId) -> [u8; 32] {
    blake3::derive_key(MATCH, match_id.0.as_bytes())
}

/// What stands for a platform in the leaves of the log with this secret. It is the same in all of
/// them, and nobody without the secret can tell of which platform it is.
pub fn platform_tag(secret: &[u8; 32], platform: &str) -> PlatformTag {
    let key = blake3::derive_key(PLATFORM, &[&secret[..], platform.as_bytes()].concat());
    *key.first_chunk().expect("it is longer")
}

impl LeafKind {
    pub fn parse(name: &str) -> Option<LeafKind> {
        [LeafKind::Opened, LeafKind::Closed].into_iter().find(|it| it.name() == name)
    }

    /// In the paths of proofs.
    pub fn name(self) -> &'static str {
        match self {
            LeafKind::Opened => "opened",
            LeafKind::Closed => "closed",
        }
    }

    /// In the bytes of a leaf.
    pub const fn number(self) -> u8 {
        match self {
            LeafKind::Opened => 1,
            LeafKind::Closed => 2,
        }
    }
}

impl Leaf {
    pub fn kind(&self) -> LeafKind {
        match self {
            Leaf::Opened(_) => LeafKind::Opened,
            Leaf::Closed(_) => LeafKind::Closed,
        }
    }

    pub fn match_hash(&self) -> &[u8; 32] {
        match self {
            Leaf::Opened(it) => &it.match_hash,
            Leaf::Closed(it) => &it.match_hash,
        }
    }

    /// When it happened, in microseconds since 1970.
    pub fn time_us(&self) -> i64 {
        match self {
            Leaf::Opened(it) => it.time_us,
            Leaf::Closed(it) => it.time_us,
        }
    }

    fn version(&self) -> u8 {
        match self {
            Leaf::Opened(Opened { platform: Some(_), .. }) => VERSION_OF_PLATFORMS,
            _ => VERSION,
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.version(), self.kind().number()];
        bytes.extend_from_slice(self.match_hash());
        bytes.extend_from_slice(&self.time_us().to_le_bytes());
        match self {
            Leaf::Opened(it) => {
                bytes.extend_from_slice(&it.digest);
                bytes.extend_from_slice(&it.seed_commitment);
                it.platform.iter().for_each(|tag| bytes.extend_from_slice(tag));
                bytes.push(it.players.len().try_into().expect("a match has few seats"));
                for player in &it.players {
                    bytes.extend_from_slice(&player.unwrap_or_default());
                }
            }
            Leaf::Closed(it) => {
                bytes.extend_from_slice(&it.digest);
                bytes.extend_from_slice(&it.position.to_le_bytes());
                bytes.push(match it.end {
                    End::Won => 1,
                    End::NotWon => 2,
                    End::Deleted => 3,
                });
            }
        }
        bytes
    }

    /// Parses the one encoding of a leaf; `None` for anything else, such as a later version.
    pub fn parse(bytes: &[u8]) -> Option<Leaf> {
        let mut rest = bytes;
        let [version, kind] = take(&mut rest)?;
        let (match_hash, time_us) = (take(&mut rest)?, i64::from_le_bytes(take(&mut rest)?));
        let digest = take(&mut rest)?;
        let leaf = match (version, kind) {
            (VERSION | VERSION_OF_PLATFORMS, OPENED) => {
                let seed_commitment = take(&mut rest)?;
                let platform = match version {
                    VERSION => None,
                    _ => Some(take(&mut rest)?),
                };
                let [seats] = take(&mut rest)?;
                let of_seat = |_| take(&mut rest).map(|it| (it != [0; 32]).then_some(it));
                let players = (0..seats).map(of_seat).collect::<Option<Vec<_>>>()?;
                let is_possible = (1..=SEATS_MAX).contains(&players.len());
                let opened =
                    Opened { match_hash, time_us, digest, seed_commitment, platform, players };
                is_possible.then_some(Leaf::Opened(opened))?
            }
            (VERSION, CLOSED) => {
                let position = i64::from_le_bytes(take(&mut rest)?);
                let end = match take(&mut rest)? {
                    [1] => End::Won,
                    [2] => End::NotWon,
                    [3] => End::Deleted,
                    _ => return None,
                };
                let is_possible = (position == 0) == (end == End::Deleted) && position >= 0;
                let closed = Closed { match_hash, time_us, digest, position, end };
                is_possible.then_some(Leaf::Closed(closed))?
            }
            _ => return None,
        };
        rest.is_empty().then_some(leaf)
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, left) = rest.split_first_chunk::<N>()?;
    *rest = left;
    Some(*taken)
}

impl Opened {
    /// Of a match, with the players who sit there now, in a log that does not tell platforms apart.
    pub fn of(row: &MatchRow) -> Opened {
        let seats = usize::try_from(row.seats).unwrap_or_default().min(SEATS_MAX);
        let mut players = vec![None; seats];
        for it in &row.seated {
            let seat = u8::try_from(it.seat).ok().and_then(|seat| Seat::try_from(seat).ok());
            if let (Some(seat), Some(key)) = (seat, it.speech_key)
                && let Some(of_seat) = players.get_mut(seat.index())
            {
                let id = row.match_id.0.as_bytes();
                *of_seat = Some(PlayerCommitment::new(id, seat, &key.0, &it.player).commitment);
            }
        }
        Opened {
            match_hash: match_hash(row.match_id),
            time_us: micros(row.create_time),
            digest: *Creation::from(row).digest().as_bytes(),
            seed_commitment: row.terms.seed_commitment,
            platform: None,
            players,
        }
    }
}

impl Closed {
    /// Of a match whose last entry has this position, digest and time.
    pub fn ended(
        match_id: MatchId,
        position: Position,
        digest: Digest,
        time: OffsetDateTime,
        is_won: bool,
    ) -> Closed {
        Closed {
            match_hash: match_hash(match_id),
            time_us: micros(time),
            digest: *digest.as_bytes(),
            position: position.0,
            end: if is_won { End::Won } else { End::NotWon },
        }
    }

    /// Of a match that was deleted before it was dealt, and of whose opening the log has a leaf.
    pub fn deleted(opened: &Opened, time: OffsetDateTime) -> Closed {
        Closed {
            match_hash: opened.match_hash,
            time_us: micros(time),
            digest: opened.digest,
            position: 0,
            end: End::Deleted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn opened() -> Opened {
        Opened {
            match_hash: match_hash(MatchId(Uuid::from_u128(7))),
            time_us: 1_793_872_900_000_001,
            digest: [2; 32],
            seed_commitment: [3; 32],
            platform: None,
            players: vec![Some([4; 32]), None],
        }
    }

    fn closed() -> Closed {
        let Opened { match_hash, time_us, digest, .. } = opened();
        Closed { match_hash, time_us, digest, position: 13, end: End::Won }
    }

    #[test]
    fn a_leaf_has_one_encoding() {
        let deleted = Closed { position: 0, end: End::Deleted, ..closed() };
        let aborted = Closed { end: End::NotWon, ..closed() };
        let tagged = Opened { platform: Some([5; 16]), ..opened() };
        for leaf in [
            Leaf::Opened(opened()),
            Leaf::Opened(tagged),
            Leaf::Closed(closed()),
            Leaf::Closed(deleted),
            Leaf::Closed(aborted),
        ] {
            let bytes = leaf.bytes();
            assert_eq!(Leaf::parse(&bytes), Some(leaf.clone()));
            for length in 0..bytes.len() {
                assert_eq!(Leaf::parse(&bytes[..length]), None);
            }
            assert_eq!(Leaf::parse(&[&bytes[..], &[0]].concat()), None);
            for (nth, byte) in [(0, 3), (1, 3)] {
                let mut other = bytes.clone();
                other[nth] = byte;
                assert_eq!(Leaf::parse(&other), None);
            }
        }
        let impossible = [
            Closed { position: 0, ..closed() },
            Closed { end: End::Deleted, ..closed() },
            Closed { position: -1, ..closed() },
        ];
        for leaf in impossible {
            assert_eq!(Leaf::parse(&Leaf::Closed(leaf).bytes()), None);
        }
        let seats = |players| Leaf::Opened(Opened { players, ..opened() }).bytes();
        assert_eq!(Leaf::parse(&seats(vec![])), None);
        assert_eq!(Leaf::parse(&seats(vec![None; 9])), None);
    }

    #[test]
    fn a_kind_is_named_in_paths() {
        for (kind, name) in [(LeafKind::Opened, "opened"), (LeafKind::Closed, "closed")] {
            assert_eq!((kind.name(), LeafKind::parse(name)), (name, Some(kind)));
        }
        assert_eq!(LeafKind::parse("Opened"), None);
    }

    #[test]
    fn a_platform_has_one_tag_in_each_log() {
        let tag = platform_tag(&[7; 32], "acme");
        assert_eq!(tag, platform_tag(&[7; 32], "acme"));
        assert_ne!(tag, platform_tag(&[7; 32], "acme2"));
        assert_ne!(tag, platform_tag(&[8; 32], "acme"));
    }

    /// The example of `docs/transparency.md`.
    #[test]
    fn the_bytes_are_those_of_the_document() {
        assert_eq!(
            hex::encode(Leaf::Closed(closed()).bytes()),
            [
                "0102",
                &hex::encode(match_hash(MatchId(Uuid::from_u128(7)))),
                "0109fa94845f0600",
                &"02".repeat(32),
                "0d00000000000000",
                "01",
            ]
            .concat()
        );
        assert_eq!(Leaf::Opened(opened()).bytes().len(), 107 + 64);
        let tagged = Opened { platform: Some(platform_tag(&[7; 32], "acme")), ..opened() };
        let bytes = Leaf::Opened(tagged).bytes();
        assert_eq!((bytes.len(), &bytes[..2]), (123 + 64, &[2, 1][..]));
        assert_eq!(bytes[106..122], platform_tag(&[7; 32], "acme"));
        assert_eq!(Leaf::Closed(closed()).bytes().len(), 83);
    }
}
