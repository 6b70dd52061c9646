//! Planning: which messages are sent next, and in which order. A plan is stored before its messages
//! are sent.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use deliveries::{Plan, SubscriptionRow};
use event_log::Window;
use positions::Bucket;
use tokio::time::Instant;

use super::bucket::{LeasedBucket, Outgoing, Round};
use super::deliverer::{Deliverer, RENEWAL_INTERVAL};
use super::messages::{WebhookMessage, messages};
use crate::error::Error;
use crate::feeds::log_reader::ReadWindow;

/// The shortest time between two reads for one subscription, so that a busy log does not cost each
/// subscription a query for each entry.
const READ_INTERVAL: Duration = Duration::from_millis(20);

/// The maximum number of bucket positions in a plan. Their entries stay in memory until they are
/// sent.
const PLAN_MAX: i64 = 32;

/// How many rounds are kept in memory for each message that may be sent at a time.
const ROUNDS_AHEAD: usize = 2;

/// An endpoint is considered down, instead of some messages being bad, when this many attempts in a
/// row and this many buckets have failed.
pub(super) const DOWN_FAILURES: u32 = 4;
const DOWN_BUCKETS: usize = 4;

/// How often an endpoint that is considered down is probed with messages that were not tried yet.
const PROBE_INTERVAL: Duration = Duration::from_secs(60);

impl Deliverer {
    /// Reads the entries to send next, and stores the plan before its messages are sent.
    pub async fn plan(&mut self) -> Result<(), Error> {
        self.reader.check_epoch().await?;
        if let Some(term) = self.untold() {
            return self.plan_notice(&term).await;
        }
        let windows = self.windows();
        if windows.is_empty() && !self.is_unsaved {
            return Ok(());
        }
        self.next_read = Instant::now() + READ_INTERVAL;
        let mut rounds = Vec::new();
        if let Some(last) = windows.last() {
            self.next_bucket = last.bucket.index() + 1;
            for window in self.reader.read_windows(&windows).await? {
                rounds.extend(self.round(window));
            }
        }
        self.save(&rounds).await?;
        for (bucket, round) in rounds {
            if let Some(progress) = self.buckets.get_mut(&bucket) {
                progress.planned = Some(round.until.position);
                progress.round = Some(round);
            }
        }
        Ok(())
    }

    /// The windows to read: of each bucket in which nothing is being sent, the stored plan or the
    /// next one.
    fn windows(&self) -> Vec<Window> {
        let now = Instant::now();
        if now < self.quiet_until {
            return Vec::new();
        }
        if self.is_down() && (!self.sending.is_empty() || now < self.probe_time()) {
            return Vec::new();
        }
        let heads = self.shared.matches.0.store.log().high_water_marks();
        let at = self.reader.assignment.at();
        let window = |(&bucket, progress): (&Bucket, &LeasedBucket)| {
            let (after, head) = (at[bucket.index()].position, heads[bucket.index()].position);
            let until = match progress.planned {
                Some(planned) if planned > after => planned,
                _ => head.min(after + PLAN_MAX),
            };
            let is_idle = progress.round.is_none() && progress.due <= now;
            (is_idle && after < until && until <= head).then_some(Window { bucket, after, until })
        };
        let rounds = self.buckets.values().filter(|it| it.round.is_some()).count();
        let mut room = (ROUNDS_AHEAD * self.concurrency()).saturating_sub(rounds);
        let mut windows: Vec<Window> = self.buckets.iter().filter_map(window).collect();
        if self.is_down() {
            // Buckets that failed before come first, because they are due soonest.
            windows.sort_by_key(|it| self.buckets[&it.bucket].attempts == 0);
            room = 1;
        } else {
            let passed = windows.partition_point(|it| it.bucket.index() < self.next_bucket);
            windows.rotate_left(passed);
        }
        windows.truncate(room);
        windows
    }

