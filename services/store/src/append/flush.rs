//! The flusher: writes drafts, batch by batch.
//!
//! It remembers the heads of the buckets and writes directly after them, if they are still the
//! heads. When another process has used a bucket's next position, it reads the heads and tries
//! again. When another process has used a match's next position, the heads are others (the record
//! went back), or the outcome is unknown (the connection was lost during the commit), it *resolves*
//! the batch: it also reads the status of each draft, answers the drafts whose outcome is decided,
//! and tries the others again.

use super::peers::Answer;
use super::{Append, AppendError, BATCH_MAX, Counters, Draft, jittered};
use crate::connect::PLANNED_ONCE;
use crate::display_names::name_key;
use crate::error::{is_disk_full, is_unique_violation, violates};
use crate::hints::ChangedBuckets;
use crate::{
    BUCKETS, Bucket, Digest, Epoch, Mark, Marks, MatchId, Node, Position, Store, durability,
};
use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::query::Query;
use sqlx::{Executor, Postgres};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use time::OffsetDateTime;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Writes drafts, batch by batch.
pub(super) struct Flusher {
    store: Store,
    /// The node of the database that has the drafts' buckets.
    node: Node,
    /// Whether there are several.
    is_sharded: bool,
    queue: mpsc::Receiver<Pending>,
    counters: Arc<Counters>,
    /// Buckets that other processes are to be told of.
    written: Option<Arc<ChangedBuckets>>,
    connection: Option<PgConnection>,
    /// The server's process for the connection, or for the one before it.
    server_pid: Option<i32>,
    /// The drafts of the next attempt, sorted by bucket, match and position. All writers sort alike
    /// so that they cannot deadlock.
    batch: Vec<Pending>,
    /// Drafts whose position another draft of the batch has. They wait until that one is answered.
    deferred: Vec<Pending>,
    /// As last written or read, in `epoch`.
    heads: Box<Marks>,
    epoch: Epoch,
    doubt: Doubt,
    /// When another process was last faster.
    lost_race: Option<Instant>,
    /// Consecutive attempts that failed.
    failures: u32,
    /// Whether the last of them failed because the database's disk is full.
    is_full: bool,
}

/// The key of the positions within a bucket.
const BUCKET_POSITION_KEY: &str = "entries_bucket_bucket_position_key";
/// An attempt may take this long even if the deadline of one of its drafts is earlier. Otherwise an
/// overloaded database would never finish an attempt.
const ATTEMPT_MIN: Duration = Duration::from_millis(500);
/// How long a lost race counts. Processes that compete lose more often than once in this time.
const RACE: Duration = Duration::from_secs(1);
/// An attempt that took longer waited for the disk, so its duration does not show how long the
/// other processes need.
const GIVE_WAY_MAX: Duration = Duration::from_millis(20);
/// The wait before the second attempt on a failing database. It doubles with each further attempt,
/// up to [`BACKOFF_MAX`].
const BACKOFF_MIN: Duration = Duration::from_millis(20);
/// A database that works again is noticed within this time.
const BACKOFF_MAX: Duration = Duration::from_millis(400);

impl Flusher {
    pub(super) fn new(
        store: Store,
        node: Node,
        queue: mpsc::Receiver<Pending>,
        counters: Arc<Counters>,
        written: Option<Arc<ChangedBuckets>>,
    ) -> Self {
        Self {
            store,
            node,
            is_sharded: false,
            queue,
            counters,
            written,
            connection: None,
            server_pid: None,
            batch: Vec::with_capacity(BATCH_MAX),
            deferred: Vec::new(),
            heads: Box::new([Mark::default(); BUCKETS]),
            epoch: Epoch::default(),
            doubt: Doubt::Outcomes,
            lost_race: None,
            failures: 0,
            is_full: false,
        }
    }

    pub(super) async fn run(mut self, drain: CancellationToken) {
        while self.collect_batch(&drain).await {
            let began = Instant::now();
            match tokio::time::timeout_at(self.attempt_deadline(), self.attempt()).await {
                Ok(Ok(())) => {
                    self.recovered();
                    self.give_way(began.elapsed()).await;
                }
                Ok(Err(error)) => {
                    self.is_full = is_disk_full(&error);
                    self.failed(&error).await;
                }
                Err(elapsed) => {
                    self.is_full = false;
                    self.failed(&elapsed).await;
                }
            }
        }
    }

