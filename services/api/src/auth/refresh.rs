//! Keeping the known credentials up to date: one task per process reads what has changed.

use std::time::Duration;

use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::Auth;
use crate::error::of;

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How often a process reads what was revoked, suspended and created: the time in which a
    /// revocation reaches every call and every open stream.
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

/// How long one read may take.
const READ_WAIT: Duration = Duration::from_secs(5);

/// The reads so far.
#[derive(Clone)]
pub(super) struct Reads {
    begun: u64,
    ended: u64,
    /// How the last one ended.
    outcome: Result<(), store::Error>,
}

impl Reads {
    /// After the first read.
    pub fn first() -> Reads {
        Reads { begun: 1, ended: 1, outcome: Ok(()) }
    }
}

impl Auth {
    /// Reads what has changed, again and again, until `stop` is cancelled. While the database is
    /// unavailable, what is known stays as it is.
    pub async fn refresh(self, stop: CancellationToken) {
        loop {
            let began = Instant::now();
            self.read().await;
            tokio::select! {
                () = stop.cancelled() => break,
                () = sleep_until(began + self.0.options.interval) => {}
                () = self.wanted(began) => {}
            }
        }
    }

    async fn wanted(&self, began: Instant) {
        self.0.wanted.notified().await;
        sleep_until(began + PAUSE_MIN).await;
    }

    async fn read(&self) {
        self.0.reads.send_modify(|reads| reads.begun += 1);
        let mut reader = self.0.reader.lock().await;
        let read = timeout(READ_WAIT, reader.read()).await;
        let outcome = read.unwrap_or(Err(store::Error::TimedOut)).map(|changes| {
            if self.write().apply(changes) {
                self.0.taken_back.send_replace(());
            }
        });
        if let Err(error) = &outcome
            && self.0.reads.borrow().outcome.is_ok()
        {
            let error = error as &dyn std::error::Error;
            tracing::warn!(error, "cannot read revoked credentials, retrying");
        }
        self.0.reads.send_modify(|reads| {
            reads.ended = reads.begun;
            reads.outcome = outcome;
        });
    }

    /// Waits for a read that begins from now on, and causes one if `soon` is set. So any number of
    /// callers with unknown credentials cost one read.
    pub(super) async fn reread(&self, soon: bool) -> Result<(), Status> {
        let mut reads = self.0.reads.subscribe();
        let next = reads.borrow().begun + 1;
        if soon {
            self.0.wanted.notify_one();
        }
        let longest = self.0.options.interval + READ_WAIT;
        let outcome = match timeout(longest, reads.wait_for(|reads| reads.ended >= next)).await {
            Ok(Ok(reads)) => reads.outcome.clone(),
            Ok(Err(_)) | Err(_) => Err(store::Error::TimedOut),
        };
        outcome.map_err(|error| of(error.into()))
    }
}
