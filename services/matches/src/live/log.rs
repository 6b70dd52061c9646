//! Reading the log of a match: each row is checked against the one before it.

use std::sync::Arc;

use positions::{Digest, Position, Recorded};
use records::Checked;
use rows::{RecordedEntry, Stamp};
use table::Observation;

use super::live_match::LiveMatch;
use super::pages::{PAGE_MAX, Pages};
use crate::error::Error;

impl LiveMatch {
    /// Up to `limit` entries after `after`, from memory if all of them are there, otherwise from
    /// the log.
    pub async fn entries_after(
        &self,
        pages: &Pages,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<RecordedEntry>>, Error> {
        if let Some(recent) = self.recent_after(after, limit) {
            return Ok(recent);
        }
        self.read_log(pages, after, limit).await
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

    /// Lets an observation that has heard the entries up to `heard` hear those up to `to`.
    pub async fn tell(
        &self,
        pages: &Pages,
        observation: &mut Observation,
        mut heard: Position,
        to: Position,
    ) -> Result<(), Error> {
        while heard < to {
            let entries = self.entries_after(pages, heard, PAGE_MAX).await?;
            let Some(last) = entries.last().map(|entry| entry.position) else {
                return Err(Error::Internal("the log has a gap".into()));
            };
            let told = entries.iter().filter(|entry| entry.position <= to);
            told.for_each(|entry| observation.hear(&entry.entry));
            heard = last;
        }
        Ok(())
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
        pages: &Pages,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<RecordedEntry>>, Error> {
        let left = usize::try_from(self.position().0.saturating_sub(after.0)).unwrap_or(0);
        let page = self.read_log(pages, after, limit).await?;
        match page.len() < left.min(limit) {
            true => {
                let position = Position(after.0 + 1 + page.len() as i64);
                Err(self.altered(pages, position))
            }
            false => Ok(page),
        }
    }

    fn altered(&self, pages: &Pages, position: Position) -> Error {
        let error = Error::RecordAltered { position };
        pages.tell_if_altered(self.id(), &error);
        error
    }

    /// Reads entries from the log, and the row before them for its digest.
    async fn read_log(
        &self,
        pages: &Pages,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<RecordedEntry>>, Error> {
        let before = Position(after.0.saturating_sub(1).max(0));
        let has_before = after > Position::START;
        // One more than there are, as far as this process knows, so that news are found too.
        let left = usize::try_from(self.position().0 - after.0).unwrap_or(0) + 1;
        let limit = limit.min(left) + usize::from(has_before);
        let mut rows = pages.rows(self.platform(), self.id(), before, limit).await?;
        self.check_kept(&rows)?;
        let at = match rows.first() {
            None => return Ok(Vec::new()),
            Some(_) if !has_before => self.digests.start(),
            Some(last) if last.position != after => {
                return Err(self.altered(pages, after));
            }
            Some(_) if rows.len() == 1 => return Ok(Vec::new()),
            Some(last) => match last.digest {
                Some(digest) => Checked { position: after, digest, has_digests: true },
                // A release that knew no digests recorded it, or the digest was removed.
                None => self.check_up_to(pages, after).await?.0,
            },
        };
        if has_before {
            rows.remove(0);
        }
        let keys = self.read().speech_keys.clone();
        let decoded = self.decoded(pages, at, rows).await;
        let (_, page) = decoded.inspect_err(|it| pages.tell_if_altered(self.id(), it))?;
        let opened = |entry: RecordedEntry| Ok(Arc::new(entry.opened(&keys)?));
        page.into_iter().map(opened).collect()
    }

    /// Decodes the entries after the one at `at`, and checks their digests. Returns the last one's.
    /// Speech in them stays sealed.
    pub(super) async fn decoded(
        &self,
        pages: &Pages,
        mut at: Checked,
        rows: Vec<Recorded>,
    ) -> Result<(Checked, Vec<RecordedEntry>), Error> {
        let (digests, game, count) = (self.digests.clone(), self.game, rows.len());
        let decode = move || {
            let page = rows.iter().map(|row| digests.next(&mut at, row, game));
            let page: Result<Vec<RecordedEntry>, rows::Error> = page.collect();
            page.map(|page| (at, page))
        };
        Ok(pages.work(self.platform(), count, decode).await??)
    }

    /// Reads and checks the log from the start up to a position, which must not be after the head.
    /// Also returns the last entry, with its speech sealed.
    pub async fn check_up_to(
        &self,
        pages: &Pages,
        until: Position,
    ) -> Result<(Checked, Option<RecordedEntry>), Error> {
        let (mut at, mut last) = (self.digests.start(), None);
        while at.position < until {
            let left = (until.0 - at.position.0).min(PAGE_MAX as i64) as usize;
            let rows = pages.rows(self.platform(), self.id(), at.position, left).await?;
            self.check_kept(&rows)?;
            if rows.is_empty() {
                return Err(self.altered(pages, at.position.next()));
            }
            let decoded = self.decoded(pages, at, rows).await;
            let (checked, mut page) =
                decoded.inspect_err(|it| pages.tell_if_altered(self.id(), it))?;
            (at, last) = (checked, page.pop());
        }
        Ok((at, last))
    }

    /// The identity of an entry, checked from the start as far as the match is kept.
    pub async fn stamp(&self, pages: &Pages, position: Position) -> Result<Stamp, Error> {
        if position < Position(1) || position > self.position() {
            return Err(Error::NoSuchEntry);
        }
        let match_id = self.id();
        if self.is_reduced() {
            let before = Position(position.0 - 1);
            let row = pages.rows(self.platform(), match_id, before, 1).await?.pop();
            let row = row.filter(|row| row.position == position).ok_or(Error::NoSuchEntry)?;
            let (create_time, digest) = (row.create_time, row.digest);
            return Ok(Stamp { match_id, position, create_time, digest });
        }
        let (at, entry) = self.check_up_to(pages, position).await?;
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
