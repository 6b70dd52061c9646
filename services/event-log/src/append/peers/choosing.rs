//! The known peers of this process, which of them it prefers, and its connections to them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::error::Error;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use database::pace;
use sqlx::Row;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::channel::Key;
use super::link::Link;
use super::listen;
use super::peer::Peer;
use super::wire::PROTOCOL;
use crate::Log;
use crate::append::counters::Counters;
use crate::append::queues::{Pending, Queues, Routes};

/// Where a process accepts its peers' drafts.
pub struct Listening {
    pub listener: TcpListener,
    /// The address at which the peers reach the listener, as `host:port`.
    pub address: String,
}

/// The known peers of this process, and its connections to them.
pub(in crate::append) struct Peers {
    log: Log,
    queues: Queues,
    counters: Arc<Counters>,
    listening: Option<Listening>,
    key: Key,
    routes: watch::Sender<Routes>,
    /// The peers that are preferred for a node, with the state of each connection.
    links: HashMap<Uuid, State>,
    /// The peers that were seen last, besides this process.
    seen: Vec<Peer>,
    /// Whether the others can find this process.
    is_announced: bool,
}

enum State {
    Connecting(mpsc::Sender<Pending>),
    Connected(mpsc::Sender<Pending>),
    /// It did not answer, and is not asked again until this time.
    Shunned(Instant),
}

/// How often a process announces that it is alive.
const ANNOUNCE: Duration = Duration::from_secs(2);
/// How long a process counts as alive after an announcement: two announcements may fail.
const SEEN_FOR_S: i32 = 7;
/// After how long processes are forgotten.
const FORGOTTEN_AFTER_S: i32 = 3600;
/// How long a peer that did not answer is skipped.
const SHUN: Duration = Duration::from_secs(5);
/// The pause after a failed accept: the process may have reached its limit of open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// Drafts that may wait for a connection.
const QUEUE_MAX: usize = 8192;

impl Peers {
    pub fn new(
        log: &Log,
        queues: Queues,
        counters: Arc<Counters>,
        listening: Option<Listening>,
        routes: watch::Sender<Routes>,
    ) -> Self {
        let mut key = Key::default();
        getrandom::fill(&mut key).expect("the system provides random numbers");
        Self {
            log: log.clone(),
            queues,
            counters,
            listening,
            key,
            routes,
            links: HashMap::new(),
            seen: Vec::new(),
            is_announced: false,
        }
    }

    /// Passes drafts to peers, and accepts theirs, until `drain` is cancelled and every forwarded
    /// draft is answered or handed back. Returns the tasks that still answer peers.
    pub async fn run(mut self, drain: &CancellationToken) -> JoinSet<()> {
        let mut answering = JoinSet::new();
        let mut linked = JoinSet::new();
        let (ready, mut connected) = mpsc::unbounded_channel();
        let mut look = pin!(pace::pause(Duration::ZERO));
        loop {
            tokio::select! {
                () = drain.cancelled() => break,
                () = &mut look => {
                    self.look_around().await;
                    look.set(pace::pause(ANNOUNCE));
                }
                Some(process) = connected.recv() => self.connected(process),
                Some(ended) = linked.join_next() => {
                    self.ended(ended.expect("passing drafts to a peer does not panic"));
                }
                stream = accept(self.listening.as_ref()) => {
                    let (log, queues) = (self.log.clone(), self.queues.clone());
                    answering.spawn(listen::answer_peer(stream, log, queues, self.key));
                }
                Some(_) = answering.join_next() => {}
            }
            for link in self.choose(&ready) {
                linked.spawn(link.run());
            }
            self.publish();
        }
        self.links.clear();
        self.publish();
        self.withdraw().await;
        linked.join_all().await;
        answering
    }

    /// Announces that this process is alive, and reads which others are. A process that rests
    /// withdraws instead: one that is used writes by itself until it comes back.
    async fn look_around(&mut self) {
        match tokio::time::timeout(ANNOUNCE, self.try_look_around()).await {
            Ok(Ok(())) => {}
            // Until the next success nothing changes: the preference is only a hint.
            Ok(Err(error)) => {
                let error = &error as &dyn Error;
                tracing::debug!(error, "peers cannot be looked for, retrying");
            }
            Err(_) => tracing::debug!("looking for peers takes too long, retrying"),
        }
    }

