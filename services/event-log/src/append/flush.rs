//! The flusher: writes drafts, batch by batch.
//!
//! It remembers the heads of the buckets and writes directly after them, if they are still the
//! heads. If another process has used a bucket's next position, it reads the heads and tries again.
//! If another process has used a stream's next position, the heads have changed (the log went
//! back), or the outcome is unknown (the connection was lost during the commit), it *resolves* the
//! batch: it also reads the status of each draft, answers the drafts whose outcome is decided, and
//! retries the others.
//!
//! If the database rejects a batch, one of its drafts is the cause: halves of the batch are tried,
//! and halves of those, until the draft is alone. It is refused, and the others are written.
//!
//! See `docs/decisions/0011-keys-decide-positions.md` and
//! `docs/decisions/0072-a-rejected-draft-fails-alone.md`.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use database::{
    DURABLE, Node, OwnShards, PLANNED_ONCE, Reading, is_answered, is_disk_full, is_given_up,
    is_rejected, is_unique_violation, jittered, violates,
};
use positions::{BUCKETS, Bucket, Digest, Mark, Marks, Position, StreamId};
use sqlx::postgres::PgConnection;
use sqlx::{Executor, SqlStr};
use time::OffsetDateTime;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::counters::Counters;
use super::draft::{Append, AppendError, BATCH_MAX, Draft, Premise, TIME_ERROR_MAX};
use super::queues::{Pending, Reply};
use crate::hints::ChangedBuckets;
use crate::{Epoch, Log};

/// Writes drafts, batch by batch.
pub(super) struct Flusher {
    log: Log,
    /// The node of the database that has the drafts' buckets.
    node: Node,
    /// Whether the database has several nodes.
    is_sharded: bool,
    /// How many of some marks the log has, from the shards of the connection's server by their
    /// names; `None` if it does not have all of the node.
    known_of_shards: Option<SqlStr>,
    queue: mpsc::Receiver<Pending>,
    counters: Arc<Counters>,
    /// The buckets of which to notify other processes.
    written: Option<Arc<ChangedBuckets>>,
    connection: Option<PgConnection>,
    /// The server process of the current or the previous connection.
    server_pid: Option<i32>,
    /// The drafts of the next attempt, sorted by bucket, match and position. All writers sort alike
    /// so that they cannot deadlock.
    batch: Vec<Pending>,
    /// Drafts that have the same position as a draft of the batch. They wait until that one is
    /// answered.
    deferred: Vec<Pending>,
    /// Parts of a batch that the database rejected. Each is a later batch of its own, the last one
    /// first.
    parts: Vec<Vec<Pending>>,
    /// Whether the batch is such a part. No draft is added to it, so that the search ends.
    is_part: bool,
    /// The heads as last written or read, in `epoch`.
    heads: Box<Marks>,
    epoch: Epoch,
    doubt: Doubt,
    /// Whether the database refuted a premise of the batch.
    is_refuted: bool,
    /// When this process last lost a race to another.
    lost_race: Option<Instant>,
    /// Consecutive attempts that failed.
    failures: u32,
    /// Whether the last of them failed because the database's disk is full.
    is_full: bool,
}

/// An attempt may take this long even if the deadline of one of its drafts is earlier. Otherwise an
/// overloaded database would never finish an attempt.
const ATTEMPT_MIN: Duration = Duration::from_millis(500);
/// How long a lost race counts as competition. Competing processes lose more often than once in
/// this time.
const RACE: Duration = Duration::from_secs(1);
/// The maximum pause. An attempt that took longer waited for the disk, so its duration does not
/// show how long the other processes need.
const GIVE_WAY_MAX: Duration = Duration::from_millis(20);
/// The wait before the second attempt on a failing database. It doubles with each further attempt,
/// up to [`BACKOFF_MAX`].
const BACKOFF_MIN: Duration = Duration::from_millis(20);
/// The maximum wait: a recovered database is noticed within this time.
const BACKOFF_MAX: Duration = Duration::from_millis(400);
/// How often a draft is rejected, alone in its batch, before it is refused. A concurrent change may
/// be the cause of the first time, or a plan that the connection had kept.
const REJECTIONS_MAX: u8 = 2;

