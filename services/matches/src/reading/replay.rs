//! Replaying a match entry by entry, with or without the pauses in which it was played.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use positions::{Digest, Position};
use rows::{MatchId, RecordedEntry};
use table::Viewer;
use time::OffsetDateTime;

use super::entry_stream::{EntrySource, EntryStream, Told};
use super::holding::Known;
use crate::access::{Caller, OpenStream, RequestedViewer, StreamKind};
use crate::error::Error;
use crate::live::LiveMatch;
use crate::matches::Matches;
use crate::went_back::went_back_to;

/// Entries read at a time; without pauses, also the entries sent at a time.
const PAGE_MAX: usize = 100;

/// How fast a match is replayed.
#[derive(Clone, Copy, Debug)]
pub struct ReplaySpeed {
    /// The multiple of the speed at which the match was played; `None` for no pauses.
    pub factor: Option<f64>,
    pub pause_max: Duration,
}

impl ReplaySpeed {
    /// The pause between two entries; zero if the times are in the wrong order.
    fn pause(self, before: OffsetDateTime, next: OffsetDateTime) -> Duration {
        let Some(factor) = self.factor else { return Duration::ZERO };
        let played = Duration::try_from(next - before).unwrap_or_default();
        let pause = Duration::try_from_secs_f64(played.as_secs_f64() / factor);
        pause.unwrap_or(self.pause_max).min(self.pause_max)
    }
}

impl Matches {
    /// The entries after `after`, up to `until` or to the current last entry.
    #[expect(clippy::too_many_arguments, reason = "each is a field of the request")]
    pub async fn replay(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: RequestedViewer,
        after: Position,
        after_digest: Option<Digest>,
        until: Option<Position>,
        speed: ReplaySpeed,
    ) -> Result<EntryStream, Error> {
        let at = Known::of_request(after, after_digest)?;
        let open = self.open_stream(caller, StreamKind::OneMatch)?;
        let (live, _) = self.current(caller, match_id).await?;
        let viewer = caller.viewer(&live, requested)?;
        self.check_known(&live, at).await?;
        let last = live.position();
        let until = until.unwrap_or(last);
        if until < after {
            let rule = "a replay does not end before its start";
            return Err(Error::invalid("until_position", rule));
        }
        if until > last {
            return Err(Error::PositionAhead { position: last });
        }
        let matches = self.clone();
        let unsent = VecDeque::new();
        let sent_time = None;
        let _open = open;
        let replay = Replay { matches, live, viewer, at, until, speed, unsent, sent_time, _open };
        Ok(replay.into_stream())
    }
}

struct Replay {
    matches: Matches,
    live: Arc<LiveMatch>,
    viewer: Viewer,
    /// The last entry read.
    at: Known,
    until: Position,
    speed: ReplaySpeed,
    /// Entries read and not sent yet.
    unsent: VecDeque<Arc<RecordedEntry>>,
    /// When the entry sent last was accepted.
    sent_time: Option<OffsetDateTime>,
    _open: OpenStream,
}

impl EntrySource for Replay {
    async fn next(&mut self) -> Result<Option<Told>, Error> {
        self.read().await?;
        self.pause().await?;
        let count = match self.speed.factor {
            Some(_) => self.unsent.len().min(1),
            None => self.unsent.len(),
        };
        let entries: Vec<_> = self.unsent.drain(..count).collect();
        self.sent_time = entries.last().map(|last| last.create_time);
        let redact = |entry| self.live.redact(entry, self.viewer);
        let entries: Vec<_> = entries.iter().map(|entry| redact(entry)).collect();
        Ok(Some(entries).filter(|entries| !entries.is_empty()).map(Told::Entries))
    }

    async fn explain(&self, error: Error) -> Error {
        self.matches.0.live.explain(&self.live, error).await
    }
}

impl Replay {
    async fn read(&mut self) -> Result<(), Error> {
        let left = usize::try_from(self.until.0 - self.at.position.0).unwrap_or(0);
        if self.unsent.is_empty() && left > 0 {
            self.check_current().await?;
            let (pages, limit) = (self.matches.0.live.pages.patient(), left.min(PAGE_MAX));
            let page = self.live.entries_after(&pages, self.at.position, limit).await?;
            self.at = match page.last() {
                Some(last) => Known { position: last.position, digest: last.digest },
                None => Known { position: self.until, digest: None },
            };
            self.unsent.extend(page);
        }
        Ok(())
    }

    /// Continues with the match as it is recorded now. Fails if the record went back behind what
    /// was read.
    async fn check_current(&mut self) -> Result<(), Error> {
        if self.live.is_current(&self.matches.0.store) {
            return Ok(());
        }
        let (platform, match_id) = (self.live.platform(), self.live.id());
        let live = self.matches.0.live.load(platform, match_id).await?;
        if !self.matches.holds(&live, self.at).await? {
            let before = self.at.position;
            let position = self.matches.last_shared(&live, &self.live, before).await?;
            return Err(went_back_to(position));
        }
        self.live = live;
        Ok(())
    }

    async fn pause(&self) -> Result<(), Error> {
        let Some((before, next)) = self.sent_time.zip(self.unsent.front()) else { return Ok(()) };
        let pause = self.speed.pause(before, next.create_time);
        if pause.is_zero() {
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
        let pause = |factor, before, next| {
            let speed = ReplaySpeed { factor, pause_max: Duration::from_secs(5) };
            speed.pause(at(before), at(next)).as_millis()
        };
        assert_eq!(pause(Some(1.0), 1000, 3000), 2000);
        assert_eq!(pause(Some(4.0), 1000, 3000), 500);
        assert_eq!(pause(Some(0.5), 1000, 3000), 4000);
        assert_eq!(pause(Some(0.1), 1000, 3000), 5000, "the longest pause");
        assert_eq!(pause(Some(1.0), 3000, 1000), 0, "the clocks disagreed");
        assert_eq!(pause(Some(1e-300), 1000, 3000), 5000, "more seconds than a duration holds");
        assert_eq!(pause(None, 1000, 3000), 0);
    }
}
