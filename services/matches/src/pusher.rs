//! Sends the entries of subscriptions to their endpoints: at least once, and in order within a
//! match.
//!
//! Each process is a consumer of each such subscription and leases a share of its buckets, so no
//! two processes send the same match. What comes next in a bucket is planned: the plan is stored,
//! its messages are sent, one for each match, and then the bucket is acknowledged in one statement
//! with the next plan. Whoever continues after a process was killed sends the messages of its plan
//! again, with the same ids.
//!
//! Messages that fail are sent again later and later, and hold up only their bucket. While nothing
//! but failures comes from an endpoint, it is tried with one message now and then. One that asks to
//! be left alone for a while is. An endpoint that fails or stalls has a task, a few slots and a few
//! entries in memory of its own, so it delays nobody else.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use metrics::counter;
use store::{
    Bucket, BucketFailure, DeliveredPart, DeliveryRow, LEASE, Mark, MatchId, Plan, Position,
    SubscriptionRow, Webhook, Window, jittered, positions,
};
use tokio::sync::{Semaphore, watch};
use tokio::task::{AbortHandle, JoinHandle, JoinSet};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use webhooks::{Attempt, Message, Sender};

use crate::push::{PushPart, delivery_row, secrets_of};
use crate::stream::{Assignment, Found, LogReader, ReadWindow};
use crate::subscribe::filter_of;
use crate::{Error, Matches};

/// How often the subscriptions to send, their endpoints and their secrets are read.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How often leases are renewed: several times within a lease.
const RENEWAL_INTERVAL: Duration = LEASE.checked_div(8).expect("the divisor is not zero");

/// The least time between two reads for one subscription, so that a busy log does not cost a query
/// for each of its entries and subscriptions.
const READ_INTERVAL: Duration = Duration::from_millis(20);

/// How long a subscription waits after an error of the database.
const ERROR_WAIT: Duration = Duration::from_secs(1);

/// How long attempts may take to end when the process stops. Those that do not are made again.
const STOP_WAIT: Duration = Duration::from_secs(2);

/// How often attempts are noted, many at a time.
const NOTE_INTERVAL: Duration = Duration::from_millis(500);

/// Attempts that are noted at a time; of more, the last. Nobody reads thousands.
const NOTED_MAX: usize = 100;

/// The bucket positions of a plan: its entries are in memory until they are sent.
const PLAN_MAX: i64 = 32;

/// The rounds that are in memory for each message that is sent at a time.
const ROUNDS_AHEAD: usize = 2;

/// How long after the first failure, the second, and so on messages are sent again; the last is
/// repeated. Each wait is shortened by up to half at random.
const BACKOFF_S: [u64; 8] = [5, 30, 2 * 60, 10 * 60, 30 * 60, 3600, 2 * 3600, 3 * 3600];

/// The longest that an endpoint can ask to be left alone.
const BACKOFF_MAX: Duration = Duration::from_secs(BACKOFF_S[BACKOFF_S.len() - 1]);

/// For how long messages may fail until nothing is sent any more.
const GIVE_UP: Duration = Duration::from_secs(3 * 24 * 3600);

/// An endpoint is held to fail, rather than some of its messages, when so many attempts in a row
/// and so many buckets have failed.
const HOLD_FAILURES: u32 = 4;
const HOLD_BUCKETS: usize = 4;

/// How often an endpoint that is held to fail is tried with messages that were not tried yet.
const PROBE_INTERVAL: Duration = Duration::from_secs(60);

/// How often other processes are told at most that an endpoint works again.
const HURRY_INTERVAL: Duration = Duration::from_secs(1);

/// The status with which an endpoint says that it wants no more messages, ever.
const GONE: u16 = 410;

#[derive(Clone, Debug)]
pub struct Options {
    /// Messages that are sent to one endpoint at a time, by one process.
    pub per_endpoint: usize,
    /// Messages that a process sends at a time.
    pub per_process: usize,
    /// What the waits between attempts are multiplied by; less than 1 in tests.
    pub wait_scale: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { per_endpoint: 8, per_process: 512, wait_scale: 1.0 }
    }
}

/// Writes the body of a message: JSON.
pub type Body = Arc<dyn Fn(&PushPart) -> Vec<u8> + Send + Sync>;

