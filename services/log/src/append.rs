//! Adding entries: many callers, few commits.
//!
//! Callers hand drafts to a [`Handle`]; two flushers, each with its own connection and its own half of the buckets, write them. A
//! flusher commits whatever waits, up to [`BATCH_MAX`] entries, in one statement; what arrives meanwhile is its next batch. So
//! there is no timer: a lone draft goes at once, and the busier the house, the larger the batches.
//!
//! A flusher knows the heads of its buckets and writes behind them. When a key refuses a batch (another process was quicker), or
//! its outcome is unknown (the connection was lost in commit), it *resolves*: it reads the heads, and what became of each draft,
//! answers those whose fate is decided, and tries the others again.

use crate::follow::{Changed, announce};
use crate::read::heads;
use crate::{BUCKETS, Bucket, DISK_FULL, Heads, Log, MatchId, Position};
use bytes::Bytes;
use sqlx::postgres::PgConnection;
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
    /// The one after the position that the action was decided on. A caller awaits the answer to a match's draft before it sends
    /// the next one of that match.
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
    /// Its position is another entry's, or does not follow the last: read the match's tail and decide again.
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
    /// It may be recorded, but the database says that it has no space left: ask again with the same request id when it has.
    #[error("the database has no space left, and it is not known whether the action was recorded")]
    Full,
    /// Nothing was recorded: this process is about to end.
    #[error("nothing more is recorded by this process")]
    Closed,
    /// Nothing was recorded: the draft breaks a limit that its fields state. One such draft would sink a whole batch.
    #[error("the action is not fit to be recorded")]
    Unfit,
}

/// How much waits, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Drafts that wait for each flusher; more are shed. At the measured rates a full queue is a tenth of a second's work.
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

/// The writer. There is one per process: it knows what it wrote, and takes it as known to the process.
pub struct Service {
    log: Log,
    flushers: Vec<Flusher>,
    handle: Handle,
    hints: Option<Arc<Changed>>,
}

/// Where drafts are handed in.
#[derive(Clone)]
pub struct Handle {
    queues: Arc<[mpsc::Sender<Pending>]>,
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

/// Two flushers keep a Postgres busy while one of them gathers; a third would only make the batches smaller.
const FLUSHERS: usize = 2;
/// Past this, a larger batch costs each entry as much and its callers more patience.
pub const BATCH_MAX: usize = 1000;
/// Room for any identifier in use; a key is not a place for content.
pub const REQUEST_ID_MAX: usize = 256;
/// A common entry has 60 bytes, the largest set-up a few thousand; a full batch of the largest bodies still fits one statement.
pub const BODY_MAX: usize = 64 * 1024;
/// An attempt may take this long even if a draft of its batch has waited for its full time: else nothing would ever get through.
const ATTEMPT_MIN: Duration = Duration::from_millis(500);
/// Before the second attempt on a database in trouble; doubled for each further one, up to [`BACKOFF_MAX`].
const BACKOFF_MIN: Duration = Duration::from_millis(20);
/// A database that is back is noticed within this time.
const BACKOFF_MAX: Duration = Duration::from_millis(400);

impl Service {
    pub fn new(log: &Log, options: Options) -> Self {
        let counters = Arc::new(Counters::default());
        let hints = options.hints.then(Arc::<Changed>::default);
        let (queues, flushers) = (0..FLUSHERS)
            .map(|_| {
                let (queue, drafts) = mpsc::channel(options.queue_max);
                (queue, Flusher::new(log.clone(), drafts, counters.clone(), hints.clone()))
            })
            .unzip::<_, _, Vec<_>, Vec<_>>();
        let handle = Handle { queues: queues.into(), counters, append_wait: options.append_wait };
        Self { log: log.clone(), flushers, handle, hints }
    }

    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Writes until `drain` is cancelled and every draft that was handed in by then has its answer.
    pub async fn run(self, drain: CancellationToken) {
        let mut flushers: JoinSet<()> =
            self.flushers.into_iter().map(|flusher| flusher.run(drain.clone())).collect();
        let mut announcer = JoinSet::new();
        if let Some(hints) = self.hints {
            announcer.spawn(announce(self.log, hints));
        }
        while let Some(ended) = flushers.join_next().await {
            ended.expect("a flusher ends when it has nothing left to write");
        }
    }
}

impl Handle {
    /// Records a draft. Once this is called the draft takes its course, even if nobody awaits the answer any more.
    pub async fn append(&self, mut draft: Draft) -> Result<Append, AppendError> {
        if !draft.is_fit() {
            return Err(AppendError::Unfit);
        }
        draft.create_time = whole_micros(draft.create_time);
        let (answer, answered) = oneshot::channel();
        let bucket = Bucket::of(draft.match_id);
        let pending =
            Pending { draft, bucket, answer, deadline: Instant::now() + self.append_wait };
        self.queues[bucket.index() % FLUSHERS].try_send(pending).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => {
                self.counters.shed.fetch_add(1, Relaxed);
                AppendError::Busy
            }
            mpsc::error::TrySendError::Closed(_) => AppendError::Closed,
        })?;
        answered.await.unwrap_or(Err(AppendError::Unknown))
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

#[derive(Default)]
struct Counters {
    entries: AtomicU64,
    batches: AtomicU64,
    conflicts: AtomicU64,
    failures: AtomicU64,
    shed: AtomicU64,
}

/// A draft on its way.
struct Pending {
    draft: Draft,
    bucket: Bucket,
    deadline: Instant,
    answer: oneshot::Sender<Result<Append, AppendError>>,
}

/// Writes the drafts of its buckets, batch by batch.
struct Flusher {
    log: Log,
    queue: mpsc::Receiver<Pending>,
    counters: Arc<Counters>,
    hints: Option<Arc<Changed>>,
    connection: Option<PgConnection>,
    /// What is tried next, sorted by bucket, match and position: writers that sort alike never wait for each other in a ring.
    batch: Vec<Pending>,
    /// Drafts for a position that another draft of the batch is for: they wait until that one's fate is decided.
    twins: Vec<Pending>,
    /// None while a batch's fate, and so the heads, are in doubt.
    heads: Option<Heads>,
    /// Attempts that failed in a row.
    failures: u32,
    /// Whether the last of them failed for want of space.
    is_full: bool,
}

impl Flusher {
    fn new(
        log: Log,
        queue: mpsc::Receiver<Pending>,
        counters: Arc<Counters>,
        hints: Option<Arc<Changed>>,
    ) -> Self {
        let (batch, twins) = (Vec::with_capacity(BATCH_MAX), Vec::new());
        Self {
            log,
            queue,
            counters,
            hints,
            connection: None,
            batch,
            twins,
            heads: None,
            failures: 0,
            is_full: false,
        }
    }

