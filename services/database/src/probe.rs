//! Probes continuously whether the database answers and accepts writes.
//!
//! Load balancers rely on it. It has a connection of its own, so that a pool that is busy with
//! reads does not make the database seem lost.
//!
//! See `docs/decisions/0033-readiness-has-its-own-connection.md`.

use crate::Database;
use sqlx::postgres::PgConnection;
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The probe. A frozen database is noticed within [`PAUSE`] and [`ANSWER_WAIT`].
pub struct Service {
    database: Database,
    up: watch::Sender<bool>,
    connection: Option<PgConnection>,
}

/// The pause between two probes.
const PAUSE: Duration = Duration::from_millis(400);
/// The timeout of an answer. A loaded database answers in milliseconds.
const ANSWER_WAIT: Duration = Duration::from_secs(1);

impl Service {
    /// A probe of a database that answered a moment ago.
    pub fn new(database: &Database) -> Self {
        Self { database: database.clone(), up: watch::Sender::new(true), connection: None }
    }

    /// Whether the database answers and accepts writes.
    pub fn up(&self) -> watch::Receiver<bool> {
        self.up.subscribe()
    }

    /// Probes until `drain` is cancelled.
    pub async fn run(mut self, drain: CancellationToken) {
        while !drain.is_cancelled() {
            let answer = tokio::time::timeout(ANSWER_WAIT, self.accepts_writes()).await;
            let is_up = matches!(answer, Ok(Ok(true)));
            if !is_up {
                self.connection = None;
            }
            if self.up.send_if_modified(|up| std::mem::replace(up, is_up) != is_up) {
                match is_up {
                    true => tracing::info!("the database answers again"),
                    false => tracing::warn!("the database does not answer, or accepts no writes"),
                }
            }
            tokio::select! {
                () = drain.cancelled() => {}
                () = tokio::time::sleep(PAUSE) => {}
            }
        }
    }

    async fn accepts_writes(&mut self) -> Result<bool, sqlx::Error> {
        if self.connection.is_none() {
            self.connection = Some(self.database.connection().await?);
        }
        let connection = self.connection.as_mut().expect("it was just opened");
        crate::hosts::accepts_writes(connection).await
    }
}
