//! Detects that the log went back, and continues from its current state.
//!
//! See `docs/decisions/0020-epochs.md`.

use std::collections::HashMap;

use database::{Error, Group, OfNodes, Pool, groups};
use futures::future::BoxFuture;
use metrics::counter;
use positions::{
    BUCKETS, Bucket, Claims, Digest, Mark, Marks, Position, StreamId, Term, buckets_of,
};
use sqlx::postgres::PgConnection;
use tokio::sync::watch;

use crate::Log;
use crate::heads::{AtMark, HeadsAfter, heads_after, heads_of_node_after};
use crate::marks::{Epoch, WentBack, last_shared};

/// A counter: how often the log was seen to go back.
pub const WENT_BACK: &str = "croupier_record_went_back_total";
/// A counter: entries that were recorded and are no longer in the log, as far as is known.
pub const ENTRIES_LOST: &str = "croupier_record_entries_lost_total";

impl Log {
    /// By bucket: this process has written or read every entry up to this mark.
    pub fn high_water_marks(&self) -> Marks {
        self.0.marks.all()
    }

    /// Changes whenever a high-water mark rises. While there is a receiver, the marks of all
    /// buckets rise as soon as another process's hint arrives.
    pub fn high_water_changes(&self) -> watch::Receiver<()> {
        self.0.marks.rose.subscribe()
    }

    /// The current epoch: data that was read in an earlier one must be read again.
    pub fn epoch(&self) -> Epoch {
        self.0.marks.epoch()
    }

    /// Changes whenever an epoch begins.
    pub fn epochs(&self) -> watch::Receiver<Epoch> {
        self.0.marks.epoch.subscribe()
    }

    /// The last entry of each bucket, read from the database.
    pub async fn bucket_heads(&self) -> Result<Marks, Error> {
        let none = [Mark::default(); BUCKETS];
        let read = self.0.database.each_node(async |pool: Pool, buckets: Vec<Bucket>| {
            let found = heads_of_node_after(&pool, &self.0.statements, &buckets, &none).await?;
            Ok((buckets, found.heads))
        });
        let mut heads = none;
        for (buckets, found) in read.await?.whole()? {
            buckets.iter().for_each(|it| heads[it.index()] = found[it.index()]);
        }
        let mut marks = self.0.marks.lock();
        Bucket::all().for_each(|bucket| marks.saw(bucket, heads[bucket.index()]));
        Ok(heads)
    }

    /// The marks that a client presents, if the log still has them. If it does not, although they
    /// are of the current term or of a later one, the log went back unnoticed, and a term begins.
    pub async fn check_claims(&self, claims: &Claims) -> Result<Result<Marks, WentBack>, Error> {
        let positions = claims.marks.map(|(position, _)| Mark::new(position, None));
        let found = heads_after(
            self.0.database.pool_of_all(),
            &self.0.statements,
            &Bucket::all().collect::<Vec<_>>(),
            &positions,
        )
        .await?;
        let shared = self.changed_since(claims.term).shared;
        let there = |bucket: Bucket| {
            let n = bucket.index();
            let (position, start) = claims.marks[n];
            let there = Mark::new(position, found.there[n].flatten());
            let is_there = position == 0 || found.there[n].is_some();
            let is_same = match start {
                // Without a digest, a term vouches for a position.
                [0, 0, 0] => !claims.term.is_known() || position <= shared[n],
                start => there.digest_start() == start,
            };
            (is_there && is_same).then_some(there)
        };
        let lost: Vec<(Bucket, i64)> = Bucket::all()
            .filter(|bucket| there(*bucket).is_none())
            .map(|bucket| (bucket, claims.marks[bucket.index()].0))
            .collect();
        let mut marks = [Mark::default(); BUCKETS];
        for bucket in Bucket::all() {
            marks[bucket.index()] = there(bucket).unwrap_or_default();
        }
        if lost.is_empty() {
            return Ok(Ok(marks));
        }
        // A client's lost mark may be the first sign that the log went back.
        Box::pin(self.heads_if_seen()).await?;
        if claims.term.is_known() {
            self.begin_term_of_claims(claims.term).await?;
        }
        for (bucket, mark) in self.where_shared(&lost, claims.term).await? {
            marks[bucket.index()] = mark;
        }
        Ok(Err(WentBack { holds: Box::new(marks) }))
    }