    /// The round of a window; `None` if it has no messages.
    fn round(&mut self, window: ReadWindow) -> Option<(Bucket, Round)> {
        let ReadWindow { bucket, found, until } = window;
        let after = self.reader.assignment.at()[bucket.index()];
        let leased = self.buckets.get_mut(&bucket)?;
        let attempt = leased.attempts + 1;
        let messages = messages(&self.row, self.generation, bucket, after, found).into_iter();
        let messages = messages.map(WebhookMessage::Entries);
        let messages = messages.filter(|message| !leased.taken.contains(message.id()));
        let waiting: VecDeque<Outgoing> =
            messages.map(|message| Outgoing { bucket, message, attempt }).collect();
        if waiting.is_empty() {
            self.reader.assignment.set(bucket, until);
            leased.move_on();
            self.is_unsaved = true;
            return None;
        }
        Some((bucket, Round { until, waiting, sending: Vec::new(), failure: None, tells: None }))
    }

    /// Stores how far each bucket was sent, and the plans of these rounds. Drops buckets that
    /// another process leases by now.
    pub async fn save(&mut self, rounds: &[(Bucket, Round)]) -> Result<(), Error> {
        let at = self.reader.assignment.at();
        let until: HashMap<Bucket, i64> =
            rounds.iter().map(|(bucket, round)| (*bucket, round.until.position)).collect();
        let plan = |(&bucket, progress): (&Bucket, &LeasedBucket)| {
            let until = until.get(&bucket).copied().or(progress.planned);
            let is_new = progress.is_unsaved || until != progress.planned;
            is_new.then_some(Plan { bucket, sent: at[bucket.index()], until })
        };
        let plans: Vec<Plan> = self.buckets.iter().filter_map(plan).collect();
        self.is_unsaved = false;
        if plans.is_empty() {
            return Ok(());
        }
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let deliveries = &self.shared.matches.0.deliveries;
        let saving = deliveries.plan_webhook(platform, subscription, &self.consumer, &plans);
        let saved = self.shared.matches.in_lane_of_streams(platform, saving).await;
        let saved: HashSet<Bucket> = match saved {
            Ok(saved) => saved.into_iter().collect(),
            Err(error) => {
                self.is_unsaved = true;
                return Err(error);
            }
        };
        for Plan { bucket, .. } in plans {
            if saved.contains(&bucket) {
                self.buckets.entry(bucket).and_modify(|it| it.is_unsaved = false);
            } else if let Some(lost) = self.buckets.remove(&bucket) {
                lost.round.iter().for_each(Round::abort);
                self.next_renewal = Instant::now() + READ_INTERVAL;
            }
        }
        Ok(())
    }

    /// Whether the endpoint is considered down.
    pub fn is_down(&self) -> bool {
        let failing = || self.buckets.values().filter(|it| it.attempts > 0).count();
        self.failures >= DOWN_FAILURES && failing() >= DOWN_BUCKETS
    }

    /// When an endpoint that is considered down is tried again.
    pub fn probe_time(&self) -> Instant {
        let failing = self.buckets.values().filter(|it| it.attempts > 0).map(|it| it.due);
        let probe = self.failed + self.shared.scaled(PROBE_INTERVAL);
        failing.min().map_or(probe, |due| due.min(probe))
    }

    /// When the next bucket is due.
    pub fn next_due(&self) -> Instant {
        let now = Instant::now();
        let never = now + RENEWAL_INTERVAL;
        if self.is_unsaved {
            return now;
        }
        if now < self.quiet_until {
            return self.quiet_until;
        }
        if self.is_down() {
            return if self.sending.is_empty() { self.probe_time() } else { never };
        }
        if self.untold().is_some() {
            return self.notice_due().map_or(never, |due| due.max(now));
        }
        let waiting = self.buckets.values().filter(|it| it.round.is_none()).map(|it| it.due);
        let is_behind = !self.windows().is_empty();
        if is_behind { now } else { waiting.filter(|&due| due > now).min().unwrap_or(never) }
    }

    /// How many messages may be sent at a time. It grows as the endpoint takes messages, so an
    /// endpoint that stalls holds few of the shared slots.
    pub fn concurrency(&self) -> usize {
        if self.is_down() { 1 } else { (1 + self.successes).min(self.shared.options.per_endpoint) }
    }
}
