//! Watching a match: its entries as a stream, as they are recorded.

use std::sync::Arc;

use positions::{Bucket, Digest, Position};
use rows::{MatchId, RedactedEntry};
use table::Viewer;

use super::entry_stream::{EntrySource, EntryStream};
use crate::access::{Caller, OpenStream, RequestedViewer, StreamKind};
use crate::error::Error;
use crate::live::LiveMatch;
use crate::matches::Matches;

/// Entries sent to a watcher at a time: enough to catch up fast, few enough for one message.
const BATCH_MAX: usize = 100;

impl Matches {
    /// The recorded entries after `after`, then each new entry once it is durable. The stream ends
    /// after the last entry of an ended match.
    pub async fn watch(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: RequestedViewer,
        after: Position,
    ) -> Result<EntryStream, Error> {
        if after.0 < 0 {
            return Err(Error::invalid("after_position", "after_position must not be negative"));
        }
        let open = self.open_stream(caller, StreamKind::OneMatch)?;
        let live = self.live(caller, match_id).await?;
        // Subscribe before refreshing, so that no entry in between is missed.
        let interest = self.0.follower.interest(Bucket::of(live.id()));
        let changed = live.subscribe();
        self.0.live.refresh_or_stale(&live).await?;
        let viewer = caller.viewer(&live, requested)?;
        if after > live.position() {
            return Err(Error::PositionAhead { position: live.position() });
        }
        let matches = self.clone();
        let digest = self.digest_at(&live, after).await?;
        let watcher = Watcher {
            matches,
            live,
            viewer,
            at: after,
            digest,
            changed,
            _interest: interest,
            _open: open,
        };
        Ok(watcher.into_stream())
    }
}

impl Matches {
    /// The digest of an entry; `None` at the start.
    async fn digest_at(&self, live: &LiveMatch, at: Position) -> Result<Option<Digest>, Error> {
        let head = live.head();
        if at == Position::START || at == head.position {
            return Ok(Some(head.digest).filter(|_| at != Position::START));
        }
        let entry = live.entries_after(&self.0.store, Position(at.0 - 1), 1).await;
        let entry = match entry {
            Ok(mut entries) => entries.pop(),
            Err(error) => return Err(self.0.live.explain(live, error).await),
        };
        Ok(entry.filter(|entry| entry.position == at).and_then(|entry| entry.digest))
    }
}

struct Watcher {
    matches: Matches,
    live: Arc<LiveMatch>,
    viewer: Viewer,
    /// The position of the last entry sent.
    at: Position,
    /// The digest of that entry; `None` at the start.
    digest: Option<Digest>,
    changed: tokio::sync::watch::Receiver<()>,
    /// While this is held, the follower delivers other processes' entries of the match's bucket.
    _interest: event_log::follow::Interest,
    _open: OpenStream,
}

impl EntrySource for Watcher {
    /// Waits for entries. Returns an empty list after the last entry of an ended match.
    async fn next(&mut self) -> Result<Vec<RedactedEntry>, Error> {
        loop {
            if !self.live.is_current(&self.matches.0.store) {
                self.reload().await?;
            }
            let store = &self.matches.0.store;
            let page = self.live.entries_after(store, self.at, BATCH_MAX).await?;
            if let Some(last) = page.last() {
                (self.at, self.digest) = (last.position, last.digest);
                let redact = |entry| self.live.redact(entry, self.viewer);
                return Ok(page.iter().map(|entry| redact(entry)).collect());
            }
            let head = self.live.head();
            if head.position == self.at && head.table.is_some_and(|table| table.ended()) {
                return Ok(Vec::new());
            }
            self.wait().await?;
        }
    }

    async fn explain(&self, error: Error) -> Error {
        self.matches.0.live.explain(&self.live, error).await
    }
}

impl Watcher {
    /// Continues with the currently recorded match, if the record still has everything that was
    /// sent.
    async fn reload(&mut self) -> Result<(), Error> {
        let loading = self.matches.0.live.load(self.live.platform(), self.live.id()).await;
        let live = match loading {
            // The record no longer has the match at all.
            Err(Error::NoSuchMatch) if self.at > Position::START => {
                return Err(went_back_to(Position::START));
            }
            loaded => loaded?,
        };
        let before = std::mem::replace(&mut self.live, live);
        self.changed = self.live.subscribe();
        let holds = self.at <= self.live.position()
            && self.matches.digest_at(&self.live, self.at).await? == self.digest;
        if holds {
            return Ok(());
        }
        Err(went_back_to(self.last_shared(&before).await?))
    }

    /// The last entry that was sent and is still in the record, which may have other entries in the
    /// place of lost ones. Entries that are no longer in memory count as lost.
    async fn last_shared(&self, before: &LiveMatch) -> Result<Position, Error> {
        let mut position = self.live.position().min(Position(self.at.0 - 1));
        while let Some(sent) = before.recent_digest(position) {
            if self.matches.digest_at(&self.live, position).await? == sent {
                return Ok(position);
            }
            position = Position(position.0 - 1);
        }
        Ok(Position::START)
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

fn went_back_to(position: Position) -> Error {
    Error::RecordWentBack { position: Some(position), marks: None }
}
