//! Rows for the tests of this crate.

use positions::Position;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{FormerPlayer, MatchId, MatchRow, SeatRow, SpeechKey, Terms};

/// A seat of this player, with a key of its number.
pub fn seat(number: i16, player: &str) -> SeatRow {
    SeatRow {
        seat: number,
        player: player.to_owned(),
        display_name: None,
        request_id: None,
        create_time: OffsetDateTime::UNIX_EPOCH,
        speech_key: Some(key(number as u8)),
        is_erased: false,
        before: Vec::new(),
    }
}

/// A player of a seat until an entry, with a key.
pub fn former(until: i64, player: &str, key: Option<SpeechKey>) -> FormerPlayer {
    let (until, player) = (Position(until), player.to_owned());
    FormerPlayer { until, player, display_name: None, speech_key: key, is_erased: false }
}

pub fn key(byte: u8) -> SpeechKey {
    SpeechKey([byte; 32])
}

/// A match for this many seats.
pub fn match_of(seats: i16, seated: Vec<SeatRow>) -> MatchRow {
    MatchRow {
        match_id: MatchId(Uuid::nil()),
        platform: "demo".to_owned(),
        game: "mountebank".to_owned(),
        seats,
        create_time: OffsetDateTime::UNIX_EPOCH,
        terms: Terms::default(),
        request_digest: Vec::new(),
        next: None,
        is_in_lobby: false,
        display_name: None,
        seated,
        last: None,
    }
}