/// Sends every subscription that is to be sent, until it is stopped.
pub struct Service {
    shared: Arc<Shared>,
    running: HashMap<(String, String), Running>,
}

struct Shared {
    matches: Matches,
    sender: Sender,
    body: Body,
    options: Options,
    slots: Arc<Semaphore>,
}

/// The task of a subscription.
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
            match self.shared.matches.0.store.enabled_webhooks().await {
                Ok(webhooks) => self.assign(webhooks),
                Err(error) => tracing::debug!(%error, "cannot read the webhooks, trying again"),
            }
            tokio::select! {
                () = stop.cancelled() => break,
                () = sleep(POLL_INTERVAL) => {}
            }
        }
        for running in self.running.values() {
            running.stop.cancel();
        }
        for running in self.running.into_values() {
            // A task that panicked was reported.
            let _ = running.task.await;
        }
    }

    /// Starts a task for each subscription that has none, and stops those of the others.
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
        let pusher = Pusher::new(self.shared.clone(), receiver);
        let task = tokio::spawn(pusher.run(stop.clone()));
        Running { webhook: sender, stop, task }
    }
}

/// Sends this process's share of a subscription.
struct Pusher {
    shared: Arc<Shared>,
    webhook: watch::Receiver<Webhook>,
    row: SubscriptionRow,
    generation: i32,
    /// Where messages are sent, as this task last saw it.
    url: String,
    consumer: String,
    /// Its positions are those up to which everything was sent.
    reader: LogReader,
    buckets: BTreeMap<Bucket, Progress>,
    sending: JoinSet<Sent>,
    /// When other processes are told that the endpoint works again, if it does.
    next_hurry: Instant,
    /// Messages that the endpoint has taken, halved whenever one fails.
    successes: usize,
    /// Failures since the endpoint last took a message, and when the last was.
    failures: u32,
    failed: Instant,
    /// Until then the endpoint wants to be left alone.
    quiet_until: Instant,
    /// Where to look for what is sent next, so that every bucket has its turn.
    next_bucket: usize,
    deliveries: VecDeque<DeliveryRow>,
    next_note: Instant,
    next_renewal: Instant,
    next_read: Instant,
    /// Whether buckets moved since that was stored.
    is_unsaved: bool,
}

/// A bucket that is leased.
struct Progress {
    /// The stored plan.
    planned: Option<i64>,
    /// How often its messages have failed.
    attempts: u32,
    /// When they are sent again.
    due: Instant,
    /// The messages of the plan that the endpoint has taken.
    taken: HashSet<String>,
    round: Option<Round>,
    /// Whether its position or its plan is not stored yet.
    is_unsaved: bool,
}

/// An attempt to send the messages of a plan.
struct Round {
    until: Mark,
    waiting: VecDeque<Letter>,
    sending: Vec<(String, AbortHandle)>,
    failure: Option<String>,
}

/// A message that is to be sent.
struct Letter {
    id: String,
    part: PushPart,
    about: DeliveredPart,
    attempt: u32,
}

/// A message that was sent, or not.
struct Sent {
    letter: Letter,
    url: String,
    attempt: Attempt,
}

/// Why a subscription is not sent any more by this task.
enum End {
    Deleted,
    Disabled,
}

impl Pusher {
    fn new(shared: Arc<Shared>, webhook: watch::Receiver<Webhook>) -> Pusher {
        let (row, generation, url) = {
            let webhook = webhook.borrow();
            (webhook.row.clone(), webhook.generation, webhook.url.clone())
        };
        // No client can choose a name with spaces. No other task has the same, so what one still
        // does after it has lost its leases has no effect.
        let consumer = format!("webhook {}", Uuid::new_v4());
        let reader = LogReader::new(
            &shared.matches,
            &row.platform,
            filter_of(&row),
            Assignment::new(&[]),
            Duration::MAX,
        );
        let now = Instant::now();
        Pusher {
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
            next_note: now,
            next_renewal: now,
            next_read: now,
            is_unsaved: false,
        }
    }

    async fn run(mut self, stop: CancellationToken) {
        let mut news = self.shared.matches.0.store.high_water_changes();
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
        let leaving = self.shared.matches.0.store.leave(platform, subscription, &self.consumer);
        let _ = self.shared.matches.in_lane_of_streams(platform, leaving).await;
    }

