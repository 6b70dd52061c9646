//! Watching the clocks of matches: whether anything may be decided on time now, and which times
//! are still to be given back.
//!
//! A process notes in the database that it watches, by the time that all processes share. The same
//! statement records an outage, if no process has watched for a while. A deadline is decided only
//! on a time that this process knows and up to which it has watched: so no process that was
//! suspended or away, or whose clock is wrong, lets a time run out.
//!
//! See `docs/decisions/0016-outages-are-noticed-before-timeouts.md`.

use database::Reading;
use store::Outage;
use time::Duration;
use tokio::time::{sleep, timeout};

use super::clocks::time_lost;
use super::command::Command;
use crate::error::Error;
use crate::live::{Head, LiveMatch, RequestStatus};
use crate::matches::Matches;
use crate::presence::Watched;

/// The minimum length of a period without a watching process that counts as an outage.
const OUTAGE_MIN: Duration = Duration::seconds(15);

/// How often a process notes that it watches the clocks.
const NOTE_INTERVAL: Duration = Duration::seconds(5);

/// How inexact the noticed size of a step is.
const STEP_ERROR: Duration = Duration::seconds(1);

/// How long an action of a match with clocks waits until the time is known: longer than a step
/// takes to settle.
const KNOWN_WAIT: std::time::Duration = std::time::Duration::from_secs(4);

/// The pause between two questions for the time while it is not known.
const ASK_PAUSE: std::time::Duration = std::time::Duration::from_millis(100);

impl Matches {
    /// Notes that this process watches the clocks, unless it has just done so. Fails while the time
    /// is not known.
    pub async fn watch_clocks(&self) -> Result<Watched, Error> {
        self.watched(NOTE_INTERVAL).await
    }

    /// What was noted less than `longest` ago.
    async fn watched(&self, longest: Duration) -> Result<Watched, Error> {
        let longest = self.clock().of_machine(longest);
        let look = || -> Result<(Reading, Option<Watched>), Error> {
            let now = self.clock().reading().ok_or(Error::TimeUnknown)?;
            Ok((now, self.0.presence.last().filter(|it| it.covers(&now, longest))))
        };
        if let (_, Some(watched)) = look()? {
            return Ok(watched);
        }
        let _noting = self.0.presence.noting.lock().await;
        match look()? {
            (_, Some(watched)) => Ok(watched),
            (now, None) => self.note(now).await,
        }
    }

    async fn note(&self, now: Reading) -> Result<Watched, Error> {
        let before = self.0.presence.last().map_or(0, |it| it.at.steps);
        // A step may be shorter than other outages. If nobody watched for as long as the time
        // seems to have passed, nobody could act either.
        let step = self.clock().shortest_step_forward(before);
        let step = step.map(|by| (by - STEP_ERROR).max(Duration::ZERO));
        let outage_min = step.map_or(OUTAGE_MIN, |step| step.min(OUTAGE_MIN));
        let outage_min = self.clock().of_machine(outage_min);
        if !self.0.store.note_presence(&now, outage_min).await? {
            self.clock().doubt();
            return Err(Error::TimeUnknown);
        }
        let watched = Watched { at: now, outages: self.0.store.outages().await?.into() };
        self.0.presence.set(watched.clone());
        Ok(watched)
    }

    /// The current time, if a deadline may be decided on it.
    pub(crate) fn deciding_time(&self, watched: &Watched) -> Option<Reading> {
        let longest = self.clock().of_machine(OUTAGE_MIN);
        self.clock().reading().filter(|now| watched.covers(now, longest))
    }

    /// Waits until the time is known, and asks the database: the probe may be slow.
    pub(super) async fn time_known(&self) -> Result<(), Error> {
        let known = async {
            let _asking = self.0.presence.asking.lock().await;
            while self.clock().reading().is_none() {
                self.clock().ask(self.database().pool()).await.map_err(database::Error::from)?;
                if self.clock().reading().is_none() {
                    sleep(ASK_PAUSE).await;
                }
            }
            Ok(())
        };
        match self.clock().reading() {
            Some(_) => Ok(()),
            None => timeout(KNOWN_WAIT, known).await.unwrap_or(Err(Error::TimeUnknown)),
        }
    }

    /// What was noted lately, as soon as the time is known.
    async fn watched_by_now(&self) -> Result<Watched, Error> {
        let watching = async {
            loop {
                self.time_known().await?;
                match self.watched(OUTAGE_MIN).await {
                    Err(Error::TimeUnknown) => {}
                    watched => return watched,
                }
            }
        };
        timeout(KNOWN_WAIT, watching).await.unwrap_or(Err(Error::TimeUnknown))
    }

    /// The command that gives a match the time of an outage back, and its request id, if that is
    /// to be recorded before this command: an action ends the time for its decision, and would
    /// charge the outage to the seat's bank.
    pub(super) async fn first_due(
        &self,
        live: &LiveMatch,
        command: &Command,
        request_id: Option<&str>,
    ) -> Result<Option<(Command, String)>, Error> {
        if matches!(command, Command::SetUp | Command::Excuse(_)) {
            return Ok(None);
        }
        let RequestStatus::New(head) = live.request_status(command.seat(), request_id) else {
            return Ok(None);
        };
        if head.clocks.as_ref().is_none_or(|clocks| clocks.next().is_none()) {
            return Ok(None);
        }
        let watched = self.watched_by_now().await?;
        Ok(unexcused(live, &head, &watched.outages))
    }
}

/// The command that gives a match back the time of the first outage that it was not given back,
/// and its request id.
pub(crate) fn unexcused(
    live: &LiveMatch,
    head: &Head,
    outages: &[Outage],
) -> Option<(Command, String)> {
    let lost = outages.iter().filter(|outage| time_lost(head, **outage).is_ok());
    let requests = lost.map(|outage| (Command::Excuse(*outage), excuse_id(*outage)));
    requests.into_iter().find(|(_, request_id)| !live.has_request(None, request_id))
}

/// The request id that gives a match the time of an outage back, so that it happens once. It
/// contains a space, so no client can use it.
fn excuse_id(outage: Outage) -> String {
    format!("outage {}", outage.begin_time.unix_timestamp_nanos() / 1_000)
}
