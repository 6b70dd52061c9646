//! Adding entries: many callers, few commits.
//!
//! Callers hand drafts to a [`Handle`]; a flusher with a connection of its own writes them. It
//! commits whatever waits, up to [`BATCH_MAX`] entries, in one statement; what arrives meanwhile is
//! its next batch. So there is no timer: a lone draft goes at once, and the busier the house, the
//! larger the batches.

mod flush;

use crate::follow::{Changed, announce};
use crate::{Bucket, MatchId, Position, Store};
use bytes::Bytes;
use flush::{Flusher, Pending};
use metrics::{Histogram, histogram};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use time::OffsetDateTime;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// An entry to be.
#[derive(Clone, Debug)]
pub struct Draft {
    pub match_id: MatchId,
    /// The one after the position that the action was decided on. A caller awaits the answer to a
    /// match's draft before it sends the next one of that match.
    pub position: Position,
    /// At most [`REQUEST_ID_MAX`] bytes.
    pub request_id: Option<String>,
    /// Kept to the microsecond, as Postgres does.
    pub create_time: OffsetDateTime,
    /// At most [`BODY_MAX`] bytes.
    pub body: Bytes,
}

/// What became of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Append {
    /// It is an entry, durably; perhaps since an earlier attempt whose answer was lost.
    Recorded,
    /// Its position is another entry's, or does not follow the last: read the match's tail and
    /// decide again.
    Conflict,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// Nothing was recorded.
    #[error("too many actions are waiting to be recorded")]
    Busy,
    /// It may be recorded, now or in a moment: ask again with the same request id.
    #[error("it is not known whether the action was recorded")]
    Unknown,
    /// It may be recorded, but the database says that it has no space left: ask again with the same
    /// request id when it has.
    #[error("the database has no space left, and it is not known whether the action was recorded")]
    Full,
    /// Nothing was recorded: this process is about to end.
    #[error("nothing more is recorded by this process")]
    Closed,
    /// Nothing was recorded: the draft breaks a limit that its fields state. One such draft would
    /// sink a whole batch.
    #[error("the action is not fit to be recorded")]
    Unfit,
}

/// How much waits, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Drafts that wait; more are shed. At the measured rates a full queue is a tenth of a second's
    /// work.
    pub queue_max: usize,
    /// How long a draft is tried before its caller hears that its outcome is unknown.
    pub append_wait: Duration,
    /// Whether other processes are told at once. Without it they find out by asking.
    pub hints: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { queue_max: 8192, append_wait: Duration::from_secs(5), hints: true }
    }
}

/// The writer. There is one per process: it knows what it wrote, and takes it as known to the
/// process.
pub struct Service {
    store: Store,
    flusher: Flusher,
    handle: Handle,
    hints: Option<Arc<Changed>>,
}

/// Where drafts are handed in.
#[derive(Clone)]
pub struct Handle {
    queue: mpsc::Sender<Pending>,
    counters: Arc<Counters>,
    append_wait: Duration,
}

/// What the writer has done since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub entries: u64,
    /// Commits; entries per batch tell how busy the house is.
    pub batches: u64,
    /// Batches that a key refused: another process was quicker.
    pub conflicts: u64,
    /// Attempts that ended without an answer from the database.
    pub failures: u64,
    /// Drafts refused because the queue was full.
    pub shed: u64,
}

/// Past this, a larger batch costs each entry as much and its callers more patience.
pub const BATCH_MAX: usize = 1000;
/// A histogram: entries of a batch.
pub const BATCH_ENTRIES: &str = "croupier_append_batch_entries";
/// A histogram: how long an append took, in seconds, however it ended.
pub const APPEND_DURATION: &str = "croupier_append_duration_seconds";
/// Room for any identifier in use; a key is not a place for content.
pub const REQUEST_ID_MAX: usize = 256;
/// A common entry has 60 bytes, the largest set-up a few thousand; a full batch of the largest
/// bodies still fits one statement.
pub const BODY_MAX: usize = 64 * 1024;

impl Service {
    pub fn new(store: &Store, options: Options) -> Self {
        let counters = Arc::new(Counters::default());
        let hints = options.hints.then(Arc::<Changed>::default);
        let (queue, drafts) = mpsc::channel(options.queue_max);
        let flusher = Flusher::new(store.clone(), drafts, counters.clone(), hints.clone());
        let handle = Handle { queue, counters, append_wait: options.append_wait };
        Self { store: store.clone(), flusher, handle, hints }
    }

    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Writes until `drain` is cancelled and every draft that was handed in by then has its answer.
    pub async fn run(self, drain: CancellationToken) {
        let mut announcer = JoinSet::new();
        if let Some(hints) = self.hints {
            announcer.spawn(announce(self.store, hints));
        }
        self.flusher.run(drain).await;
    }
}

impl Handle {
    /// Records a draft. Once this is called the draft takes its course, even if nobody awaits the
    /// answer any more.
    pub async fn append(&self, mut draft: Draft) -> Result<Append, AppendError> {
        if !draft.is_fit() {
            return Err(AppendError::Unfit);
        }
        draft.create_time = whole_micros(draft.create_time);
        let (answer, answered) = oneshot::channel();
        let bucket = Bucket::of(draft.match_id);
        let began = Instant::now();
        let pending = Pending { draft, bucket, answer, deadline: began + self.append_wait };
        self.queue.try_send(pending).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => {
                self.counters.shed.fetch_add(1, Relaxed);
                AppendError::Busy
            }
            mpsc::error::TrySendError::Closed(_) => AppendError::Closed,
        })?;
        let answer = answered.await.unwrap_or(Err(AppendError::Unknown));
        self.counters.append_seconds.record(began.elapsed());
        answer
    }

    pub fn statistics(&self) -> Statistics {
        Statistics {
            entries: self.counters.entries.load(Relaxed),
            batches: self.counters.batches.load(Relaxed),
            conflicts: self.counters.conflicts.load(Relaxed),
            failures: self.counters.failures.load(Relaxed),
            shed: self.counters.shed.load(Relaxed),
        }
    }
}

impl Draft {
    fn is_fit(&self) -> bool {
        let request_id = self.request_id.as_deref().unwrap_or_default();
        self.position > Position::START
            && self.body.len() <= BODY_MAX
            && request_id.len() <= REQUEST_ID_MAX
            // Postgres has no text with a zero in it.
            && !request_id.contains('\0')
    }
}

struct Counters {
    entries: AtomicU64,
    batches: AtomicU64,
    conflicts: AtomicU64,
    failures: AtomicU64,
    shed: AtomicU64,
    /// Of each batch.
    batch_entries: Histogram,
    /// From handing a draft in to its answer.
    append_seconds: Histogram,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            entries: AtomicU64::default(),
            batches: AtomicU64::default(),
            conflicts: AtomicU64::default(),
            failures: AtomicU64::default(),
            shed: AtomicU64::default(),
            batch_entries: histogram!(BATCH_ENTRIES),
            append_seconds: histogram!(APPEND_DURATION),
        }
    }
}

fn whole_micros(time: OffsetDateTime) -> OffsetDateTime {
    time - Duration::from_nanos(u64::from(time.nanosecond() % 1000))
}

/// Between half of a wait and all of it: processes that failed together do not try again together.
pub fn jittered(wait: Duration) -> Duration {
    let chance = u32::from(Uuid::new_v4().as_bytes()[0]);
    wait / 2 + wait * chance / 512
}