    /// Does all that is due, and returns when something may be due again.
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
            // Until then news wakes nobody.
            return Ok(wake.min(self.next_read));
        }
        Ok(wake.min(self.next_due()))
    }

    /// Begins anew with an endpoint that is another one now.
    fn follow(&mut self) {
        let url = self.webhook.borrow().url.clone();
        if url == self.url {
            return;
        }
        (self.url, self.failures, self.quiet_until) = (url, 0, Instant::now());
        for progress in self.buckets.values_mut() {
            (progress.attempts, progress.due) = (0, Instant::now());
        }
    }

    /// Takes this consumer's share of the buckets, with the progress of those that are new.
    async fn renew_lease(&mut self) -> Result<(), End> {
        self.next_renewal = Instant::now() + RENEWAL_INTERVAL;
        let (store, platform) = (&self.shared.matches.0.store, &self.row.platform);
        let subscription = &self.row.subscription;
        let leasing = store.lease(platform, subscription, &self.consumer);
        let leased = match self.shared.matches.in_lane_of_streams(platform, leasing).await {
            Ok(Some(leased)) => leased,
            Ok(None) => return Err(End::Deleted),
            Err(error) => {
                tracing::debug!(%error, "a lease was not renewed, trying again");
                return Ok(());
            }
        };
        let reading = store.webhook_progress(platform, subscription, &self.consumer);
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
                // Another process sends its messages now.
                progress.round.iter().for_each(Round::abort);
            }
            is_kept
        });
        for stored in progress.into_iter().filter(|it| assigned.contains(&it.bucket)) {
            let due = Instant::now() + stored.wait;
            let its = self.buckets.entry(stored.bucket).or_insert_with(|| Progress {
                planned: stored.planned,
                attempts: stored.attempts,
                due,
                taken: HashSet::new(),
                round: None,
                is_unsaved: false,
            });
            // The endpoint may have taken a message of another process.
            its.due = its.due.min(due.max(Instant::now()));
        }
        if let Err(error) = self.reader.identify().await {
            self.recover(error).await;
        }
        Ok(())
    }

    /// After an error, continues as soon as may be.
    async fn recover(&mut self, error: Error) {
        self.next_read = Instant::now() + ERROR_WAIT;
        let Error::RecordWentBack { marks: Some(marks), .. } = error else {
            tracing::debug!(%error, "webhooks wait, trying again");
            return;
        };
        // Sent before the record went back: what it has instead must not be skipped.
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let (store, at) = (&self.shared.matches.0.store, positions(&marks));
        let rewinding = store.rewind(platform, subscription, &at);
        if let Err(error) = self.shared.matches.in_lane_of_streams(platform, rewinding).await {
            tracing::debug!(%error, "a subscription was not rewound, trying again");
        }
        self.forget_all();
    }

    /// Begins with what is stored.
    fn forget_all(&mut self) {
        self.buckets.values().flat_map(|it| &it.round).for_each(Round::abort);
        self.buckets.clear();
        self.reader.assignment = Assignment::new(&[]);
        self.next_renewal = Instant::now();
    }

    // === Planning ===

    /// Reads what is to be sent next, and stores the plan before it is sent.
    async fn plan(&mut self) -> Result<(), Error> {
        self.reader.check_epoch().await?;
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

    /// What to read: of each bucket in which nothing is being sent, the stored plan, or the next.
    fn windows(&self) -> Vec<Window> {
        let now = Instant::now();
        if now < self.quiet_until {
            return Vec::new();
        }
        if self.is_held() && (!self.sending.is_empty() || now < self.probe_time()) {
            return Vec::new();
        }
        let heads = self.shared.matches.0.store.high_water_marks();
        let at = self.reader.assignment.at();
        let window = |(&bucket, progress): (&Bucket, &Progress)| {
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
        if self.is_held() {
            // Those that have failed before come first: their turn is over soonest.
            windows.sort_by_key(|it| self.buckets[&it.bucket].attempts == 0);
            room = 1;
        } else {
            let passed = windows.partition_point(|it| it.bucket.index() < self.next_bucket);
            windows.rotate_left(passed);
        }
        windows.truncate(room);
        windows
    }

    /// The messages of a window; none if it has none.
    fn round(&mut self, window: ReadWindow) -> Option<(Bucket, Round)> {
        let ReadWindow { bucket, found, until } = window;
        let after = self.reader.assignment.at()[bucket.index()];
        let progress = self.buckets.get_mut(&bucket)?;
        let mut letters = letters(&self.row, self.generation, bucket, after, found);
        letters.retain(|letter| !progress.taken.contains(&letter.id));
        if letters.is_empty() {
            self.reader.assignment.set(bucket, until);
            progress.move_on();
            self.is_unsaved = true;
            return None;
        }
        for letter in &mut letters {
            letter.attempt = progress.attempts + 1;
        }
        Some((bucket, Round { until, waiting: letters, sending: Vec::new(), failure: None }))
    }

    /// Stores how far each bucket was sent, and the plans of these rounds. A round whose bucket
    /// belongs to somebody else by now is forgotten with it.
    async fn save(&mut self, rounds: &[(Bucket, Round)]) -> Result<(), Error> {
        let at = self.reader.assignment.at();
        let until: HashMap<Bucket, i64> =
            rounds.iter().map(|(bucket, round)| (*bucket, round.until.position)).collect();
        let plan = |(&bucket, progress): (&Bucket, &Progress)| {
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
        let store = &self.shared.matches.0.store;
        let saving = store.plan_webhook(platform, subscription, &self.consumer, &plans);
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

    /// Whether the endpoint, and not some of its messages, is held to fail.
    fn is_held(&self) -> bool {
        let failing = || self.buckets.values().filter(|it| it.attempts > 0).count();
        self.failures >= HOLD_FAILURES && failing() >= HOLD_BUCKETS
    }

    /// When an endpoint that is held to fail is tried again.
    fn probe_time(&self) -> Instant {
        let failing = self.buckets.values().filter(|it| it.attempts > 0).map(|it| it.due);
        let probe = self.failed + self.shared.scaled(PROBE_INTERVAL);
        failing.min().map_or(probe, |due| due.min(probe))
    }

    /// When a bucket is due that is not yet.
    fn next_due(&self) -> Instant {
        let now = Instant::now();
        let never = now + RENEWAL_INTERVAL;
        if self.is_unsaved {
            return now;
        }
        if now < self.quiet_until {
            return self.quiet_until;
        }
        if self.is_held() {
            return if self.sending.is_empty() { self.probe_time() } else { never };
        }
        let waiting = self.buckets.values().filter(|it| it.round.is_none()).map(|it| it.due);
        let is_behind = !self.windows().is_empty();
        if is_behind { now } else { waiting.filter(|&due| due > now).min().unwrap_or(never) }
    }

    // === Sending ===

    /// The messages that are sent at a time. An endpoint earns more than one by taking messages,
    /// so one that stalls holds little of what all endpoints share.
    fn concurrency(&self) -> usize {
        if self.is_held() { 1 } else { (1 + self.successes).min(self.shared.options.per_endpoint) }
    }

    /// Starts as many messages as may be sent at a time.
    fn send(&mut self) {
        if Instant::now() < self.quiet_until {
            return;
        }
        let most = self.concurrency();
        let rounds = self.buckets.values_mut().filter_map(|it| it.round.as_mut());
        for round in rounds {
            while self.sending.len() < most {
                let Some(letter) = round.waiting.pop_front() else { break };
                let id = letter.id.clone();
                let sending = send(self.shared.clone(), self.webhook.clone(), letter);
                round.sending.push((id, self.sending.spawn(sending)));
            }
        }
    }

    async fn settle_joined(
        &mut self,
        sent: Result<Sent, tokio::task::JoinError>,
    ) -> Result<(), End> {
        match sent {
            Ok(sent) => self.settle(sent).await,
            Err(error) if error.is_cancelled() => Ok(()),
            // Its round never ends: begin again with what is stored.
            Err(error) => {
                tracing::error!(%error, "sending a webhook failed");
                self.next_read = Instant::now() + ERROR_WAIT;
                self.forget_all();
                Ok(())
            }
        }
    }

    /// Takes note of what came of a message.
    async fn settle(&mut self, Sent { letter, url, attempt }: Sent) -> Result<(), End> {
        let Letter { id, part, about, attempt: number } = letter;
        let failure = attempt.failure.clone();
        let is_of_now = url == self.url;
        let is_gone = is_of_now && attempt.status == Some(GONE);
        if let Some(wait) = attempt.retry_after.filter(|_| is_of_now) {
            let until = Instant::now() + wait.min(self.shared.scaled(BACKOFF_MAX));
            self.quiet_until = self.quiet_until.max(until);
        }
        let outcome = if failure.is_none() { "taken" } else { "failed" };
        counter!(PUSH_ATTEMPTS, "outcome" => outcome).increment(1);
        let entries = part.entries.len() + part.unreadable.len();
        self.deliveries.push_back(delivery_row(id.clone(), Some(about), entries, number, attempt));
        if self.deliveries.len() > NOTED_MAX {
            self.deliveries.pop_front();
        }
        let is_recovery = failure.is_none() && self.buckets.values().any(|it| it.attempts > 0);
        let round = self.buckets.get_mut(&about.bucket).and_then(|it| {
            let round = it.round.as_mut()?;
            let sending = round.sending.iter().position(|(sending, _)| *sending == id)?;
            round.sending.swap_remove(sending);
            Some((round, &mut it.taken))
        });
        match &failure {
            None => {
                counter!(PUSH_ENTRIES).increment(entries as u64);
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
            None => drop(taken.insert(id)),
            Some(failure) => round.failure = Some(failure.to_string()),
        }
        if is_gone {
            round.abort();
            round.sending.clear();
            round.waiting.clear();
        } else if round.failure.is_some() && self.failures >= HOLD_FAILURES {
            // The others would fail too. They were not tried, and are tried with the next attempt.
            round.waiting.clear();
        }
        if is_recovery && number > 1 {
            self.hurry().await;
        }
        self.end_round(about.bucket).await?;
        if is_gone { self.disable().await } else { Ok(()) }
    }

    /// Moves on, or waits for the next attempt, once all messages of a round have been tried.
    async fn end_round(&mut self, bucket: Bucket) -> Result<(), End> {
        let Some(progress) = self.buckets.get_mut(&bucket) else { return Ok(()) };
        let is_over = |it: &mut Round| it.waiting.is_empty() && it.sending.is_empty();
        let Some(round) = progress.round.take_if(is_over) else { return Ok(()) };
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
        let store = &self.shared.matches.0.store;
        let failure = BucketFailure { bucket, attempts, wait, failure: &failure };
        let failing = store.fail_webhook(platform, subscription, &self.consumer, failure);
        match self.shared.matches.in_lane_of_streams(platform, failing).await {
            Ok(Some(since)) if since >= self.shared.scaled(GIVE_UP) => self.disable().await,
            Ok(_) => Ok(()),
            Err(error) => {
                tracing::debug!(%error, "a failure was not noted");
                Ok(())
            }
        }
    }

    /// Tries what failed before again at once: the endpoint works again.
    async fn hurry(&mut self) {
        let now = Instant::now();
        let failing = self.buckets.values_mut().filter(|it| it.attempts > 0 && it.due > now);
        failing.for_each(|it| it.due = now);
        if now < self.next_hurry {
            return;
        }
        self.next_hurry = now + HURRY_INTERVAL;
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let hurrying = self.shared.matches.0.store.hurry_webhook(platform, subscription);
        if let Err(error) = self.shared.matches.in_lane_of_streams(platform, hurrying).await {
            tracing::debug!(%error, "failed messages wait for their time");
        }
    }

    async fn disable(&mut self) -> Result<(), End> {
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let store = &self.shared.matches.0.store;
        let disabling = store.disable_webhook(platform, subscription, self.generation, &self.url);
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

    /// Ends what is being sent, and stores what came of it.
    async fn finish(&mut self) {
        for round in self.buckets.values_mut().filter_map(|it| it.round.as_mut()) {
            if !round.waiting.is_empty() {
                round.waiting.clear();
                round.failure = Some("the process stops".to_owned());
            }
        }
        while let Some(sent) = self.sending.join_next().await {
            let Ok(Sent { letter, attempt, .. }) = sent else { continue };
            let bucket = letter.about.bucket;
            let Some(progress) = self.buckets.get_mut(&bucket) else { continue };
            let Some(round) = &mut progress.round else { continue };
            round.sending.retain(|(id, _)| *id != letter.id);
            round.failure = round.failure.take().or(attempt.failure.map(|it| it.to_string()));
            if round.sending.is_empty() && round.failure.is_none() {
                self.reader.assignment.set(bucket, round.until);
                progress.move_on();
            }
        }
        if let Err(error) = self.save(&[]).await {
            tracing::debug!(%error, "what was sent last will be sent again");
        }
    }

    async fn note_deliveries(&mut self) {
        self.next_note = Instant::now() + NOTE_INTERVAL;
        if self.deliveries.is_empty() {
            return;
        }
        let rows: Vec<DeliveryRow> = self.deliveries.drain(..).collect();
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let noting = self.shared.matches.0.store.note_deliveries(platform, subscription, &rows);
        if let Err(error) = self.shared.matches.in_lane_of_streams(platform, noting).await {
            tracing::debug!(%error, "attempts were not noted");
        }
    }
}

/// A counter: attempts to send a message, by outcome.
pub const PUSH_ATTEMPTS: &str = "croupier_webhook_attempts_total";
/// A counter: entries that endpoints have taken.
pub const PUSH_ENTRIES: &str = "croupier_webhook_entries_total";

impl Shared {
    fn scaled(&self, wait: Duration) -> Duration {
        wait.mul_f64(self.options.wait_scale)
    }
}

impl Progress {
    /// Everything that was planned is sent.
    fn move_on(&mut self) {
        self.planned = None;
        self.attempts = 0;
        self.due = Instant::now();
        self.taken.clear();
        self.is_unsaved = true;
    }
}

impl Round {
    fn abort(&self) {
        self.sending.iter().for_each(|(_, task)| task.abort());
    }
}

async fn send(shared: Arc<Shared>, webhook: watch::Receiver<Webhook>, letter: Letter) -> Sent {
    let _slot = shared.slots.acquire().await;
    let (url, secrets) = {
        let webhook = webhook.borrow();
        (webhook.url.clone(), secrets_of(webhook.secrets.clone()))
    };
    let body = Bytes::from((shared.body)(&letter.part));
    let message = Message { id: letter.id.clone(), body };
    let attempt = shared.sender.send(&url, &message, &secrets).await;
    Sent { letter, url, attempt }
}

/// The messages of a window: one for each match, in the order in which they begin.
fn letters(
    row: &SubscriptionRow,
    generation: i32,
    bucket: Bucket,
    after: Mark,
    found: Vec<(Mark, Found)>,
) -> VecDeque<Letter> {
    let mut letters: VecDeque<Letter> = VecDeque::new();
    let mut known: HashMap<MatchId, usize> = HashMap::new();
    let mut before = after.position;
    for (mark, found) in found {
        let (match_id, position) = match &found {
            Found::Entry(entry) => (entry.match_id, entry.position),
            Found::Unreadable(match_id, position) => (*match_id, *position),
        };
        let index = *known.entry(match_id).or_insert_with(|| {
            let part = PushPart {
                platform: row.platform.clone(),
                subscription: row.subscription.clone(),
                match_id,
                entries: Vec::new(),
                unreadable: Vec::new(),
            };
            let (first, last) = (position, position);
            let about = DeliveredPart { bucket, after: before, match_id, first, last };
            letters.push_back(Letter { id: String::new(), part, about, attempt: 1 });
            letters.len() - 1
        });
        let letter = &mut letters[index];
        letter.about.last = position;
        match found {
            Found::Entry(entry) => letter.part.entries.push(*entry),
            Found::Unreadable(_, position) => letter.part.unreadable.push(position),
        }
        before = mark.position;
    }
    for letter in &mut letters {
        letter.id = message_id(row, generation, &letter.about);
    }
    letters
}

/// The id of a message follows from what it holds, so every process gives it the same one.
fn message_id(row: &SubscriptionRow, generation: i32, about: &DeliveredPart) -> String {
    let mut hasher = blake3::Hasher::new_derive_key("croupier 2026-11 id of a webhook's message");
    for name in [&row.platform, &row.subscription] {
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
    }
    let DeliveredPart { match_id, first: Position(first), last: Position(last), .. } = *about;
    // A subscription may be deleted and created again.
    let created = row.create_time.unix_timestamp_nanos().to_le_bytes();
    hasher.update(&created).update(&generation.to_le_bytes()).update(match_id.0.as_bytes());
    hasher.update(&first.to_le_bytes()).update(&last.to_le_bytes());
    format!("msg_{}", &hasher.finalize().to_hex()[..32])
}
