//! Catching up with the log.

use std::sync::Arc;

use event_log::Header;
use positions::{Position, Recorded};
use records::Checked;
use rows::may_replace;
use store::Store;

use super::live_match::LiveMatch;
use super::pages::{PAGE_MAX, Pages};
use crate::error::Error;

impl LiveMatch {
    /// Applies the entries after the head. Returns whether the head moved.
    pub async fn refresh(&self, pages: &Pages) -> Result<bool, Error> {
        let (before, store) = (self.position(), &pages.store);
        loop {
            if !self.is_current(store) {
                return Err(Error::RecordWentBack { position: None, resume: None });
            }
            let at = self.checked();
            self.write().behind = false;
            let rows = self.rows_after_head(store, at).await?;
            if rows.iter().any(may_replace) || !rows.is_empty() && !self.is_full() {
                let row = store.find(self.platform(), self.id()).await?;
                self.set_seated(&row.ok_or(Error::NoSuchMatch)?);
            }
            // Whoever decides next reads the match again, and finds the rules of its first entry.
            let is_of_others = self.row.last.is_none()
                && rows.first().is_some_and(|it| self.is_dealt_by_others(it));
            if is_of_others {
                self.give_up();
            }
            let is_full = rows.len() == PAGE_MAX;
            let decoded = self.decoded(pages, at, rows).await;
            let (checked, page) =
                decoded.inspect_err(|error| self.note(error)).map_err(|error| {
                    match error {
                        // The entries in memory may be the wrong ones.
                        Error::RecordAltered { .. } if before > self.read().base => {
                            Error::RecordWentBack { position: None, resume: None }
                        }
                        other => other,
                    }
                })?;
            self.write().has_digests |= checked.has_digests;
            let page: Result<Vec<_>, Error> =
                page.into_iter().map(|entry| Ok(Arc::new(self.open(entry)?))).collect();
            self.apply(page?);
            self.save_snapshots(store);
            if !is_full {
                return Ok(self.position() != before);
            }
        }
    }

    /// Reads the entries after the head. Compares the head's row and the match's row with what is
    /// in memory, so that alterations are detected.
    async fn rows_after_head(&self, store: &Store, at: Checked) -> Result<Vec<Recorded>, Error> {
        if at.position == Position::START {
            let rows = store.log().entries(self.id(), at.position, PAGE_MAX as i64).await?;
            self.check_kept(&rows)?;
            return Ok(rows);
        }
        let reading = store.log().entries_from(self.id(), at.position, PAGE_MAX as i64 + 1);
        let (header, mut rows) = reading.await?;
        // A match that is at its end in memory is still served, even if it was reduced to its
        // result.
        let is_at_end = self.has_ended() && rows.len() == 1;
        if !is_at_end {
            self.check_kept(&rows)?;
        }
        if !self.holds(at, header.as_ref(), rows.first()) {
            self.write().is_refuted = true;
            return Err(Error::RecordWentBack { position: None, resume: None });
        }
        rows.remove(0);
        Ok(rows)
    }

    /// Whether the record still has the match's parameters and the row of the head, which was at
    /// `at`. If the match was reduced to its result, the seed and the content of the row are gone.
    fn holds(&self, at: Checked, header: Option<&Header>, row: Option<&Recorded>) -> bool {
        let Some(((header, row), known)) = header.zip(row).zip(self.header.as_ref()) else {
            return false;
        };
        let is_known = if row.is_stub() { known.starts_with(header) } else { known == header };
        if !is_known || row.position != at.position {
            return false;
        }
        if self.is_reduced() && !row.is_stub() {
            return false;
        }
        let state = self.read();
        // If the head has moved, the next read compares the new one.
        state.head.position != at.position || {
            // A match restored from a snapshot has not read the row.
            let recent = state.recent.back().filter(|_| !row.is_stub());
            let is_same = recent.is_none_or(|entry| {
                let seat = entry.entry.seat;
                self.digests.digest_of_row(state.before, seat, row) == at.digest
            });
            is_same && row.digest.map_or(!at.has_digests, |stored| stored == at.digest)
        }
    }
}
