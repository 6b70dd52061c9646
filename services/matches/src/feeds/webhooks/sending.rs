//! Sending messages, and handling the outcome of each attempt.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use database::jittered;
use deliveries::{BucketFailure, DeliveryRow, SubscriptionRow, Webhook};
use metrics::counter;
use positions::Bucket;
use tokio::sync::watch;
use tokio::time::Instant;
use webhooks::Message;

use super::bucket::{Outgoing, Round, Sent};
use super::deliverer::{Deliverer, ERROR_WAIT, End, Shared};
use super::planning::DOWN_FAILURES;
use crate::feeds::new_webhook::secrets_of;

/// A counter: attempts to send a message, by outcome.
pub const WEBHOOK_ATTEMPTS: &str = "croupier_webhook_attempts_total";
/// A counter: entries that endpoints have taken.
pub const WEBHOOK_ENTRIES: &str = "croupier_webhook_entries_total";

/// How often attempts are recorded, many at a time.
const NOTE_INTERVAL: Duration = Duration::from_millis(500);

/// How many attempts one write records; older ones in the batch are dropped.
const NOTED_MAX: usize = 100;

/// The pauses after the first failure, the second, and so on; the last one is repeated. Each is
/// shortened at random by up to half.
const BACKOFF_S: [u64; 8] = [5, 30, 2 * 60, 10 * 60, 30 * 60, 3600, 2 * 3600, 3 * 3600];

/// The longest pause that an endpoint can ask for.
const BACKOFF_MAX: Duration = Duration::from_secs(BACKOFF_S[BACKOFF_S.len() - 1]);

/// A webhook is disabled when its messages have failed for this long.
const GIVE_UP: Duration = Duration::from_secs(3 * 24 * 3600);

/// The shortest time between two notices to other processes that an endpoint works again.
const HURRY_INTERVAL: Duration = Duration::from_secs(1);

impl Deliverer {
    /// Starts to send as many messages as may be sent at a time.
    pub fn send(&mut self) {
        if Instant::now() < self.quiet_until {
            return;
        }
        let most = self.concurrency();
        let rounds = self.buckets.values_mut().filter_map(|it| it.round.as_mut());
        for round in rounds {
            while self.sending.len() < most {
                let Some(outgoing) = round.waiting.pop_front() else { break };
                let id = outgoing.message.id().to_owned();
                let sending = send(self.shared.clone(), self.webhook.clone(), outgoing);
                round.sending.push((id, self.sending.spawn(sending)));
            }
        }
    }

    pub async fn settle_joined(
        &mut self,
        sent: Result<Sent, tokio::task::JoinError>,
    ) -> Result<(), End> {
        match sent {
            Ok(sent) => self.settle(sent).await,
            Err(error) if error.is_cancelled() => Ok(()),
            // Its round would never end, so start afresh from what is stored.
            Err(error) => {
                tracing::error!(%error, "sending a webhook failed");
                self.next_read = Instant::now() + ERROR_WAIT;
                self.forget_all();
                Ok(())
            }
        }
    }

    /// Handles the outcome of an attempt.
    async fn settle(&mut self, Sent { outgoing, url, attempt }: Sent) -> Result<(), End> {
        let Outgoing { bucket, message, attempt: number } = outgoing;
        let failure = attempt.failure.clone();
        let is_of_now = url == self.url;
        let is_gone = is_of_now && attempt.is_gone();
        if let Some(wait) = attempt.retry_after.filter(|_| is_of_now) {
            let until = Instant::now() + wait.min(self.shared.scaled(BACKOFF_MAX));
            self.quiet_until = self.quiet_until.max(until);
        }
        let outcome = if failure.is_none() { "taken" } else { "failed" };
        counter!(WEBHOOK_ATTEMPTS, "outcome" => outcome).increment(1);
        self.deliveries.push_back(message.delivery(number, attempt));
        if self.deliveries.len() > NOTED_MAX {
            self.deliveries.pop_front();
        }
        if failure.is_none() {
            self.note_taken(&message);
        }
        let is_recovery = failure.is_none() && self.buckets.values().any(|it| it.attempts > 0);
        let round = self.buckets.get_mut(&bucket).and_then(|it| {
            let round = it.round.as_mut()?;
            let sending = round.sending.iter().position(|(sending, _)| *sending == message.id())?;
            round.sending.swap_remove(sending);
            Some((round, &mut it.taken))
        });
        match &failure {
            None => {
                counter!(WEBHOOK_ENTRIES).increment(message.entries() as u64);
                self.failures = 0;
                self.successes += 1;
            }
            Some(_) => {
                self.successes = self.successes.min(self.shared.options.per_endpoint) / 2;
                self.failures += 1;
                self.failed = Instant::now();
            }
        }
        let Some((round, taken)) = round else { return Ok(()) };
        match failure {
            None => drop(taken.insert(message.id().to_owned())),
            Some(failure) => round.failure = Some(failure.to_string()),
        }
        if is_gone {
            round.abort();
            round.sending.clear();
            round.waiting.clear();
        } else if round.failure.is_some() && self.failures >= DOWN_FAILURES {
            // The rest would fail too. It is tried with the next attempt.
            round.waiting.clear();
        }
        if is_recovery && number > 1 {
            self.hurry().await;
        }
        self.end_round(bucket).await?;
        if is_gone { self.disable().await } else { Ok(()) }
    }

