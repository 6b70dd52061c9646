//! The current and earlier players of a seat.

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
    /// The key that encrypts the seat's messages, and without which the entries' commitment to its
    /// player cannot be checked; `None` once the player is erased, and of some seats that were
    /// taken under earlier releases.
    pub speech_key: Option<SpeechKey>,
    /// Whether the player was erased, and `player` is a pseudonym.
    pub is_erased: bool,
    /// The earlier players, oldest first.
    #[serde(default)]
    pub before: Vec<FormerPlayer>,
}

/// An earlier player of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FormerPlayer {
    /// The position of the entry with which the next player took over.
    #[serde(with = "position")]
    pub until: Position,
    pub player: String,
    pub display_name: Option<String>,
    /// See [`SeatRow::speech_key`].
    pub speech_key: Option<SpeechKey>,
    pub is_erased: bool,
}

/// A key to the messages of a seat's current or earlier player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldKey {
    pub seat: i16,
    /// `None` for a former player who was erased or had no key.
    pub key: Option<SpeechKey>,
    pub is_former: bool,
}

/// The contribution of a seat to the chance of its match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributed {
    pub seat: i16,
    /// 16 to 32 bytes.
    pub bytes: Vec<u8>,
    /// Whether the commitment to the seed could be read before.
    pub after_commitment: bool,
}

impl SeatRow {
    /// The keys that open the messages of the seat.
    pub fn held_keys(&self) -> impl Iterator<Item = HeldKey> {
        let seat = self.seat;
        let former = self.before.iter().map(move |it| (it.speech_key, true));
        let keys = former.chain([(self.speech_key, false)]);
        keys.map(move |(key, is_former)| HeldKey { seat, key, is_former })
    }

    /// Whether a player has the seat or had it. The pseudonym of an erased player never matches.
    pub fn was_of(&self, player: &str) -> bool {
        self.player == player && !self.is_erased
            || self.before.iter().any(|it| it.player == player && !it.is_erased)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{former, key, seat};

    #[test]
    fn a_seat_was_of_those_who_had_it_until_they_are_erased() {
        let erased = FormerPlayer { is_erased: true, ..former(3, "eve", None) };
        let before = vec![former(2, "dan", Some(key(7))), erased];
        let row = SeatRow { before, ..seat(0, "ann") };
        assert!(row.was_of("ann") && row.was_of("dan"));
        assert!(!row.was_of("eve") && !row.was_of("bob"));
        let erased = SeatRow { is_erased: true, ..row };
        assert!(erased.was_of("dan") && !erased.was_of("ann"));
    }

    #[test]
    fn the_keys_of_a_seat_are_held_oldest_first() {
        let before = vec![former(2, "dan", Some(key(7))), former(3, "eve", None)];
        let row = SeatRow { before, ..seat(4, "ann") };
        let held = |key, is_former| HeldKey { seat: 4, key, is_former };
        let expected = [held(Some(key(7)), true), held(None, true), held(Some(key(4)), false)];
        assert!(row.held_keys().eq(expected));
    }

    #[test]
    fn a_player_is_named_by_id_and_display_name() {
        let row = SeatRow { display_name: Some("Ann".to_owned()), ..seat(0, "u1") };
        assert_eq!(row.named(), ("u1", Some("Ann")));
    }
}
