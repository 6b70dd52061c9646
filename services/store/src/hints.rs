//! Hints: how processes tell each other at once which buckets have new entries.
//!
//! A hint names its sender and a set of buckets. It goes by Postgres' NOTIFY, by [NATS](nats), or
//! both ways. It only makes the follower look sooner: a hint that is lost delays entries until the
//! next poll, and one that is late, duplicated, garbled or a stranger's costs a look at the heads.
//!
//! Nothing is queued. What is to be sent and what was received are each one word of bits, to which
//! hints add theirs. So a way that stands still delays no other, and a flood of hints is one hint.

mod nats;

use crate::Store;
use crate::append::jittered;
use futures::future::pending;
use metrics::{Counter, counter};
use nats::Nats;
pub use nats::Servers;
use sqlx::postgres::{PgListener, PgPoolOptions};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};
use uuid::Uuid;

/// A counter: hints, by `way` (`notify` or `nats`) and `outcome` (`sent`, `failed`, `received`, or
/// `refused` because it was not one).
pub const HINTS: &str = "croupier_hints_total";

/// The ways by which hints are sent and received. Without any, processes only poll.
#[derive(Clone, Debug)]
pub struct Options {
    /// By NOTIFY on the database.
    pub notify: bool,
    pub nats: Option<Servers>,
}

impl Default for Options {
    fn default() -> Self {
        Self { notify: true, nats: None }
    }
}

/// Ways that cannot be used. It repeats nothing of a URL, which may contain a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WaysError {
    #[error(
        "hints go by `notify`, by NATS servers such as nats://user:password@host:4222 or \
         tls://host, or both, separated by commas"
    )]
    Form,
    #[error("the URL of a NATS server is invalid: {0}")]
    Invalid(String),
    #[error("the NATS servers have different credentials: they are of one cluster")]
    Credentials,
}

impl FromStr for Options {
    type Err = WaysError;

    /// Parses ways that are separated by commas. All URLs are servers of one NATS cluster.
    fn from_str(ways: &str) -> Result<Self, WaysError> {
        let (notify, urls): (Vec<&str>, Vec<&str>) =
            ways.split(',').map(str::trim).partition(|way| *way == "notify");
        let nats = if urls.is_empty() { None } else { Some(Servers::parse(&urls)?) };
        Ok(Self { notify: !notify.is_empty(), nats })
    }
}

impl Options {
    pub fn none() -> Self {
        Self { notify: false, nats: None }
    }
}

/// The ways of one process.
pub(crate) struct Hints {
    notify: bool,
    nats: Option<Nats>,
}

impl Hints {
    pub(crate) fn new(options: Options) -> Self {
        Self { notify: options.notify, nats: options.nats.map(Nats::new) }
    }

    pub(crate) fn has_way(&self) -> bool {
        self.notify || self.nats.is_some()
    }
}

/// Tells other processes of the buckets that this one has written to. Does not return.
pub(crate) async fn send(store: Store, written: Arc<ChangedBuckets>) {
    let hints = &store.shared.hints;
    let (for_notify, for_nats) = (ChangedBuckets::default(), ChangedBuckets::default());
    let sharing = async {
        loop {
            let buckets = written.take().await;
            for_notify.add(buckets);
            for_nats.add(buckets);
        }
    };
    let by_notify = async {
        if hints.notify {
            notify(&store, &for_notify).await;
        }
    };
    let by_nats = async {
        if let Some(nats) = &hints.nats {
            nats.send(&store, &for_nats).await;
        }
    };
    tokio::join!(sharing, by_notify, by_nats);
}

/// Collects the hints of other processes. When some may have been missed, all buckets count as
/// changed. Does not return.
pub(crate) async fn receive(store: Store, received: Arc<ChangedBuckets>) {
    let hints = &store.shared.hints;
    let by_notify = async {
        if hints.notify {
            listen(&store, &received).await;
        }
    };
    let by_nats = async {
        if let Some(nats) = &hints.nats {
            nats.receive(&store, &received).await;
        }
    };
    tokio::join!(by_notify, by_nats, pending::<()>());
}

/// The channel of notifications. Each database has its own.
const CHANNEL: &str = "croupier";
/// Hints within this time are sent as one: a thousand commits a second are at most two hundred
/// hints.
const SEND_GAP: Duration = Duration::from_millis(5);
/// The wait after a failure.
const RETRY: Duration = Duration::from_millis(500);

async fn notify(store: &Store, written: &ChangedBuckets) {
    let counts = Counts::of("notify");
    loop {
        let hint = store.hint(written.take().await).to_string();
        // A hint need not survive a crash, so it need not wait for the disk or a standby.
        let notifying =
            sqlx::query("select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)");
        match store.write(notifying.bind(CHANNEL).bind(hint)).await {
            Ok(_) => {
                counts.sent.increment(1);
                sleep(SEND_GAP).await;
            }
            Err(error) => {
                counts.failed.increment(1);
                tracing::debug!(
                    error = &error as &dyn std::error::Error,
                    "other processes cannot be notified, retrying"
                );
                sleep(jittered(RETRY)).await;
            }
        }
    }
}

async fn listen(store: &Store, received: &ChangedBuckets) {
    let counts = Counts::of("notify");
    loop {
        if let Err(error) = try_listen(store, received, &counts).await {
            tracing::debug!(
                error = &error as &dyn std::error::Error,
                "notifications cannot be received, retrying"
            );
        }
        sleep(jittered(RETRY)).await;
    }
}