    /// Waits for drafts, takes all that are queued, and sorts them. Returns false when the writer
    /// is drained.
    async fn collect_batch(&mut self, drain: &CancellationToken) -> bool {
        if !self.deferred.is_empty() {
            self.batch.append(&mut self.deferred);
            self.doubt = Doubt::Outcomes;
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
            let error = if self.is_full { AppendError::Full } else { AppendError::Unknown };
            overdue.answer(Err(error), 0);
        }
        self.batch.sort_by_key(Pending::key);
        let mut last = None;
        self.deferred = self
            .batch
            .extract_if(.., |pending| last.replace(pending.key()) == Some(pending.key()))
            .collect();
        !(self.batch.is_empty() && drain.is_cancelled())
    }

    fn attempt_deadline(&self) -> Instant {
        let earliest = self.batch.iter().map(|pending| pending.deadline).min();
        let least = Instant::now() + ATTEMPT_MIN;
        earliest.map_or(least, |earliest| earliest.max(least))
    }

    /// Resolves the batch if its outcome is unknown, and writes the drafts that remain. The
    /// connection is kept only if it answered: otherwise a late answer to this attempt could be
    /// taken for an answer to the next one.
    async fn attempt(&mut self) -> Result<(), sqlx::Error> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        // Until this attempt has an answer.
        let doubt = std::mem::replace(&mut self.doubt, Doubt::Outcomes);
        if doubt > Doubt::Nothing {
            self.read_heads(&mut connection).await?;
        }
        let epoch = self.store.epoch();
        let is_of_earlier = |pending: &Pending| pending.draft.epoch != epoch;
        if doubt == Doubt::Outcomes || self.batch.iter().any(is_of_earlier) {
            self.resolve(&mut connection).await?;
        }
        match self.insert(&mut connection).await {
            Ok(Some(heads)) => {
                self.recorded(heads);
                self.doubt = Doubt::Nothing;
            }
            // The heads are not what they were. Resolving finds out what happened.
            Ok(None) => {}
            Err(error) if is_unique_violation(&error) => self.lost_race(&error),
            Err(error) => return Err(error),
        }
        self.connection = Some(connection);
        Ok(())
    }

    /// A new connection may lead to another server, so the heads are compared first.
    async fn connect(&mut self) -> Result<PgConnection, sqlx::Error> {
        let mut connection = self.node.connect(&self.store).await?;
        self.is_sharded = self.store.shared.shards.are_many(&mut connection).await?;
        connection.execute(PLANNED_ONCE).await?;
        connection.execute(durability::ENFORCE).await?;
        self.replicate(&mut connection).await?;
        self.doubt = Doubt::Outcomes;
        Ok(connection)
    }

    /// Returns when whatever can be read is where a commit has to be before it is acknowledged.
    ///
    /// A server that crashes while its synchronous standby is away shows after its restart what
    /// only it has: a draft must not be answered as recorded because it is found there. And while
    /// the standby is away, an attempt that was given up leaves a session that waits for it: as
    /// long as it does, a further one would only wait beside it.
    async fn replicate(&mut self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let (server_pid, is_waiting) = sqlx::query_as(
            "select pg_backend_pid(), exists (
                 select 1
                 from pg_stat_activity
                 where pid = $1 and wait_event = 'SyncRep'
             )",
        )
        .bind(self.server_pid)
        .fetch_one(&mut *connection)
        .await?;
        if is_waiting {
            let problem = "the database waits for its synchronous standby";
            return Err(sqlx::Error::Io(std::io::Error::other(problem)));
        }
        self.server_pid = Some(server_pid);
        // A commit waits for all before it.
        connection.execute("select pg_logical_emit_message(true, 'croupier', '')").await?;
        Ok(())
    }

    /// Writes the batch after the heads, in one statement with its own commit. Returns the new
    /// heads; none if the record does not have the old ones, and then nothing is written.
    async fn insert(
        &self,
        connection: &mut PgConnection,
    ) -> Result<Option<Box<Marks>>, sqlx::Error> {
        let mut heads = self.heads.clone();
        if self.batch.is_empty() {
            return Ok(Some(heads));
        }
        let buckets: BTreeSet<Bucket> = self.batch.iter().map(|pending| pending.bucket).collect();
        let own = buckets.iter().map(|&bucket| (bucket, self.heads[bucket.index()]));
        let of_peers = self.batch.iter().filter_map(|it| it.known.map(|known| (it.bucket, known)));
        let premise: Vec<(Bucket, Mark)> =
            own.chain(of_peers).filter(|(_, mark)| mark.position > 0).collect();
        let bucket_positions: Vec<i64> = (self.batch.iter())
            .map(|pending| {
                let head = &mut heads[pending.bucket.index()];
                *head = Mark::new(head.position + 1, Some(pending.draft.digest));
                head.position
            })
            .collect();
        let replaces = self.batch.iter().any(|pending| pending.draft.substitute.is_some());
        // The condition is evaluated once, before the first row.
        let insert = sqlx::query(match (replaces, self.is_sharded) {
            (true, _) => INSERT_AND_REPLACE,
            (false, true) => INSERT_ROUTED,
            (false, false) => INSERT,
        });
        let drafts = || self.batch.iter().map(|pending| &pending.draft);
        let insert = insert
            .bind(self.batch.iter().map(|pending| pending.bucket).collect::<Vec<_>>())
            .bind(drafts().map(|it| it.match_id).collect::<Vec<_>>())
            .bind(drafts().map(|it| it.position).collect::<Vec<_>>())
            .bind(drafts().map(|it| it.request_id.as_deref()).collect::<Vec<_>>())
            .bind(drafts().map(|it| it.create_time).collect::<Vec<_>>())
            .bind(drafts().map(|it| &it.body[..]).collect::<Vec<_>>())
            .bind(bucket_positions)
            .bind(drafts().map(|it| it.digest).collect::<Vec<_>>())
            .bind(premise.iter().map(|(bucket, _)| *bucket).collect::<Vec<_>>())
            .bind(premise.iter().map(|(_, mark)| mark.position).collect::<Vec<_>>())
            .bind(premise.iter().map(|(_, mark)| mark.digest).collect::<Vec<_>>());
        let insert = if replaces { Substitutes::of(&self.batch).bind_to(insert) } else { insert };
        let inserted = insert.execute(connection).await?;
        Ok((inserted.rows_affected() > 0).then_some(heads))
    }

    /// Reads the heads. Notices if the record went back.
    async fn read_heads(&mut self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let epoch = self.store.epoch();
        if self.epoch != epoch {
            // Somebody else has noticed that the record went back: these heads are of before.
            (*self.heads, self.epoch) = ([Mark::default(); BUCKETS], epoch);
        }
        let buckets = &self.node.buckets;
        *self.heads = self.store.heads_if_known(connection, epoch, buckets, &self.heads).await?;
        self.epoch = self.store.epoch();
        Ok(())
    }

    /// Reads the status of each draft, answers the drafts whose outcome is decided, and keeps the
    /// others.
    async fn resolve(&mut self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let statuses = self.statuses(connection).await?;
        let mut last: Option<(MatchId, Position, Status)> = None;
        let open = std::mem::take(&mut self.batch).into_iter().zip(statuses).filter_map(
            |(pending, status)| {
                let (_, match_id, position) = pending.key();
                let before =
                    last.filter(|(id, before, _)| *id == match_id && before.next() == position);
                let status = before.map_or(status, |(_, _, before)| status.after(before));
                last = Some((match_id, position, status));
                pending.answer_unless_open(status)
            },
        );
        self.batch = open.collect();
        Ok(())
    }

    /// Reads the status of each draft of the batch: from the entry that has its position, and from
    /// the one that it was decided on.
    async fn statuses(&self, connection: &mut PgConnection) -> Result<Vec<Status>, sqlx::Error> {
        let drafts = || self.batch.iter().map(|pending| &pending.draft);
        let asked: Vec<(MatchId, Position)> = drafts()
            .flat_map(|it| [it.position.0 - 1, it.position.0].map(|at| (it.match_id, Position(at))))
            .collect();
        let find = sqlx::query_as(if self.is_sharded { FIND_ROUTED } else { FIND });
        let rows: Vec<Found> = find
            .bind(asked.iter().map(|(match_id, _)| Bucket::of(*match_id)).collect::<Vec<_>>())
            .bind(asked.iter().map(|(match_id, _)| *match_id).collect::<Vec<_>>())
            .bind(asked.iter().map(|(_, position)| *position).collect::<Vec<_>>())
            .fetch_all(connection)
            .await?;
        let found: HashMap<(MatchId, Position), Found> =
            rows.into_iter().map(|it| ((it.match_id, it.position), it)).collect();
        let status = |draft: &Draft| {
            if let Some(there) = found.get(&(draft.match_id, draft.position)) {
                return if there.is(draft) { Status::Recorded } else { Status::Conflict };
            }
            let before = found.get(&(draft.match_id, Position(draft.position.0 - 1)));
            // The very entry that the draft was decided on, not another one in its place.
            let continues = |it: &Found| it.digest.zip(draft.before).is_none_or(|(a, b)| a == b);
            match draft.position.0 == 1 || before.is_some_and(continues) {
                true => Status::Open,
                false => Status::Orphan,
            }
        };
        Ok(drafts().map(status).collect())
    }

    /// Answers the whole batch, which is committed, and tells the followers.
    fn recorded(&mut self, new: Box<Marks>) {
        // To this process they are what another has decided, which its follower has to read.
        let of_peers = self.batch.iter().filter(|it| matches!(it.reply, Reply::Peer { .. }));
        let of_peers = of_peers.fold(0, |bits, it| bits | it.bucket.bit());
        let changed = self.store.wrote(&self.heads, &new, of_peers);
        if let Some(written) = self.written.as_ref().filter(|_| changed != 0) {
            written.add(changed);
        }
        if !self.batch.is_empty() {
            self.counters.batches.fetch_add(1, Relaxed);
            self.counters.entries.fetch_add(self.batch.len() as u64, Relaxed);
            self.counters.batch_entries.record(self.batch.len() as f64);
        }
        // As they were numbered when they were inserted.
        for pending in self.batch.drain(..) {
            let head = &mut self.heads[pending.bucket.index()];
            head.position += 1;
            let bucket_position = head.position;
            pending.answer(Ok(Append::Recorded), bucket_position);
        }
        self.heads = new;
    }

    /// Another process was faster, and nothing of the batch is written. If only a bucket's position
    /// was used, every draft is still the next of its match as far as anybody knows.
    fn lost_race(&mut self, error: &sqlx::Error) {
        if violates(error, BUCKET_POSITION_KEY) {
            self.doubt = Doubt::Heads;
        }
        self.counters.conflicts.fetch_add(1, Relaxed);
        self.lost_race = Some(Instant::now());
    }

    /// While processes compete, the winner pauses for as long as its own attempt took. The others
    /// must first read what it wrote, and without the pause would lose to it again and again.
    async fn give_way(&mut self, took: Duration) {
        let is_racing = self.lost_race.is_some_and(|lost| lost.elapsed() < RACE);
        if is_racing && self.doubt == Doubt::Nothing {
            self.counters.pauses.fetch_add(1, Relaxed);
            tokio::time::sleep(jittered(took.min(GIVE_WAY_MAX))).await;
        }
    }

    fn recovered(&mut self) {
        if self.failures > 0 {
            tracing::info!(attempts = self.failures, "entries are recorded again");
        }
        (self.failures, self.is_full) = (0, false);
    }

    /// Notes that an attempt ended without an answer, so that its batch may be committed or not.
    /// Waits before the next attempt.
    async fn failed(&mut self, error: &(dyn std::error::Error + Sync + 'static)) {
        if self.failures == 0 {
            tracing::warn!(
                error = error as &dyn std::error::Error,
                drafts = self.batch.len(),
                "entries cannot be recorded, retrying"
            );
        }
        self.counters.failures.fetch_add(1, Relaxed);
        let backoff = (BACKOFF_MIN * 2_u32.saturating_pow(self.failures.min(10))).min(BACKOFF_MAX);
        self.failures += 1;
        tokio::time::sleep(jittered(backoff)).await;
    }
}