    async fn run(mut self, drain: CancellationToken) {
        while self.gather(&drain).await {
            match tokio::time::timeout_at(self.patience(), self.attempt()).await {
                Ok(Ok(())) => self.recovered(),
                Ok(Err(error)) => {
                    self.is_full = is_full(&error);
                    self.failed(&error).await;
                }
                Err(elapsed) => self.failed(&elapsed).await,
            }
        }
    }

    /// Waits for drafts, takes all there are, and puts them in order. False when there will be no more.
    async fn gather(&mut self, drain: &CancellationToken) -> bool {
        if !self.twins.is_empty() {
            self.batch.append(&mut self.twins);
            self.heads = None;
        }
        if self.batch.is_empty() && !drain.is_cancelled() {
            tokio::select! {
                _ = self.queue.recv_many(&mut self.batch, BATCH_MAX) => {}
                () = drain.cancelled() => {}
            }
        }
        if drain.is_cancelled() {
            self.queue.close();
        }
        while self.batch.len() < BATCH_MAX
            && let Ok(pending) = self.queue.try_recv()
        {
            self.batch.push(pending);
        }
        let now = Instant::now();
        for overdue in self.batch.extract_if(.., |pending| pending.deadline <= now) {
            overdue.settle(Err(if self.is_full { AppendError::Full } else { AppendError::Unknown }));
        }
        self.batch.sort_by_key(Pending::key);
        let mut last = None;
        self.twins = self
            .batch
            .extract_if(.., |pending| last.replace(pending.key()) == Some(pending.key()))
            .collect();
        !(self.batch.is_empty() && drain.is_cancelled())
    }

    /// Until when the next attempt may take.
    fn patience(&self) -> Instant {
        let first = self.batch.iter().map(|pending| pending.deadline).min();
        let least = Instant::now() + ATTEMPT_MIN;
        first.map_or(least, |first| first.max(least))
    }

