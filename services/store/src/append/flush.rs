//! The flusher: writes drafts, batch by batch.
//!
//! It knows the heads of the buckets and writes behind them. When a key refuses a batch (another
//! process was quicker), or its outcome is unknown (the connection was lost in commit), it
//! *resolves*: it reads the heads, and what became of each draft, answers those whose fate is
//! decided, and tries the others again.

use super::{Append, AppendError, BATCH_MAX, Counters, Draft, jittered};
use crate::follow::Changed;
use crate::read::heads;
use crate::{
    Bucket, DISK_FULL, Heads, MatchId, PLANNED_ONCE, Position, Store, is_unique_violation,
};
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::query::Query;
use sqlx::{Executor, Postgres, Row};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use time::OffsetDateTime;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Writes drafts, batch by batch.
pub(super) struct Flusher {
    store: Store,
    queue: mpsc::Receiver<Pending>,
    counters: Arc<Counters>,
    hints: Option<Arc<Changed>>,
    connection: Option<PgConnection>,
    /// What is tried next, sorted by bucket, match and position: writers that sort alike never wait
    /// for each other in a ring.
    batch: Vec<Pending>,
    /// Drafts for a position that another draft of the batch is for: they wait until that one's
    /// fate is decided.
    twins: Vec<Pending>,
    /// None while a batch's fate, and so the heads, are in doubt.
    heads: Option<Heads>,
    /// When another process was last quicker.
    lost: Option<Instant>,
    /// Attempts that failed in a row.
    failures: u32,
    /// Whether the last of them failed for want of space.
    is_full: bool,
}

/// An attempt may take this long even if a draft of its batch has waited for its full time: else
/// nothing would ever get through.
const ATTEMPT_MIN: Duration = Duration::from_millis(500);
/// How long a lost round counts: processes that race lose more often than once in this time.
const RACE: Duration = Duration::from_secs(1);
/// An attempt that took longer waited for the disk, which tells nothing about how long the others
/// need.
const GIVE_WAY_MAX: Duration = Duration::from_millis(20);
/// Before the second attempt on a database in trouble; doubled for each further one, up to
/// [`BACKOFF_MAX`].
const BACKOFF_MIN: Duration = Duration::from_millis(20);
/// A database that is back is noticed within this time.
const BACKOFF_MAX: Duration = Duration::from_millis(400);

impl Flusher {
    pub(super) fn new(
        store: Store,
        queue: mpsc::Receiver<Pending>,
        counters: Arc<Counters>,
        hints: Option<Arc<Changed>>,
    ) -> Self {
        let (batch, twins) = (Vec::with_capacity(BATCH_MAX), Vec::new());
        Self {
            store,
            queue,
            counters,
            hints,
            connection: None,
            batch,
            twins,
            heads: None,
            lost: None,
            failures: 0,
            is_full: false,
        }
    }

    pub(super) async fn run(mut self, drain: CancellationToken) {
        while self.gather(&drain).await {
            let began = Instant::now();
            match tokio::time::timeout_at(self.patience(), self.attempt()).await {
                Ok(Ok(())) => {
                    self.recovered();
                    self.give_way(began.elapsed()).await;
                }
                Ok(Err(error)) => {
                    self.is_full = is_full(&error);
                    self.failed(&error).await;
                }
                Err(elapsed) => {
                    self.is_full = false;
                    self.failed(&elapsed).await;
                }
            }
        }
    }

    /// Waits for drafts, takes all there are, and puts them in order. False when there will be no
    /// more.
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
            overdue.settle(Err(if self.is_full {
                AppendError::Full
            } else {
                AppendError::Unknown
            }));
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