impl Flusher {
    pub(super) fn new(
        log: Log,
        node: Node,
        queue: mpsc::Receiver<Pending>,
        counters: Arc<Counters>,
        written: Option<Arc<ChangedBuckets>>,
    ) -> Self {
        Self {
            log,
            node,
            is_sharded: false,
            known_of_shards: None,
            queue,
            counters,
            written,
            connection: None,
            server_pid: None,
            batch: Vec::with_capacity(BATCH_MAX),
            deferred: Vec::new(),
            parts: Vec::new(),
            is_part: false,
            heads: Box::new([Mark::default(); BUCKETS]),
            epoch: Epoch::default(),
            doubt: Doubt::Outcomes,
            is_refuted: false,
            lost_race: None,
            failures: 0,
            is_full: false,
        }
    }

    pub(super) async fn run(mut self, drain: CancellationToken) {
        while self.collect_batch(&drain).await {
            let began = Instant::now();
            match tokio::time::timeout_at(self.attempt_deadline(), self.attempt()).await {
                Ok(Ok(recorded)) => {
                    if recorded > 0 {
                        self.recovered();
                    }
                    self.give_way(began.elapsed()).await;
                }
                Ok(Err(Failure::OfBatch(error))) => self.rejected(&error),
                Ok(Err(Failure::OfDatabase(error))) => {
                    self.is_full = is_disk_full(&error);
                    // Others may have room: one of several nodes is not the database.
                    if self.is_full && !self.is_sharded {
                        self.log.database().note_full();
                    }
                    if !is_answered(&error) {
                        self.batch.iter_mut().for_each(Pending::doubt);
                    }
                    self.failed(&error).await;
                }
                Err(elapsed) => {
                    self.is_full = false;
                    self.batch.iter_mut().for_each(Pending::doubt);
                    self.failed(&elapsed).await;
                }
            }
        }
    }

    /// Waits for drafts, takes all that are queued, and sorts them. Returns false when the writer
    /// is drained.
    async fn collect_batch(&mut self, drain: &CancellationToken) -> bool {
        if self.batch.is_empty() {
            let part = self.parts.pop();
            self.is_part = part.is_some();
            if let Some(part) = part {
                self.batch = part;
                self.doubt = Doubt::Outcomes;
            }
        }
        if !self.is_part && !self.deferred.is_empty() {
            self.batch.append(&mut self.deferred);
            self.doubt = Doubt::Outcomes;
        }
        if self.batch.is_empty() && !self.is_part && !drain.is_cancelled() {
            tokio::select! {
                _ = self.queue.recv_many(&mut self.batch, BATCH_MAX) => {}
                () = drain.cancelled() => {}
            }
        }
        if drain.is_cancelled() {
            self.queue.close();
        }
        while !self.is_part
            && self.batch.len() < BATCH_MAX
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
        let same = |pending: &mut Pending| last.replace(pending.key()) == Some(pending.key());
        self.deferred.extend(self.batch.extract_if(.., same));
        let is_idle = self.batch.is_empty() && self.parts.is_empty() && self.deferred.is_empty();
        !(is_idle && drain.is_cancelled())
    }

    fn attempt_deadline(&self) -> Instant {
        let earliest = self.batch.iter().map(|pending| pending.deadline).min();
        let least = Instant::now() + ATTEMPT_MIN;
        earliest.map_or(least, |earliest| earliest.max(least))
    }