/// Writes a batch, if the record has all of its premise. On one Postgres the generic plan finds
/// each row by its key; a sharded one has to be told which shards these are.
macro_rules! insert {
    ($routed:literal) => {
        concat!(
        "insert into entries
             (bucket, match_id, position, request_id, create_time, body, bucket_position, digest)
         select *
         from unnest($1::smallint[], $2::uuid[], $3::int8[], $4::text[], $5::timestamptz[], $6::bytea[], $7::int8[], $8::bytea[])
         where cardinality($9::smallint[]) = (
             select count(*)
             from unnest($9::smallint[], $10::int8[], $11::bytea[]) as known (bucket, position, digest)
             join entries
                 on entries.bucket = known.bucket
                 and entries.bucket_position = known.position
                 and coalesce(entries.digest, '') = coalesce(known.digest, '')
             ",
            $routed,
            ")"
        )
    };
}

const INSERT: &str = insert!("");
const INSERT_ROUTED: &str = insert!("where entries.bucket = any($9)");

/// Finds entries by their keys.
macro_rules! find {
    ($routed:literal) => {
        concat!(
            "select entries.match_id, entries.position, entries.request_id, entries.create_time,
                 entries.body, entries.digest
             from unnest($1::smallint[], $2::uuid[], $3::int8[]) as asked (bucket, match_id, position)
             join entries using (bucket, match_id, position)
             ",
            $routed
        )
    };
}

const FIND: &str = find!("");
const FIND_ROUTED: &str = find!("where entries.bucket = any($1)");

/// Writes a batch, and seats the players who take over with some of the entries.
const INSERT_AND_REPLACE: &str = concat!(
    "with inserted as (",
    insert!(""),
    " returning match_id, position
     ), replaced as materialized (
         select replace_player(its.match_id, its.seat, its.position, its.player, its.display_name,
             its.display_name_key, its.speech_key, its.create_time)
         from unnest($12::uuid[], $13::smallint[], $14::int8[], $15::text[], $16::text[], $17::text[], $18::bytea[], $19::timestamptz[])
             as its (match_id, seat, position, player, display_name, display_name_key, speech_key, create_time)
         join inserted using (match_id, position)
     )
     select 1
     from inserted
     cross join (select count(*) from replaced) as done",
);

