//! What can be looked at: a match and how it stands, what a seat may do, the table through anyone's eyes.

use std::collections::BTreeMap;

use games::{Game, Legal};
use log::{MatchId, MatchRow, Page, Position};
use table::{Event, Seat, Seats, Table, Viewer};
use time::OffsetDateTime;

use crate::cell::{Cell, PAGE_MAX, Placed, game_of, options_of, players_of};
use crate::{Caller, Error, Matches, Wanted};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Open,
    Running,
    Ended,
}

/// A match and how it stands, as far as everybody may know.
#[derive(Clone, Debug)]
pub struct Summary {
    pub match_id: MatchId,
    pub game: String,
    pub state: State,
    pub players: Vec<Option<String>>,
    pub options: BTreeMap<String, String>,
    pub position: Position,
    pub create_time: OffsetDateTime,
    pub update_time: Option<OffsetDateTime>,
    pub waiting_for: Vec<Seat>,
    pub scores: Vec<i32>,
    pub winners: Vec<Seat>,
    pub seed_commitment: Vec<u8>,
    /// Only once the match has ended.
    pub seed: Option<[u8; 32]>,
}

/// The last match of a page: the next one begins after it.
pub type Cursor = (OffsetDateTime, MatchId);

pub struct SummaryPage {
    pub summaries: Vec<Summary>,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
}

pub struct LegalActions {
    pub game: &'static dyn Game,
    pub position: Position,
    pub actions: Vec<Legal>,
}

pub struct View {
    pub match_id: MatchId,
    pub viewer: Viewer,
    pub position: Position,
    pub table: Table,
}

impl Matches {
    pub async fn get(&self, caller: &Caller, match_id: MatchId) -> Result<Summary, Error> {
        let cell = self.cell(caller, match_id).await?;
        self.look_again(&cell).await?;
        Ok(self.summary(&cell))
    }