    /// Moves the batch on: resolves it if it is in doubt, and writes what is left of it. The
    /// connection is kept only if it answered: on one that fell silent, an answer of this attempt
    /// might be taken for one of the next.
    async fn attempt(&mut self) -> Result<(), sqlx::Error> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        let heads = match self.heads {
            Some(heads) => heads,
            None => self.resolve(&mut connection).await?,
        };
        self.heads = None;
        match self.insert(&mut connection, heads).await {
            Ok(new) => self.recorded(&heads, new),
            Err(error) if is_unique_violation(&error) => self.lost(),
            Err(error) => return Err(error),
        }
        self.connection = Some(connection);
        Ok(())
    }

    async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let mut connection = self.store.connection().await?;
        connection.execute(PLANNED_ONCE).await?;
        Ok(connection)
    }

    /// Writes the batch behind the heads, in one statement that commits by itself. Returns the new
    /// heads.
    async fn insert(
        &self,
        connection: &mut PgConnection,
        mut heads: Heads,
    ) -> Result<Heads, sqlx::Error> {
        if self.batch.is_empty() {
            return Ok(heads);
        }
        let bucket_positions: Vec<i64> = (self.batch.iter())
            .map(|pending| {
                let head = &mut heads[pending.bucket.index()];
                *head += 1;
                *head
            })
            .collect();
        let insert = sqlx::query(
            "insert into entries
                 (bucket, match_id, position, request_id, create_time, body, bucket_position)
             select *
             from unnest($1::smallint[], $2::uuid[], $3::int8[], $4::text[], $5::timestamptz[], $6::bytea[], $7::int8[])",
        );
        Columns::of(&self.batch).bind_to(insert).bind(bucket_positions).execute(connection).await?;
        Ok(heads)
    }

    /// Finds out what became of each draft, answers those whose fate is decided, keeps the others,
    /// and returns the heads.
    async fn resolve(&mut self, connection: &mut PgConnection) -> Result<Heads, sqlx::Error> {
        let heads = heads(&mut *connection).await?;
        let fates = self.fates(connection).await?;
        let mut last: Option<(MatchId, Position, Fate)> = None;
        let open =
            std::mem::take(&mut self.batch).into_iter().zip(fates).filter_map(|(pending, fate)| {
                let (_, match_id, position) = pending.key();
                let before =
                    last.filter(|(id, before, _)| *id == match_id && before.next() == position);
                let fate = before.map_or(fate, |(_, _, before)| fate.after(before));
                last = Some((match_id, position, fate));
                pending.meet(fate)
            });
        self.batch = open.collect();
        Ok(heads)
    }

    /// What the log says of each draft of the batch.
    async fn fates(&self, connection: &mut PgConnection) -> Result<Vec<Fate>, sqlx::Error> {
        let fates = sqlx::query(
            "select
                 entry.position is not null as is_taken,
                 coalesce(
                     entry.body = draft.body
                     and entry.request_id is not distinct from draft.request_id
                     and entry.create_time = draft.create_time,
                     false
                 ) as is_ours,
                 draft.position = 1 or exists (
                     select
                     from entries as before
                     where before.bucket = draft.bucket
                     and before.match_id = draft.match_id
                     and before.position = draft.position - 1
                 ) as has_predecessor
             from unnest($1::smallint[], $2::uuid[], $3::int8[], $4::text[], $5::timestamptz[], $6::bytea[])
                 with ordinality as draft (bucket, match_id, position, request_id, create_time, body, number)
             left join entries as entry using (bucket, match_id, position)
             order by draft.number",
        );
        let fates = Columns::of(&self.batch).bind_to(fates).try_map(|row: PgRow| {
            let is_ours = row.try_get("is_ours")?;
            Ok(match (is_ours, row.try_get("is_taken")?, row.try_get("has_predecessor")?) {
                (true, ..) => Fate::Recorded,
                (_, true, _) => Fate::Conflict,
                (.., true) => Fate::Open,
                _ => Fate::Orphan,
            })
        });
        fates.fetch_all(connection).await
    }

    /// Answers the whole batch, which is committed, and tells whoever follows.
    fn recorded(&mut self, old: &Heads, new: Heads) {
        let changed = self.store.wrote(old, &new);
        if let Some(hints) = self.hints.as_ref().filter(|_| changed != 0) {
            hints.add(changed);
        }
        if !self.batch.is_empty() {
            self.counters.batches.fetch_add(1, Relaxed);
            self.counters.entries.fetch_add(self.batch.len() as u64, Relaxed);
            self.counters.batch_entries.record(self.batch.len() as f64);
        }
        self.batch.drain(..).for_each(|pending| pending.settle(Ok(Append::Recorded)));
        self.heads = Some(new);
    }

    /// Another process was quicker somewhere in the batch: the next attempt resolves it.
    fn lost(&mut self) {
        self.counters.conflicts.fetch_add(1, Relaxed);
        self.lost = Some(Instant::now());
    }

    /// While processes race, the winner of a round lets the others go first, for as long as its own
    /// attempt took: they have yet to read what it wrote, and would otherwise lose to it again and
    /// again.
    async fn give_way(&mut self, took: Duration) {
        let is_racing = self.lost.is_some_and(|lost| lost.elapsed() < RACE);
        if is_racing && self.heads.is_some() {
            tokio::time::sleep(jittered(took.min(GIVE_WAY_MAX))).await;
        }
    }

    fn recovered(&mut self) {
        if self.failures > 0 {
            tracing::info!(attempts = self.failures, "the log is written again");
        }
        (self.failures, self.is_full) = (0, false);
    }

    /// Notes that an attempt ended without an answer: its batch may be committed or not. Waits
    /// before the next.
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

/// A draft on its way.
pub(super) struct Pending {
    pub(super) draft: Draft,
    pub(super) bucket: Bucket,
    pub(super) deadline: Instant,
    pub(super) answer: oneshot::Sender<Result<Append, AppendError>>,
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
    /// The fate of a draft whose predecessor is in the same batch: it was decided on that one and
    /// no other.
    fn after(self, before: Self) -> Self {
        match (self, before) {
            (Self::Open | Self::Orphan, Self::Open | Self::Recorded) => Self::Open,
            (Self::Open | Self::Orphan, Self::Conflict | Self::Orphan) => Self::Conflict,
            (decided, _) => decided,
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

    /// As a query's first parameters.
    fn bind_to<'q>(
        self,
        query: Query<'q, Postgres, PgArguments>,
    ) -> Query<'q, Postgres, PgArguments> {
        query
            .bind(self.buckets)
            .bind(self.match_ids)
            .bind(self.positions)
            .bind(self.request_ids)
            .bind(self.create_times)
            .bind(self.bodies)
    }
}

impl Store {
    /// Notes what this process has written, so that its follower need not read it. Returns the
    /// buckets, as bits.
    fn wrote(&self, old: &Heads, new: &Heads) -> u64 {
        let mut changed = 0;
        for bucket in Bucket::all() {
            let (old, new) = (old[bucket.index()], new[bucket.index()]);
            if old != new {
                // If something of others is unknown in between, the follower reads both.
                let known = &self.shared.known[bucket.index()];
                let _ = known.compare_exchange(old, new, Relaxed, Relaxed);
                changed |= bucket.bit();
            }
        }
        self.shared.news.send_replace(());
        changed
    }
}

fn is_full(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.code().as_deref() == Some(DISK_FULL))
}
