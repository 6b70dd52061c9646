//! Timeouts of seats that do not act in time.
//!
//! A timeout is an entry like any other. It is decided on the newest entry by the clocks that
//! follow from the record. Its key lets it happen once, even if several processes try
//! (`several_processes_let_each_time_run_out_once` in `tests/it/time_controls.rs`).

use std::sync::Arc;

use rows::MatchId;
use store::{DueMatch, Outage};
use time::Duration;

use crate::accepting::{Command, Expected, time_lost};
use crate::access::{Caller, Grant};
use crate::error::Error;
use crate::live::LiveMatch;
use crate::matches::Matches;
use crate::now::{self, now};

/// How long after an outage the affected matches are searched for. A match that is found later gets
/// its time back when its deadline passes.
const OUTAGE_RECENT: Duration = Duration::minutes(10);

/// The minimum length of a period without a watching process that counts as an outage.
const OUTAGE_MIN: Duration = Duration::seconds(15);

impl Matches {
    /// Records that this process watches the clocks. A process must have recorded it recently
    /// before it records a timeout: until then, an outage may still be unknown.
    pub async fn watch_clocks(&self) -> Result<(), Error> {
        let outage_min = now::of_machine(OUTAGE_MIN);
        Ok(self.0.store.note_presence(now(), outage_min).await?)
    }

    /// The recorded outages.
    pub async fn outages(&self) -> Result<Vec<Outage>, Error> {
        Ok(self.0.store.outages().await?)
    }

    /// The matches whose deadline has passed, or that a recent outage affected.
    pub async fn due_matches(
        &self,
        outages: &[Outage],
        most: usize,
        except: &[MatchId],
    ) -> Result<Vec<DueMatch>, Error> {
        let now = now();
        let ended = outages.last().map(|it| it.end_time);
        let recent = ended.filter(|it| now - *it < now::of_machine(OUTAGE_RECENT));
        Ok(self.0.store.due_matches(now, recent, most, except).await?)
    }

    /// Records the due work of a match's clocks: the time given back after an outage, or the
    /// timeout of the seat whose deadline came first. Returns whether anything was due.
    pub async fn do_due(
        &self,
        platform: &str,
        match_id: MatchId,
        outages: &[Outage],
    ) -> Result<bool, Error> {
        let caller = Caller { platform: platform.to_owned(), grant: Grant::Platform };
        let live = self.live(&caller, match_id).await?;
        live.refresh(&self.0.store).await?;
        let head = live.head();
        for outage in outages {
            let request_id = excuse_id(*outage);
            let is_new = !live.has_request(None, &request_id);
            if is_new && time_lost(&head, *outage).is_ok() {
                let command = Command::Excuse(*outage);
                return self.was_due(&live, command, Some(request_id)).await;
            }
        }
        let next = head.clocks.as_ref().and_then(|clocks| clocks.next());
        match next.filter(|(deadline, _)| *deadline <= now()) {
            Some((_, seat)) => {
                // One timeout for each prompt.
                let id = head.prompt(seat).map(|opened| format!("timeout {}", opened.0));
                self.was_due(&live, Command::TimeOut(seat), id).await
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
        match self.accept(live, command, Expected::default(), request_id).await {
            Ok(_) => Ok(true),
            Err(Error::NotDue | Error::Refused { .. } | Error::NotStarted) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// The request id that gives a match the time of an outage back, so that it happens once. It
/// contains a space, so no client can use it.
fn excuse_id(outage: Outage) -> String {
    format!("outage {}", outage.begin_time.unix_timestamp_nanos() / 1_000)
}
