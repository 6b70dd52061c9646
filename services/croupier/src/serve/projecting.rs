//! Projecting, on a thread of its own.

use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::process::installation::{self, Installation};
use crate::process::threads::{Error, Running, start};
use crate::process::vital::Vital;

/// Projects on a thread and connections of its own, so that projecting thousands of entries delays
/// no action. `news` changes with each entry that this process writes or sees.
pub fn project(
    options: installation::Options,
    news: watch::Receiver<()>,
    drain: CancellationToken,
    vital: Vital,
) -> Result<(projector::Handle, Running<()>), Error> {
    let handle = projector::Handle::default();
    let woken = handle.clone();
    let mut options = options;
    options.database.query_connections = QUERY_CONNECTIONS;
    let projecting = async move || {
        // On Linux this affects only this thread. Projecting works without it.
        let _ = rustix::process::nice(PROJECT_NICE);
        let project = async {
            let Some(installation) = connect(options, &drain).await else { return };
            let store = &installation.store;
            let projector = projector::Service::new(store, projector::Options::default(), woken);
            let projector = projector.told_of(news);
            tokio::select! {
                () = projector.run(drain.clone()) => {}
                // Without them the projector would wait forever.
                () = store.reading_ended() => {}
            }
            installation.close().await;
        };
        vital.run("projector", drain.clone(), project).await;
    };
    Ok((handle, start("project", projecting)?))
}

/// Connects as soon as the database answers. Returns `None` if the service stops first.
async fn connect(
    options: installation::Options,
    drain: &CancellationToken,
) -> Option<Installation> {
    loop {
        match Installation::open(options.clone()).await {
            Ok(installation) => return Some(installation),
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the projector cannot connect, retrying"
            ),
        }
        tokio::select! {
            () = drain.cancelled() => return None,
            () = tokio::time::sleep(CONNECT_PAUSE) => {}
        }
    }
}

/// The number of connections for reading, one of each kind: a batch is applied before the next is
/// read.
const QUERY_CONNECTIONS: u32 = 3;

/// Under overload, this leaves projecting a tenth of a processor.
const PROJECT_NICE: i32 = 10;

const CONNECT_PAUSE: Duration = Duration::from_secs(1);