    /// Moves the batch on: resolves it if it is in doubt, and writes what is left of it. The connection is kept only if it
    /// answered: on one that fell silent, an answer of this attempt might be taken for one of the next.
    async fn attempt(&mut self) -> Result<(), sqlx::Error> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.log.connection().await?,
        };
        let heads = match self.heads {
            Some(heads) => heads,
            None => self.resolve(&mut connection).await?,
        };
        self.heads = None;
        match self.insert(&mut connection, heads).await {
            Ok(new) => self.recorded(&heads, new),
            // Another process was quicker somewhere in the batch: the next attempt resolves it.
            Err(error) if is_unique_violation(&error) => {
                _ = self.counters.conflicts.fetch_add(1, Relaxed)
            }
            Err(error) => return Err(error),
        }
        self.connection = Some(connection);
        Ok(())
    }

    /// Writes the batch behind the heads, in one statement that commits by itself. Returns the new heads.
    async fn insert(
        &self,
        connection: &mut PgConnection,
        mut heads: Heads,
    ) -> Result<Heads, sqlx::Error> {
        if self.batch.is_empty() {
            return Ok(heads);
        }
        let columns = Columns::of(&self.batch);
        let bucket_positions: Vec<i64> = (self.batch.iter())
            .map(|pending| {
                let head = &mut heads[pending.bucket.index()];
                *head += 1;
                *head
            })
            .collect();
        sqlx::query(
            "insert into entries
                 (bucket, match_id, position, request_id, create_time, body, bucket_position)
             select *
             from unnest($1::smallint[], $2::uuid[], $3::int8[], $4::text[], $5::timestamptz[], $6::bytea[], $7::int8[])",
        )
        .bind(columns.buckets)
        .bind(columns.match_ids)
        .bind(columns.positions)
        .bind(columns.request_ids)
        .bind(columns.create_times)
        .bind(columns.bodies)
        .bind(bucket_positions)
        .execute(connection)
        .await?;
        Ok(heads)
    }

    /// Finds out what became of each draft, answers those whose fate is decided, keeps the others, and returns the heads.
    async fn resolve(&mut self, connection: &mut PgConnection) -> Result<Heads, sqlx::Error> {
        let heads = heads(&mut *connection).await?;
        let fates = self.fates(connection).await?;
        let mut last = None;
        let mut batch =
            std::mem::take(&mut self.batch).into_iter().zip(fates).map(|(pending, fate)| {
                // A draft whose predecessor is in the same batch shares its fate: it was decided on that one and no other.
                let (Position(position), match_id) =
                    (pending.draft.position, pending.draft.match_id);
                let fate = match last {
                    Some((id, before, Fate::Conflict))
                        if id == match_id && before + 1 == position =>
                    {
                        Fate::Conflict
                    }
                    Some((id, before, _)) if id == match_id && before + 1 == position => {
                        fate.with_predecessor()
                    }
                    _ => fate,
                };
                last = Some((match_id, position, fate));
                (pending, fate)
            });
        self.batch = batch.by_ref().filter_map(|(pending, fate)| pending.meet(fate)).collect();
        Ok(heads)
    }

    /// What the log says of each draft of the batch.
    async fn fates(&self, connection: &mut PgConnection) -> Result<Vec<Fate>, sqlx::Error> {
        let columns = Columns::of(&self.batch);
        let rows: Vec<(bool, bool, bool)> = sqlx::query_as(
            "select
                 entry.position is not null,
                 coalesce(
                     entry.body = draft.body
                     and entry.request_id is not distinct from draft.request_id
                     and entry.create_time = draft.create_time,
                     false
                 ),
                 draft.position = 1 or exists (
                     select
                     from entries as before
                     where before.bucket = draft.bucket
                     and before.match_id = draft.match_id
                     and before.position = draft.position - 1
                 )
             from unnest($1::smallint[], $2::uuid[], $3::int8[], $4::text[], $5::timestamptz[], $6::bytea[])
                 with ordinality as draft (bucket, match_id, position, request_id, create_time, body, number)
             left join entries as entry using (bucket, match_id, position)
             order by draft.number",
        )
        .bind(columns.buckets)
        .bind(columns.match_ids)
        .bind(columns.positions)
        .bind(columns.request_ids)
        .bind(columns.create_times)
        .bind(columns.bodies)
        .fetch_all(connection)
        .await?;
        let fates = rows.into_iter().map(|(is_taken, is_ours, has_predecessor)| match () {
            () if is_ours => Fate::Recorded,
            () if is_taken => Fate::Conflict,
            () if has_predecessor => Fate::Open,
            () => Fate::Orphan,
        });
        Ok(fates.collect())
    }

    /// Answers the whole batch, which is committed, and tells whoever follows.
    fn recorded(&mut self, old: &Heads, new: Heads) {
        let changed = self.log.wrote(old, &new);
        if let Some(hints) = self.hints.as_ref().filter(|_| changed != 0) {
            hints.add(changed);
        }
        if !self.batch.is_empty() {
            self.counters.batches.fetch_add(1, Relaxed);
            self.counters.entries.fetch_add(self.batch.len() as u64, Relaxed);
        }
        self.batch.drain(..).for_each(|pending| pending.settle(Ok(Append::Recorded)));
        self.heads = Some(new);
    }

    fn recovered(&mut self) {
        if self.failures > 0 {
            tracing::info!(attempts = self.failures, "the log is written again");
        }
        (self.failures, self.is_full) = (0, false);
    }

    /// Notes that an attempt ended without an answer: its batch may be committed or not. Waits before the next.
    async fn failed(&mut self, error: &(dyn std::error::Error + Sync + 'static)) {
        if self.failures == 0 {
            tracing::warn!(
                error = error as &dyn std::error::Error,
                drafts = self.batch.len(),
                "the log cannot be written, trying again"
            );
        }
        self.counters.failures.fetch_add(1, Relaxed);
        let backoff = (BACKOFF_MIN * 2_u32.saturating_pow(self.failures.min(10))).min(BACKOFF_MAX);
        self.failures += 1;
        tokio::time::sleep(jittered(backoff)).await;
    }
}

