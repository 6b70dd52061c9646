//! The service that tells browsers, with a task for each platform that has some.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use database::pace;
use deliveries::LEASE;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use webhooks::Sender;

use super::message::PushContent;
use super::pusher::{ERROR_WAIT, Pusher};
use super::shared::{PushOptions, Shared};
use crate::matches::Matches;

/// How often feeds are looked for.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// How often a lease is renewed: several times within a lease.
const RENEWAL_INTERVAL: Duration = LEASE.checked_div(4).expect("the divisor is not zero");

/// How long messages in flight may take when the process stops.
const STOP_WAIT: Duration = Duration::from_secs(2);

/// Nobody needs the feed any more.
struct Closed;

/// Tells the browsers of all platforms, until it is stopped.
pub struct PushService {
    shared: Arc<Shared>,
    running: HashMap<String, Running>,
}

/// The task of a platform.
struct Running {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl PushService {
    pub fn new(
        matches: &Matches,
        sender: Sender,
        content: PushContent,
        options: PushOptions,
    ) -> PushService {
        let shared = Shared::new(matches, sender, content, options);
        PushService { shared: Arc::new(shared), running: HashMap::new() }
    }

    pub async fn run(mut self, stop: CancellationToken) {
        loop {
            match self.shared.matches.0.deliveries.push_feeds().await {
                Ok(platforms) => self.assign(platforms),
                Err(error) => tracing::debug!(%error, "cannot read the feeds, trying again"),
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

    /// Starts a task for each new platform, and stops those of platforms that are gone.
    fn assign(&mut self, platforms: Vec<String>) {
        let mut before = std::mem::take(&mut self.running);
        for platform in platforms {
            let same = before.remove(&platform).filter(|it| !it.task.is_finished());
            let running = same.unwrap_or_else(|| self.start(&platform));
            self.running.insert(platform, running);
        }
        before.values().for_each(|it| it.stop.cancel());
    }

    fn start(&self, platform: &str) -> Running {
        let stop = CancellationToken::new();
        let pusher = Pusher::new(self.shared.clone(), platform);
        #[expect(clippy::disallowed_methods, reason = "one that ended is started again")]
        let task = tokio::spawn(pusher.run(stop.clone()));
        Running { stop, task }
    }
}

impl Pusher {
    async fn run(mut self, stop: CancellationToken) {
        let mut news = self.shared.matches.0.store.log().high_water_changes();
        loop {
            // Marked as seen before the heads are read, so that a later change wakes the wait.
            news.borrow_and_update();
            let Ok(wake) = self.step().await else { return };
            tokio::select! {
                () = stop.cancelled() => break,
                Some(sent) = self.sending.join_next() => {
                    match sent {
                        Ok(push_id) => drop(self.busy.remove(&push_id)),
                        // It panicked, which was reported: which one it was is not known.
                        Err(_) => self.busy.clear(),
                    }
                    self.next_send = self.earliest_send;
                }
                _ = news.changed(), if self.reader.is_some() && self.next_read <= Instant::now() => {}
                () = sleep_until(wake) => {}
            }
        }
        let _ =
            timeout(STOP_WAIT, async { while self.sending.join_next().await.is_some() {} }).await;
        // If this fails, the lease expires by itself.
        let leaving = self.shared.matches.0.deliveries.leave_push(&self.platform, &self.consumer);
        let _ = self.shared.matches.in_lane_of_streams(&self.platform, leaving).await;
    }

    /// Does everything that is due, and returns when something may be due again.
    async fn step(&mut self) -> Result<Instant, Closed> {
        if self.next_renewal <= Instant::now() {
            self.next_renewal = Instant::now() + RENEWAL_INTERVAL;
            match self.renew().await {
                Ok(true) => return Err(Closed),
                Ok(false) => {}
                Err(error) => tracing::debug!(%error, "a feed is not leased, trying again"),
            }
        }
        if self.reader.is_none() {
            return Ok(self.next_renewal);
        }
        if self.next_read <= Instant::now()
            && let Err(error) = self.follow().await
        {
            // If the record went back, the reader did so, too.
            tracing::debug!(%error, "turns are not read, trying again");
            self.next_read = Instant::now() + ERROR_WAIT;
        }
        if self.next_send <= Instant::now()
            && let Err(error) = self.send_due().await
        {
            tracing::debug!(%error, "turns are not sent, trying again");
            self.next_send = Instant::now() + ERROR_WAIT;
        }
        let wake = self.next_renewal.min(self.next_send);
        Ok(if self.is_behind() { wake.min(self.next_read) } else { wake })
    }
}