/// The players of a batch who take over seats, one array per column.
#[derive(Default)]
struct Substitutes<'a> {
    match_ids: Vec<MatchId>,
    seats: Vec<i16>,
    positions: Vec<Position>,
    players: Vec<&'a str>,
    display_names: Vec<Option<&'a str>>,
    display_name_keys: Vec<Option<String>>,
    speech_keys: Vec<Option<Vec<u8>>>,
    create_times: Vec<OffsetDateTime>,
}

impl<'a> Substitutes<'a> {
    fn of(batch: &'a [Pending]) -> Self {
        let mut its = Self::default();
        for Pending { draft, .. } in batch {
            let Some(substitute) = draft.substitute.as_deref() else { continue };
            let display_name = substitute.display_name.as_deref();
            its.match_ids.push(draft.match_id);
            its.seats.push(substitute.seat);
            its.positions.push(draft.position);
            its.players.push(&substitute.player);
            its.display_names.push(display_name);
            its.display_name_keys.push(display_name.map(name_key));
            its.speech_keys.push(substitute.speech_key.map(|key| key.0.to_vec()));
            its.create_times.push(draft.create_time);
        }
        its
    }

    fn bind_to<'q>(
        self,
        query: Query<'q, Postgres, PgArguments>,
    ) -> Query<'q, Postgres, PgArguments>
    where
        'a: 'q,
    {
        query
            .bind(self.match_ids)
            .bind(self.seats)
            .bind(self.positions)
            .bind(self.players)
            .bind(self.display_names)
            .bind(self.display_name_keys)
            .bind(self.speech_keys)
            .bind(self.create_times)
    }
}

