//! The tasks that decide and record: the writer, the follower, and the use cases over them.

use accounts::Erasures;
use database::probe;
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

/// Options for deciding and recording.
pub struct Options {
    pub follow: follow::Options,
    pub peers: Peers,
    pub matches: matches::Options,
}

/// The running tasks. Those of the store run on its thread.
pub struct Engine {
    pub matches: Matches,
    pub sink: Sink,
    pub writer: append::Handle,
    /// Whether the database answers and accepts writes.
    pub up: watch::Receiver<bool>,
    /// The writer stops last, so that actions accepted during the drain are still recorded.
    pub stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

impl Engine {
    pub async fn start(
        installation: &Installation,
        projector: projector::Reader,
        options: Options,
        thread: &StoreThread,
        vital: &Vital,
        drain: CancellationToken,
    ) -> Result<Engine, database::Error> {
        let Installation { store, accounts, .. } = installation;
        let (log, stop) = (store.log(), CancellationToken::new());
        let sink = Sink::new(&options.matches);
        let deliver = sink.clone();
        let deliver = move |_, entries: Vec<_>| deliver.deliver(&entries);
        let writer = append::Service::on_nodes(
            log,
            log.database().nodes().await?,
            append::Options::default(),
        );
        let writer = match options.peers {
            Peers::None => writer,
            Peers::PassOn => writer.with_peers(None),
            Peers::Listen(listening) => writer.with_peers(Some(listening)),
        };
        let follower = follow::Service::new(log, options.follow, deliver).await?;
        let (write, follow) = (writer.handle(), follower.handle());
        let probe = probe::Service::new(log.database());
        let up = probe.up();
        let run = |name, task: BoxFuture<'static, ()>| {
            thread.spawn(vital.clone().run(name, stop.clone(), task))
        };
        // Created before the first match is read, so that no match stays in memory with a player
        // who was erased since.
        let erasures = Erasures::new(accounts).await?;
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
        Ok(Engine { matches, sink, writer: write, up, stop, tasks })
    }

    /// Records the accepted actions, and stops.
    pub async fn stop(self) {
        self.stop.cancel();
        // A panic of a task was already reported.
        let _ = futures::future::join_all(self.tasks).await;
    }
}