    /// The last entries that the log is known to have had already when it lost entries at these
    /// positions, which were read in `term`.
    async fn where_shared(
        &self,
        lost: &[(Bucket, i64)],
        term: Term,
    ) -> Result<Vec<(Bucket, Mark)>, Error> {
        let (parted, shared) = (self.0.marks.parted(), self.changed_since(term).shared);
        let shared = |bucket: Bucket| (bucket, shared[bucket.index()]);
        let noted: Vec<(Bucket, i64)> = (lost.iter())
            .map(|&(bucket, position)| (position, shared(bucket)))
            .filter(|&(position, (_, shared))| 0 < shared && shared < position)
            .map(|(_, noted)| noted)
            .collect();
        let rows: Vec<AtMark> = sqlx::query_as(self.0.statements.at_marks.clone())
            .bind(noted.iter().map(|it| it.0).collect::<Vec<_>>())
            .bind(noted.iter().map(|it| it.1).collect::<Vec<_>>())
            .fetch_all(self.0.database.pool_of_all())
            .await?;
        let noted = |bucket: Bucket| {
            let row = rows.iter().find(|row| row.0 == bucket);
            row.map(|row| Mark::new(row.1, row.2)).unwrap_or_default()
        };
        let shared = |&(bucket, position): &(Bucket, i64)| {
            let seen = last_shared(&parted, bucket, position);
            let noted = noted(bucket);
            (bucket, if seen.position < noted.position { noted } else { seen })
        };
        Ok(lost.iter().map(shared).collect())
    }

    /// The digests of these entries, by stream. Entries that the log does not have are left out.
    pub async fn digests(
        &self,
        entries: &[(StreamId, Position)],
    ) -> Result<HashMap<StreamId, Option<Digest>>, Error> {
        let mut digests = HashMap::new();
        let is_sharded = self.0.database.is_sharded().await?;
        for Group { of, .. } in groups(entries.to_vec(), is_sharded, |it| Bucket::of(it.0)) {
            let (streams, positions): (Vec<StreamId>, Vec<Position>) = of.into_iter().unzip();
            let found: Vec<(StreamId, Option<Digest>)> =
                sqlx::query_as(self.0.statements.digests.clone())
                    .bind(buckets_of(&streams))
                    .bind(&streams)
                    .bind(positions)
                    .fetch_all(self.0.database.pool_of_all())
                    .await?;
            digests.extend(found);
        }
        Ok(digests)
    }

    /// Raises the high-water marks past the entries that this process decided and wrote, so that
    /// its follower does not read them; in the buckets `of_peers` it reads them. Returns the
    /// buckets, as bits.
    pub(crate) fn wrote(&self, old: &Marks, new: &Marks, of_peers: u64) -> u64 {
        let mut changed = 0;
        for bucket in Bucket::all() {
            let (old, new) = (old[bucket.index()], new[bucket.index()]);
            if old != new {
                changed |= bucket.bit();
                if of_peers & bucket.bit() != 0 {
                    self.0.marks.saw(bucket, new);
                    continue;
                }
                // If earlier entries of another process are still unread, the mark stays, and the
                // follower reads both.
                self.0.marks.advance(bucket, old, new);
            }
        }
        self.0.marks.notify();
        if of_peers != 0 {
            self.0.hinted.add(of_peers);
        }
        changed
    }

