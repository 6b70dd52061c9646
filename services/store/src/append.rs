//! Adding entries: many callers, few commits.
//!
//! Callers pass drafts to a [`Handle`]; a flusher with a connection of its own writes them. It
//! writes all drafts that wait, up to [`BATCH_MAX`], in one statement; drafts that arrive meanwhile
//! are its next batch. There is no timer: a lone draft is written at once, and batches grow with
//! the load.

mod flush;
mod peers;

use crate::hints::{self, ChangedBuckets};
use crate::{Bucket, Digest, Epoch, MatchId, Node, Position, SpeechKey, Store};
use bytes::Bytes;
use flush::{Flusher, Pending, Queues, Reply};
use futures::future::join_all;
use metrics::{Histogram, histogram};
pub use peers::Listening;
use peers::{Peers, Routes};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use time::OffsetDateTime;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// An entry that is not recorded yet.
#[derive(Clone, Debug)]
pub struct Draft {
    pub match_id: MatchId,
    /// One more than the position that the action was decided on. A caller awaits the answer to one
    /// draft of a match before it sends the next draft of that match.
    pub position: Position,
    /// At most [`REQUEST_ID_MAX`] bytes.
    pub request_id: Option<String>,
    /// Stored in whole microseconds, the resolution of Postgres.
    pub create_time: OffsetDateTime,
    /// At most [`BODY_MAX`] bytes.
    pub body: Bytes,
    /// The digest of the entry that the action was decided on; none for a match's first entry.
    pub before: Option<Digest>,
    pub digest: Digest,
    /// The epoch in which the state was read that the action was decided on.
    pub epoch: Epoch,
    /// The player who takes over a seat with this entry.
    pub substitute: Option<Box<Substitute>>,
}

/// A player who takes over a seat. The caller has checked that the player has no seat in the match
/// and had none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Substitute {
    pub seat: i16,
    pub player: String,
    pub display_name: Option<String>,
    pub speech_key: Option<SpeechKey>,
}

/// The outcome of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Append {
    /// The draft is an entry, durably; perhaps since an earlier attempt whose answer was lost.
    Recorded,
    /// Another entry has its position, or the entry that it was decided on is not the one before
    /// it. Read the match's last entries and decide again.
    Conflict,
}

/// Why the outcome of an append is not known, or why it was not tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// Nothing was recorded.
    #[error("too many actions are waiting to be recorded")]
    Busy,
    /// The draft may be recorded, now or in a moment. Retry with the same request id.
    #[error("it is not known whether the action was recorded")]
    Unknown,
    /// The draft may be recorded, but the database reports a full disk. Retry with the same request
    /// id when it has space again.
    #[error("the database has no space left, and it is not known whether the action was recorded")]
    Full,
    /// Nothing was recorded: this process is shutting down.
    #[error("this process is shutting down and records nothing more")]
    Closed,
    /// Nothing was recorded: the draft exceeds a limit of its fields. It is refused early, because
    /// it would fail its whole batch.
    #[error("the action exceeds a limit and cannot be recorded")]
    Invalid,
}

/// How long a draft is tried, unless the options say otherwise.
const APPEND_WAIT: Duration = Duration::from_secs(5);

/// How many drafts may wait, and for how long.
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
    store: Store,
    flushers: Vec<Flusher>,
    handle: Handle,
    peers: Option<Peers>,
    routes: watch::Sender<Routes>,
    written: Option<Arc<ChangedBuckets>>,
}

/// Accepts drafts.
#[derive(Clone)]
pub struct Handle {
    queues: Queues,
    /// Where the drafts of each node of the database are passed on to.
    routes: watch::Receiver<Routes>,
    counters: Arc<Counters>,
    append_wait: Duration,
}

/// Counts since the writer started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub entries: u64,
    /// Commits. The more entries a batch has, the higher the load.
    pub batches: u64,
    /// Batches refused by a key: another process was faster.
    pub conflicts: u64,
    /// Pauses after a batch, made to let a competing process go first.
    pub pauses: u64,
    /// Attempts that ended without an answer from the database.
    pub failures: u64,
    /// Drafts refused because the queue was full.
    pub shed: u64,
    /// Drafts passed to the peer that writes for others.
    pub forwarded: u64,
    /// Drafts among them that it did not answer, so that this process wrote them.
    pub handed_back: u64,
}

/// Beyond this size, a larger batch costs as much per entry, and its callers wait longer.
pub const BATCH_MAX: usize = 1000;
/// A histogram: entries per batch.
pub const BATCH_ENTRIES: &str = "croupier_append_batch_entries";
/// A histogram: the duration of an append in seconds, whatever its outcome.
pub const APPEND_DURATION: &str = "croupier_append_duration_seconds";
/// Enough for any common kind of identifier; a request id is not meant to carry content.
pub const REQUEST_ID_MAX: usize = 256;
/// A usual entry has 60 bytes, the largest set-up a few thousand. A full batch of the largest
/// bodies still fits in one statement.
pub const BODY_MAX: usize = 64 * 1024;

impl Service {
    pub fn new(store: &Store, options: Options) -> Self {
        Self::on_nodes(store, &[Node::only()], options)
    }