/// What must be read before the next insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Doubt {
    Nothing,
    /// The heads: another process wrote after them.
    Heads,
    /// The heads, and the status of each draft.
    Outcomes,
}

/// An entry that has the position of a draft, or the one before it.
#[derive(sqlx::FromRow)]
struct Found {
    match_id: MatchId,
    position: Position,
    request_id: Option<String>,
    create_time: OffsetDateTime,
    body: Vec<u8>,
    digest: Option<Digest>,
}

impl Found {
    fn is(&self, draft: &Draft) -> bool {
        self.body == draft.body
            && self.request_id == draft.request_id
            && self.create_time == draft.create_time
    }
}

/// A draft that is not answered yet.
pub(super) struct Pending {
    pub(super) draft: Draft,
    pub(super) bucket: Bucket,
    /// The last entry of the bucket that the peer knows who decided on the draft, if this process
    /// has not told it of that entry: the record must still have it.
    pub(super) known: Option<Mark>,
    pub(super) reply: Reply,
    pub(super) deadline: Instant,
}

/// Where the outcome of a draft goes.
pub(super) enum Reply {
    Caller(oneshot::Sender<Result<Append, AppendError>>),
    Peer { id: u64, answers: mpsc::UnboundedSender<Answer> },
}

/// The queues of the flushers, of which there is one for each node of the database.
#[derive(Clone)]
pub(super) struct Queues {
    queues: Arc<[mpsc::Sender<Pending>]>,
    /// By bucket.
    nodes: Arc<[usize; BUCKETS]>,
}

impl Queues {
    pub(super) fn new(queues: Vec<mpsc::Sender<Pending>>, nodes: &[Node]) -> Self {
        let mut of = [0; BUCKETS];
        for (n, node) in nodes.iter().enumerate() {
            node.buckets.iter().for_each(|bucket| of[bucket.index()] = n);
        }
        Self { queues: queues.into(), nodes: Arc::new(of) }
    }

