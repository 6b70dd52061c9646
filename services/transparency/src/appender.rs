//! The task that appends what is due.

use std::sync::Arc;
use std::time::Duration;

use database::{Database, pace};
use metrics::gauge;
use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::cosigning::Cosigning;
use crate::due::{self, Due};
use crate::error::Error;
use crate::logs::Logs;
use crate::meter::{LEAVES_DUE, LEAVES_LATE};
use crate::sealing::{Sealed, seal};

/// How often a process looks for matches to log.
const INTERVAL: Duration = Duration::from_secs(1);

/// How long a process waits while there is no log.
const INTERVAL_WITHOUT: Duration = Duration::from_secs(5);

/// How often a process looks for matches that have ended, which reads all that are under way. It
/// waits longer, so that it takes at most a fiftieth of the time.
const ENDS_INTERVAL: Duration = Duration::from_secs(2);
const ENDS_SHARE: u32 = 50;

/// The maximum number of leaves of a kind in a checkpoint.
const BATCH: i64 = 2_000;

/// Appends the leaves that are due, and signs the tree. Any number of processes do this for one
/// installation: keys in the database let each leaf be appended once.
pub struct Appender {
    logs: Logs,
    connection: Option<PgConnection>,
    next_ends: Instant,
    /// That a checkpoint was signed.
    signed: Arc<Notify>,
}

/// How to go on.
enum Next {
    /// There is more to do.
    AtOnce,
    After(Duration),
}

impl Appender {
    pub fn new(database: &Database) -> Appender {
        Appender {
            logs: Logs::new(database),
            connection: None,
            next_ends: Instant::now(),
            signed: Arc::default(),
        }
    }

    /// Appends, and asks witnesses to cosign, until `stop` is cancelled.
    pub async fn run(self, stop: CancellationToken) {
        let (signed, cosigning) = (self.signed.clone(), Cosigning::new(&self.logs.database));
        let cosigning = stop.run_until_cancelled(cosign(cosigning, signed));
        tokio::join!(self.append_until(&stop), cosigning);
    }

    /// Appends all leaves that are due, and signs the tree, once. Asks no witness.
    pub async fn catch_up(&mut self) -> Result<(), Error> {
        while let Next::AtOnce = self.append().await? {}
        Ok(())
    }

    async fn append_until(mut self, stop: &CancellationToken) {
        let mut is_failing = false;
        while !stop.is_cancelled() {
            let next = match self.append().await {
                Ok(next) => {
                    is_failing = false;
                    next
                }
                Err(error) => {
                    self.connection = None;
                    if !std::mem::replace(&mut is_failing, true) {
                        let error = &error as &dyn std::error::Error;
                        tracing::error!(error, "the transparency log does not go on, retrying");
                    }
                    Next::After(INTERVAL)
                }
            };
            if let Next::After(wait) = next {
                let _ = stop.run_until_cancelled(pace::pause(wait)).await;
            }
        }
    }

    async fn append(&mut self) -> Result<Next, Error> {
        let log = self.logs.newest().await?.filter(|it| it.end_time.is_none());
        let Some(log) = log else {
            self.connection = None;
            return Ok(Next::After(INTERVAL_WITHOUT));
        };
        if self.connection.is_none() {
            self.connection = Some(self.logs.database.connection().await?);
        }
        let connection = self.connection.as_mut().expect("it was just opened");
        let mut due = due::opened(connection, &log, BATCH).await?;
        let mut is_full = due.len() as i64 >= BATCH;
        let is_for_ends = Instant::now() >= self.next_ends;
        if is_for_ends {
            let began = Instant::now();
            due::forget_deleted(connection).await?;
            let mut closed = due::closed(connection, &log, BATCH).await?;
            let its_full = closed.len() as i64 >= BATCH;
            due.append(&mut closed);
            is_full |= its_full;
            if !its_full {
                self.next_ends = Instant::now() + ENDS_INTERVAL.max(began.elapsed() * ENDS_SHARE);
            }
        }
        let now = self.logs.database.clock().now();
        measure(&due, now);
        let leaves: Vec<_> = due.iter().map(|it: &Due| &it.leaf).collect();
        match seal(connection, &log, &leaves, now).await? {
            Sealed::Done { is_signed } => {
                if is_signed {
                    self.signed.notify_one();
                }
                if !due.is_empty() {
                    due::settle(connection, &due).await?;
                }
            }
            Sealed::Busy => {
                self.next_ends = self.next_ends.min(Instant::now() + INTERVAL);
                is_full = false;
            }
        }
        Ok(if is_full { Next::AtOnce } else { Next::After(INTERVAL) })
    }
}

/// Tells how many leaves are due, and for how long the oldest has been.
fn measure(due: &[Due], now: OffsetDateTime) {
    let oldest = due.iter().map(|it| it.leaf.time_us()).min();
    let now_us = (now.unix_timestamp_nanos() / 1_000) as i64;
    let late_us = oldest.map_or(0, |it| now_us - it);
    gauge!(LEAVES_DUE).set(due.len() as f64);
    gauge!(LEAVES_LATE).set((late_us as f64 / 1e6).max(0.0));
}

/// Asks witnesses whenever a checkpoint was signed. One that fails is asked for the next one.
async fn cosign(mut cosigning: Cosigning, signed: Arc<Notify>) {
    loop {
        signed.notified().await;
        if let Err(error) = cosigning.cosign().await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "witnesses cannot be asked");
        }
    }
}
