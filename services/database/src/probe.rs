//! Probes continuously what the database can do.
//!
//! Load balancers rely on it. It has a connection of its own, so that a pool that is busy with
//! reads does not make the database seem lost. The same question tells the database's time, by
//! which the process sets its [`clock`](crate::clock).
//!
//! See `docs/decisions/0033-readiness-has-its-own-connection.md`.

use std::time::{Duration, Instant};

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Row};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::clock::{FRESH, MICROS};
use crate::error::is_disk_full;
use crate::hosts::ACCEPTS_WRITES;
use crate::{Database, cluster, pace, up};

/// What the database can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It answers and accepts writes.
    Works,
    /// It answers, and its disk is full: it can be read.
    Full,
    /// It does not answer in time, or it is a standby.
    Away,
}

/// The probe. A frozen database is noticed within [`PAUSE`], in a process that is used, and
/// [`ANSWER_WAIT`].
pub struct Service {
    database: Database,
    condition: watch::Sender<Condition>,
    connection: Option<PgConnection>,
}

/// The pause between two probes.
const PAUSE: Duration = Duration::from_millis(400);
/// The same while the process rests: the next answer still comes before the last one is stale.
const PAUSE_MAX: Duration = Duration::from_secs(1);
/// The timeout of an answer. A loaded database answers in milliseconds.
const ANSWER_WAIT: Duration = Duration::from_secs(1);
const _: () = assert!(
    PAUSE_MAX.as_secs() + ANSWER_WAIT.as_secs() <= FRESH.whole_seconds().cast_unsigned(),
    "a process that rests knows the time of the database",
);

/// Writes a megabyte to a temporary file where the tables are, and leaves nothing. It needs no
/// right, unlike a table, and unlike a row it always needs new room.
const NEEDS_ROOM: &str = "begin;
     set local work_mem = '64kB';
     set local temp_tablespaces = '';
     select sum(length(filler))
     from (
         select repeat('x', 8192) || number as filler
         from generate_series(1, 128) as number
         order by filler desc
         offset 1
     ) as sorted;
     rollback";

impl Service {
    /// A probe of a database that answered a moment ago.
    pub fn new(database: &Database) -> Self {
        let condition = watch::Sender::new(Condition::Works);
        Self { database: database.clone(), condition, connection: None }
    }

    /// What the database can do, from now on.
    pub fn condition(&self) -> watch::Receiver<Condition> {
        self.condition.subscribe()
    }

    /// Tells what was found, if it has changed.
    fn tell(&self, found: Condition) {
        let before = *self.condition.borrow();
        if before == found {
            return;
        }
        self.condition.send_replace(found);
        match found {
            Condition::Away => {
                tracing::warn!("the database does not answer, or accepts no writes");
            }
            Condition::Full => tracing::warn!(
                "the database's disk is full: nothing is recorded until there is room, and reads \
                 go on"
            ),
            Condition::Works if before == Condition::Away => {
                tracing::info!("the database answers again");
            }
            Condition::Works => tracing::info!("the database's disk has room again"),
        }
    }

    /// Probes until `drain` is cancelled, and looks at the nodes if there are several.
    pub async fn run(self, drain: CancellationToken) {
        let database = self.database.clone();
        tokio::join!(self.probe(&drain), cluster::watch(&database, &drain));
    }

    async fn probe(mut self, drain: &CancellationToken) {
        while !drain.is_cancelled() {
            let mut found = self.look().await;
            for _ in 0..self.attempts_more() {
                if found == Condition::Away {
                    found = self.look().await;
                }
            }
            if found == Condition::Away {
                self.database.clock().heard_nothing();
            }
            up::set(found != Condition::Away);
            self.tell(found);
            tokio::select! {
                () = drain.cancelled() => {}
                () = pace::pause_within(PAUSE, PAUSE_MAX) => {}
            }
        }
    }

    /// Without an answer, the next look has another connection.
    async fn look(&mut self) -> Condition {
        let answer = tokio::time::timeout(ANSWER_WAIT, self.ask()).await;
        let found = answer.ok().and_then(Result::ok).unwrap_or(Condition::Away);
        if found == Condition::Away {
            self.connection = None;
        }
        found
    }

    /// While other nodes of a cluster answer, a process stays ready: the second connection skips a
    /// node that refuses it, the third one that hangs.
    fn attempts_more(&self) -> usize {
        if self.database.known_nodes().len() > 1 { 2 } else { 0 }
    }

    async fn ask(&mut self) -> Result<Condition, sqlx::Error> {
        if self.connection.is_none() {
            self.connection = Some(self.database.connection().await?);
        }
        let connection = self.connection.as_mut().expect("it was just opened");
        let question = sqlx::raw_sql(AssertSqlSafe(format!("select {ACCEPTS_WRITES}, {MICROS}")));
        let asked = Instant::now();
        let row = question.fetch_one(&mut *connection).await?;
        // The clock of a standby says nothing about that of the primary.
        if !row.try_get::<bool, _>(0)? {
            return Ok(Condition::Away);
        }
        self.database.clock().heard(asked, &row, 1)?;
        let was_full = *self.condition.borrow() == Condition::Full;
        if !self.database.take_full() && !was_full {
            return Ok(Condition::Works);
        }
        match sqlx::raw_sql(NEEDS_ROOM).execute(&mut *connection).await {
            Ok(_) => Ok(Condition::Works),
            // The connection has a failed transaction, so it is not used again.
            Err(error) if is_disk_full(&error) => {
                self.connection = None;
                Ok(Condition::Full)
            }
            Err(error) => Err(error),
        }
    }
}
