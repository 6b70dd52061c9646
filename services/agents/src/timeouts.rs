//! Timeouts of matches with clocks.

use std::future::pending;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use database::pace;
use matches::{MatchId, Matches};
use time::OffsetDateTime;
use tokio::time::sleep;

use crate::agent::{Agent, Due, Error, Outcome};

/// Records timeouts, and gives seats back the time during which no process watched the clocks.
pub struct Timeouts {
    matches: Matches,
    /// Whether a deadline passes before the end of a long pause.
    is_near: AtomicBool,
}

impl Timeouts {
    pub fn new(matches: Matches) -> Timeouts {
        Timeouts { matches, is_near: AtomicBool::new(false) }
    }
}

impl Agent for Timeouts {
    /// The platform, the match and the deadline: another deadline of the match is another key.
    type Key = (String, MatchId, OffsetDateTime);
    const NAME: &'static str = "timeouts";

    async fn due(&self, most: usize, except: &[Self::Key]) -> Result<Vec<Due<Self::Key>>, Error> {
        let watched = self.matches.watch_clocks().await?;
        let except: Vec<MatchId> = except.iter().map(|(_, match_id, _)| *match_id).collect();
        let ahead = pace::longest_pause(Self::INTERVAL);
        let (due, is_near) = self.matches.due_matches(&watched, ahead, most, &except).await?;
        self.is_near.store(is_near, Relaxed);
        let due = due
            .into_iter()
            .map(|it| Due { key: (it.platform, it.match_id, it.deadline), since: it.deadline });
        Ok(due.collect())
    }

    async fn woken(&self) {
        match self.is_near.load(Relaxed) {
            true => sleep(Self::INTERVAL).await,
            false => pending().await,
        }
    }

    async fn attempt(&self, (platform, match_id, _): Self::Key) -> Result<Outcome, Error> {
        let watched = self.matches.watch_clocks().await?;
        match self.matches.do_due(&platform, match_id, &watched).await {
            Ok(true) => Ok(Outcome::Won),
            // The match was deleted or has ended.
            Ok(false) | Err(matches::Error::NoSuchMatch) => Ok(Outcome::Lost),
            Err(error) => Err(error.into()),
        }
    }
}
