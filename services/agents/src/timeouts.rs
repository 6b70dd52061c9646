//! Timeouts of matches with clocks.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use matches::{MatchId, Matches, Outage};
use time::OffsetDateTime;

use crate::agent::{Agent, Due, Error, Outcome};

/// Records timeouts, and gives seats back the time during which no process watched the clocks.
pub struct Timeouts {
    matches: Matches,
    watch: Mutex<Watch>,
}

/// The outages, as far as this process knows them.
#[derive(Clone, Default)]
struct Watch {
    /// When this process last recorded that it watches the clocks.
    noted: Option<Instant>,
    outages: Vec<Outage>,
}

/// How often a process records that it watches the clocks.
const NOTE_INTERVAL: Duration = Duration::from_secs(5);

impl Timeouts {
    pub fn new(matches: Matches) -> Timeouts {
        Timeouts { matches, watch: Mutex::default() }
    }

    /// The outages so far. No timeout is attempted before this process has recorded that it
    /// watches, and the same statement records an outage: so no seat loses the time in which no
    /// process watched.
    async fn outages(&self) -> Result<Vec<Outage>, Error> {
        let known = self.watch.lock().expect("nobody panics holding it").clone();
        if known.noted.is_some_and(|at| at.elapsed() < NOTE_INTERVAL) {
            return Ok(known.outages);
        }
        let noted = Some(Instant::now());
        self.matches.watch_clocks().await?;
        let outages = self.matches.outages().await?;
        *self.watch.lock().expect("nobody panics holding it") =
            Watch { noted, outages: outages.clone() };
        Ok(outages)
    }
}

impl Agent for Timeouts {
    /// The platform, the match and the deadline: another deadline of the match is another key.
    type Key = (String, MatchId, OffsetDateTime);
    const NAME: &'static str = "timeouts";

    async fn due(&self, most: usize, except: &[Self::Key]) -> Result<Vec<Due<Self::Key>>, Error> {
        let outages = self.outages().await?;
        let except: Vec<MatchId> = except.iter().map(|(_, match_id, _)| *match_id).collect();
        let due = self.matches.due_matches(&outages, most, &except).await?;
        let due = due
            .into_iter()
            .map(|it| Due { key: (it.platform, it.match_id, it.deadline), since: it.deadline });
        Ok(due.collect())
    }

    async fn attempt(&self, (platform, match_id, _): Self::Key) -> Result<Outcome, Error> {
        let outages = self.outages().await?;
        match self.matches.do_due(&platform, match_id, &outages).await {
            Ok(true) => Ok(Outcome::Won),
            // The match was deleted or has ended.
            Ok(false) | Err(matches::Error::NoSuchMatch) => Ok(Outcome::Lost),
            Err(error) => Err(error.into()),
        }
    }
}