    /// Resolves the batch if its outcome is unknown, and writes the drafts that remain. Returns how
    /// many are recorded now. The connection is kept only if it answered: otherwise a late answer
    /// to this attempt could be taken for an answer to the next one.
    async fn attempt(&mut self) -> Result<usize, Failure> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        // Until this attempt has an answer.
        let doubt = std::mem::replace(&mut self.doubt, Doubt::Outcomes);
        if doubt > Doubt::Nothing {
            self.read_heads(&mut connection).await?;
        }
        let epoch = self.log.epoch();
        let is_of_earlier = |pending: &Pending| pending.draft.epoch != epoch;
        let mut recorded = 0;
        if doubt == Doubt::Outcomes || self.batch.iter().any(is_of_earlier) {
            match self.resolve(&mut connection).await {
                Ok(resolved) => recorded += resolved,
                Err(error) => return Err(self.failure(error, connection)),
            }
        }
        match self.insert(&mut connection).await {
            Ok(Some(heads)) => {
                recorded += self.batch.len();
                self.recorded(heads);
                self.doubt = Doubt::Nothing;
            }
            // The heads have changed, or a time is wrong. Resolving finds out what happened.
            Ok(None) => self.is_refuted = true,
            Err(error) if self.is_lost_race(&error) => self.lost_race(&error),
            Err(error) => return Err(self.failure(error, connection)),
        }
        self.connection = Some(connection);
        Ok(recorded)
    }

    /// A new connection may lead to another server, so the heads are compared first.
    async fn connect(&mut self) -> Result<PgConnection, sqlx::Error> {
        let mut connection = self.node.connect(self.log.database().hosts()).await?;
        self.is_sharded = self.log.database().is_sharded_seen_by(&mut connection).await?;
        // Nothing is written in a term that has not begun.
        self.log.settle_term_on(&mut connection).await?;
        connection.execute(PLANNED_ONCE).await?;
        connection.execute(DURABLE).await?;
        self.replicate(&mut connection).await?;
        if self.is_sharded {
            self.find_shards(&mut connection).await?;
        }
        self.doubt = Doubt::Outcomes;
        Ok(connection)
    }

    async fn find_shards(&mut self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let (tables, buckets) = (&self.log.0.tables, &self.node.buckets);
        let shards = OwnShards::of(connection, tables.entries, buckets).await?;
        self.known_of_shards = shards.as_ref().map(|shards| tables.known_of(shards));
        if let Some(shards) = shards {
            self.log.0.statements.heads_of.set(buckets, tables.heads_of(&shards));
        }
        Ok(())
    }

    /// Waits until everything visible on this server has also reached the synchronous standby.
    ///
    /// After a crash during an outage of its standby, a restarted server shows commits that only it
    /// has: finding a draft there does not prove that it is recorded. While the standby is away, an
    /// attempt that was given up leaves a session that waits for it; until that session ends, a
    /// further attempt would only wait too.
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
        // A commit waits for all earlier commits.
        connection.execute("select pg_logical_emit_message(true, 'croupier', '')").await?;
        Ok(())
    }

    /// Writes the batch after the heads, in one statement with its own commit. Returns the new
    /// heads; `None` if the log does not have the old ones, in which case nothing is written. On
    /// several nodes that is asked before: a server does not go back while a connection is open.
    async fn insert(
        &mut self,
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
        if self.is_sharded {
            let holds = self.log_has(connection, &premise).await?
                && self.ended_rights(connection).await?.is_empty();
            if !holds {
                return Ok(None);
            }
        }
        let bucket_positions: Vec<i64> = (self.batch.iter())
            .map(|pending| {
                let head = &mut heads[pending.bucket.index()];
                *head = Mark::new(head.position + 1, Some(pending.draft.digest));
                head.position
            })
            .collect();
        let drafts = || self.batch.iter().map(|pending| &pending.draft);
        let accompanied: Vec<&Draft> = drafts().filter(|it| it.companion.is_some()).collect();
        // The condition is evaluated once, before the first row.
        let statements = &self.log.0.statements;
        let is_one = !self.is_sharded && self.batch.len() == 1 && premise.len() == 1;
        let insert = sqlx::query(match accompanied.is_empty() {
            true if is_one => statements.insert_one.clone(),
            true => statements.insert.of(self.is_sharded),
            false => statements.insert_with_companions.of(self.is_sharded),
        });
        let insert = insert
            .bind(self.batch.iter().map(|pending| pending.bucket).collect::<Vec<_>>())
            .bind(drafts().map(|it| it.stream).collect::<Vec<_>>())
            .bind(drafts().map(|it| it.position).collect::<Vec<_>>())
            .bind(drafts().map(|it| it.request_id.as_deref()).collect::<Vec<_>>())
            .bind(drafts().map(|it| it.create_time).collect::<Vec<_>>())
            .bind(drafts().map(|it| &it.body[..]).collect::<Vec<_>>())
            .bind(bucket_positions)
            .bind(drafts().map(|it| it.digest).collect::<Vec<_>>());
        let insert = match self.is_sharded {
            true => insert,
            false => insert
                .bind(premise.iter().map(|(bucket, _)| *bucket).collect::<Vec<_>>())
                .bind(premise.iter().map(|(_, mark)| mark.position).collect::<Vec<_>>())
                .bind(premise.iter().map(|(_, mark)| mark.digest).collect::<Vec<_>>()),
        };
        let insert = match accompanied[..] {
            [] => insert,
            [..] => insert
                .bind(accompanied.iter().map(|it| it.stream).collect::<Vec<_>>())
                .bind(accompanied.iter().map(|it| it.position).collect::<Vec<_>>())
                .bind(accompanied.iter().map(|it| it.companion.as_deref()).collect::<Vec<_>>()),
        };
        let insert = match self.is_sharded {
            true => insert,
            false => {
                let times =
                    || drafts().filter_map(|it| it.premise.decided).map(|it| it.of_database_now());
                let earliest = times().max().map(|latest| latest - TIME_ERROR_MAX);
                let latest = times().min().map(|earliest| earliest + TIME_ERROR_MAX);
                let rights = self.rights();
                let since = drafts().filter_map(|it| it.premise.right.as_ref()).map(|it| it.since);
                insert.bind(earliest).bind(latest).bind(rights).bind(since.min())
            }
        };
        let inserted = insert.execute(connection).await?;
        Ok((inserted.rows_affected() > 0).then_some(heads))
    }

    /// Whether the log has these marks.
    async fn log_has(
        &mut self,
        connection: &mut PgConnection,
        marks: &[(Bucket, Mark)],
    ) -> Result<bool, sqlx::Error> {
        if marks.is_empty() {
            return Ok(true);
        }
        let buckets: Vec<Bucket> = marks.iter().map(|(bucket, _)| *bucket).collect();
        let positions: Vec<i64> = marks.iter().map(|(_, mark)| mark.position).collect();
        let digests: Vec<_> = marks.iter().map(|(_, mark)| mark.digest).collect();
        if let Some(statement) = self.known_of_shards.take() {
            let answer: Result<(i64, bool), _> = sqlx::query_as(statement.clone())
                .bind(&buckets)
                .bind(&positions)
                .bind(&digests)
                .fetch_one(&mut *connection)
                .await;
            match answer {
                Ok((known, true)) => {
                    self.known_of_shards = Some(statement);
                    return Ok(known == marks.len() as i64);
                }
                // The shards were moved, and some may be gone.
                Ok((_, false)) | Err(sqlx::Error::Database(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let known: i64 = sqlx::query_scalar(self.log.0.statements.known.clone())
            .bind(&buckets)
            .bind(positions)
            .bind(digests)
            .bind(&buckets)
            .fetch_one(connection)
            .await?;
        Ok(known == marks.len() as i64)
    }

    /// Reads the heads. Notices if the log went back.
    async fn read_heads(&mut self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let epoch = self.log.epoch();
        if self.epoch != epoch {
            // Another task noticed that the log went back: these heads are outdated.
            (*self.heads, self.epoch) = ([Mark::default(); BUCKETS], epoch);
        }
        let buckets = &self.node.buckets;
        *self.heads = self.log.heads_if_known(connection, epoch, buckets, &self.heads).await?;
        self.epoch = self.log.epoch();
        Ok(())
    }

    /// Reads the status of each draft, answers the drafts whose outcome is decided, and keeps the
    /// others. Returns how many turned out to be recorded.
    async fn resolve(&mut self, connection: &mut PgConnection) -> Result<usize, sqlx::Error> {
        let mut recorded = 0;
        let (mut now, mut ended) = (None, BTreeSet::new());
        if std::mem::take(&mut self.is_refuted) {
            ended = self.ended_rights(connection).await?;
            if !self.is_sharded {
                let clock = self.log.database().clock();
                now = Some(clock.ask(&mut *connection).await.map(Reading::told)?);
            }
        }
        let statuses = self.statuses(connection, now, &ended).await?;
        let mut last: Option<(StreamId, Position, Status)> = None;
        let open = std::mem::take(&mut self.batch).into_iter().zip(statuses).filter_map(
            |(pending, status)| {
                let (_, stream, position) = pending.key();
                let before =
                    last.filter(|(id, before, _)| *id == stream && before.next() == position);
                let status = before.map_or(status, |(_, _, before)| status.after(before));
                last = Some((stream, position, status));
                recorded += usize::from(status == Status::Recorded);
                pending.answer_unless_open(status)
            },
        );
        self.batch = open.collect();
        Ok(recorded)
    }

    /// The rights of the batch, each once; `None` if there are none.
    fn rights(&self) -> Option<Vec<&str>> {
        let rights = self.batch.iter().filter_map(|it| it.draft.premise.right.as_ref());
        let rights: BTreeSet<&str> = rights.map(|it| &*it.text).collect();
        (!rights.is_empty()).then(|| rights.into_iter().collect())
    }

    /// Those rights of the batch that do not hold.
    async fn ended_rights(
        &self,
        connection: &mut PgConnection,
    ) -> Result<BTreeSet<Box<str>>, sqlx::Error> {
        let Some(rights) = self.rights() else { return Ok(BTreeSet::new()) };
        let hold: Vec<bool> = sqlx::query_scalar(self.log.0.statements.hold.clone())
            .bind(&rights)
            .fetch_all(connection)
            .await?;
        let ended = rights.into_iter().zip(hold).filter(|(_, holds)| !holds);
        Ok(ended.map(|(right, _)| right.into()).collect())
    }

    /// Reads the status of each draft of the batch: from the entry at its position, and from the
    /// one on which it was decided. If the database's time `now` is given, the times of the
    /// decisions are compared with it. `ended` are rights that do not hold.
    async fn statuses(
        &self,
        connection: &mut PgConnection,
        now: Option<Reading>,
        ended: &BTreeSet<Box<str>>,
    ) -> Result<Vec<Status>, sqlx::Error> {
        let drafts = || self.batch.iter().map(|pending| &pending.draft);
        let asked: Vec<(StreamId, Position)> = drafts()
            .flat_map(|it| [it.position.0 - 1, it.position.0].map(|at| (it.stream, Position(at))))
            .collect();
        let rows: Vec<Found> = sqlx::query_as(self.log.0.statements.find.of(self.is_sharded))
            .bind(asked.iter().map(|(stream, _)| Bucket::of(*stream)).collect::<Vec<_>>())
            .bind(asked.iter().map(|(stream, _)| *stream).collect::<Vec<_>>())
            .bind(asked.iter().map(|(_, position)| *position).collect::<Vec<_>>())
            .fetch_all(connection)
            .await?;
        let found: HashMap<(StreamId, Position), Found> =
            rows.into_iter().map(|it| ((it.stream, it.position), it)).collect();
        let status = |draft: &Draft| {
            if let Some(there) = found.get(&(draft.stream, draft.position)) {
                return if there.is(draft) { Status::Recorded } else { Status::Conflict };
            }
            let before = found.get(&(draft.stream, Position(draft.position.0 - 1)));
            // The predecessor must be the entry on which the draft was decided, not another one in
            // its place.
            let continues = |it: &Found| it.digest.zip(draft.before).is_none_or(|(a, b)| a == b);
            match draft.position.0 == 1 || before.is_some_and(continues) {
                true if draft.premise.is_of(ended) => Status::RightEnded,
                true if draft.premise.is_untimely(now) => Status::Untimely,
                true => Status::Open,
                false => Status::Orphan,
            }
        };
        Ok(drafts().map(status).collect())
    }

    /// Answers the whole batch, which is committed, and notifies the followers.
    fn recorded(&mut self, new: Box<Marks>) {
        // Drafts of peers are other processes' decisions, so this process's follower must read
        // them.
        let of_peers = self.batch.iter().filter(|it| matches!(it.reply, Reply::Peer { .. }));
        let of_peers = of_peers.fold(0, |bits, it| bits | it.bucket.bit());
        let changed = self.log.wrote(&self.heads, &new, of_peers);
        if let Some(written) = self.written.as_ref().filter(|_| changed != 0) {
            written.add(changed);
        }
        if !self.batch.is_empty() {
            self.counters.batches.fetch_add(1, Relaxed);
            self.counters.entries.fetch_add(self.batch.len() as u64, Relaxed);
            self.counters.batch_entries.record(self.batch.len() as f64);
        }
        // Numbers them in the order of insertion.
        for pending in self.batch.drain(..) {
            let head = &mut self.heads[pending.bucket.index()];
            head.position += 1;
            let bucket_position = head.position;
            pending.answer(Ok(Append::Recorded), bucket_position);
        }
        self.heads = new;
    }

    /// Whether another process was faster. Keys of other tables are a companion's.
    fn is_lost_race(&self, error: &sqlx::Error) -> bool {
        let tables = &self.log.0.tables;
        is_unique_violation(error)
            && (violates(error, &tables.bucket_position_key())
                || violates(error, &tables.position_key()))
    }

    /// Another process was faster, and nothing of the batch is written. If only a bucket's position
    /// was taken, every draft may still be the next of its stream.
    fn lost_race(&mut self, error: &sqlx::Error) {
        if violates(error, &self.log.0.tables.bucket_position_key()) {
            self.doubt = Doubt::Heads;
        }
        self.counters.conflicts.fetch_add(1, Relaxed);
        self.lost_race = Some(Instant::now());
    }

    /// While processes compete, the winner pauses for as long as its own attempt took. The others
    /// must first read the new entries, and would otherwise lose to it again and again.
    async fn give_way(&mut self, took: Duration) {
        let is_racing = self.lost_race.is_some_and(|lost| lost.elapsed() < RACE);
        if is_racing && self.doubt == Doubt::Nothing {
            self.counters.pauses.fetch_add(1, Relaxed);
            tokio::time::sleep(jittered(took.min(GIVE_WAY_MAX))).await;
        }
    }

    /// Entries are recorded, which a connection alone does not show: on a full disk the database
    /// answers everything else.
    fn recovered(&mut self) {
        if self.failures > 0 {
            tracing::info!(attempts = self.failures, "entries are recorded again");
        }
        (self.failures, self.is_full) = (0, false);
    }

    /// Why a statement about the batch failed. The connection is kept if it answered for the batch
    /// only.
    fn failure(&mut self, error: sqlx::Error, connection: PgConnection) -> Failure {
        let is_repeated = self.failures > 0;
        if self.batch.is_empty() || !(is_rejected(&error) || is_repeated && is_given_up(&error)) {
            return Failure::OfDatabase(error);
        }
        self.connection = Some(connection);
        Failure::OfBatch(error)
    }

    /// Nothing of the batch is written, because of one of its drafts. Tries the first half next, or
    /// refuses the draft if it is alone.
    fn rejected(&mut self, error: &sqlx::Error) {
        self.is_part = true;
        let [pending] = &mut self.batch[..] else {
            self.parts.push(self.batch.split_off(self.batch.len() / 2));
            return;
        };
        pending.rejections += 1;
        if pending.rejections < REJECTIONS_MAX {
            self.connection = None;
            return;
        }
        let Pending { draft, .. } = pending;
        tracing::error!(
            error = error as &dyn std::error::Error,
            stream = %draft.stream.0,
            position = draft.position.0,
            "the database rejects an entry, which is not recorded"
        );
        self.counters.refused.fetch_add(1, Relaxed);
        // It may succeed later, if it did not fail for what it says.
        let refusal = if is_rejected(error) { AppendError::Refused } else { AppendError::Busy };
        self.batch.drain(..).for_each(|it| it.refuse(refusal));
    }

    /// Records that an attempt ended without an answer, so its batch may or may not be committed.
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

/// Why an attempt failed.
enum Failure {
    /// The database is away, full, or otherwise not able to record anything at the moment.
    OfDatabase(sqlx::Error),
    /// The database rejects the batch, of which nothing is written.
    OfBatch(sqlx::Error),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::OfDatabase(error)
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
#[derive(sqlx_macros::FromRow)]
struct Found {
    stream: StreamId,
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

/// The status of a draft according to the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// It is recorded: an earlier attempt was committed although its answer was lost.
    Recorded,
    /// Another entry has its position.
    Conflict,
    /// Its position is the next of its stream.
    Open,
    /// Its position is free, but the entry before it is missing.
    Orphan,
    /// Its position is the next of its stream, but the time of its decision is wrong.
    Untimely,
    /// Its position is the next of its stream, but the right by which it is recorded has ended.
    RightEnded,
}

impl Status {
    /// The status of a draft whose predecessor is in the same batch: it was decided on exactly that
    /// predecessor.
    fn after(self, before: Self) -> Self {
        match (self, before) {
            (Self::Recorded | Self::Conflict, _) => self,
            (Self::Open | Self::Orphan, Self::Open | Self::Recorded) => Self::Open,
            (Self::Untimely | Self::RightEnded, Self::Open | Self::Recorded) => self,
            (_, Self::Conflict | Self::Orphan | Self::Untimely | Self::RightEnded) => {
                Self::Conflict
            }
        }
    }
}

impl Premise {
    /// Whether the database's time contradicts that of the decision.
    fn is_untimely(&self, now: Option<Reading>) -> bool {
        let error = self.decided.zip(now);
        let error = error.map(|(it, now)| it.of_database_now() - now.of_database_now());
        error.is_some_and(|error| error.abs() > TIME_ERROR_MAX)
    }

    /// Whether the right is one of these.
    fn is_of(&self, ended: &BTreeSet<Box<str>>) -> bool {
        self.right.as_ref().is_some_and(|right| ended.contains(&right.text))
    }
}

impl Pending {
    /// Returns the draft if it must still be written.
    fn answer_unless_open(self, status: Status) -> Option<Self> {
        match status {
            Status::Recorded => self.answer(Ok(Append::Recorded), 0),
            Status::Conflict | Status::Orphan => self.answer(Ok(Append::Conflict), 0),
            Status::Untimely => self.answer(Ok(Append::Untimely), 0),
            Status::RightEnded => self.answer(Ok(Append::RightEnded), 0),
            // The log has the entry on which it was decided.
            Status::Open => return Some(Self { known: None, ..self }),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Status::{Conflict, Open, Orphan, Recorded, RightEnded, Untimely};

    #[test]
    fn a_draft_shares_the_outcome_of_the_draft_it_was_decided_on() {
        for status in [Open, Orphan] {
            assert_eq!(status.after(Recorded), Open);
            assert_eq!(status.after(Open), Open);
            assert_eq!(status.after(Conflict), Conflict);
            assert_eq!(status.after(Orphan), Conflict);
            assert_eq!(status.after(Untimely), Conflict);
            assert_eq!(status.after(RightEnded), Conflict);
        }
        for wrong in [Untimely, RightEnded] {
            assert_eq!(wrong.after(Open), wrong);
            assert_eq!(wrong.after(Recorded), wrong);
            assert_eq!(wrong.after(wrong), Conflict);
        }
        for decided in [Recorded, Conflict] {
            for before in [Recorded, Conflict, Open, Orphan, Untimely, RightEnded] {
                assert_eq!(decided.after(before), decided);
            }
        }
    }
}
