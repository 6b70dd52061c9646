//! Watching a match: its entries as a stream, as they are recorded.

use std::ops::ControlFlow;
use std::sync::Arc;

use positions::{Bucket, Digest, Position};
use rows::{MatchId, RecordedEntry};
use table::{Seat, Viewer};

use super::entry_stream::{EntrySource, EntryStream, Told};
use super::holding::Known;
use crate::access::{Caller, OpenStream, RequestedViewer, StreamKind};
use crate::attendance::Watching;
use crate::error::Error;
use crate::live::{Hold, LiveMatch};
use crate::matches::Matches;
use crate::went_back::{MatchWentBack, RecordWentBack, went_back_to};

/// Entries sent to a watcher at a time: enough to catch up fast, few enough for one message.
const BATCH_MAX: usize = 100;

impl Matches {
    /// The recorded entries after `after`, then each new entry once it is durable. If the record
    /// does not have the entry of `after_digest`, or goes back behind what was sent, the stream
    /// tells so and continues with what the record has. It ends after the last entry of an ended
    /// match, and with an error after the entry by which the caller's seat passes to another.
    pub async fn watch(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: RequestedViewer,
        after: Position,
        after_digest: Option<Digest>,
    ) -> Result<EntryStream, Error> {
        let mut after = Known::of_request(after, after_digest)?;
        let open = self.open_stream(caller, StreamKind::OneMatch)?;
        // Subscribe before refreshing, so that no entry in between is missed.
        let interest = self.0.follower.interest(Bucket::of(match_id));
        let (live, _) = self.current(caller, match_id).await?;
        let changed = live.subscribe();
        let viewer = caller.viewer(&live, requested)?;
        let hold = caller.hold(&live);
        let mut is_void = false;
        if after.digest.is_some() && !self.holds(&live, after).await? {
            after.position = self.last_unchanged(&live, after.position).await?;
            is_void = true;
        }
        if after.position > live.position() {
            return Err(Error::PositionAhead { position: live.position() });
        }
        let matches = self.clone();
        let digest = self.digest_at(&live, after.position).await?;
        let watcher = Watcher {
            matches,
            live,
            viewer,
            hold,
            is_lost: false,
            at: Known { position: after.position, digest },
            is_void,
            changed,
            _interest: interest,
            _open: open,
            _watching: self.0.attendance.watch(match_id, seat_of(viewer)),
        };
        Ok(watcher.into_stream())
    }
}

struct Watcher {
    matches: Matches,
    live: Arc<LiveMatch>,
    viewer: Viewer,
    hold: Option<Hold>,
    /// Whether the entry was sent with which it ended.
    is_lost: bool,
    /// The last entry sent.
    at: Known,
    /// Whether the watcher was sent entries after that one which the record does not have, and was
    /// not told so yet.
    is_void: bool,
    changed: tokio::sync::watch::Receiver<()>,
    /// While this is held, the follower delivers other processes' entries of the match's bucket.
    _interest: event_log::follow::Interest,
    _open: OpenStream,
    _watching: Watching,
}

fn seat_of(viewer: Viewer) -> Option<Seat> {
    match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator | Viewer::House => None,
    }
}

impl EntrySource for Watcher {
    /// Waits for entries. Returns none after the last entry of an ended match.
    async fn next(&mut self) -> Result<Option<Told>, Error> {
        loop {
            if !self.is_current() {
                self.reload().await?;
            }
            match self.read_or_wait().await {
                Ok(ControlFlow::Break(told)) => return Ok(told),
                Ok(ControlFlow::Continue(())) => {}
                // It went back meanwhile.
                Err(Error::RecordWentBack { .. }) if !self.is_current() => {}
                Err(error) => return Err(error),
            }
        }
    }

    async fn explain(&self, error: Error) -> Error {
        self.matches.0.live.explain(&self.live, error).await
    }
}

impl Watcher {
    fn is_current(&self) -> bool {
        self.live.is_current(&self.matches.0.store)
    }

    /// Breaks with what comes next. If there is nothing yet, waits, after which there may be.
    async fn read_or_wait(&mut self) -> Result<ControlFlow<Option<Told>>, Error> {
        if std::mem::take(&mut self.is_void) {
            return Ok(ControlFlow::Break(Some(Told::WentBack(self.went_back()))));
        }
        if let Some(hold) = self.hold.as_ref().filter(|_| self.is_lost) {
            return Err(hold.ended());
        }
        let pages = self.matches.0.live.pages.patient();
        let page = self.live.entries_after(&pages, self.at.position, BATCH_MAX).await?;
        let page = self.held(page)?;
        if let Some(last) = page.last() {
            self.at = Known { position: last.position, digest: last.digest };
            let redact = |entry| self.live.redact(entry, self.viewer);
            let told = Told::Entries(page.iter().map(|entry| redact(entry)).collect());
            return Ok(ControlFlow::Break(Some(told)));
        }
        let head = self.live.head();
        if head.position == self.at.position && head.table.is_some_and(|table| table.ended()) {
            return Ok(ControlFlow::Break(None));
        }
        self.wait().await?;
        Ok(ControlFlow::Continue(()))
    }

    /// The entries that the caller may still read: none after the entry by which its seat passes to
    /// another. A match in memory knows its players no later than its entries.
    fn held(
        &mut self,
        mut page: Vec<Arc<RecordedEntry>>,
    ) -> Result<Vec<Arc<RecordedEntry>>, Error> {
        let Some(hold) = &mut self.hold else { return Ok(page) };
        if hold.holds(&self.live) {
            return Ok(page);
        }
        // Before the deal, a seat passes on without an entry.
        let is_dealt = self.at.position > Position::START;
        let last = page.iter().position(|it| is_dealt && hold.ends_with(&it.entry));
        page.truncate(last.ok_or_else(|| hold.ended())? + 1);
        self.is_lost = true;
        Ok(page)
    }

    /// Continues with the match as it is recorded now. If the record lacks something that was sent,
    /// it continues after the last entry that it still has.
    async fn reload(&mut self) -> Result<(), Error> {
        let loading = self.matches.0.live.load(self.live.platform(), self.live.id()).await;
        let live = match loading {
            // The record no longer has the match at all.
            Err(Error::NoSuchMatch) if self.at.position > Position::START => {
                return Err(went_back_to(Position::START));
            }
            loaded => loaded?,
        };
        let at = if self.matches.holds(&live, self.at).await? {
            None
        } else {
            let before = self.at.position;
            let position = self.matches.last_shared(&live, &self.live, before).await?;
            let digest = self.matches.digest_at(&live, position).await?;
            Some(Known { position, digest })
        };
        // From here on nothing fails, so a reload that is repeated compares the same entries.
        self.live = live;
        self.changed = self.live.subscribe();
        if let Some(at) = at {
            (self.at, self.is_void) = (at, true);
        }
        Ok(())
    }

    fn went_back(&self) -> RecordWentBack {
        let Known { position, digest } = self.at;
        let its = MatchWentBack { match_id: self.live.id(), position, digest };
        let term = self.matches.term();
        RecordWentBack { term, matches: vec![its], is_complete: true, void_since: None }
    }

    async fn wait(&mut self) -> Result<(), Error> {
        tokio::select! {
            () = self.matches.0.drain.cancelled() => return Err(Error::ShuttingDown),
            changed = self.changed.changed() => changed.expect("the live match is held"),
        }
        if self.live.is_behind() {
            self.matches.0.live.refresh_or_stale(&self.live).await?;
        }
        Ok(())
    }
}