    /// A platform's matches, newest first.
    pub async fn list(
        &self,
        caller: &Caller,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<SummaryPage, Error> {
        let platform = caller.platform()?;
        let rows = self.0.log.list(platform, Page { after, size: limit as i64 }).await?;
        let last = rows.last().filter(|_| rows.len() == limit);
        let next = last.map(|row| (row.create_time, row.match_id));
        let summaries = rows.iter().map(summary_of_row).collect::<Result<_, _>>()?;
        Ok(SummaryPage { summaries, next })
    }

    /// What a seat may do, worked out from nothing but what that seat sees.
    pub async fn legal(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
    ) -> Result<LegalActions, Error> {
        let cell = self.cell(caller, match_id).await?;
        let seat = cell.seated(caller.acts_as(seat)?)?;
        self.look_again(&cell).await?;
        let head = cell.head();
        let table = head.table.ok_or(Error::NotStarted)?;
        let actions = cell.game.legal(&table.seen_by(Viewer::Seat(seat)), seat);
        Ok(LegalActions { game: cell.game, position: head.position, actions })
    }

    /// The table through the caller's eyes, now or after the entry at `position`.
    pub async fn view(
        &self,
        caller: &Caller,
        match_id: MatchId,
        wanted: Wanted,
        position: Option<Position>,
    ) -> Result<View, Error> {
        let cell = self.cell(caller, match_id).await?;
        self.look_again(&cell).await?;
        let head = cell.head();
        let table = head.table.ok_or(Error::NotStarted)?;
        let viewer = caller.looks_as(wanted, table.ended())?;
        cell.check_viewer(viewer)?;
        let position = position.unwrap_or(head.position);
        let table = match position {
            Position(..=0) => {
                return Err(Error::Invalid("positions are counted from 1".to_owned()));
            }
            ahead if ahead > head.position => {
                return Err(Error::PositionAhead { position: head.position });
            }
            last if last == head.position => table,
            past => self.table_at(&cell, past).await?,
        };
        Ok(View { match_id, viewer, position, table: table.seen_by(viewer) })
    }

    /// The table as it was: a fold of the log up to there, never of rules run again.
    async fn table_at(&self, cell: &Cell, position: Position) -> Result<Table, Error> {
        let mut table = Table::new(cell.game.layout(), cell.seats(), Viewer::House);
        let mut at = Position::START;
        while at < position {
            let left = usize::try_from(position.0 - at.0).unwrap_or(PAGE_MAX).min(PAGE_MAX);
            let page = cell.since(&self.0.log, at, left).await?;
            at = page.last().ok_or_else(|| Error::Internal("the log has a gap".into()))?.position;
            page.iter().for_each(|placed| table.enter(&placed.entry));
        }
        Ok(table)
    }

    /// Asks the log for what other processes recorded. If it does not answer, what is in memory is what there is to see.
    pub(crate) async fn look_again(&self, cell: &Cell) -> Result<(), Error> {
        match cell.refresh(&self.0.log).await {
            Err(Error::DatabaseUnavailable { .. }) if cell.position() > Position::START => Ok(()),
            other => other.map(|_| ()),
        }
    }

    pub(crate) fn summary(&self, cell: &Cell) -> Summary {
        let head = cell.head();
        let table = head.table.as_ref();
        let winners = table.and_then(Table::winners);
        let must = table.into_iter().flat_map(|table| table.live().filter(|prompt| prompt.must));
        Summary {
            match_id: cell.id(),
            game: cell.game.name().to_owned(),
            state: state(table.is_some(), winners),
            players: cell.players(),
            options: cell.options.clone(),
            position: head.position,
            create_time: cell.row().create_time,
            update_time: head.update_time,
            waiting_for: seats_once(must.map(|prompt| prompt.seat)),
            scores: table.map(|table| table.scores().to_vec()).unwrap_or_default(),
            winners: winners.map(|it| it.iter().collect()).unwrap_or_default(),
            seed_commitment: cell.row().seed_commitment.clone(),
            seed: winners.map(|_| *cell.seed()),
        }
    }
}

/// A match as its last entry shows it: whoever lists many does not read them whole. Points are those that this entry gave.
fn summary_of_row(row: &MatchRow) -> Result<Summary, Error> {
    let game = game_of(row)?;
    let last = row.last.as_ref().map(|last| Placed::decode(last, game)).transpose()?;
    let entry = last.as_ref().map(|last| &last.entry);
    let events = || entry.into_iter().flat_map(|entry| &entry.events);
    let winners = events().find_map(|event| match event {
        Event::Ended { winners } => Some(*winners),
        _ => None,
    });
    let must = entry.into_iter().flat_map(|entry| &entry.prompts).filter(|prompt| prompt.must);
    Ok(Summary {
        match_id: row.match_id,
        game: row.game.clone(),
        state: state(entry.is_some(), winners),
        players: players_of(row),
        options: options_of(row)?,
        position: last.as_ref().map_or(Position::START, |last| last.position),
        create_time: row.create_time,
        update_time: last.as_ref().map(|last| last.create_time),
        waiting_for: seats_once(must.map(|prompt| prompt.seat)),
        scores: events()
            .filter_map(|event| match event {
                Event::Scored { points, .. } => Some(*points),
                _ => None,
            })
            .collect(),
        winners: winners.map(|it| it.iter().collect()).unwrap_or_default(),
        seed_commitment: row.seed_commitment.clone(),
        seed: None,
    })
}

fn state(dealt: bool, winners: Option<Seats>) -> State {
    match (dealt, winners) {
        (false, _) => State::Open,
        (true, None) => State::Running,
        (true, Some(_)) => State::Ended,
    }
}

/// The seats that must decide something, in order, each once.
fn seats_once(seats: impl Iterator<Item = Seat>) -> Vec<Seat> {
    let mut seats: Vec<Seat> = seats.collect();
    seats.sort_unstable();
    seats.dedup();
    seats
}
