//! Who sits on a seat, and who sat there before.

use positions::Position;
use serde::Deserialize;
use time::OffsetDateTime;

use crate::names::Named;
use crate::secrets::SpeechKey;

/// A seat that is taken.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SeatRow {
    pub seat: i16,
    pub player: String,
    /// The name to show for the player, if one was given.
    pub display_name: Option<String>,
    pub request_id: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    pub create_time: OffsetDateTime,
    /// What encrypts what the seat says; none in a match without talk, and once the player is
    /// erased.
    pub speech_key: Option<SpeechKey>,
    /// Whether the player was erased, and `player` is a pseudonym.
    pub is_erased: bool,
    /// Who sat there before, the first one first.
    #[serde(default)]
    pub before: Vec<FormerPlayer>,
}

/// A player who sat on a seat before another one took over.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FormerPlayer {
    /// Of the entry by which the other one took over.
    #[serde(with = "position")]
    pub until: Position,
    pub player: String,
    pub display_name: Option<String>,
    /// As in [`SeatRow`].
    pub speech_key: Option<SpeechKey>,
    pub is_erased: bool,
}

/// What opens what a seat says, or what a player said who sat there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldKey {
    pub seat: i16,
    /// None of a former player who was erased, or had none.
    pub key: Option<SpeechKey>,
    pub is_former: bool,
}

/// The contribution of a seat to the chance of its match: 1 to 32 bytes.
pub type Contributed = (i16, Vec<u8>);

impl SeatRow {
    /// What opens what was said from the seat.
    pub fn held_keys(&self) -> impl Iterator<Item = HeldKey> {
        let seat = self.seat;
        let former = self.before.iter().map(move |it| (it.speech_key, true));
        let keys = former.chain([(self.speech_key, false)]);
        keys.map(move |(key, is_former)| HeldKey { seat, key, is_former })
    }

    pub fn named(&self) -> Named<'_> {
        (&self.player, self.display_name.as_deref())
    }
}

/// For `#[serde(with = "…")]`.
mod position {
    use positions::Position;
    use serde::{Deserialize, Deserializer};

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        i64::deserialize(deserializer).map(Position)
    }
}
