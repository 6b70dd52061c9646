//! The notice that entries are void, which an endpoint takes before it is sent anything else.

use std::collections::BTreeMap;

use deliveries::SubscriptionRow;
use event_log::Began;
use positions::{Bucket, Position, Term};
use rows::MatchId;
use tokio::time::Instant;

use super::bucket::{Outgoing, Round};
use super::deliverer::Deliverer;
use super::messages::{WebhookMessage, WebhookWentBack};
use crate::error::Error;
use crate::went_back::{MatchWentBack, RecordWentBack};

/// How many messages a process remembers, to name the matches that lost entries. A failover loses
/// about a second of entries.
const TAKEN_MAX: usize = 1024;

impl Deliverer {
    /// The term of which the endpoint is to be told before it is sent anything else.
    pub fn untold(&self) -> Option<Began> {
        let last = self.shared.matches.0.store.log().raised_term()?;
        Some(last).filter(|last| self.told_so_far() < last.term)
    }

    /// The last term of which the endpoint was told, or in which its webhook was created.
    fn told_so_far(&self) -> Term {
        let began = self.shared.matches.0.store.log().terms();
        let created = began.iter().find(|it| it.begin_time <= self.row.create_time);
        let created = created.map_or(Term::UNKNOWN, |it| it.term);
        self.told.max(self.webhook.borrow().told).max(created)
    }

    /// When the notice may be sent: once nothing else is being sent, by the first bucket of this
    /// process.
    pub fn notice_due(&self) -> Option<Instant> {
        let is_idle = self.buckets.values().all(|it| it.round.is_none());
        self.buckets.values().next().filter(|_| is_idle).map(|it| it.due)
    }

    /// Plans the notice of a term. Each process that sends to the endpoint tells it, in a message
    /// of the same id, unless another one did so before.
    pub async fn plan_notice(&mut self, began: &Began) -> Result<(), Error> {
        let now = Instant::now();
        if now < self.quiet_until || self.notice_due().is_none_or(|due| due > now) {
            return Ok(());
        }
        let matches = self.matches_that_lost().await?;
        let log = self.shared.matches.0.store.log();
        let void_since = log.changed_since(self.told_so_far()).void_since;
        let told = RecordWentBack { term: began.term, matches, is_complete: false, void_since };
        let notice = WebhookWentBack::new(&self.row, self.generation, began, told);
        let at = self.reader.assignment.at();
        let Some((&bucket, leased)) = self.buckets.iter_mut().next() else { return Ok(()) };
        let message = WebhookMessage::WentBack(notice);
        let waiting = [Outgoing { bucket, message, attempt: leased.attempts + 1 }].into();
        let (until, tells) = (at[bucket.index()], Some(began.term));
        leased.round = Some(Round { until, waiting, sending: Vec::new(), failure: None, tells });
        Ok(())
    }

    /// The matches that are known to have lost entries which this process has sent.
    async fn matches_that_lost(&self) -> Result<Vec<MatchWentBack>, Error> {
        let (matches, platform) = (&self.shared.matches, &self.row.platform);
        let log = matches.0.store.log();
        let shared = log.changed_since(self.told_so_far()).shared;
        let mut taken: BTreeMap<MatchId, Position> = BTreeMap::new();
        for &(match_id, position) in &self.taken {
            let last = taken.entry(match_id).or_insert(position);
            *last = position.max(*last);
        }
        let mut lost = Vec::new();
        for (match_id, last) in taken {
            let until = shared[Bucket::of(match_id).index()];
            if until == i64::MAX {
                continue;
            }
            let reading = log.last_within(match_id, until);
            let held = matches.in_lane_of_streams(platform, reading).await?;
            if held < last {
                lost.push((match_id, held));
            }
        }
        matches.with_digests(platform, lost).await
    }

    /// Remembers what the endpoint has taken.
    pub fn note_taken(&mut self, message: &WebhookMessage) {
        if let Some(part) = message.part() {
            self.taken.push_back((part.match_id, part.last));
            if self.taken.len() > TAKEN_MAX {
                self.taken.pop_front();
            }
        }
    }

    /// The endpoint was told of a term. If this is not stored, it is told again.
    pub async fn note_told(&mut self, term: Term) {
        self.told = term;
        self.taken.clear();
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let telling = self.shared.matches.0.deliveries.tell_webhook(platform, subscription, term);
        if let Err(error) = self.shared.matches.in_lane_of_streams(platform, telling).await {
            tracing::debug!(%error, "an endpoint will be told again that entries are void");
        }
    }
}
