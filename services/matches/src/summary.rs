//! The summary of a match, as lists and single reads return it.

use clocks::TimeControl;
use games::Game;
use positions::Position;
use projector::{PublicState, State, StoredState};
use rows::{
    Cast, Error, MatchRow, RecordedEntry, Reveal, SeatedPlayer, Series, Tags, game_of, is_revealed,
    players_of, seats_of,
};
use store::Notes;
use table::{Seat, Seats, Small};
use time::OffsetDateTime;

/// The public state of a match, for everyone who may read it.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The row of the match, without its seats and its last entry.
    pub row: MatchRow,
    /// By seat; `None` if the seat is open.
    pub players: Vec<Option<SeatedPlayer>>,
    pub state: State,
    /// The position of the last entry.
    pub position: Position,
    pub update_time: Option<OffsetDateTime>,
    /// The public state after the last entry.
    pub now: PublicState,
    /// Empty unless the caller is the platform.
    pub tags: Tags,
    /// `None` until the match is revealed.
    pub seed: Option<[u8; 32]>,
    /// Whether this release cannot read the match; `now` is then the last state of the read model.
    pub is_unreadable: bool,
}

impl Summary {
    pub(crate) fn new(
        mut row: MatchRow,
        players: Vec<Option<SeatedPlayer>>,
        last: Option<(Position, OffsetDateTime)>,
        now: PublicState,
    ) -> Summary {
        let state = match (last, now.winners) {
            (None, _) => State::Open,
            (Some(_), None) => State::Running,
            (Some(_), Some(_)) => State::Ended,
        };
        row.is_in_lobby &= state == State::Open;
        Summary {
            row: MatchRow { seated: Vec::new(), last: None, ..row },
            players,
            state,
            position: last.map_or(Position::START, |(position, _)| position),
            update_time: last.map(|(_, time)| time),
            now,
            tags: Tags::new(),
            seed: None,
            is_unreadable: false,
        }
    }

    /// A summary from a match's row and the read model's row after the same entry, so that a list
    /// reads one entry for each match instead of all of them.
    pub(crate) fn of_row(row: MatchRow, stored: StoredState) -> Summary {
        let Ok(last) = read(&row) else { return Summary::unreadable(row, stored) };
        // A match of which only the result is kept has no clocks.
        let control = last.as_ref().and_then(|_| TimeControl::of(&row.terms.options));
        let now = stored.read(control, seats_of(&row));
        let now = match &last {
            Some(last) => now.told_by(&last.entry),
            None => now,
        };
        Summary::of_parts(row, now)
    }

    /// The summary of a match that cannot be read, from its row and the read model.
    pub(crate) fn unreadable(row: MatchRow, stored: StoredState) -> Summary {
        let now = stored.read(None, seats_of(&row));
        Summary { is_unreadable: true, ..Summary::of_parts(row, now) }
    }

    fn of_parts(row: MatchRow, now: PublicState) -> Summary {
        let last = row.last.as_ref().map(|last| (last.position, last.create_time));
        let players = players_of(&row);
        Summary::new(row, players, last, now)
    }

    /// The same with the notes of its platform.
    pub(crate) fn with_notes(mut self, notes: Notes) -> Summary {
        self.row.display_name = notes.display_name;
        Summary { tags: notes.tags, ..self }
    }

    /// The score of the match's series; a match that follows none and has no next one is a series
    /// of its own.
    pub fn series(&self) -> Series {
        let winners: Vec<Seat> = self.now.winners.into_iter().flat_map(Seats::iter).collect();
        Series::of(&self.row, &winners)
    }

    /// Its rules; `None` if this process does not have them.
    pub fn game(&self) -> Option<&'static dyn Game> {
        game_of(&self.row).ok()
    }

    /// Whether it ended with a result that counts for ratings.
    pub fn is_rated(&self) -> bool {
        let has_result = self.now.winners.is_some_and(|it| !it.is_empty());
        has_result && !self.row.terms.is_casual()
    }

    pub fn reveal(&self) -> Reveal {
        Reveal::from_wait_s(self.row.terms.reveal_wait_s)
    }

    pub fn cast(&self) -> Cast {
        Cast::of(self.players.clone())
    }

    /// The seat of a player. The pseudonym of an erased player never matches.
    pub fn seat_of(&self, player: &str) -> Option<Seat> {
        let is_it = |it: &SeatedPlayer| it.player == player && !it.is_erased;
        Seat::nth(self.players.iter().position(|it| it.as_ref().is_some_and(is_it))?)
    }

    pub(crate) fn is_revealed(&self, now: OffsetDateTime) -> bool {
        let end = self.update_time.filter(|_| self.state == State::Ended);
        let wait_s = self.row.terms.reveal_wait_s;
        !self.is_unreadable && end.is_some_and(|end| is_revealed(wait_s, end, now))
    }
}

/// The last entry of a match, unless there is none or its content is not kept.
fn read(row: &MatchRow) -> Result<Option<RecordedEntry>, Error> {
    let game = game_of(row)?;
    let last = row.last.as_ref().filter(|last| !last.is_stub());
    last.map(|last| RecordedEntry::decode(last, game)).transpose()
}
