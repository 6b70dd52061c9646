//! Following: entries that other processes have recorded, handed on as they come.
//!
//! Postgres' notifications are a hint to look, sent after the commit, and by themselves worth
//! nothing: they may be late, doubled or lost. The truth is a bucket's head, which is asked for
//! about once a second; so a lost hint costs a second and never an entry.

use crate::append::jittered;
use crate::{BUCKETS, Bucket, Error, MatchId, Recorded, Store, Window};
use sqlx::postgres::{PgConnection, PgListener, PgNotification, PgPoolOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

/// How soon other processes' entries are noticed.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether to listen for hints.
    pub hints: bool,
    /// How often to ask for the heads, hints or not: the longest that a lost hint may cost.
    pub poll_wait: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { hints: true, poll_wait: Duration::from_secs(1) }
    }
}

/// The follower. There is one per process.
///
/// Its sink gets the new entries of each bucket that somebody is interested in, in the order of
/// their commits, each once. It skips what this process wrote itself, unless that stands among
/// others' entries or is read before the writer has noted it; and it may begin up to a poll before
/// the interest did. Who wants a match's entries therefore first shows interest, then reads the
/// match, and drops what it has already.
pub struct Service<Sink> {
    store: Store,
    options: Options,
    handle: Handle,
    sink: Sink,
}

/// Where interest is shown.
#[derive(Clone)]
pub struct Handle {
    interested: Arc<[AtomicUsize; BUCKETS]>,
}

/// Interest in a bucket, until it is dropped.
#[must_use]
pub struct Interest {
    bucket: Bucket,
    handle: Handle,
}

/// Entries read at a time.
const PAGE: i64 = 500;
/// Above so many changed buckets it is cheaper to ask for all heads first.
const HINTED_MAX: u32 = 8;
/// Hints that fall together are sent as one: a thousand commits a second are two hundred
/// notifications.
const HINT_GAP: Duration = Duration::from_millis(5);
/// Before a lost connection is tried again.
const RECONNECT: Duration = Duration::from_millis(500);
const CHANNEL: &str = "croupier";

impl<Sink: Fn(Bucket, Vec<(MatchId, Recorded)>) + Send + 'static> Service<Sink> {
    /// Begins at the record's present end.
    pub async fn new(store: &Store, options: Options, sink: Sink) -> Result<Self, Error> {
        let heads = store.bucket_heads().await?;
        Bucket::all().for_each(|bucket| store.knows(bucket, heads[bucket.index()]));
        let handle = Handle { interested: Arc::new([const { AtomicUsize::new(0) }; BUCKETS]) };
        Ok(Self { store: store.clone(), options, handle, sink })
    }

    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Follows until `drain` is cancelled.
    pub async fn run(self, drain: CancellationToken) {
        let hinted = Arc::<Changed>::default();
        let mut listener = JoinSet::new();
        if self.options.hints {
            listener.spawn(listen(self.store.clone(), hinted.clone()));
        }
        let mut poll = tokio::time::interval(self.options.poll_wait);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let read = tokio::select! {
                () = drain.cancelled() => return,
                changed = hinted.take() => self.read_hinted(changed).await,
                _ = poll.tick() => self.read_changed().await,
            };
            if let Err(error) = read {
                // Nothing is lost: the next poll finds the same heads ahead of what is known.
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the log cannot be followed, trying again"
                );
            }
        }
    }

    async fn read_hinted(&self, changed: u64) -> Result<(), Error> {
        // Whoever reads the whole stream wants to know how far every bucket has come.
        if changed.count_ones() > HINTED_MAX || self.store.shared.news.receiver_count() > 0 {
            return self.read_changed().await;
        }
        for bucket in Bucket::all().filter(|bucket| changed & bucket.bit() != 0) {
            if self.handle.is_interested(bucket) {
                self.read(bucket).await?;
            }
        }
        Ok(())
    }

    /// Reads the buckets whose heads have moved on; where nobody is interested, notes the head and
    /// reads nothing.
    async fn read_changed(&self) -> Result<(), Error> {
        let heads = self.store.bucket_heads().await?;
        for bucket in Bucket::all() {
            let head = heads[bucket.index()];
            if !self.handle.is_interested(bucket) {
                self.store.knows(bucket, head);
            } else if head > self.store.known(bucket) {
                self.read(bucket).await?;
            }
        }
        Ok(())
    }

    /// Reads a bucket from the last known position to its head.
    async fn read(&self, bucket: Bucket) -> Result<(), Error> {
        loop {
            let after = self.store.known(bucket);
            let window = Window { bucket, after, until: after + PAGE };
            let entries = self.store.entries_in(&[window]).await?;
            let is_whole = entries.len() < PAGE as usize;
            if let Some((_, last)) = entries.last() {
                self.store.knows(bucket, last.bucket_position);
                (self.sink)(bucket, entries);
            }
            if is_whole {
                return Ok(());
            }
        }
    }
}

