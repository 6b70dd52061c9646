//! A match: to be created, and as the record has it.

use std::collections::BTreeMap;

use positions::Recorded;
use time::OffsetDateTime;

use crate::seats::SeatRow;
use crate::secrets::{Seed, SpeechKey};
use crate::{MatchId, Terms};

/// A platform's notes about a match: values by key.
pub type Tags = BTreeMap<String, String>;

/// The maximum number of tags of a match. The table has as many slots for each match.
pub const TAGS_MAX: usize = 16;

/// A match to be created.
#[derive(Clone)]
pub struct NewMatch {
    pub match_id: MatchId,
    pub platform: String,
    pub game: String,
    pub seats: i16,
    pub create_time: OffsetDateTime,
    pub terms: Terms,
    /// The players by seat. A seat without an element, or with `None`, is open.
    pub players: Vec<Option<String>>,
    /// The names to show for the players, by seat. No two of them
    /// [`look_alike`](crate::look_alike).
    pub display_names: Vec<Option<String>>,
    /// The contributions to the chance of the match, by seat.
    pub contributions: Vec<Option<Vec<u8>>>,
    /// Whether the request named the commitment to the seed, which was told before.
    pub after_commitment: bool,
    /// The keys of the seats that are taken: see [`SeatRow::speech_key`].
    pub speech_keys: Vec<Option<SpeechKey>>,
    /// At most [`TAGS_MAX`].
    pub tags: Tags,
    /// What the platform calls it.
    pub display_name: Option<String>,
    /// A digest of the request. It distinguishes a retry from another request with the same match
    /// id.
    pub request_digest: Vec<u8>,
    pub seed: Seed,
}

/// A match as it was created, with the seats taken so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRow {
    pub match_id: MatchId,
    pub platform: String,
    pub game: String,
    pub seats: i16,
    pub create_time: OffsetDateTime,
    pub terms: Terms,
    pub request_digest: Vec<u8>,
    /// The match that follows it, if one does.
    pub next: Option<MatchId>,
    /// Whether it is in the lobby while it has open seats.
    pub is_in_lobby: bool,
    /// What the platform calls it.
    pub display_name: Option<String>,
    /// The seats that are taken, in order.
    pub seated: Vec<SeatRow>,
    /// The last entry, if there is one. It shows the match's state without reading the others.
    pub last: Option<Recorded>,
}
