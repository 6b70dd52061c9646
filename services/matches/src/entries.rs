//! What happened, told to one viewer: an entry, a page of them, or all of them as they come.

use std::pin::Pin;
use std::sync::Arc;

use futures::Stream;
use games::Game;
use store::{Bucket, MatchId, Position};
use table::{Entry, Viewer};
use time::OffsetDateTime;

use crate::live::LiveMatch;
use crate::rows::RecordedEntry;
use crate::{Caller, Error, Matches, Wanted};

/// Entries sent to a watcher at a time: enough to catch up fast, little enough to send at once.
const BATCH_MAX: usize = 100;

/// An entry as one viewer may know it.
#[derive(Clone, Debug)]
pub struct RedactedEntry {
    pub match_id: MatchId,
    pub game: &'static dyn Game,
    pub position: Position,
    pub create_time: OffsetDateTime,
    pub entry: Entry,
}

pub type EntryStream = Pin<Box<dyn Stream<Item = Result<Vec<RedactedEntry>, Error>> + Send>>;

impl RedactedEntry {
    pub(crate) fn of(live: &LiveMatch, placed: &RecordedEntry, viewer: Viewer) -> RedactedEntry {
        RedactedEntry::seen(live.id(), live.game, placed, viewer)
    }

    /// The only way from an entry to anyone outside.
    pub(crate) fn seen(
        match_id: MatchId,
        game: &'static dyn Game,
        placed: &RecordedEntry,
        viewer: Viewer,
    ) -> RedactedEntry {
        RedactedEntry {
            match_id,
            game,
            position: placed.position,
            create_time: placed.create_time,
            entry: placed.entry.seen_by(viewer, game.layout()),
        }
    }
}

impl Matches {
    pub async fn entry(
        &self,
        caller: &Caller,
        match_id: MatchId,
        wanted: Wanted,
        position: Position,
    ) -> Result<RedactedEntry, Error> {
        if position.0 < 1 {
            return Err(Error::NoSuchEntry);
        }
        let before = Position(position.0 - 1);
        let mut page = self.entries(caller, match_id, wanted, before, 1).await?;
        page.pop().ok_or(Error::NoSuchEntry)
    }

    /// Up to `limit` entries after `after`, in order.
    pub async fn entries(
        &self,
        caller: &Caller,
        match_id: MatchId,
        wanted: Wanted,
        after: Position,
        limit: usize,
    ) -> Result<Vec<RedactedEntry>, Error> {
        let live = self.live(caller, match_id).await?;
        self.refresh_or_stale(&live).await?;
        let viewer = authorized_viewer(caller, &live, wanted)?;
        let page = live.entries_after(&self.0.store, after, limit).await?;
        Ok(page.iter().map(|placed| RedactedEntry::of(&live, placed, viewer)).collect())
    }

    /// The entries after `after`: those that there are, then each as it becomes durable. Ends after
    /// the last entry of a match that has ended.
    pub async fn watch(
        &self,
        caller: &Caller,
        match_id: MatchId,
        wanted: Wanted,
        after: Position,
    ) -> Result<EntryStream, Error> {
        if after.0 < 0 {
            return Err(Error::Invalid("after_position is 0 or more".to_owned()));
        }
        let live = self.live(caller, match_id).await?;
        // The live feed first, then up to its head: nothing falls in between.
        let (interest, moved) = (self.0.follower.interest(Bucket::of(live.id())), live.subscribe());
        self.refresh_or_stale(&live).await?;
        let viewer = authorized_viewer(caller, &live, wanted)?;
        if after > live.position() {
            return Err(Error::PositionAhead { position: live.position() });
        }
        let matches = self.clone();
        let watcher = Watcher { matches, live, viewer, at: after, moved, _interest: interest };
        Ok(Box::pin(futures::stream::unfold(Some(watcher), Watcher::batch)))
    }
}

/// The eyes through which the caller looks at this match.
pub(crate) fn authorized_viewer(
    caller: &Caller,
    live: &LiveMatch,
    wanted: Wanted,
) -> Result<Viewer, Error> {
    let viewer = caller.viewer(wanted, live.check_revealed())?;
    live.check_viewer(viewer)?;
    Ok(viewer)
}

struct Watcher {
    matches: Matches,
    live: Arc<LiveMatch>,
    viewer: Viewer,
    at: Position,
    moved: tokio::sync::watch::Receiver<()>,
    /// As long as it is held, entries that other processes record in this match's bucket are
    /// delivered.
    _interest: store::follow::Interest,
}

impl Watcher {
    /// The next entries, and the watcher to go on with; nothing after an error or the end.
    async fn batch(
        watcher: Option<Watcher>,
    ) -> Option<(Result<Vec<RedactedEntry>, Error>, Option<Watcher>)> {
        let mut watcher = watcher?;
        match watcher.next().await {
            Ok(entries) if entries.is_empty() => None,
            Ok(entries) => Some((Ok(entries), Some(watcher))),
            Err(error) => Some((Err(error), None)),
        }
    }

    /// Waits for entries; empty after the last of a match that has ended.
    async fn next(&mut self) -> Result<Vec<RedactedEntry>, Error> {
        loop {
            let page = self.live.entries_after(&self.matches.0.store, self.at, BATCH_MAX).await?;
            if let Some(last) = page.last() {
                self.at = last.position;
                return Ok(page
                    .iter()
                    .map(|it| RedactedEntry::of(&self.live, it, self.viewer))
                    .collect());
            }
            let head = self.live.head();
            if head.position == self.at && head.table.is_some_and(|table| table.ended()) {
                return Ok(Vec::new());
            }
            self.wait().await?;
        }
    }

    async fn wait(&mut self) -> Result<(), Error> {
        tokio::select! {
            () = self.matches.0.drain.cancelled() => return Err(Error::ShuttingDown),
            changed = self.moved.changed() => changed.expect("the cell is held"),
        }
        if self.live.is_behind() {
            self.matches.refresh_or_stale(&self.live).await?;
        }
        Ok(())
    }
}
