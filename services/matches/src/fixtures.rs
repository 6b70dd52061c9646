//! A match played at random, for the tests of this crate.

use database::Clock;
use event_log::Epoch;
use games::Playout;
use positions::{Position, Recorded};
use rows::{MatchId, MatchRow, RecordedEntry, SeatRow, Terms};
use store::Loaded;
use table::{Entry, MatchChance, invariants::key};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::live::LiveMatch;

pub(crate) const GAME: &str = "mountebank";
const SEATS: u8 = 3;
const SEED: u64 = 7;

/// A whole random match, as a fixture.
pub(crate) struct Played {
    pub playout: Playout,
}

impl Played {
    pub fn new() -> Played {
        let game = games::find(GAME).expect("the registry lists it");
        let options = game.check_options(&Default::default(), SEATS).expect("the defaults fit");
        let chance = MatchChance::new(row().match_id.0.as_bytes(), &key(SEED), &[]);
        Played { playout: game.playout(SEATS, &options, &chance) }
    }

    /// The match before its first entry.
    pub fn live(&self) -> LiveMatch {
        LiveMatch::new(loaded(row()), Epoch::default(), Clock::new(None)).expect("the row is valid")
    }

    /// The same with another id.
    pub fn live_as(&self, match_id: MatchId) -> LiveMatch {
        let row = MatchRow { match_id, ..row() };
        LiveMatch::new(loaded(row), Epoch::default(), Clock::new(None)).expect("the row is valid")
    }

    pub fn entries(&self) -> Vec<&Entry> {
        let steps = self.playout.steps.iter().map(|step| &step.entry);
        [&self.playout.opening.1].into_iter().chain(steps).collect()
    }

    /// The entry at a position, with the request id `r` and its position.
    pub fn recorded(&self, position: i64) -> RecordedEntry {
        RecordedEntry {
            position: Position(position),
            create_time: time(position),
            request_id: Some(format!("r{position}")),
            entry: self.entries()[usize::try_from(position - 1).expect("positions start at 1")]
                .clone(),
            digest: None,
        }
    }

    /// The stored row of the match when `position` is its last.
    pub fn row_at(&self, position: i64) -> MatchRow {
        let RecordedEntry { position, create_time, request_id, entry, digest } =
            self.recorded(position);
        let body = entry.encode();
        let bucket_position = position.0;
        let last = Recorded { position, bucket_position, request_id, create_time, body, digest };
        MatchRow { last: Some(last), ..row() }
    }

    pub fn last(&self) -> i64 {
        self.entries().len() as i64
    }
}

/// A second of the past for each position.
pub(crate) fn time(position: i64) -> OffsetDateTime {
    OffsetDateTime::UNIX_EPOCH + Duration::seconds(position)
}

fn loaded(row: MatchRow) -> Loaded {
    Loaded { row, seed: Some(key(SEED)), contributions: Vec::new(), header: None }
}

fn row() -> MatchRow {
    let seated = |seat: u8| SeatRow {
        seat: seat.into(),
        player: format!("player-{seat}"),
        display_name: None,
        request_id: None,
        create_time: time(0),
        speech_key: None,
        is_erased: false,
        before: Vec::new(),
    };
    MatchRow {
        match_id: MatchId(Uuid::from_u128(1)),
        platform: "acme".to_owned(),
        game: GAME.to_owned(),
        seats: SEATS.into(),
        request_digest: Vec::new(),
        terms: Terms {
            seed_commitment: *blake3::hash(&key(SEED)).as_bytes(),
            reveal_wait_s: Some(0),
            ..Terms::default()
        },
        next: None,
        is_in_lobby: false,
        display_name: None,
        create_time: time(0),
        seated: (0..SEATS).map(seated).collect(),
        last: None,
    }
}
