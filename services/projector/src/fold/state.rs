//! The fold of a match.

use clocks::Clocks;
use games::Game;
use positions::{Bucket, Position, Recorded};
use rows::{KeptResult, MatchRow, game_of};
use table::{Entry, Table, Viewer};
use time::OffsetDateTime;

use super::unreadable::Unreadable;

/// A match after one of its entries.
pub(crate) struct MatchState {
    /// The row without its players: these may be erased at any time, so models read them when they
    /// write.
    pub row: MatchRow,
    /// Private, so that no model can depend on the game.
    game: &'static dyn Game,
    /// The table as the house sees it. A model must redact what it publishes.
    pub table: Table,
    /// `None` in a match without clocks.
    pub clocks: Option<Clocks>,
    pub position: Position,
    /// The time of the first entry.
    pub start_time: OffsetDateTime,
    /// The time of the last entry.
    pub update_time: OffsetDateTime,
    /// Whether only the result of the match is kept; if so, this is the match after its last entry.
    pub is_reduced: bool,
}

const MISSING: &str = "the entry is missing";

impl MatchState {
    pub fn bucket(&self) -> Bucket {
        Bucket::of(self.row.match_id)
    }

    /// The match before its first entry; `None` if its game is unknown.
    pub fn new(row: MatchRow) -> Option<MatchState> {
        let game = game_of(&row).ok()?;
        let seats = row.seats.try_into().ok()?;
        Some(MatchState {
            game,
            table: Table::new(game.layout(), seats, Viewer::House),
            clocks: Clocks::of(&row.terms.options, seats),
            position: Position::START,
            start_time: row.create_time,
            update_time: row.create_time,
            is_reduced: false,
            row: MatchRow { seated: Vec::new(), ..row },
        })
    }

    /// When the next seat runs out of time; `None` if no clock runs.
    pub fn deadline(&self) -> Option<OffsetDateTime> {
        Some(self.clocks.as_ref()?.next()?.0)
    }

    /// Skips to the end of a match of which only the result is kept.
    pub fn complete(&mut self, kept: Option<KeptResult>) -> Result<(), Unreadable> {
        let (match_id, position) = (self.row.match_id, Position::START.next());
        let unreadable = |reason: String| Unreadable { match_id, position, reason };
        let kept = kept.ok_or_else(|| unreadable(MISSING.to_owned()))?;
        let seats = self.table.seat_count() as u8;
        let table = Table::decode_kept(&kept.table, self.game.layout(), seats);
        self.table = table.map_err(|source| unreadable(source.to_string()))?;
        self.clocks = None;
        self.position = kept.position;
        (self.start_time, self.update_time) = (kept.start_time, kept.end_time);
        self.is_reduced = true;
        Ok(())
    }

    /// Applies the next entry.
    pub fn apply(&mut self, recorded: &Recorded) -> Result<(), Unreadable> {
        let match_id = self.row.match_id;
        let next = self.position.next();
        if self.is_reduced && recorded.position <= self.position {
            return Ok(());
        }
        if recorded.position != next {
            return Err(Unreadable { match_id, position: next, reason: MISSING.to_owned() });
        }
        let entry = Entry::decode(&recorded.body, self.game.layout());
        let entry = entry.map_err(|source| Unreadable {
            match_id,
            position: next,
            reason: source.to_string(),
        })?;
        self.table.apply(&entry);
        if let Some(clocks) = &mut self.clocks {
            clocks.apply(&entry, recorded.create_time, &self.table);
        }
        if self.position == Position::START {
            self.start_time = recorded.create_time;
        }
        (self.position, self.update_time) = (recorded.position, recorded.create_time);
        Ok(())
    }

    /// A match of three players after these events.
    #[cfg(test)]
    pub fn sample(game: &str, reveal_wait_s: Option<i64>, events: Vec<table::Event>) -> MatchState {
        let row = MatchRow {
            match_id: rows::MatchId(sqlx::types::Uuid::from_u128(7)),
            platform: "ours".to_owned(),
            game: game.to_owned(),
            seats: 3,
            terms: rows::Terms { reveal_wait_s, ..rows::Terms::default() },
            request_digest: Vec::new(),
            next: None,
            is_in_lobby: false,
            display_name: None,
            create_time: OffsetDateTime::UNIX_EPOCH,
            seated: Vec::new(),
            last: None,
        };
        let mut state = MatchState::new(row).unwrap();
        state.table.apply(&Entry {
            rules: 1,
            choices: Vec::new(),
            players: Vec::new(),
            seat: None,
            verb: table::OPEN,
            action: None,
            events,
            prompts: Vec::new(),
        });
        state
    }
}