/// What the log says of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// There it stands: an earlier attempt was committed although its answer was lost.
    Recorded,
    /// Another entry stands in its place.
    Conflict,
    /// Its place is free, and it is the next.
    Open,
    /// Its place is free, but the one before it is missing.
    Orphan,
}

impl Fate {
    fn with_predecessor(self) -> Self {
        match self {
            Self::Orphan => Self::Open,
            decided => decided,
        }
    }
}

impl Pending {
    fn key(&self) -> (Bucket, MatchId, Position) {
        (self.bucket, self.draft.match_id, self.draft.position)
    }

    /// Answers, if the fate is decided; returns the draft otherwise.
    fn meet(self, fate: Fate) -> Option<Self> {
        match fate {
            Fate::Recorded => self.settle(Ok(Append::Recorded)),
            Fate::Conflict | Fate::Orphan => self.settle(Ok(Append::Conflict)),
            Fate::Open => return Some(self),
        }
        None
    }

    fn settle(self, answer: Result<Append, AppendError>) {
        // Nobody may be listening any more; what is recorded is recorded.
        let _ = self.answer.send(answer);
    }
}

/// The drafts of a batch as Postgres takes them: an array a column.
struct Columns<'a> {
    buckets: Vec<Bucket>,
    match_ids: Vec<MatchId>,
    positions: Vec<Position>,
    request_ids: Vec<Option<&'a str>>,
    create_times: Vec<OffsetDateTime>,
    bodies: Vec<&'a [u8]>,
}

impl<'a> Columns<'a> {
    fn of(batch: &'a [Pending]) -> Self {
        Self {
            buckets: batch.iter().map(|pending| pending.bucket).collect(),
            match_ids: batch.iter().map(|pending| pending.draft.match_id).collect(),
            positions: batch.iter().map(|pending| pending.draft.position).collect(),
            request_ids: batch.iter().map(|pending| pending.draft.request_id.as_deref()).collect(),
            create_times: batch.iter().map(|pending| pending.draft.create_time).collect(),
            bodies: batch.iter().map(|pending| &pending.draft.body[..]).collect(),
        }
    }
}

impl Log {
    /// Notes what this process has written, so that its follower need not read it. Returns the buckets, as bits.
    fn wrote(&self, old: &Heads, new: &Heads) -> u64 {
        let changed = (0..BUCKETS).filter(|&bucket| new[bucket] != old[bucket]);
        changed.fold(0, |changed, bucket| {
            // If something of others is unknown in between, the follower reads both.
            let _ = self.shared.known[bucket].compare_exchange(
                old[bucket],
                new[bucket],
                Relaxed,
                Relaxed,
            );
            changed | 1 << bucket
        })
    }
}

fn is_unique_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.code().as_deref() == Some("23505"))
}

fn is_full(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.code().as_deref() == Some(DISK_FULL))
}

fn whole_micros(time: OffsetDateTime) -> OffsetDateTime {
    time - Duration::from_nanos(u64::from(time.nanosecond() % 1000))
}

/// Between half of a wait and all of it: processes that failed together do not try again together.
pub(crate) fn jittered(wait: Duration) -> Duration {
    let chance = u32::from(Uuid::new_v4().as_bytes()[0]);
    wait / 2 + wait * chance / 512
}