    async fn try_look_around(&mut self) -> Result<(), database::Error> {
        if pace::rests() {
            self.withdraw().await;
            self.is_announced = false;
        } else if let Some(Listening { address, .. }) = &self.listening {
            let announce = sqlx::query(self.log.0.statements.announce.clone());
            let announce =
                announce.bind(self.log.0.process).bind(PROTOCOL).bind(address).bind(&self.key[..]);
            self.log.database().write(announce).await?;
            self.is_announced = true;
        }
        let rows = sqlx::query(self.log.0.statements.writers.clone())
            .bind(PROTOCOL)
            .bind(self.log.0.process)
            .bind(SEEN_FOR_S)
            .fetch_all(self.log.database().pool())
            .await?;
        let peers = rows.iter().map(|row| {
            let key: Vec<u8> = row.try_get("key")?;
            let key = key.try_into().expect("a check constraint makes keys 32 bytes long");
            Ok(Peer { process: row.try_get("process")?, address: row.try_get("address")?, key })
        });
        self.seen = peers.collect::<Result<_, sqlx::Error>>()?;
        Ok(())
    }

    /// Announces that this process leaves, and removes processes that left without notice.
    async fn withdraw(&self) {
        let leave = sqlx::query(self.log.0.statements.withdraw.clone());
        let leave = leave.bind(self.log.0.process).bind(FORGOTTEN_AFTER_S);
        if self.is_announced {
            // If this fails, the others notice by themselves.
            let _ = tokio::time::timeout(ANNOUNCE, self.log.database().write(leave)).await;
        }
    }

    /// Ensures that each preferred peer, and no other, has a connection or a connection attempt.
    /// Returns the connections to open.
    fn choose(&mut self, ready: &mpsc::UnboundedSender<Uuid>) -> Vec<Link> {
        let now = Instant::now();
        self.links.retain(|_, state| !matches!(state, State::Shunned(until) if *until <= now));
        let preferred: Vec<Peer> =
            (0..self.queues.nodes()).filter_map(|node| self.preferred(node)).cloned().collect();
        self.links.retain(|process, state| {
            matches!(state, State::Shunned(_)) || preferred.iter().any(|it| it.process == *process)
        });
        let mut begun = Vec::new();
        for peer in preferred {
            if let Entry::Vacant(place) = self.links.entry(peer.process) {
                let (queue, drafts) = mpsc::channel(QUEUE_MAX);
                place.insert(State::Connecting(queue));
                begun.push((peer, drafts));
            }
        }
        let (log, queues, counters) = (&self.log, &self.queues, &self.counters);
        let link = |(peer, drafts)| Link::new(log, queues, counters, peer, drafts, ready.clone());
        begun.into_iter().map(link).collect()
    }

    /// The peer that is preferred for a node of the database; `None` if it is this process.
    fn preferred(&self, node: usize) -> Option<&Peer> {
        let answers = |it: &&Peer| !matches!(self.links.get(&it.process), Some(State::Shunned(_)));
        let best = self.seen.iter().filter(answers).max_by_key(|it| weight(it.process, node))?;
        let own = self.is_announced.then(|| weight(self.log.0.process, node));
        (own < Some(weight(best.process, node))).then_some(best)
    }

    /// Tells the callers which queues to use.
    fn publish(&self) {
        let route = |node| match self.links.get(&self.preferred(node)?.process)? {
            State::Connected(queue) => Some(queue.clone()),
            State::Connecting(_) | State::Shunned(_) => None,
        };
        self.routes.send_replace((0..self.queues.nodes()).map(route).collect());
    }

    fn connected(&mut self, process: Uuid) {
        if let Some(state) = self.links.get_mut(&process)
            && let State::Connecting(queue) = state
        {
            *state = State::Connected(queue.clone());
        }
    }

    /// A connection has ended. If it is still wanted, the peer does not answer.
    fn ended(&mut self, process: Uuid) {
        if let Some(state) = self.links.get_mut(&process) {
            *state = State::Shunned(Instant::now() + SHUN);
        }
    }
}

/// The process with the largest weight is the preferred writer of a node.
fn weight(process: Uuid, node: usize) -> [u8; 32] {
    let mut hash = blake3::Hasher::new();
    hash.update(process.as_bytes()).update(&(node as u64).to_le_bytes());
    *hash.finalize().as_bytes()
}

/// The next connection; never returns without a listener.
async fn accept(listening: Option<&Listening>) -> TcpStream {
    let Some(Listening { listener, .. }) = listening else { return std::future::pending().await };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            Err(error) => {
                tracing::debug!(error = &error as &dyn Error, "cannot accept a peer, retrying");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}
