//! The writer of a process: a flusher for each node of the database, and the peers.

use std::sync::Arc;
use std::time::Duration;

use database::Node;
use futures::future::{BoxFuture, join_all};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::counters::Counters;
use super::flush::Flusher;
use super::handle::Handle;
use super::peers::{Listening, Peers};
use super::queues::{Queues, Routes};
use crate::Log;
use crate::hints::ChangedBuckets;
use crate::log::Shared;

/// The default of [`Options::append_wait`].
const APPEND_WAIT: Duration = Duration::from_secs(5);

/// Limits of waiting drafts.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Drafts that may wait; more are shed. At the measured rates a full queue is a tenth of a
    /// second's work.
    pub queue_max: usize,
    /// How long a draft is tried before its outcome is reported as unknown.
    pub append_wait: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { queue_max: 8192, append_wait: APPEND_WAIT }
    }
}

/// The writer. At most one per process, because it raises the process's high-water marks past the
/// entries it wrote.
pub struct Service {
    log: Log,
    flushers: Vec<Flusher>,
    handle: Handle,
    peers: Option<Peers>,
    routes: watch::Sender<Routes>,
    written: Option<Arc<ChangedBuckets>>,
}

impl Service {
    pub fn new(log: &Log, options: Options) -> Self {
        Self::on_nodes(log, &[Node::only()], options)
    }

    /// A writer for a database with these nodes: a slow or lost node delays only its own drafts.
    pub fn on_nodes(log: &Log, nodes: &[Node], options: Options) -> Self {
        let counters = Arc::new(Counters::default());
        let written = log.0.hints.has_way().then(Arc::<ChangedBuckets>::default);
        let flusher = |node: &Node| {
            let (queue, drafts) = mpsc::channel(options.queue_max);
            let (counters, written) = (counters.clone(), written.clone());
            (queue, Flusher::new(log.clone(), node.clone(), drafts, counters, written))
        };
        let (queues, flushers): (Vec<_>, Vec<_>) = nodes.iter().map(flusher).unzip();
        let queues = Queues::new(queues, nodes);
        let (routes, published) = watch::channel(Routes::new());
        let append_wait = options.append_wait;
        let handle = Handle { queues, routes: published, counters, append_wait };
        Self { log: log.clone(), flushers, handle, peers: None, routes, written }
    }

    /// Passes drafts to the preferred writer among the processes on this database. With an address
    /// to listen on, this process may be the preferred writer.
    pub fn with_peers(mut self, listening: Option<Listening>) -> Self {
        let queues = self.handle.queues.clone();
        let counters = self.handle.counters.clone();
        let routes = self.routes.clone();
        self.peers = Some(Peers::new(&self.log, queues, counters, listening, routes));
        self
    }

    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Writes until `drain` is cancelled and every draft accepted by then is answered.
    pub fn run(self, drain: CancellationToken) -> BoxFuture<'static, ()> {
        // Compiled here: docs/decisions/0054-code-that-rarely-runs-is-compiled-for-size.md
        Box::pin(self.write(drain))
    }

    async fn write(self, drain: CancellationToken) {
        let mut hints = JoinSet::new();
        if let Some(written) = self.written {
            let log = self.log;
            hints.spawn(async move {
                let Shared { hints, database, terms, .. } = &*log.0;
                hints.send(database, terms, &written).await;
            });
        }
        // Drafts that a peer hands back may still arrive after the drain began.
        let last_come = CancellationToken::new();
        let passing_on = async {
            match self.peers {
                Some(peers) => {
                    let answering = peers.run(&drain).await;
                    last_come.cancel();
                    Some(answering)
                }
                None => {
                    drain.cancelled().await;
                    last_come.cancel();
                    None
                }
            }
        };
        let flushing = join_all(self.flushers.into_iter().map(|it| it.run(last_come.clone())));
        tokio::select! {
            _ = async { tokio::join!(passing_on, flushing) } => {}
            Some(ended) = hints.join_next() => ended.expect("sending hints does not panic"),
        }
    }
}
