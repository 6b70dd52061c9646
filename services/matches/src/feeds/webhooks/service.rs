//! The service that sends webhooks, with a task for each of them.
//!
//! See `docs/decisions/0046-webhooks-are-subscriptions.md`.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use database::pace;
use deliveries::{SubscriptionRow, Webhook};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use webhooks::Sender;

use super::deliverer::{Deliverer, End, Options, Shared};
use super::messages::Body;
use crate::matches::Matches;

/// How often webhooks, with their endpoints and secrets, are read.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How long attempts in flight may take when the process stops. Unfinished ones are repeated later.
const STOP_WAIT: Duration = Duration::from_secs(2);

/// Sends the subscriptions of all enabled webhooks, until it is stopped.
pub struct Service {
    shared: Arc<Shared>,
    running: HashMap<(String, String), Running>,
}

/// The task of a webhook.
struct Running {
    webhook: watch::Sender<Webhook>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Service {
    pub fn new(matches: &Matches, sender: Sender, body: Body, options: Options) -> Service {
        let slots = Arc::new(Semaphore::new(options.per_process));
        let shared = Shared { matches: matches.clone(), sender, body, options, slots };
        let shared = Arc::new(shared);
        Service { shared, running: HashMap::new() }
    }

    pub async fn run(mut self, stop: CancellationToken) {
        loop {
            match self.shared.matches.0.deliveries.enabled_webhooks().await {
                Ok(webhooks) => self.assign(webhooks),
                Err(error) => tracing::debug!(%error, "cannot read the webhooks, trying again"),
            }
            tokio::select! {
                () = stop.cancelled() => break,
                () = pace::pause(POLL_INTERVAL) => {}
            }
        }
        for running in self.running.values() {
            running.stop.cancel();
        }
        for running in self.running.into_values() {
            // A panic of the task was already reported.
            let _ = running.task.await;
        }
    }

    /// Starts a task for each new webhook, and stops the tasks of webhooks that are gone.
    fn assign(&mut self, webhooks: Vec<Webhook>) {
        let mut before = std::mem::take(&mut self.running);
        for webhook in webhooks {
            let key = (webhook.row.platform.clone(), webhook.row.subscription.clone());
            let same = before.remove(&key).filter(|running| {
                let known = running.webhook.borrow();
                let is_same = (known.generation, known.row.create_time)
                    == (webhook.generation, webhook.row.create_time)
                    && known.row == webhook.row;
                if !is_same {
                    running.stop.cancel();
                }
                is_same && !running.task.is_finished()
            });
            let running = match same {
                Some(running) => {
                    running.webhook.send_if_modified(|known| {
                        let is_new = *known != webhook;
                        *known = webhook;
                        is_new
                    });
                    running
                }
                None => self.start(webhook),
            };
            self.running.insert(key, running);
        }
        for running in before.into_values() {
            running.stop.cancel();
        }
    }

    fn start(&self, webhook: Webhook) -> Running {
        let stop = CancellationToken::new();
        let (sender, receiver) = watch::channel(webhook);
        let deliverer = Deliverer::new(self.shared.clone(), receiver);
        #[expect(clippy::disallowed_methods, reason = "one that ended is started again")]
        let task = tokio::spawn(deliverer.run(stop.clone()));
        Running { webhook: sender, stop, task }
    }
}

impl Deliverer {
    async fn run(mut self, stop: CancellationToken) {
        let mut news = self.shared.matches.0.store.log().high_water_changes();
        loop {
            // Marked as seen before the heads are read, so that a later change wakes the wait.
            news.borrow_and_update();
            let wake = match self.step().await {
                Ok(wake) => wake,
                Err(End::Deleted) => return,
                Err(End::Disabled) => break,
            };
            tokio::select! {
                () = stop.cancelled() => {
                    let _ = timeout(STOP_WAIT, self.finish()).await;
                    break;
                }
                Some(sent) = self.sending.join_next() => {
                    if self.settle_joined(sent).await.is_err() {
                        break;
                    }
                }
                _ = news.changed(), if self.next_read <= Instant::now() => {}
                () = sleep_until(wake) => {}
            }
        }
        self.note_deliveries().await;
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        // If this fails, the lease expires by itself.
        let leaving =
            self.shared.matches.0.deliveries.leave(platform, subscription, &self.consumer);
        let _ = self.shared.matches.in_lane_of_streams(platform, leaving).await;
    }

    /// Does everything that is due, and returns when something may be due again.
    async fn step(&mut self) -> Result<Instant, End> {
        self.follow();
        if self.next_renewal <= Instant::now() {
            self.renew_lease().await?;
        }
        if self.next_note <= Instant::now() {
            self.note_deliveries().await;
        }
        if self.next_read <= Instant::now()
            && let Err(error) = self.plan().await
        {
            self.recover(error).await;
        }
        self.send();
        let mut wake = self.next_renewal;
        if !self.deliveries.is_empty() {
            wake = wake.min(self.next_note);
        }
        if self.next_read > Instant::now() {
            // Nothing is read before that time, even if there are new entries.
            return Ok(wake.min(self.next_read));
        }
        Ok(wake.min(self.next_due()))
    }
}
