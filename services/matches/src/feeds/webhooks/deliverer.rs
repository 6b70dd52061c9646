//! The share of a webhook's subscription that this process sends: its state and its leases.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use deliveries::{DeliveryRow, LEASE, SubscriptionRow, Webhook};
use positions::{Bucket, Position, Term, positions};
use rows::MatchId;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use uuid::Uuid;
use webhooks::Sender;

use super::bucket::{LeasedBucket, Round, Sent};
use super::messages::Body;
use crate::error::Error;
use crate::feeds::assignment::Assignment;
use crate::feeds::log_reader::LogReader;
use crate::feeds::subscriptions::filter_of;
use crate::matches::Matches;

/// How often leases are renewed: several times within a lease.
pub(super) const RENEWAL_INTERVAL: Duration =
    LEASE.checked_div(8).expect("the divisor is not zero");

/// How long a subscription waits after an error of the database.
pub(super) const ERROR_WAIT: Duration = Duration::from_secs(1);

#[derive(Clone, Debug)]
pub struct Options {
    /// Messages that are sent to one endpoint at a time, by one process.
    pub per_endpoint: usize,
    /// Messages that a process sends at a time.
    pub per_process: usize,
    /// A factor for the waits between attempts; less than 1 in tests.
    pub wait_scale: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { per_endpoint: 8, per_process: 512, wait_scale: 1.0 }
    }
}

pub(super) struct Shared {
    pub matches: Matches,
    pub sender: Sender,
    pub body: Body,
    pub options: Options,
    pub slots: Arc<Semaphore>,
}

/// Sends this process's share of a subscription.
pub(super) struct Deliverer {
    pub shared: Arc<Shared>,
    pub webhook: watch::Receiver<Webhook>,
    pub row: SubscriptionRow,
    pub generation: i32,
    /// The URL that this task last saw.
    pub url: String,
    pub consumer: String,
    /// Its position in a bucket is that up to which everything was sent.
    pub reader: LogReader,
    pub buckets: BTreeMap<Bucket, LeasedBucket>,
    pub sending: JoinSet<Sent>,
    /// The earliest time to tell other processes that the endpoint works again.
    pub next_hurry: Instant,
    /// How many messages the endpoint has taken, halved at each failure.
    pub successes: usize,
    /// The failures since the endpoint last accepted a message, and the time of the last one.
    pub failures: u32,
    pub failed: Instant,
    /// The endpoint asked for no messages until then.
    pub quiet_until: Instant,
    /// The bucket to begin with when planning, so that buckets take turns.
    pub next_bucket: usize,
    pub deliveries: VecDeque<DeliveryRow>,
    /// The last entries that the endpoint has taken from this process.
    pub taken: VecDeque<(MatchId, Position)>,
    /// The term of which this process has told the endpoint.
    pub told: Term,
    pub next_note: Instant,
    pub next_renewal: Instant,
    pub next_read: Instant,
    /// Whether any bucket has changed since it was stored.
    pub is_unsaved: bool,
}

/// Why this task stops sending its subscription.
pub(super) enum End {
    Deleted,
    Disabled,
}

impl Deliverer {
    pub fn new(shared: Arc<Shared>, webhook: watch::Receiver<Webhook>) -> Deliverer {
        let (row, generation, url) = {
            let webhook = webhook.borrow();
            (webhook.row.clone(), webhook.generation, webhook.url.clone())
        };
        // No client can choose a name with spaces. The name is unique, so pending changes of a task
        // that lost its leases have no effect.
        let consumer = format!("webhook {}", Uuid::new_v4());
        let reader = LogReader::new(
            &shared.matches,
            &row.platform,
            filter_of(&row),
            Assignment::new(&[]),
            Duration::MAX,
        );
        let now = Instant::now();
        Deliverer {
            shared,
            webhook,
            row,
            generation,
            url,
            consumer,
            reader,
            buckets: BTreeMap::new(),
            sending: JoinSet::new(),
            next_hurry: now,
            successes: 0,
            failures: 0,
            failed: now,
            quiet_until: now,
            next_bucket: 0,
            deliveries: VecDeque::new(),
            taken: VecDeque::new(),
            told: Term::UNKNOWN,
            next_note: now,
            next_renewal: now,
            next_read: now,
            is_unsaved: false,
        }
    }

