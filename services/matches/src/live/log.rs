//! Reading the log of a match: each row is checked against the one before it.

use std::sync::Arc;

use positions::{Digest, Position, Recorded};
use records::Checked;
use rows::{RecordedEntry, Stamp};
use store::Store;

use super::live_match::LiveMatch;
use crate::error::Error;

/// Entries read from the log at a time: about 100 KB of the largest game.
pub(crate) const PAGE_MAX: usize = 500;

impl LiveMatch {
    /// Up to `limit` entries after `after`, from memory if all of them are there, otherwise from
    /// the log.
    pub async fn entries_after(
        &self,
        store: &Store,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<RecordedEntry>>, Error> {
        if let Some(recent) = self.recent_after(after, limit) {
            return Ok(recent);
        }
        self.read_log(store, after, limit).await
    }

    pub(super) fn recent_after(
        &self,
        after: Position,
        limit: usize,
    ) -> Option<Vec<Arc<RecordedEntry>>> {
        let state = self.read();
        if after >= state.head.position {
            return Some(Vec::new());
        }
        let first = state.recent.front()?.position;
        let skip = usize::try_from(after.0 + 1 - first.0).ok()?;
        Some(state.recent.iter().skip(skip).take(limit).cloned().collect())
    }

    /// The digest of an entry, if the entry is in memory; `Some(None)` if it has none.
    pub fn recent_digest(&self, at: Position) -> Option<Option<Digest>> {
        let recent = self.recent_after(Position(at.0.checked_sub(1)?), 1)?;
        recent.first().map(|entry| entry.digest)
    }

    /// Up to `limit` entries after `after`, from the log. Fails if the log has fewer than the head
    /// says.
    pub async fn recorded_after(
        &self,
        store: &Store,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<RecordedEntry>>, Error> {
        let left = usize::try_from(self.position().0.saturating_sub(after.0)).unwrap_or(0);
        let page = self.read_log(store, after, limit).await?;
        match page.len() < left.min(limit) {
            true => {
                Err(Error::RecordAltered { position: Position(after.0 + 1 + page.len() as i64) })
            }
            false => Ok(page),
        }
    }

    /// Reads entries from the log, and the row before them for its digest.
    async fn read_log(
        &self,
        store: &Store,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<RecordedEntry>>, Error> {
        let before = Position(after.0.saturating_sub(1).max(0));
        let has_before = after > Position::START;
        let rows = store.log().entries(self.id(), before, (limit + usize::from(has_before)) as i64);
        let rows = rows.await?;
        self.check_kept(&rows)?;
        let (mut at, rows) = match rows.split_first() {
            None => return Ok(Vec::new()),
            Some(_) if !has_before => (self.digests.start(), &rows[..]),
            Some((last, _)) if last.position != after => {
                return Err(Error::RecordAltered { position: after });
            }
            Some((last, rows)) => match last.digest {
                _ if rows.is_empty() => return Ok(Vec::new()),
                Some(digest) => (Checked { position: after, digest, has_digests: true }, rows),
                // A release that knew no digests recorded it, or the digest was removed.
                None => (self.check_up_to(store, after).await?.0, rows),
            },
        };
        let keys = self.read().speech_keys.clone();
        let mut next = |row| self.digests.next(&mut at, row, self.game)?.opened(&keys);
        rows.iter().map(|row| Ok(Arc::new(next(row)?))).collect()
    }

    /// Reads and checks the log from the start up to a position, which must not be after the head.
    /// Also returns the last entry, with its speech sealed.
    pub async fn check_up_to(
        &self,
        store: &Store,
        until: Position,
    ) -> Result<(Checked, Option<RecordedEntry>), Error> {
        let (mut at, mut last) = (self.digests.start(), None);
        while at.position < until {
            let left = (until.0 - at.position.0).min(PAGE_MAX as i64);
            let rows = store.log().entries(self.id(), at.position, left).await?;
            self.check_kept(&rows)?;
            if rows.is_empty() {
                return Err(Error::RecordAltered { position: at.position.next() });
            }
            for row in &rows {
                last = Some(self.digests.next(&mut at, row, self.game)?);
            }
        }
        Ok((at, last))
    }

    /// The identity of an entry, checked from the start as far as the match is kept.
    pub async fn stamp(&self, store: &Store, position: Position) -> Result<Stamp, Error> {
        if position < Position(1) || position > self.position() {
            return Err(Error::NoSuchEntry);
        }
        let match_id = self.id();
        if self.is_reduced() {
            let row = store.log().entries(match_id, Position(position.0 - 1), 1).await?.pop();
            let row = row.filter(|row| row.position == position).ok_or(Error::NoSuchEntry)?;
            let (create_time, digest) = (row.create_time, row.digest);
            return Ok(Stamp { match_id, position, create_time, digest });
        }
        let (at, entry) = self.check_up_to(store, position).await?;
        let create_time = entry.ok_or(Error::NoSuchEntry)?.create_time;
        let digest = Some(at.digest).filter(|_| at.has_digests);
        Ok(Stamp { match_id, position, create_time, digest })
    }

    /// Fails if a row lacks its content although the match in memory is whole. Either it was
    /// reduced to its result, which the next caller loads, or it was altered.
    pub(super) fn check_kept(&self, rows: &[Recorded]) -> Result<(), Error> {
        if !self.is_reduced() && rows.iter().any(Recorded::is_stub) {
            self.give_up();
            return Err(Error::HistoryNotKept);
        }
        Ok(())
    }
}
