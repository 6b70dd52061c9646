//! The tasks that decide and record: the writer, the follower, and the use cases over them.

use accounts::Erasures;
use database::probe::{self, Condition};
use event_log::{append, follow};
use futures::future::BoxFuture;
use matches::{Matches, Sink};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::peers::Peers;
use crate::process::installation::Installation;
use crate::process::opening::batched_reads;
use crate::process::threads::StoreThread;
use crate::process::vital::Vital;

/// The running tasks. Those of the store run on its thread.
pub struct Engine {
    pub matches: Matches,
    pub sink: Sink,
    pub writer: append::Handle,
    /// What the database can do.
    pub condition: watch::Receiver<Condition>,
    /// The writer stops last, so that actions accepted during the drain are still recorded.
    pub stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

/// What is read from the database before any task runs, so that reading it may be repeated.
pub struct Prepared {
    writer: append::Service,
    follower: follow::Service,
    erasures: Erasures,
    sink: Sink,
}

impl Prepared {
    pub async fn read(
        installation: &Installation,
        follow: follow::Options,
        matches: &matches::Options,
    ) -> Result<Prepared, database::Error> {
        let Installation { store, accounts, .. } = installation;
        let log = store.log();
        let sink = Sink::new(matches);
        let deliver = sink.clone();
        let deliver = move |_, entries: Vec<_>| deliver.deliver(&entries);
        let nodes = log.database().nodes().await?;
        let writer = append::Service::on_nodes(log, &nodes, append::Options::default());
        let follower = follow::Service::new(log, follow, deliver).await?;
        // Created before the first match is read, so that no match stays in memory with a player
        // who was erased since.
        let erasures = Erasures::new(accounts).await?;
        Ok(Prepared { writer, follower, erasures, sink })
    }
}

impl Engine {
    pub fn start(
        installation: &Installation,
        prepared: Prepared,
        projector: projector::Reader,
        peers: Peers,
        thread: &StoreThread,
        vital: &Vital,
        drain: CancellationToken,
    ) -> Engine {
        let Installation { store, accounts, .. } = installation;
        let Prepared { writer, follower, erasures, sink } = prepared;
        let (log, stop) = (store.log(), CancellationToken::new());
        let writer = match peers {
            Peers::None => writer,
            Peers::PassOn => writer.with_peers(None),
            Peers::Listen(listening) => writer.with_peers(Some(listening)),
        };
        let (write, follow) = (writer.handle(), follower.handle());
        let probe = probe::Service::new(log.database());
        let condition = probe.condition();
        let run = |name, task: BoxFuture<'static, ()>| {
            thread.spawn(vital.clone().run(name, stop.clone(), task))
        };
        let matches = Matches::new(
            store.clone(),
            accounts.clone(),
            write.clone(),
            follow,
            projector,
            sink.clone(),
            drain.clone(),
        );
        let forgetting = matches.clone().follow_erasures(erasures, stop.clone());
        let tasks = vec![
            run("writer", Box::pin(writer.run(stop.clone()))),
            run("follower", Box::pin(follower.run(stop.clone()))),
            run("probe", Box::pin(probe.run(stop.clone()))),
            run("batched reads", Box::pin(batched_reads(store.clone(), stop.clone()))),
            run("erasures", Box::pin(forgetting)),
            vital.spawn("upkeep of matches", &drain, matches.clone().upkeep()),
        ];
        Engine { matches, sink, writer: write, condition, stop, tasks }
    }

    /// Records the accepted actions, and stops.
    pub async fn stop(self) {
        self.stop.cancel();
        // A panic of a task was already reported.
        let _ = futures::future::join_all(self.tasks).await;
    }
}