    /// Starts afresh if the endpoint has changed.
    pub fn follow(&mut self) {
        let url = self.webhook.borrow().url.clone();
        if url == self.url {
            return;
        }
        (self.url, self.failures, self.quiet_until) = (url, 0, Instant::now());
        for progress in self.buckets.values_mut() {
            (progress.attempts, progress.due) = (0, Instant::now());
        }
    }

    /// Renews the leases, and reads the progress of newly leased buckets.
    pub async fn renew_lease(&mut self) -> Result<(), End> {
        self.next_renewal = Instant::now() + RENEWAL_INTERVAL;
        let (deliveries, platform) = (&self.shared.matches.0.deliveries, &self.row.platform);
        let subscription = &self.row.subscription;
        let leasing = deliveries.lease(platform, subscription, &self.consumer);
        let leased = match self.shared.matches.in_lane_of_streams(platform, leasing).await {
            Ok(Some(leased)) => leased,
            Ok(None) => return Err(End::Deleted),
            Err(error) => {
                tracing::debug!(%error, "a lease was not renewed, trying again");
                return Ok(());
            }
        };
        let reading = deliveries.webhook_progress(platform, subscription, &self.consumer);
        let progress = match self.shared.matches.in_lane_of_streams(platform, reading).await {
            Ok(progress) => progress,
            Err(error) => {
                tracing::debug!(%error, "a share was not read, trying again");
                return Ok(());
            }
        };
        self.reader.assignment.assign(&leased);
        let assigned: HashSet<Bucket> = self.reader.assignment.buckets().collect();
        self.buckets.retain(|bucket, progress| {
            let is_kept = assigned.contains(bucket);
            if !is_kept {
                // Another process sends this bucket now.
                progress.round.iter().for_each(Round::abort);
            }
            is_kept
        });
        for stored in progress.into_iter().filter(|it| assigned.contains(&it.bucket)) {
            let due = Instant::now() + stored.wait;
            let its = self.buckets.entry(stored.bucket).or_insert_with(|| LeasedBucket {
                planned: stored.planned,
                attempts: stored.attempts,
                due,
                taken: HashSet::new(),
                round: None,
                is_unsaved: false,
            });
            // Another process may have seen the endpoint work again.
            its.due = its.due.min(due.max(Instant::now()));
        }
        if let Err(error) = self.reader.identify().await {
            self.recover(error).await;
        }
        Ok(())
    }

    /// Recovers from an error.
    pub async fn recover(&mut self, error: Error) {
        self.next_read = Instant::now() + ERROR_WAIT;
        let Error::RecordWentBack { resume: Some(resume), .. } = error else {
            tracing::debug!(%error, "webhooks wait, trying again");
            return;
        };
        // Lost entries were sent; the ones that replace them must not be skipped.
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let (deliveries, at) = (&self.shared.matches.0.deliveries, positions(&resume.marks));
        let rewinding = deliveries.rewind(platform, subscription, &at);
        if let Err(error) = self.shared.matches.in_lane_of_streams(platform, rewinding).await {
            tracing::debug!(%error, "a subscription was not rewound, trying again");
        }
        self.forget_all();
    }

    /// Starts afresh from what is stored.
    pub fn forget_all(&mut self) {
        self.buckets.values().flat_map(|it| &it.round).for_each(Round::abort);
        self.buckets.clear();
        self.reader.assignment = Assignment::new(&[]);
        self.next_renewal = Instant::now();
    }
}

impl Shared {
    pub fn scaled(&self, wait: Duration) -> Duration {
        wait.mul_f64(self.options.wait_scale)
    }
}
