//! Timeouts of seats that do not act in time.
//!
//! A timeout is an entry like any other. It is decided on the newest entry by the clocks that
//! follow from the record. Its key lets it happen once, even if several processes try
//! (`several_processes_let_each_time_run_out_once` in `tests/it/time_controls.rs`).

use std::sync::Arc;

use rows::MatchId;
use store::DueMatch;
use time::Duration;

use crate::accepting::{Command, Expected, unexcused};
use crate::access::Caller;
use crate::error::Error;
use crate::live::LiveMatch;
use crate::matches::Matches;
use crate::presence::Watched;

/// How long after an outage the affected matches are searched for. A match that is found later gets
/// its time back when its deadline passes.
const OUTAGE_RECENT: Duration = Duration::minutes(10);

impl Matches {
    /// The matches whose deadline has passed, or that a recent outage affected, and whether another
    /// one passes within `ahead`, a time of the machine.
    pub async fn due_matches(
        &self,
        watched: &Watched,
        ahead: std::time::Duration,
        most: usize,
        except: &[MatchId],
    ) -> Result<(Vec<DueMatch>, bool), Error> {
        let now = self.now();
        let ended = watched.outages.last().map(|it| it.end_time);
        let recent = ended.filter(|it| now - *it < self.clock().of_machine(OUTAGE_RECENT));
        if recent.is_some() {
            let due = self.0.store.due_matches(now, recent, most, except).await?;
            return Ok((due, false));
        }
        let ahead = self.clock().of_machine(ahead.try_into().unwrap_or(Duration::MAX));
        let mut due = self.0.store.due_matches(now + ahead, None, most, except).await?;
        let found = due.len();
        due.retain(|it| it.deadline <= now);
        let is_near = due.len() < found;
        Ok((due, is_near))
    }

    /// Records the due work of a match's clocks: the time given back after an outage, or the
    /// timeout of the seat whose deadline came first. Returns whether anything was due.
    pub async fn do_due(
        &self,
        platform: &str,
        match_id: MatchId,
        watched: &Watched,
    ) -> Result<bool, Error> {
        let live = self.live(&Caller::service(platform), match_id).await?;
        live.refresh(&self.0.live.pages).await?;
        let head = live.head();
        if let Some((excuse, request_id)) = unexcused(&live, &head, &watched.outages) {
            return self.was_due(&live, excuse, Some(request_id)).await;
        }
        let next = head.clocks.as_ref().and_then(|clocks| clocks.next());
        let now = self.deciding_time(watched).ok_or(Error::TimeUnknown)?;
        match next.filter(|(deadline, _)| now.is_past(*deadline)) {
            Some((_, seat)) => {
                // One timeout for each prompt; an entry may open prompts of several seats.
                let id = head.prompt(seat);
                let id = id.map(|opened| format!("timeout {} {}", opened.0, u8::from(seat)));
                self.was_due(&live, Command::TimeOut(seat, now.time), id).await
            }
            None => Ok(false),
        }
    }

    async fn was_due(
        &self,
        live: &Arc<LiveMatch>,
        command: Command,
        request_id: Option<String>,
    ) -> Result<bool, Error> {
        match self.accept(live, None, command, Expected::default(), request_id).await {
            Ok(_) => Ok(true),
            Err(Error::NotDue | Error::Refused { .. } | Error::NotStarted) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
