//! What the rows of the store mean: decoded entries, and the columns of a match.

use std::collections::BTreeMap;

use games::Game;
use store::{
    Contributed, Digest, FormerPlayer, HeldKey, MatchRow, Position, Recorded, SeatRow, SpeechKey,
    level_of,
};
use table::{Contribution, Entry, REPLACE, Seat, Small, SpeechKeys};
use time::OffsetDateTime;

use crate::Error;

/// A decoded entry of the log, with its position. It holds everything that happened: only a
/// [`RedactedEntry`](crate::RedactedEntry) leaves the service.
#[derive(Clone, Debug)]
pub(crate) struct RecordedEntry {
    pub position: Position,
    pub create_time: OffsetDateTime,
    pub request_id: Option<String>,
    pub entry: Entry,
    /// None if it was recorded by a release that knew no digests.
    pub digest: Option<Digest>,
}

impl RecordedEntry {
    pub fn decode(row: &Recorded, game: &'static dyn Game) -> Result<RecordedEntry, Error> {
        if row.is_stub() {
            return Err(Error::HistoryNotKept);
        }
        let entry = Entry::decode(&row.body, game.layout());
        let entry = entry.map_err(|error| unreadable(row.position, error.into()))?;
        Ok(RecordedEntry {
            position: row.position,
            create_time: row.create_time,
            request_id: row.request_id.clone(),
            entry,
            digest: row.digest,
        })
    }

    /// Opens what was said in it, as far as there are keys. A decoded entry is not opened yet.
    pub fn opened(mut self, keys: &SpeechKeys) -> Result<RecordedEntry, Error> {
        let opened = self.entry.open(self.position.0, keys);
        opened.map_err(|error| unreadable(self.position, error.into()))?;
        Ok(self)
    }

    /// The memory that it takes, as an estimate.
    pub fn bytes(&self) -> usize {
        let request_id = self.request_id.as_ref().map_or(0, String::len);
        size_of::<RecordedEntry>() + request_id + self.entry.bytes()
    }

    /// When the match ended, if this entry ended it.
    pub fn end_time(&self) -> Option<OffsetDateTime> {
        self.entry.winners().map(|_| self.create_time)
    }
}

fn unreadable(position: Position, source: Box<dyn std::error::Error + Send + Sync>) -> Error {
    Error::MatchUnreadable { position: Some(position), source }
}

/// The rules of a stored match.
pub(crate) fn game_of(name: &str) -> Result<&'static dyn Game, Error> {
    games::find(name).ok_or_else(|| Error::MatchUnreadable {
        position: None,
        source: format!("no rules for {name:?}").into(),
    })
}

pub(crate) fn seats_of(row: &MatchRow) -> u8 {
    row.seats.try_into().unwrap_or(u8::MAX)
}

/// The player of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatedPlayer {
    /// By the platform's id.
    pub player: String,
    /// The name to show for the player, if one was given.
    pub display_name: Option<String>,
    /// Whether the player was erased, and `player` is a pseudonym.
    pub is_erased: bool,
    /// Who sat there before, the first one first.
    pub before: Vec<PastPlayer>,
}

impl SeatedPlayer {
    /// The level of the bot that has the seat; none if a player has it.
    pub fn bot(&self) -> Option<&str> {
        level_of(&self.player)
    }
}

/// A player who sat on a seat before another one took over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastPlayer {
    /// Of the entry by which the other one took over.
    pub until: Position,
    /// As in [`SeatedPlayer`].
    pub player: String,
    pub display_name: Option<String>,
}

impl PastPlayer {
    /// The level of the bot that had the seat; none if a player had it.
    pub fn bot(&self) -> Option<&str> {
        level_of(&self.player)
    }
}

/// Whether a row may be of an entry by which another player takes over a seat: a look at its bytes,
/// of which few others have these.
pub(crate) fn may_replace(row: &Recorded) -> bool {
    row.body.windows(REPLACE.len()).any(|bytes| bytes == REPLACE.as_bytes())
}

/// The players by seat; none where a seat is open.
pub(crate) fn players_of(row: &MatchRow) -> Vec<Option<SeatedPlayer>> {
    let mut players = vec![None; seats_of(row).into()];
    for SeatRow { seat, player, display_name, is_erased, before, .. } in &row.seated {
        let (player, display_name) = (player.clone(), display_name.clone());
        let past = |it: &FormerPlayer| PastPlayer {
            until: it.until,
            player: it.player.clone(),
            display_name: it.display_name.clone(),
        };
        let before = before.iter().map(past).collect();
        // A match whose number of seats was altered is refused later, by its first entry.
        if let Some(seated) = players.get_mut(*seat as usize) {
            let is_erased = *is_erased;
            *seated = Some(SeatedPlayer { player, display_name, is_erased, before });
        }
    }
    players
}

/// The stored contributions to the chance of a match.
pub(crate) fn contributions_of(stored: Vec<Contributed>) -> Vec<Contribution> {
    let contribution = |(seat, bytes): Contributed| {
        let seat = Seat::nth(usize::try_from(seat).ok()?)?;
        Some(Contribution { seat, bytes: bytes.into() })
    };
    stored.into_iter().filter_map(contribution).collect()
}

/// What opens the speech of the match.
pub(crate) fn speech_keys_of(row: &MatchRow) -> SpeechKeys {
    speech_keys(row.seated.iter().flat_map(SeatRow::held_keys))
}

pub(crate) fn speech_keys(found: impl Iterator<Item = HeldKey>) -> SpeechKeys {
    let mut keys = SpeechKeys::default();
    for HeldKey { seat, key, is_former } in found {
        let (seat, key) = (seat_of(seat), key.map(|SpeechKey(key)| key));
        match (is_former, key) {
            (true, key) => keys.insert_former(seat, key),
            (false, Some(key)) => keys.insert(seat, key),
            (false, None) => {}
        }
    }
    keys
}

/// A seat as the store numbers it.
pub(crate) fn seat_of(number: i16) -> Seat {
    usize::try_from(number).ok().and_then(Seat::nth).expect("a match has few seats")
}

pub(crate) fn options_of(row: &MatchRow) -> Result<BTreeMap<String, String>, Error> {
    // Nothing else was ever written.
    let altered = |_| Error::RecordAltered { position: Position::START };
    serde_json::from_str(&row.options).map_err(altered)
}
