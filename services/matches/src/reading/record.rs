//! The whole record of a revealed match, for verification: the rows as they are stored, always read
//! from the database.

use std::pin::Pin;
use std::sync::Arc;

use futures::Stream;
use games::Game;
use positions::{Position, Recorded};
use records::{Checked, Digests};
use rows::{MatchId, MatchRow, Seed, game_of};
use table::Entry;

use crate::access::{Caller, OpenStream, StreamKind};
use crate::error::Error;
use crate::live::LiveMatch;
use crate::matches::Matches;

/// Entries read and sent at a time: some ten kilobytes.
const PAGE_MAX: usize = 100;

/// A match as it is recorded.
pub struct Record {
    pub row: MatchRow,
    pub seed: Seed,
    pub pages: RecordPages,
}

/// The entries in order, as they are stored and decoded. No page is empty.
pub type RecordPages = Pin<Box<dyn Stream<Item = Result<Vec<(Recorded, Entry)>, Error>> + Send>>;

impl Matches {
    /// The record of a revealed match, for every caller who may read the match. It has the current
    /// players and the keys of their speech, except of erased players.
    pub async fn read_record(&self, caller: &Caller, match_id: MatchId) -> Result<Record, Error> {
        let open = self.open_stream(caller, StreamKind::OneMatch)?;
        let (live, _) = self.current(caller, match_id).await?;
        if live.is_reduced() {
            return Err(Error::HistoryNotKept);
        }
        live.check_revealed()?;
        let loaded = self.0.store.load(&caller.platform, match_id).await?;
        let loaded = loaded.ok_or(Error::NoSuchMatch)?;
        let (row, seed) = (loaded.row, loaded.seed.ok_or(Error::HistoryNotKept)?);
        let digests = Digests::new(&row, &seed)?;
        let reading = Reading {
            matches: self.clone(),
            game: game_of(&row)?,
            at: digests.start(),
            digests,
            until: live.position(),
            live,
            _open: open,
        };
        let pages = Box::pin(futures::stream::unfold(Some(reading), Reading::page));
        Ok(Record { row, seed, pages })
    }
}

struct Reading {
    matches: Matches,
    live: Arc<LiveMatch>,
    game: &'static dyn Game,
    digests: Digests,
    /// The last entry read.
    at: Checked,
    until: Position,
    _open: OpenStream,
}

impl Reading {
    /// The next page, and the state to continue with; `None` after an error or the end.
    async fn page(
        reading: Option<Reading>,
    ) -> Option<(Result<Vec<(Recorded, Entry)>, Error>, Option<Reading>)> {
        let mut reading = reading?;
        if reading.at.position >= reading.until {
            return None;
        }
        match reading.next().await {
            Ok(page) => Some((Ok(page), Some(reading))),
            Err(error) => {
                let live = &reading.matches.0.live;
                live.pages.tell_if_altered(reading.live.id(), &error);
                Some((Err(live.explain(&reading.live, error).await), None))
            }
        }
    }

    async fn next(&mut self) -> Result<Vec<(Recorded, Entry)>, Error> {
        let left = usize::try_from(self.until.0 - self.at.position.0).unwrap_or(PAGE_MAX);
        let limit = left.min(PAGE_MAX);
        let pages = self.matches.0.live.pages.patient();
        let reading = pages.rows(self.live.platform(), self.live.id(), self.at.position, limit);
        let drain = &self.matches.0.drain;
        let rows = drain.run_until_cancelled(reading).await.ok_or(Error::ShuttingDown)??;
        if rows.is_empty() {
            return Err(Error::RecordAltered { position: self.at.position.next() });
        }
        let (digests, game, mut at) = (self.digests.clone(), self.game, self.at);
        let decode = move || {
            let decode = |row: Recorded| {
                let entry = digests.next(&mut at, &row, game)?.entry;
                Ok::<_, rows::Error>((row, entry))
            };
            let page: Result<Vec<_>, _> = rows.into_iter().map(decode).collect();
            page.map(|page| (at, page))
        };
        let (at, page) = pages.work(self.live.platform(), PAGE_MAX, decode).await??;
        self.at = at;
        Ok(page)
    }
}
