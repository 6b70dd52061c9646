//! Entries as one viewer sees them, one or a page, and the stamps that identify entries.

use positions::{Digest, Position};
use rows::{MatchId, RedactedEntry, Stamp};

use super::holding::Known;
use crate::access::{Caller, RequestedViewer};
use crate::error::Error;
use crate::matches::Matches;

impl Matches {
    pub async fn entry(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: RequestedViewer,
        position: Position,
    ) -> Result<RedactedEntry, Error> {
        if position.0 < 1 {
            return Err(Error::NoSuchEntry);
        }
        let before = Position(position.0 - 1);
        let mut page = self.entries(caller, match_id, requested, before, None, 1).await?;
        page.pop().ok_or(Error::NoSuchEntry)
    }

    /// The stamp of an entry, even if its content is not kept. A receipt may be signed for it,
    /// because the record is checked from the start of the match up to the entry, as far as it is
    /// kept.
    pub async fn stamp(
        &self,
        caller: &Caller,
        match_id: MatchId,
        position: Position,
    ) -> Result<Stamp, Error> {
        let live = self.live(caller, match_id).await?;
        self.0.live.refresh(&live).await?;
        match live.stamp(&self.0.live.pages, position).await {
            // The match was reduced in the meantime, which keeps the stamps.
            Err(Error::HistoryNotKept) => {
                let live = Box::pin(self.0.live.load(live.platform(), match_id)).await?;
                live.stamp(&self.0.live.pages, position).await
            }
            stamp => stamp,
        }
    }

    /// Up to `limit` entries after `after`, in order. Fails if the entry there has another digest
    /// than `after_digest`.
    pub async fn entries(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: RequestedViewer,
        after: Position,
        after_digest: Option<Digest>,
        limit: usize,
    ) -> Result<Vec<RedactedEntry>, Error> {
        let known = Known::of_request(after, after_digest)?;
        let live = self.live(caller, match_id).await?;
        let source = self.0.live.refresh_or_stale(&live).await?;
        let viewer = caller.viewer(&live, requested)?;
        self.check_known(&live, known).await?;
        let page = self.0.live.entries_of(&live, source, after, limit).await?;
        Ok(page.iter().map(|entry| live.redact(entry, viewer)).collect())
    }
}