    /// Whether the log still has these marks, which were read in `term`.
    pub async fn check_marks(
        &self,
        marks: &Marks,
        term: Term,
    ) -> Result<Result<(), WentBack>, Error> {
        let found = heads_after(
            self.0.database.pool_of_all(),
            &self.0.statements,
            &Bucket::all().collect::<Vec<_>>(),
            marks,
        )
        .await?;
        if found.hold(marks) {
            return Ok(Ok(()));
        }
        self.heads_if_seen().await?;
        let lost: Vec<(Bucket, i64)> = Bucket::all()
            .filter(|bucket| !found.holds(marks, *bucket))
            .map(|bucket| (bucket, marks[bucket.index()].position))
            .collect();
        let mut holds = Box::new(*marks);
        for (bucket, mark) in self.where_shared(&lost, term).await? {
            holds[bucket.index()] = mark;
        }
        Ok(Err(WentBack { holds }))
    }

    /// The heads of the buckets, without those of unreachable nodes. If the log no longer has what
    /// this process saw, a new epoch begins.
    pub(crate) async fn heads_if_seen(&self) -> Result<OfNodes<(Bucket, Mark)>, Error> {
        let read =
            self.0.database.each_node(|pool, buckets| self.heads_of_if_seen(pool, buckets)).await?;
        let heads = read.found.into_iter().flat_map(|(buckets, heads)| {
            buckets.into_iter().map(move |bucket| (bucket, heads[bucket.index()]))
        });
        Ok(OfNodes { found: heads.collect(), away: read.away })
    }

    /// It holds no connection of the pool while it finds out what is lost.
    async fn heads_of_if_seen(
        &self,
        pool: Pool,
        buckets: Vec<Bucket>,
    ) -> Result<(Vec<Bucket>, Marks), Error> {
        let (epoch, seen) = (self.epoch(), self.0.marks.seen());
        let mut found = heads_of_node_after(&pool, &self.0.statements, &buckets, &seen).await?;
        if !found.hold(&seen) {
            let mut connection = self.0.database.connection().await?;
            found = self.begin_epoch(&mut connection, epoch, &buckets, &seen, false).await?;
        }
        Ok((buckets, found.heads))
    }

    /// Begins the epoch after `epoch` because a term has begun, whether or not something is gone.
    pub(crate) async fn leave_epoch_of_term(&self, epoch: Epoch) -> Result<(), sqlx::Error> {
        let checked = self.0.database.each_node(async |pool: Pool, buckets: Vec<Bucket>| {
            let seen = self.0.marks.seen();
            let found = heads_after(&pool, &self.0.statements, &buckets, &seen).await?;
            if !found.hold(&seen) {
                let mut connection = self.0.database.connection().await?;
                self.begin_epoch(&mut connection, epoch, &buckets, &seen, true).await?;
            }
            Ok(())
        });
        checked.await.map_err(|error| sqlx::Error::Io(std::io::Error::other(error)))?;
        self.0.marks.leave_epoch(epoch);
        self.0.marks.notify();
        Ok(())
    }

    /// The heads of the buckets. If the log no longer has one of the marks `known` in `epoch`, a
    /// new epoch begins.
    pub(crate) async fn heads_if_known(
        &self,
        connection: &mut PgConnection,
        epoch: Epoch,
        buckets: &[Bucket],
        known: &Marks,
    ) -> Result<Marks, sqlx::Error> {
        let found = heads_after(&mut *connection, &self.0.statements, buckets, known).await?;
        if found.hold(known) {
            return Ok(found.heads);
        }
        let found = self.begin_epoch(connection, epoch, buckets, known, false).await?;
        Ok(found.heads)
    }

