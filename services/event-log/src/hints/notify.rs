//! Hints by NOTIFY, on the log's own database.
//!
//! A notification does not leave the node of the database where it was sent. So a hint goes by the
//! node that has the buckets, and each process listens on every node.
//!
//! See `docs/decisions/0081-hints-go-by-the-node-of-the-bucket.md`.

use std::sync::Arc;
use std::time::Duration;

use database::{Database, Node, jittered};
use futures::future::join_all;
use sqlx::Executor;
use tokio::time::error::Elapsed;
use tokio::time::{sleep, timeout};

use super::changed::ChangedBuckets;
use super::hint::{Counts, Of, RETRY, SEND_GAP};

/// The channel of notifications. Each database has its own.
const CHANNEL: &str = "croupier";

/// A connection that answers no notification for so long is given up.
const ANSWER_WAIT: Duration = Duration::from_secs(5);

pub(super) async fn send(of: Of<'_>, written: &ChangedBuckets) {
    let nodes = nodes(of.database).await;
    let of_nodes: Vec<(u64, ChangedBuckets)> = nodes
        .iter()
        .map(|node| node.buckets.iter().fold(0, |bits, bucket| bits | bucket.bit()))
        .map(|own| (own, ChangedBuckets::default()))
        .collect();
    let sharing = async {
        loop {
            let buckets = written.take().await;
            of_nodes.iter().for_each(|(own, changed)| changed.add(buckets & own));
        }
    };
    let sending = nodes.iter().zip(&of_nodes).map(|(node, its)| send_by(of, node, &its.1));
    tokio::join!(sharing, join_all(sending));
}

/// Sends the hints of one node's buckets. Does not return.
async fn send_by(of: Of<'_>, node: &Node, written: &ChangedBuckets) {
    let counts = Counts::of("notify");
    loop {
        if let Err(error) = notify(&of, node, written, &counts).await {
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
async fn notify(
    of: &Of<'_>,
    node: &Node,
    written: &ChangedBuckets,
    counts: &Counts,
) -> Result<(), sqlx::Error> {
    let hosts = node.hosts().unwrap_or(of.database.hosts());
    let mut connection = timeout(ANSWER_WAIT, hosts.open()).await.unwrap_or_else(late)?;
    // A hint need not survive a crash, so it need not wait for the disk or a standby.
    connection.execute("set synchronous_commit = off").await?;
    loop {
        let changed = written.take().await;
        let hint = of.hint(changed).to_string();
        let notifying = sqlx::query("select pg_notify($1, $2)").bind(CHANNEL).bind(hint);
        let answer = timeout(ANSWER_WAIT, notifying.execute(&mut connection)).await;
        if let Err(error) = answer.unwrap_or_else(late) {
            written.add(changed);
            return Err(error);
        }
        counts.sent.increment(1);
        sleep(SEND_GAP).await;
    }
}

pub(super) async fn receive(of: Of<'_>, received: &ChangedBuckets) {
    let nodes = nodes(of.database).await;
    join_all(nodes.iter().map(|node| receive_from(of, node, received))).await;
}

/// Collects the hints of one node's buckets. Does not return.
async fn receive_from(of: Of<'_>, node: &Node, received: &ChangedBuckets) {
    let counts = Counts::of("notify");
    loop {
        if let Err(error) = listen(of, node, received, &counts).await {
            tracing::debug!(
                error = &error as &dyn std::error::Error,
                "notifications cannot be received, retrying"
            );
        }
        sleep(jittered(RETRY)).await;
    }
}

async fn listen(
    of: Of<'_>,
    node: &Node,
    received: &ChangedBuckets,
    counts: &Counts,
) -> Result<(), sqlx::Error> {
    let hosts = node.hosts().unwrap_or(of.database.hosts());
    let beginning = hosts.listen(CHANNEL);
    let mut listener = timeout(ANSWER_WAIT, beginning).await.unwrap_or_else(late)?;
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

/// The nodes of the database, once they can be read.
async fn nodes(database: &Database) -> Arc<[Node]> {
    loop {
        match database.nodes().await {
            Ok(nodes) => return nodes,
            Err(_) => sleep(jittered(RETRY)).await,
        }
    }
}

/// The error of what took too long.
fn late<T>(elapsed: Elapsed) -> Result<T, sqlx::Error> {
    Err(sqlx::Error::Io(elapsed.into()))
}