impl Handle {
    /// From now on, new entries of the bucket are handed on.
    pub fn interest(&self, bucket: Bucket) -> Interest {
        self.interested[bucket.index()].fetch_add(1, Relaxed);
        Interest { bucket, handle: self.clone() }
    }

    fn is_interested(&self, bucket: Bucket) -> bool {
        self.interested[bucket.index()].load(Relaxed) > 0
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        self.handle.interested[self.bucket.index()].fetch_sub(1, Relaxed);
    }
}

impl Store {
    fn known(&self, bucket: Bucket) -> i64 {
        self.shared.known[bucket.index()].load(Relaxed)
    }

    fn knows(&self, bucket: Bucket, head: i64) {
        if self.shared.known[bucket.index()].fetch_max(head, Relaxed) < head {
            self.shared.news.send_replace(());
        }
    }
}

/// Buckets, as bits, that something has happened to since somebody last looked.
#[derive(Default)]
pub(crate) struct Changed {
    buckets: AtomicU64,
    any: Notify,
}

impl Changed {
    const ALL: u64 = u64::MAX;

    pub(crate) fn add(&self, buckets: u64) {
        self.buckets.fetch_or(buckets, Relaxed);
        self.any.notify_one();
    }

    async fn take(&self) -> u64 {
        loop {
            match self.buckets.swap(0, Relaxed) {
                0 => self.any.notified().await,
                buckets => return buckets,
            }
        }
    }
}

/// Tells other processes which buckets this one has written to.
pub(crate) async fn announce(store: Store, written: Arc<Changed>) {
    loop {
        if let Err(error) = announce_on(&store, &written).await {
            tracing::debug!(
                error = &error as &dyn std::error::Error,
                "other processes are not told, trying again"
            );
        }
        tokio::time::sleep(jittered(RECONNECT)).await;
    }
}

async fn announce_on(store: &Store, written: &Changed) -> Result<(), sqlx::Error> {
    let mut connection: PgConnection = store.connection().await?;
    // A hint need not survive anything, so nobody waits for it to reach the disk.
    sqlx::query("set synchronous_commit = off").execute(&mut connection).await?;
    loop {
        let hint = format!("{}:{:x}", store.shared.process.simple(), written.take().await);
        sqlx::query("select pg_notify($1, $2)")
            .bind(CHANNEL)
            .bind(hint)
            .execute(&mut connection)
            .await?;
        tokio::time::sleep(HINT_GAP).await;
    }
}

/// Takes other processes' hints. Whenever it may have missed some, everything counts as changed.
async fn listen(store: Store, hinted: Arc<Changed>) {
    loop {
        if let Err(error) = listen_on(&store, &hinted).await {
            tracing::debug!(
                error = &error as &dyn std::error::Error,
                "no hints are heard, trying again"
            );
        }
        tokio::time::sleep(jittered(RECONNECT)).await;
    }
}

async fn listen_on(store: &Store, hinted: &Changed) -> Result<(), sqlx::Error> {
    let pool =
        PgPoolOptions::new().max_connections(1).connect_with(store.shared.database.clone()).await?;
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.listen(CHANNEL).await?;
    hinted.add(Changed::ALL);
    loop {
        match listener.try_recv().await? {
            Some(hint) => hinted.add(store.others(&hint).unwrap_or(0)),
            // The connection was lost and is back.
            None => hinted.add(Changed::ALL),
        }
    }
}

impl Store {
    /// The buckets that a hint speaks of, unless it is our own.
    fn others(&self, hint: &PgNotification) -> Option<u64> {
        let (process, buckets) = hint.payload().split_once(':')?;
        let is_own = process == self.shared.process.simple().to_string();
        u64::from_str_radix(buckets, 16).ok().filter(|_| !is_own)
    }
}