    /// Begins the epoch after `epoch`, unless it has begun, and with it a term, unless `has_term`.
    /// The marks of these buckets that are no longer valid are set to the heads. The marks of other
    /// buckets are checked when they are read. Boxed, because it happens rarely, and holds the
    /// marks of all buckets several times.
    fn begin_epoch<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        epoch: Epoch,
        buckets: &'a [Bucket],
        known: &'a Marks,
        has_term: bool,
    ) -> BoxFuture<'a, Result<HeadsAfter, sqlx::Error>> {
        Box::pin(async move {
            let (high_water, seen) = (self.0.marks.all(), self.0.marks.seen());
            let at_known =
                heads_after(&mut *connection, &self.0.statements, buckets, known).await?;
            let at_seen = heads_after(&mut *connection, &self.0.statements, buckets, &seen).await?;
            let at_high_water =
                heads_after(&mut *connection, &self.0.statements, buckets, &high_water).await?;
            let lost =
                |bucket: &Bucket| !at_known.holds(known, *bucket) || !at_seen.holds(&seen, *bucket);
            let lost: Vec<Bucket> = buckets.iter().copied().filter(lost).collect();
            // Set before the epoch changes, so that readers of the new epoch find where to
            // continue.
            self.find_parting(connection, &lost).await?;
            if !has_term {
                let parted = self.0.marks.parted();
                let parted =
                    |&bucket: &Bucket| (bucket, parted[bucket.index()].unwrap_or_default());
                let lost: Vec<(Bucket, Mark)> = lost.iter().map(parted).collect();
                self.begin_term_of_loss(epoch, &lost).await?;
            }
            if !self.0.marks.leave_epoch(epoch) {
                return Ok(at_high_water);
            }
            let (mut entries, mut of_buckets) = (0, Vec::new());
            let mut marks = self.0.marks.lock();
            for &bucket in buckets {
                let n = bucket.index();
                let head = at_high_water.heads[n];
                let lost = [(known, &at_known), (&seen, &at_seen)].into_iter();
                let lost = lost.filter(|(marks, found)| !found.holds(marks, bucket));
                if let Some(last) = lost.map(|(marks, _)| marks[n].position).max() {
                    entries += (last - head.position).max(0);
                    of_buckets.push(i16::from(bucket).to_string());
                    marks.seen[n] = head;
                }
                if !at_high_water.holds(&high_water, bucket) {
                    marks.high_water[n] = head;
                }
            }
            drop(marks);
            counter!(WENT_BACK).increment(1);
            counter!(ENTRIES_LOST).increment(entries.unsigned_abs());
            tracing::error!(
                entries.lost = entries,
                buckets = of_buckets.join(" "),
                "the record went back: the database no longer has entries that were recorded; the \
                 service goes on from what it has"
            );
            self.0.marks.notify();
            Ok(at_high_water)
        })
    }

    /// Finds where the histories of these buckets part.
    async fn find_parting(
        &self,
        connection: &mut PgConnection,
        buckets: &[Bucket],
    ) -> Result<(), sqlx::Error> {
        let passed = self.0.marks.lock().passed.clone();
        let (mut of_marks, mut positions) = (Vec::new(), Vec::new());
        for &bucket in buckets {
            for mark in &passed[bucket.index()] {
                of_marks.push(bucket);
                positions.push(mark.position);
            }
        }
        let there: Vec<AtMark> = sqlx::query_as(self.0.statements.at_marks.clone())
            .bind(&of_marks)
            .bind(&positions)
            .fetch_all(connection)
            .await?;
        let mut marks = self.0.marks.lock();
        for bucket in buckets {
            let n = bucket.index();
            let has = |mark: &Mark| {
                let mut there = there.iter();
                there.any(|it| (it.0, it.1, it.2) == (*bucket, mark.position, mark.digest))
            };
            let shared = passed[n].iter().rev().find(|mark| has(mark)).copied().unwrap_or_default();
            marks.passed[n].retain(|mark| mark.position <= shared.position);
            let earlier = marks.parted[n].filter(|it| it.position < shared.position);
            marks.parted[n] = Some(earlier.unwrap_or(shared));
        }
        Ok(())
    }
}
