//! Keeps the known credentials up to date: one task per process reads changes.

use std::sync::{RwLock, RwLockReadGuard};
use std::time::Duration;

use accounts::Accounts;
use database::pace;
use tokio::sync::{Mutex, Notify, watch};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::known::Known;
use crate::error::of;

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How often a process reads revocations, suspensions and new keys. A revocation takes at most
    /// this long to reach all open streams and, in a process that is used, all calls.
    pub interval: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options { interval: Duration::from_secs(2) }
    }
}

/// The shortest time between two reads. A key that was just created is not known yet, so an unknown
/// key causes a read; this limits how often.
const PAUSE_MIN: Duration = Duration::from_secs(1);

/// The timeout of a read.
const READ_WAIT: Duration = Duration::from_secs(5);

/// The reads so far.
#[derive(Clone)]
struct Reads {
    begun: u64,
    ended: u64,
    /// The outcome of the last one.
    outcome: Result<(), database::Error>,
}

impl Reads {
    /// After the first read.
    fn first() -> Reads {
        Reads { begun: 1, ended: 1, outcome: Ok(()) }
    }
}

/// The known credentials, as they were last read.
pub(super) struct Current {
    options: Options,
    known: RwLock<Known>,
    reader: Mutex<accounts::Credentials>,
    reads: watch::Sender<Reads>,
    /// Notified when a caller waits for the next read.
    wanted: Notify,
    /// Notified when credentials are revoked.
    taken_back: watch::Sender<()>,
}

impl Current {
    /// Reads the credentials, and creates the first key that signs tokens.
    pub async fn new(accounts: &Accounts, options: Options) -> Result<Current, database::Error> {
        let mut reader = accounts::Credentials::new(accounts);
        let mut known = Known::default();
        known.apply(reader.read().await?);
        // All nodes of a database have these keys, so none can be written while a node is
        // unreachable.
        if known.signing_key().is_none() {
            let mut first = [0; 32];
            getrandom::fill(&mut first).expect("the system has randomness");
            accounts.create_first_token_key(&first).await?;
            known.apply(reader.read().await?);
        }
        Ok(Current {
            options,
            known: RwLock::new(known),
            reader: Mutex::new(reader),
            reads: watch::Sender::new(Reads::first()),
            wanted: Notify::new(),
            taken_back: watch::Sender::new(()),
        })
    }

    pub fn known(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().expect("no code panics while holding the lock")
    }

    /// Changes the known credentials. `change` returns whether it revokes any.
    pub fn change(&self, change: impl FnOnce(&mut Known) -> bool) {
        let takes_back =
            change(&mut self.known.write().expect("no code panics while holding the lock"));
        if takes_back {
            self.taken_back.send_replace(());
        }
    }

    /// Notified at once whenever credentials are revoked.
    pub fn taken_back(&self) -> watch::Receiver<()> {
        let mut taken_back = self.taken_back.subscribe();
        taken_back.mark_changed();
        taken_back
    }

    /// Reads changes until `stop` is cancelled. While the database is unavailable, the known
    /// credentials stay in effect.
    pub async fn refresh(&self, stop: CancellationToken) {
        loop {
            let began = Instant::now();
            self.read().await;
            tokio::select! {
                () = stop.cancelled() => break,
                () = pace::pause(self.options.interval) => {}
                () = self.wanted(began) => {}
            }
        }
    }

    async fn wanted(&self, began: Instant) {
        self.wanted.notified().await;
        sleep_until(began + PAUSE_MIN).await;
    }

    async fn read(&self) {
        self.reads.send_modify(|reads| reads.begun += 1);
        let mut reader = self.reader.lock().await;
        let read = timeout(READ_WAIT, reader.read()).await;
        let outcome = read.unwrap_or(Err(database::Error::TimedOut)).map(|changes| {
            self.change(|known| known.apply(changes));
        });
        if let Err(error) = &outcome
            && self.reads.borrow().outcome.is_ok()
        {
            let error = error as &dyn std::error::Error;
            tracing::warn!(error, "cannot read revoked credentials, retrying");
        }
        self.reads.send_modify(|reads| {
            reads.ended = reads.begun;
            reads.outcome = outcome;
        });
    }

    /// Causes a read soon.
    pub fn want(&self) {
        self.wanted.notify_one();
    }

    /// Waits for a read that begins after this call, and triggers one if `soon` is set. So any
    /// number of callers with unknown credentials share one read.
    pub async fn reread(&self, soon: bool) -> Result<(), Status> {
        let mut reads = self.reads.subscribe();
        let next = reads.borrow().begun + 1;
        if soon {
            self.want();
        }
        pace::note_use();
        let longest = self.options.interval + READ_WAIT;
        let outcome = match timeout(longest, reads.wait_for(|reads| reads.ended >= next)).await {
            Ok(Ok(reads)) => reads.outcome.clone(),
            Ok(Err(_)) | Err(_) => Err(database::Error::TimedOut),
        };
        outcome.map_err(|error| of(error.into()))
    }
}