async fn try_listen(
    store: &Store,
    received: &ChangedBuckets,
    counts: &Counts,
) -> Result<(), sqlx::Error> {
    let database = store.shared.hosts.current();
    let pool = PgPoolOptions::new().max_connections(1).connect_with(database).await?;
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.listen(CHANNEL).await?;
    received.add(ChangedBuckets::ALL);
    loop {
        match listener.try_recv().await? {
            Some(notification) => {
                if let Some(hint) = counts.received(notification.payload().as_bytes()) {
                    received.add(store.buckets_of_other(hint));
                }
            }
            // The connection was lost and is open again.
            None => received.add(ChangedBuckets::ALL),
        }
    }
}

/// A hint as it is sent: `process:buckets`, in hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hint {
    process: Uuid,
    buckets: u64,
}

impl std::fmt::Display for Hint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{:x}", self.process.simple(), self.buckets)
    }
}

impl Hint {
    fn parse(payload: &[u8]) -> Option<Self> {
        let (process, buckets) = str::from_utf8(payload).ok()?.split_once(':')?;
        let are_digits = buckets.bytes().all(|it| it.is_ascii_hexdigit());
        let buckets = u64::from_str_radix(buckets, 16).ok().filter(|_| are_digits)?;
        Some(Self { process: Uuid::try_parse(process).ok()?, buckets })
    }
}

impl Store {
    fn hint(&self, buckets: u64) -> Hint {
        Hint { process: self.shared.process, buckets }
    }

    /// The buckets of a hint; none if this process sent it.
    fn buckets_of_other(&self, hint: Hint) -> u64 {
        if hint.process == self.shared.process { 0 } else { hint.buckets }
    }
}

/// The hints of one way, by outcome.
struct Counts {
    sent: Counter,
    failed: Counter,
    received: Counter,
    refused: Counter,
}

impl Counts {
    fn of(way: &'static str) -> Self {
        let of = |outcome: &'static str| counter!(HINTS, "way" => way, "outcome" => outcome);
        Self {
            sent: of("sent"),
            failed: of("failed"),
            received: of("received"),
            refused: of("refused"),
        }
    }

    /// The hint of a payload that was received.
    fn received(&self, payload: &[u8]) -> Option<Hint> {
        let hint = Hint::parse(payload);
        let outcome = if hint.is_some() { &self.received } else { &self.refused };
        outcome.increment(1);
        hint
    }
}

/// A set of buckets, as bits, that have changed since the set was last taken.
#[derive(Default)]
pub(crate) struct ChangedBuckets {
    buckets: AtomicU64,
    added: Notify,
}

impl ChangedBuckets {
    const ALL: u64 = u64::MAX;

    pub(crate) fn add(&self, buckets: u64) {
        if buckets != 0 {
            self.buckets.fetch_or(buckets, Relaxed);
            self.added.notify_one();
        }
    }

    async fn take(&self) -> u64 {
        loop {
            match self.buckets.swap(0, Relaxed) {
                0 => self.added.notified().await,
                buckets => return buckets,
            }
        }
    }

    /// Takes the set, but not before this time.
    pub(crate) async fn take_from(&self, earliest: Instant) -> u64 {
        sleep_until(earliest).await;
        self.take().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bucket;

    #[test]
    fn a_hint_is_read_as_it_was_sent() {
        for buckets in [0, 1, 0xf0, ChangedBuckets::ALL] {
            let hint = Hint { process: Uuid::from_u128(7), buckets };
            assert_eq!(Hint::parse(hint.to_string().as_bytes()), Some(hint));
        }
    }

    #[test]
    fn what_is_not_a_hint_is_refused() {
        let process = Uuid::from_u128(7).simple().to_string();
        for payload in [
            String::new(),
            process.clone(),
            "7:1".to_owned(),
            format!("{process}:"),
            format!("{process}:+1"),
            format!("{process}:1:1"),
            format!("{process}:10000000000000000"),
        ] {
            assert_eq!(Hint::parse(payload.as_bytes()), None, "{payload}");
        }
        assert_eq!(Hint::parse(&[0xff; 40]), None);
    }

    #[test]
    fn ways_are_named_by_commas() {
        let parse = |ways: &str| ways.parse::<Options>();
        let both = parse("notify, nats://ann:a%2Cb@one,tls://ann:a%2Cb@two:7").expect("they are");
        assert!(both.notify);
        assert_eq!(format!("{:?}", both.nats), "Some(nats://one:4222, tls://two:7)");
        assert!(parse("notify").expect("it is").nats.is_none());
        assert!(!parse("nats://one").expect("it is").notify);
        assert_eq!(parse("").err(), Some(WaysError::Form));
        assert_eq!(parse("nats://one,two").err(), Some(WaysError::Form));
        assert_eq!(parse("ws://one").err(), Some(WaysError::Form));
        assert_eq!(parse("nats://a:b@one,nats://a:c@two").err(), Some(WaysError::Credentials));
        let Err(invalid) = parse("nats://ann:secret@one:port") else {
            panic!("the port is no number")
        };
        assert!(!invalid.to_string().contains("secret"), "{invalid}");
    }

    #[test]
    fn buckets_are_bits_of_one_word() {
        assert_eq!(Bucket::all().fold(0, |all, bucket| all | bucket.bit()), ChangedBuckets::ALL);
    }
}
