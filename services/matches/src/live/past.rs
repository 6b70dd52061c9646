//! The past of a match: its entries and tables as they were.

use std::sync::Arc;

use positions::Position;
use rows::RecordedEntry;
use store::SNAPSHOT_INTERVAL;
use table::{Table, Viewer};

use super::current::Source;
use super::live_match::LiveMatch;
use super::loading::LiveMatches;
use super::pages::PAGE_MAX;
use crate::access::Lane;
use crate::error::Error;

impl LiveMatches {
    /// The table at an earlier position, folded from the log and the last snapshot before it. Rules
    /// are not run again.
    pub async fn table_at(
        &self,
        live: &LiveMatch,
        source: Source,
        position: Position,
    ) -> Result<Table, Error> {
        let mut start = None;
        if position.0 >= SNAPSHOT_INTERVAL {
            let finding = live.snapshot_before(&self.pages.store, position);
            start = self.pages.budgets.in_lane(Lane::Lists, live.platform(), finding).await?;
        }
        if live.is_reduced() {
            return Err(Error::HistoryNotKept);
        }
        let (mut at, mut table) = match start {
            Some((snapshot, table)) => (snapshot.position, table),
            None => {
                let table = Table::new(live.game.layout(), live.seats(), Viewer::House);
                (Position::START, table)
            }
        };
        while at < position {
            let left = usize::try_from(position.0 - at.0).unwrap_or(PAGE_MAX).min(PAGE_MAX);
            let page = self.entries_of(live, source, at, left).await?;
            at = page.last().ok_or_else(|| Error::Internal("the log has a gap".into()))?.position;
            page.iter().for_each(|recorded| table.apply(&recorded.entry));
        }
        Ok(table)
    }

    /// Up to `limit` entries after `after`. They are read from the record even if they are in
    /// memory, so that alterations are detected.
    pub async fn entries_of(
        &self,
        live: &LiveMatch,
        source: Source,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<RecordedEntry>>, Error> {
        let page = match source {
            Source::Record => live.recorded_after(&self.pages, after, limit).await,
            Source::Memory => live.entries_after(&self.pages, after, limit).await,
        };
        match page {
            Err(error) => Err(self.explain(live, error).await),
            page => page,
        }
    }
}
