//! Hints by NOTIFY, on the log's own database.

use std::time::Duration;

use database::jittered;
use sqlx::Executor;
use sqlx::postgres::{PgListener, PgPoolOptions};
use tokio::time::{sleep, timeout};

use super::changed::ChangedBuckets;
use super::hint::{Counts, Of, RETRY, SEND_GAP};

/// The channel of notifications. Each database has its own.
const CHANNEL: &str = "croupier";

/// A connection that answers no notification for so long is given up.
const ANSWER_WAIT: Duration = Duration::from_secs(5);

pub(super) async fn send(of: Of<'_>, written: &ChangedBuckets) {
    let counts = Counts::of("notify");
    loop {
        if let Err(error) = notify(&of, written, &counts).await {
            counts.failed.increment(1);
            tracing::debug!(
                error = &error as &dyn std::error::Error,
                "other processes cannot be notified, retrying"
            );
        }
        sleep(jittered(RETRY)).await;
    }
}

/// Notifies on one connection of its own: on a pooled one, each hint would cost the round trips
/// with which the pool tests it.
async fn notify(of: &Of<'_>, written: &ChangedBuckets, counts: &Counts) -> Result<(), sqlx::Error> {
    let mut connection = of.database.connection().await?;
    // A hint need not survive a crash, so it need not wait for the disk or a standby.
    connection.execute("set synchronous_commit = off").await?;
    loop {
        let changed = written.take().await;
        let hint = of.hint(changed).to_string();
        let notifying = sqlx::query("select pg_notify($1, $2)").bind(CHANNEL).bind(hint);
        let answer = timeout(ANSWER_WAIT, notifying.execute(&mut connection)).await;
        if let Err(error) = answer.unwrap_or_else(|late| Err(sqlx::Error::Io(late.into()))) {
            written.add(changed);
            return Err(error);
        }
        counts.sent.increment(1);
        sleep(SEND_GAP).await;
    }
}

pub(super) async fn receive(of: Of<'_>, received: &ChangedBuckets) {
    let counts = Counts::of("notify");
    loop {
        if let Err(error) = listen(of, received, &counts).await {
            tracing::debug!(
                error = &error as &dyn std::error::Error,
                "notifications cannot be received, retrying"
            );
        }
        sleep(jittered(RETRY)).await;
    }
}

async fn listen(of: Of<'_>, received: &ChangedBuckets, counts: &Counts) -> Result<(), sqlx::Error> {
    let database = of.database.hosts().current();
    let pool = PgPoolOptions::new().max_connections(1).connect_with(database).await?;
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.listen(CHANNEL).await?;
    received.add(ChangedBuckets::ALL);
    loop {
        match listener.try_recv().await? {
            Some(notification) => {
                if let Some(hint) = counts.received(notification.payload().as_bytes()) {
                    received.add(of.take(hint));
                }
            }
            // The connection was lost and is open again.
            None => received.add(ChangedBuckets::ALL),
        }
    }
}
