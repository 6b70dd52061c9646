//! Timeouts: what becomes of a match whose players do not answer in time.
//!
//! A timeout is an entry like any other. It is decided on the newest entry by the clocks as the
//! record defines them, and the keys let it happen once, whoever tries.

use std::sync::Arc;

use clocks::Clocks;
use store::{DueMatch, MatchId, Outage};
use table::Seat;
use time::{Duration, OffsetDateTime};

use crate::live::{Head, LiveMatch};
use crate::now::{self, now};
use crate::play::Command;
use crate::{Caller, Error, Expected, Grant, Matches};

/// For how long after an outage matches are looked for that it concerns. Those that are found
/// later get the time back when their deadline passes.
const OUTAGE_RECENT: Duration = Duration::minutes(10);

/// How long nobody may have watched the clocks before it counts as an outage.
const OUTAGE_MIN: Duration = Duration::seconds(15);

impl Matches {
    /// Notes that this process watches the clocks. Only who has noted it lately may let a time run
    /// out: until then, an outage may not be known yet.
    pub async fn watch_clocks(&self) -> Result<(), Error> {
        let outage_min = now::of_machine(OUTAGE_MIN);
        Ok(self.0.store.note_presence(now(), outage_min).await?)
    }

    /// The outages that matches may have to be excused for.
    pub async fn outages(&self) -> Result<Vec<Outage>, Error> {
        Ok(self.0.store.outages().await?)
    }

    /// The matches whose deadline has passed, or that an outage of late concerns.
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

    /// Does what is due in a match by its clocks: gives back the time of an outage, or lets the
    /// time of the seat run out that is due first. Returns whether anything was due.
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
                // Once for each question.
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

/// The id of the request that excuses a match for an outage, so that it happens once. It has a
/// space, so no client can use it.
fn excuse_id(outage: Outage) -> String {
    format!("outage {}", outage.begin_time.unix_timestamp_nanos() / 1_000)
}

/// The clocks, if the time of the seat has run out.
pub(crate) fn check_due(head: &Head, seat: Seat, now: OffsetDateTime) -> Result<&Clocks, Error> {
    let clocks = head.clocks.as_deref().ok_or(Error::NotDue)?;
    let deadline = clocks.deadline(seat).ok_or(Error::NotDue)?;
    if now < deadline { Err(Error::NotDue) } else { Ok(clocks) }
}

/// What each seat lost of its time to decide in an outage, in milliseconds. Fails if nobody did.
pub(crate) fn time_lost(head: &Head, outage: Outage) -> Result<Vec<(Seat, u32)>, Error> {
    let clocks = head.clocks.as_deref().ok_or(Error::NotDue)?;
    let table = head.table.as_deref().ok_or(Error::NotDue)?;
    let lost = |seat: Seat| {
        let since = clocks.seats().get(usize::from(u8::from(seat)))?.running_since?;
        let lost = outage.end_time - outage.begin_time.max(since);
        let ms = u32::try_from(lost.whole_milliseconds()).ok().filter(|ms| *ms > 0)?;
        Some((seat, ms))
    };
    let lost: Vec<_> = table.seats().filter_map(lost).collect();
    if lost.is_empty() { Err(Error::NotDue) } else { Ok(lost) }
}