    /// Once all messages of a round were tried, completes the plan or schedules the next attempt.
    async fn end_round(&mut self, bucket: Bucket) -> Result<(), End> {
        let Some(progress) = self.buckets.get_mut(&bucket) else { return Ok(()) };
        let is_over = |it: &mut Round| it.waiting.is_empty() && it.sending.is_empty();
        let Some(round) = progress.round.take_if(is_over) else { return Ok(()) };
        if let Some(term) = round.tells.filter(|_| round.failure.is_none()) {
            (progress.attempts, progress.due) = (0, Instant::now());
            // Stores that it no longer fails.
            progress.is_unsaved = true;
            self.is_unsaved = true;
            self.note_told(term).await;
            return Ok(());
        }
        let Some(failure) = round.failure else {
            self.reader.assignment.set(bucket, round.until);
            progress.move_on();
            self.is_unsaved = true;
            return Ok(());
        };
        progress.attempts += 1;
        let attempts = progress.attempts;
        let step = BACKOFF_S.get(attempts as usize - 1).or(BACKOFF_S.last()).expect("not empty");
        let wait = self.shared.scaled(jittered(Duration::from_secs(*step)));
        let wait = wait.max(self.quiet_until.saturating_duration_since(Instant::now()));
        progress.due = Instant::now() + wait;
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let deliveries = &self.shared.matches.0.deliveries;
        let failure = BucketFailure { bucket, attempts, wait, failure: &failure };
        let failing = deliveries.fail_webhook(platform, subscription, &self.consumer, failure);
        match self.shared.matches.in_lane_of_streams(platform, failing).await {
            Ok(Some(since)) if since >= self.shared.scaled(GIVE_UP) => self.disable().await,
            Ok(_) => Ok(()),
            Err(error) => {
                tracing::debug!(%error, "a failure was not noted");
                Ok(())
            }
        }
    }

    /// Makes failed buckets due at once, because the endpoint works again.
    async fn hurry(&mut self) {
        let now = Instant::now();
        let failing = self.buckets.values_mut().filter(|it| it.attempts > 0 && it.due > now);
        failing.for_each(|it| it.due = now);
        if now < self.next_hurry {
            return;
        }
        self.next_hurry = now + HURRY_INTERVAL;
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let hurrying = self.shared.matches.0.deliveries.hurry_webhook(platform, subscription);
        if let Err(error) = self.shared.matches.in_lane_of_streams(platform, hurrying).await {
            tracing::debug!(%error, "failed messages wait for their time");
        }
    }

    async fn disable(&mut self) -> Result<(), End> {
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let deliveries = &self.shared.matches.0.deliveries;
        let disabling =
            deliveries.disable_webhook(platform, subscription, self.generation, &self.url);
        match self.shared.matches.in_lane_of_streams(platform, disabling).await {
            Ok(is_new) => {
                if is_new {
                    tracing::warn!("a webhook was disabled: its endpoint failed for too long");
                }
                Err(End::Disabled)
            }
            Err(error) => {
                tracing::debug!(%error, "a webhook was not disabled, trying again");
                Ok(())
            }
        }
    }

    /// Waits for attempts in flight, and stores their outcomes.
    pub async fn finish(&mut self) {
        for round in self.buckets.values_mut().filter_map(|it| it.round.as_mut()) {
            if !round.waiting.is_empty() {
                round.waiting.clear();
                round.failure = Some("the process stops".to_owned());
            }
        }
        while let Some(sent) = self.sending.join_next().await {
            let Ok(Sent { outgoing: Outgoing { bucket, message, .. }, attempt, .. }) = sent else {
                continue;
            };
            let Some(progress) = self.buckets.get_mut(&bucket) else { continue };
            let Some(round) = &mut progress.round else { continue };
            round.sending.retain(|(id, _)| *id != message.id());
            round.failure = round.failure.take().or(attempt.failure.map(|it| it.to_string()));
            if round.sending.is_empty() && round.failure.is_none() && round.tells.is_none() {
                self.reader.assignment.set(bucket, round.until);
                progress.move_on();
            }
        }
        if let Err(error) = self.save(&[]).await {
            tracing::debug!(%error, "what was sent last will be sent again");
        }
    }

    pub async fn note_deliveries(&mut self) {
        self.next_note = Instant::now() + NOTE_INTERVAL;
        if self.deliveries.is_empty() {
            return;
        }
        let rows: Vec<DeliveryRow> = self.deliveries.drain(..).collect();
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let noting =
            self.shared.matches.0.deliveries.note_deliveries(platform, subscription, &rows);
        if let Err(error) = self.shared.matches.in_lane_of_streams(platform, noting).await {
            tracing::debug!(%error, "attempts were not noted");
        }
    }
}

async fn send(shared: Arc<Shared>, webhook: watch::Receiver<Webhook>, outgoing: Outgoing) -> Sent {
    let _slot = shared.slots.acquire().await;
    let (url, secrets) = {
        let webhook = webhook.borrow();
        (webhook.url.clone(), secrets_of(webhook.secrets.clone()))
    };
    let now = shared.matches.now();
    let body = Bytes::from((shared.body)(&outgoing.message, now));
    let message = Message { id: outgoing.message.id().to_owned(), body };
    let attempt = shared.sender.send(&url, &message, &secrets, now.into()).await;
    Sent { outgoing, url, attempt }
}
