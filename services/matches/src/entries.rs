//! Reading entries as one viewer sees them: one, a page, or a stream of them as they are recorded.

use std::pin::Pin;
use std::sync::Arc;

use futures::Stream;
use games::Game;
use store::{Bucket, Digest, MatchId, Position};
use table::{Entry, Viewer};
use time::OffsetDateTime;

use crate::budgets::{OpenStream, StreamKind};
use crate::live::LiveMatch;
use crate::rows::RecordedEntry;
use crate::{Caller, Error, Matches, RequestedViewer};

/// Entries sent to a watcher at a time: enough to catch up fast, few enough for one message.
const BATCH_MAX: usize = 100;

/// An entry as one viewer may see it.
#[derive(Clone, Debug)]
pub struct RedactedEntry {
    pub match_id: MatchId,
    pub game: &'static dyn Game,
    pub position: Position,
    pub create_time: OffsetDateTime,
    pub viewer: Viewer,
    pub entry: Entry,
    /// None if it was recorded by a release that knew no digests.
    pub digest: Option<Digest>,
}

/// What identifies an entry. It stays, whatever else retention removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    pub match_id: MatchId,
    pub position: Position,
    pub create_time: OffsetDateTime,
    /// None if it was recorded by a release that knew no digests.
    pub digest: Option<Digest>,
}

pub type EntryStream = Pin<Box<dyn Stream<Item = Result<Vec<RedactedEntry>, Error>> + Send>>;

impl RedactedEntry {
    pub(crate) fn of(live: &LiveMatch, entry: &RecordedEntry, viewer: Viewer) -> RedactedEntry {
        RedactedEntry::redact(live.id(), live.game, entry, viewer)
    }

    /// Every entry that leaves the service is redacted here.
    pub(crate) fn redact(
        match_id: MatchId,
        game: &'static dyn Game,
        recorded: &RecordedEntry,
        viewer: Viewer,
    ) -> RedactedEntry {
        RedactedEntry {
            match_id,
            game,
            position: recorded.position,
            create_time: recorded.create_time,
            viewer,
            entry: recorded.entry.seen_by(viewer, game.layout()),
            digest: recorded.digest,
        }
    }
}

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
        let mut page = self.entries(caller, match_id, requested, before, 1).await?;
        page.pop().ok_or(Error::NoSuchEntry)
    }

    /// What identifies an entry, also one whose content is not kept. A receipt may be signed for
    /// it: the record is checked from the start of the match up to it, as far as it is kept.
    pub async fn stamp(
        &self,
        caller: &Caller,
        match_id: MatchId,
        position: Position,
    ) -> Result<Stamp, Error> {
        let live = self.live(caller, match_id).await?;
        self.refresh(&live).await?;
        match live.stamp(&self.0.store, position).await {
            // If it was reduced to its result meanwhile, the stamp is still there.
            Err(Error::HistoryNotKept) => {
                let live = Box::pin(self.load(live.platform(), match_id)).await?;
                live.stamp(&self.0.store, position).await
            }
            stamp => stamp,
        }
    }

    /// Up to `limit` entries after `after`, in order.
    pub async fn entries(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: RequestedViewer,
        after: Position,
        limit: usize,
    ) -> Result<Vec<RedactedEntry>, Error> {
        let live = self.live(caller, match_id).await?;
        let source = self.refresh_or_stale(&live).await?;
        let viewer = caller.viewer(&live, requested)?;
        let page = self.entries_of(&live, source, after, limit).await?;
        Ok(page.iter().map(|entry| RedactedEntry::of(&live, entry, viewer)).collect())
    }

    /// The recorded entries after `after`, then each new one as it becomes durable. Ends after the
    /// last entry of a match that has ended.
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
        self.refresh_or_stale(&live).await?;
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
        Ok(Box::pin(futures::stream::unfold(Some(watcher), Watcher::batch)))
    }
}

impl Matches {
    /// The digest of a match's entry; none at the start.
    async fn digest_at(&self, live: &LiveMatch, at: Position) -> Result<Option<Digest>, Error> {
        let head = live.head();
        if at == Position::START || at == head.position {
            return Ok(Some(head.digest).filter(|_| at != Position::START));
        }
        let entry = live.entries_after(&self.0.store, Position(at.0 - 1), 1).await;
        let entry = match entry {
            Ok(mut entries) => entries.pop(),
            Err(error) => return Err(self.explain(live, error).await),
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
    /// Of that entry; none at the start.
    digest: Option<Digest>,
    changed: tokio::sync::watch::Receiver<()>,
    /// While this is held, the follower delivers other processes' entries of this match's bucket.
    _interest: store::follow::Interest,
    _open: OpenStream,
}

impl Watcher {
    /// The next entries, and the watcher to continue with; none after an error or the end.
    async fn batch(
        watcher: Option<Watcher>,
    ) -> Option<(Result<Vec<RedactedEntry>, Error>, Option<Watcher>)> {
        let mut watcher = watcher?;
        match watcher.next().await {
            Ok(entries) if entries.is_empty() => None,
            Ok(entries) => Some((Ok(entries), Some(watcher))),
            Err(error) => Some((Err(watcher.matches.explain(&watcher.live, error).await), None)),
        }
    }

    /// Waits for entries; empty after the last of a match that has ended.
    async fn next(&mut self) -> Result<Vec<RedactedEntry>, Error> {
        loop {
            if !self.live.is_current(&self.matches.0.store) {
                self.reload().await?;
            }
            let store = &self.matches.0.store;
            let page = self.live.entries_after(store, self.at, BATCH_MAX).await?;
            if let Some(last) = page.last() {
                (self.at, self.digest) = (last.position, last.digest);
                let redact = |entry| RedactedEntry::of(&self.live, entry, self.viewer);
                return Ok(page.iter().map(|entry| redact(entry)).collect());
            }
            let head = self.live.head();
            if head.position == self.at && head.table.is_some_and(|table| table.ended()) {
                return Ok(Vec::new());
            }
            self.wait().await?;
        }
    }

    /// Continues with the match as the record has it now, if that still has what was sent.
    async fn reload(&mut self) -> Result<(), Error> {
        let loading = self.matches.load(self.live.platform(), self.live.id()).await;
        let live = match loading {
            // The record does not even have the match.
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

    /// The last entry that was sent and that the record still has. By now it may have others in the
    /// place of those that it lost. What is not known any more counts as lost.
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
            self.matches.refresh_or_stale(&self.live).await?;
        }
        Ok(())
    }
}

fn went_back_to(position: Position) -> Error {
    Error::RecordWentBack { position: Some(position), marks: None }
}

#[cfg(test)]
mod tests {
    use table::{Seat, Small};

    use super::*;
    use crate::fixtures::Played;

    #[test]
    fn an_entry_is_redacted_for_its_viewer() {
        let played = Played::new();
        let live = played.live();
        let opening = played.recorded(1);
        let layout = live.game.layout();
        let mut forms = Vec::new();
        for viewer in [Viewer::House, Viewer::Spectator, Viewer::Seat(Seat::nth(0).unwrap())] {
            let redacted = RedactedEntry::of(&live, &opening, viewer);
            assert_eq!(redacted.entry, opening.entry.seen_by(viewer, layout));
            assert_eq!((redacted.match_id, redacted.position), (live.id(), Position(1)));
            assert!(!forms.contains(&redacted.entry), "{viewer:?} sees what another one sees");
            forms.push(redacted.entry);
        }
    }
}
