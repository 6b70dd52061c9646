//! Hints by NOTIFY, on the log's own database.

use database::jittered;
use sqlx::postgres::{PgListener, PgPoolOptions};
use tokio::time::sleep;

use super::changed::ChangedBuckets;
use super::hint::{Counts, Of, RETRY, SEND_GAP};

/// The channel of notifications. Each database has its own.
const CHANNEL: &str = "croupier";
pub(super) async fn send(of: Of<'_>, written: &ChangedBuckets) {
    let counts = Counts::of("notify");
    loop {
        let hint = of.hint(written.take().await).to_string();
        // A hint need not survive a crash, so it need not wait for the disk or a standby.
        let notifying =
            sqlx::query("select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)");
        match of.database.write(notifying.bind(CHANNEL).bind(hint)).await {
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