    /// A writer for a database of these nodes: a slow or lost one holds up its own drafts only.
    pub fn on_nodes(store: &Store, nodes: &[Node], options: Options) -> Self {
        let counters = Arc::new(Counters::default());
        let written = store.shared.hints.has_way().then(Arc::<ChangedBuckets>::default);
        let flusher = |node: &Node| {
            let (queue, drafts) = mpsc::channel(options.queue_max);
            let (counters, written) = (counters.clone(), written.clone());
            (queue, Flusher::new(store.clone(), node.clone(), drafts, counters, written))
        };
        let (queues, flushers): (Vec<_>, Vec<_>) = nodes.iter().map(flusher).unzip();
        let queues = Queues::new(queues, nodes);
        let (routes, published) = watch::channel(Routes::new());
        let append_wait = options.append_wait;
        let handle = Handle { queues, routes: published, counters, append_wait };
        Self { store: store.clone(), flushers, handle, peers: None, routes, written }
    }

    /// Passes drafts to the preferred writer among the processes on this database. With an address
    /// to listen on, this process may be that.
    pub fn with_peers(mut self, listening: Option<Listening>) -> Self {
        let queues = self.handle.queues.clone();
        let counters = self.handle.counters.clone();
        let routes = self.routes.clone();
        self.peers = Some(Peers::new(&self.store, queues, counters, listening, routes));
        self
    }

    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Writes until `drain` is cancelled and every draft accepted by then is answered.
    pub async fn run(self, drain: CancellationToken) {
        let mut hints = JoinSet::new();
        if let Some(written) = self.written {
            hints.spawn(hints::send(self.store, written));
        }
        // Drafts that a peer hands back still come after the drain began.
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

impl Handle {
    /// Records a draft. Once called, the draft is written even if the caller stops waiting.
    pub async fn append(&self, mut draft: Draft) -> Result<Append, AppendError> {
        if !draft.is_valid() {
            return Err(AppendError::Invalid);
        }
        draft.create_time = whole_micros(draft.create_time);
        let (reply, answer) = oneshot::channel();
        let bucket = Bucket::of(draft.match_id);
        let began = Instant::now();
        let (reply, deadline) = (Reply::Caller(reply), began + self.append_wait);
        self.queue(Pending { draft, bucket, known: None, reply, deadline });
        let answer = answer.await.unwrap_or(Err(AppendError::Unknown));
        if answer == Err(AppendError::Busy) {
            self.counters.shed.fetch_add(1, Relaxed);
        }
        self.counters.append_seconds.record(began.elapsed());
        answer
    }

    /// Queues a draft for the peer that is preferred to write it, or here.
    fn queue(&self, pending: Pending) {
        let routes = self.routes.borrow();
        let refused = match routes.get(self.queues.node(pending.bucket)) {
            Some(Some(peer)) => peer.try_send(pending),
            _ => Err(TrySendError::Closed(pending)),
        };
        drop(routes);
        if let Err(TrySendError::Closed(pending) | TrySendError::Full(pending)) = refused {
            self.queues.push(pending);
        }
    }

    pub fn statistics(&self) -> Statistics {
        Statistics {
            entries: self.counters.entries.load(Relaxed),
            batches: self.counters.batches.load(Relaxed),
            conflicts: self.counters.conflicts.load(Relaxed),
            pauses: self.counters.pauses.load(Relaxed),
            failures: self.counters.failures.load(Relaxed),
            shed: self.counters.shed.load(Relaxed),
            forwarded: self.counters.forwarded.load(Relaxed),
            handed_back: self.counters.handed_back.load(Relaxed),
        }
    }
}

impl Draft {
    fn is_valid(&self) -> bool {
        let request_id = self.request_id.as_deref().unwrap_or_default();
        self.position > Position::START
            && self.body.len() <= BODY_MAX
            && request_id.len() <= REQUEST_ID_MAX
            // Postgres allows no zero byte in a text.
            && !request_id.contains('\0')
    }
}

struct Counters {
    entries: AtomicU64,
    batches: AtomicU64,
    conflicts: AtomicU64,
    pauses: AtomicU64,
    failures: AtomicU64,
    shed: AtomicU64,
    forwarded: AtomicU64,
    handed_back: AtomicU64,
    /// Entries per batch.
    batch_entries: Histogram,
    /// From the call of [`Handle::append`] to its answer.
    append_seconds: Histogram,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            entries: AtomicU64::default(),
            batches: AtomicU64::default(),
            conflicts: AtomicU64::default(),
            pauses: AtomicU64::default(),
            failures: AtomicU64::default(),
            shed: AtomicU64::default(),
            forwarded: AtomicU64::default(),
            handed_back: AtomicU64::default(),
            batch_entries: histogram!(BATCH_ENTRIES),
            append_seconds: histogram!(APPEND_DURATION),
        }
    }
}

fn whole_micros(time: OffsetDateTime) -> OffsetDateTime {
    time - Duration::from_nanos(u64::from(time.nanosecond() % 1000))
}

/// A random time between half of `wait` and all of it, so that processes that failed together do
/// not retry together.
pub fn jittered(wait: Duration) -> Duration {
    let chance = u32::from(Uuid::new_v4().as_bytes()[0]);
    wait / 2 + wait * chance / 512
}
