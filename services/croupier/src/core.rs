//! What every process needs that decides about matches: the writer, the follower, and the use cases
//! over them.

use std::time::Duration;

use futures::future::BoxFuture;
use matches::{BotOptions, BotPlayers, Matches, Sink};
use store::{Store, append, follow, probe};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::peering::Peers;
use crate::pushing::Webhooks;
use crate::threads::StoreThread;
use crate::vital::Vital;

/// How a process decides and records.
pub struct Options {
    pub follow: follow::Options,
    pub peers: Peers,
    pub matches: matches::Options,
}

/// A running core. Its tasks run on the store's thread.
pub struct Core {
    pub matches: Matches,
    pub sink: Sink,
    pub writer: append::Handle,
    /// Whether the database answers and accepts writes.
    pub up: watch::Receiver<bool>,
    /// The writer stops last, so that what is accepted during the drain is still recorded.
    pub stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

impl Core {
    pub async fn start(
        store: &Store,
        projector: projector::Reader,
        options: Options,
        thread: &StoreThread,
        vital: &Vital,
        drain: CancellationToken,
    ) -> Result<Core, store::Error> {
        let stop = CancellationToken::new();
        let sink = Sink::new(&options.matches);
        let deliver = sink.clone();
        let deliver = move |_, entries: Vec<_>| deliver.deliver(&entries);
        let writer =
            append::Service::on_nodes(store, store.nodes().await?, append::Options::default());
        let writer = match options.peers {
            Peers::None => writer,
            Peers::PassOn => writer.with_peers(None),
            Peers::Listen(listening) => writer.with_peers(Some(listening)),
        };
        let follower = follow::Service::new(store, options.follow, deliver).await?;
        let (write, follow) = (writer.handle(), follower.handle());
        let probe = probe::Service::new(store);
        let up = probe.up();
        let run = |name, task: BoxFuture<'static, ()>| {
            thread.spawn(vital.clone().run(name, stop.clone(), task))
        };
        let (reading, stopped) = (store.clone(), stop.clone());
        let reading = async move {
            stopped.run_until_cancelled(reading.reading_ended()).await;
        };
        // From before the first match is read, so that none is kept with a player who is erased
        // since.
        let erasures = store::Erasures::new(store).await?;
        let matches =
            Matches::new(store.clone(), write.clone(), follow, projector, sink.clone(), drain);
        let forgetting = matches.clone().follow_erasures(erasures, stop.clone());
        let tasks = vec![
            run("writer", Box::pin(writer.run(stop.clone()))),
            run("follower", Box::pin(follower.run(stop.clone()))),
            run("probe", Box::pin(probe.run(stop.clone()))),
            run("batched reads", Box::pin(reading)),
            run("erasures", Box::pin(forgetting)),
        ];
        Ok(Core { matches, sink, writer: write, up, stop, tasks })
    }

    /// Records what was accepted, and stops.
    pub async fn stop(self) {
        self.stop.cancel();
        // A task that panicked has been noticed.
        let _ = futures::future::join_all(self.tasks).await;
    }
}

/// Starts what the service does by itself, until `drain` is cancelled. Returns its tasks.
pub fn start_agents(
    matches: &Matches,
    webhooks: &Webhooks,
    bots: BotOptions,
    vital: &Vital,
    drain: &CancellationToken,
) -> Vec<JoinHandle<()>> {
    let run = |name, agent: BoxFuture<'static, ()>| {
        tokio::spawn(vital.clone().run(name, drain.clone(), agent))
    };
    let timeouts = agents::Timeouts::new(matches.clone());
    let seatings = agents::Seatings::new(matches.clone());
    let bots = agents::Bots::new(BotPlayers::new(matches.clone(), bots));
    vec![
        run("timeouts", Box::pin(agents::run(timeouts, drain.clone()))),
        run("webhooks", Box::pin(webhooks.run(matches, drain.clone()))),
        run("seatings", Box::pin(agents::run(seatings, drain.clone()))),
        run("bots", Box::pin(agents::run(bots, drain.clone()))),
    ]
}

/// Waits for agents to complete what they had begun, but not for what hangs.
pub async fn end_agents(agents: Vec<JoinHandle<()>>) {
    let ending = futures::future::join_all(agents);
    let _ = tokio::time::timeout(AGENTS_WAIT, ending).await;
}

/// Longer than an attempt takes while the database answers.
const AGENTS_WAIT: Duration = Duration::from_secs(5);