    /// The node that has a bucket.
    pub(super) fn node(&self, bucket: Bucket) -> usize {
        self.nodes[bucket.index()]
    }

    /// How many nodes the database has.
    pub(super) fn nodes(&self) -> usize {
        self.queues.len()
    }

    /// Queues a draft, or answers that it cannot be queued.
    pub(super) fn push(&self, pending: Pending) {
        let queue = &self.queues[self.node(pending.bucket)];
        if let Err(error) = queue.try_send(pending) {
            let (pending, refusal) = match error {
                TrySendError::Full(pending) => (pending, AppendError::Busy),
                TrySendError::Closed(pending) => (pending, AppendError::Closed),
            };
            // What a peer may have written, or may write yet, is not refused.
            let is_doubtful = pending.draft.epoch == Epoch::UNKNOWN;
            pending.answer(Err(if is_doubtful { AppendError::Unknown } else { refusal }), 0);
        }
    }
}

/// The status of a draft according to the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// It is an entry: an earlier attempt was committed although its answer was lost.
    Recorded,
    /// Another entry has its position.
    Conflict,
    /// Its position is the next one of its match.
    Open,
    /// Its position is free, but the entry before it is missing.
    Orphan,
}

impl Status {
    /// The status of a draft whose predecessor is in the same batch: it was decided on exactly that
    /// predecessor.
    fn after(self, before: Self) -> Self {
        match (self, before) {
            (Self::Open | Self::Orphan, Self::Open | Self::Recorded) => Self::Open,
            (Self::Open | Self::Orphan, Self::Conflict | Self::Orphan) => Self::Conflict,
            (Self::Recorded | Self::Conflict, _) => self,
        }
    }
}

impl Pending {
    fn key(&self) -> (Bucket, MatchId, Position) {
        (self.bucket, self.draft.match_id, self.draft.position)
    }

    /// Returns the draft if it is still to be written.
    fn answer_unless_open(self, status: Status) -> Option<Self> {
        match status {
            Status::Recorded => self.answer(Ok(Append::Recorded), 0),
            Status::Conflict | Status::Orphan => self.answer(Ok(Append::Conflict), 0),
            // The record has what it was decided on.
            Status::Open => return Some(Self { known: None, ..self }),
        }
        None
    }

    /// Answers with the outcome, and with the entry's place in its bucket or 0 if that is not
    /// known.
    pub(super) fn answer(self, outcome: Result<Append, AppendError>, bucket_position: i64) {
        self.reply.answer(outcome, bucket_position);
    }
}

impl Reply {
    pub(super) fn answer(self, outcome: Result<Append, AppendError>, bucket_position: i64) {
        // Whoever asked may have stopped waiting.
        match self {
            Self::Caller(caller) => drop(caller.send(outcome)),
            Self::Peer { id, answers } => {
                let _ = answers.send(Answer::new(id, outcome, bucket_position));
            }
        }
    }
}

impl Store {
    /// Raises the high-water marks past the entries that this process decided and wrote, so that
    /// its follower does not read them; in the buckets `of_peers` it reads them. Returns the
    /// buckets, as bits.
    fn wrote(&self, old: &Marks, new: &Marks, of_peers: u64) -> u64 {
        let mut changed = 0;
        for bucket in Bucket::all() {
            let (old, new) = (old[bucket.index()], new[bucket.index()]);
            if old != new {
                changed |= bucket.bit();
                if of_peers & bucket.bit() != 0 {
                    self.shared.marks.saw(bucket, new);
                    continue;
                }
                // If another process's entries before these are still unread, the mark stays, and
                // the follower reads both.
                self.shared.marks.advance(bucket, old, new);
            }
        }
        self.shared.marks.notify();
        if of_peers != 0 {
            self.shared.hinted.add(of_peers);
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::Status::{Conflict, Open, Orphan, Recorded};

    #[test]
    fn a_draft_shares_the_outcome_of_the_draft_it_was_decided_on() {
        for status in [Open, Orphan] {
            assert_eq!(status.after(Recorded), Open);
            assert_eq!(status.after(Open), Open);
            assert_eq!(status.after(Conflict), Conflict);
            assert_eq!(status.after(Orphan), Conflict);
        }
        for decided in [Recorded, Conflict] {
            for before in [Recorded, Conflict, Open, Orphan] {
                assert_eq!(decided.after(before), decided);
            }
        }
    }
}
