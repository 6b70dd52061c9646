//! A match again, entry by entry, with the pauses in which it was played, or as fast as can be.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use store::{MatchId, Position};
use table::Viewer;
use time::OffsetDateTime;

use crate::entries::authorized_viewer;
use crate::live::LiveMatch;
use crate::rows::RecordedEntry;
use crate::{Caller, EntryStream, Error, Matches, RedactedEntry, Wanted};

/// Entries read at a time, and sent at a time where there are no pauses.
const PAGE: usize = 100;

/// How fast a match is replayed.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How many times as fast as it was played; none for no pauses at all.
    pub speed: Option<f64>,
    pub pause_max: Duration,
}

impl Pace {
    /// The pause between two entries. None where the clocks that noted them disagree about which
    /// came first.
    fn pause(self, before: OffsetDateTime, next: OffsetDateTime) -> Duration {
        let played = Duration::try_from(next - before).unwrap_or_default();
        let speed = self.speed.unwrap_or(f64::INFINITY);
        let pause = Duration::try_from_secs_f64(played.as_secs_f64() / speed);
        pause.unwrap_or(self.pause_max).min(self.pause_max)
    }
}

impl Matches {
    /// The entries after `after`, up to `until` or to the last that there is now.
    pub async fn replay(
        &self,
        caller: &Caller,
        match_id: MatchId,
        wanted: Wanted,
        after: Position,
        until: Option<Position>,
        pace: Pace,
    ) -> Result<EntryStream, Error> {
        let live = self.live(caller, match_id).await?;
        self.refresh_or_stale(&live).await?;
        let viewer = authorized_viewer(caller, &live, wanted)?;
        let last = live.position();
        let until = until.unwrap_or(last);
        if after.0 < 0 || until < after {
            return Err(Error::Invalid("a replay goes from 0 or more to no less".to_owned()));
        }
        if until > last {
            return Err(Error::PositionAhead { position: last });
        }
        let matches = self.clone();
        let pages = VecDeque::new();
        let replay =
            Replay { matches, live, viewer, at: after, until, pace, pages, sent_time: None };
        Ok(Box::pin(futures::stream::unfold(Some(replay), Replay::batch)))
    }
}

struct Replay {
    matches: Matches,
    live: Arc<LiveMatch>,
    viewer: Viewer,
    at: Position,
    until: Position,
    pace: Pace,
    /// Read and not told yet.
    pages: VecDeque<Arc<RecordedEntry>>,
    /// When the entry told last was accepted.
    sent_time: Option<OffsetDateTime>,
}

impl Replay {
    async fn batch(
        replay: Option<Replay>,
    ) -> Option<(Result<Vec<RedactedEntry>, Error>, Option<Replay>)> {
        let mut replay = replay?;
        match replay.next().await {
            Ok(entries) if entries.is_empty() => None,
            Ok(entries) => Some((Ok(entries), Some(replay))),
            Err(error) => Some((Err(error), None)),
        }
    }

    /// The entries that come next; empty after the last.
    async fn next(&mut self) -> Result<Vec<RedactedEntry>, Error> {
        self.read().await?;
        let count = if self.pace.speed.is_some() { 1 } else { self.pages.len() };
        self.wait().await?;
        let entries: Vec<_> = self.pages.drain(..count.min(self.pages.len())).collect();
        self.sent_time = entries.last().map(|last| last.create_time);
        Ok(entries
            .iter()
            .map(|placed| RedactedEntry::of(&self.live, placed, self.viewer))
            .collect())
    }

    async fn read(&mut self) -> Result<(), Error> {
        let left = usize::try_from(self.until.0 - self.at.0).unwrap_or(0);
        if self.pages.is_empty() && left > 0 {
            let page =
                self.live.entries_after(&self.matches.0.store, self.at, left.min(PAGE)).await?;
            self.at = page.last().map_or(self.until, |last| last.position);
            self.pages.extend(page);
        }
        Ok(())
    }

    async fn wait(&self) -> Result<(), Error> {
        let Some((before, next)) = self.sent_time.zip(self.pages.front()) else { return Ok(()) };
        let pause = self.pace.pause(before, next.create_time);
        if self.pace.speed.is_none() || pause.is_zero() {
            return Ok(());
        }
        tokio::select! {
            () = self.matches.0.drain.cancelled() => Err(Error::ShuttingDown),
            () = tokio::time::sleep(pause) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_scaled_and_bounded() {
        let at = |millis| OffsetDateTime::UNIX_EPOCH + Duration::from_millis(millis);
        let pause = |speed, before, next| {
            let pace = Pace { speed: Some(speed), pause_max: Duration::from_secs(5) };
            pace.pause(at(before), at(next)).as_millis()
        };
        assert_eq!(pause(1.0, 1000, 3000), 2000);
        assert_eq!(pause(4.0, 1000, 3000), 500);
        assert_eq!(pause(0.5, 1000, 3000), 4000);
        assert_eq!(pause(0.1, 1000, 3000), 5000, "no longer than is bearable");
        assert_eq!(pause(1.0, 3000, 1000), 0, "whose clocks disagreed");
        assert_eq!(pause(1e-300, 1000, 3000), 5000);
    }
}
