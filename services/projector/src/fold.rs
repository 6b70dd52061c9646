//! Matches as they stood when their last entry was taken in, each the fold of its entries.
//!
//! They are kept at hand from one page of the log to the next, and read again from the log if they
//! are not: what is in memory decides nothing.

use std::collections::HashMap;

use games::Game;
use store::{Bucket, MatchId, MatchRow, Position, Recorded, Store};
use table::{Entry, Table, Viewer};
use time::OffsetDateTime;

use crate::Error;

/// A match and its table after an entry.
pub(crate) struct Folded {
    pub row: MatchRow,
    pub game: &'static dyn Game,
    pub table: Table,
    pub position: Position,
    /// Of the first entry and of the last.
    pub start_time: OffsetDateTime,
    pub update_time: OffsetDateTime,
}

/// The matches at hand.
#[derive(Default)]
pub(crate) struct Folds {
    matches: HashMap<MatchId, Folded>,
}

/// Matches kept at hand by a model: some 10 MB, and more than are played at once in a few buckets.
/// Above it all are let go, for whatever is needed is a short read away.
const MATCHES_MAX: usize = 8192;

/// Entries read at a time when a match is folded from its beginning.
const PAGE: i64 = 500;

impl Folds {
    /// Lets a page of the log take effect and returns the matches in it, in the order of their ids.
    pub async fn apply(
        &mut self,
        store: &Store,
        entries: &[(MatchId, Recorded)],
    ) -> Result<Vec<&Folded>, Error> {
        let mut firsts: HashMap<MatchId, Position> = HashMap::new();
        for (match_id, entry) in entries {
            firsts.entry(*match_id).or_insert(entry.position);
        }
        self.fetch(store, &firsts).await?;
        for (match_id, entry) in entries {
            let folded = self.matches.get_mut(match_id).expect("fetched above");
            folded.apply(entry)?;
        }
        let mut touched: Vec<_> = firsts.keys().map(|match_id| &self.matches[match_id]).collect();
        touched.sort_unstable_by_key(|folded| folded.row.match_id);
        Ok(touched)
    }

    /// Lets go of matches that nothing more is to come of.
    pub fn sweep(&mut self) {
        self.matches.retain(|_, folded| !folded.table.ended());
        if self.matches.len() > MATCHES_MAX {
            self.matches.clear();
        }
    }

    pub fn clear(&mut self) {
        self.matches.clear();
    }

    /// Brings each match to just before its first entry of a page.
    async fn fetch(
        &mut self,
        store: &Store,
        firsts: &HashMap<MatchId, Position>,
    ) -> Result<(), Error> {
        let is_at_hand = |match_id: &MatchId, first: &Position| {
            self.matches.get(match_id).is_some_and(|folded| folded.position < *first)
        };
        let unknown: Vec<MatchId> =
            firsts.iter().filter(|(id, first)| !is_at_hand(id, first)).map(|(id, _)| *id).collect();
        let rows = store.find_all(&unknown).await?;
        self.matches
            .extend(rows.into_iter().filter_map(|row| Some((row.match_id, Folded::new(row)?))));
        for (&match_id, &first) in firsts {
            let folded = self.matches.get_mut(&match_id).ok_or(Error::NoSuchMatch(match_id))?;
            while folded.position.next() < first {
                let page = store.entries(match_id, folded.position, PAGE).await?;
                let before = page.iter().take_while(|entry| entry.position < first);
                before.into_iter().try_for_each(|entry| folded.apply(entry))?;
            }
        }
        Ok(())
    }
}

impl Folded {
    pub fn bucket(&self) -> Bucket {
        Bucket::of(self.row.match_id)
    }

    /// Before the first entry. None for a game that is not known here.
    fn new(row: MatchRow) -> Option<Folded> {
        let game = games::find(&row.game)?;
        let seats = row.seats.try_into().ok()?;
        Some(Folded {
            game,
            table: Table::new(game.layout(), seats, Viewer::House),
            position: Position::START,
            start_time: row.create_time,
            update_time: row.create_time,
            row,
        })
    }

    fn apply(&mut self, recorded: &Recorded) -> Result<(), Error> {
        let entry = Entry::decode(&recorded.body, self.game.layout()).map_err(|source| {
            let match_id = self.row.match_id;
            Error::Undecodable { match_id, position: recorded.position, source }
        })?;
        self.table.apply(&entry);
        if self.position == Position::START {
            self.start_time = recorded.create_time;
        }
        (self.position, self.update_time) = (recorded.position, recorded.create_time);
        Ok(())
    }
}
