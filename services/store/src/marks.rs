//! Marks: how far each bucket was read or written, and how a record that went back is noticed.
//!
//! A database can go back: a standby that lacked the last commits takes over, or somebody restores
//! an earlier moment under a running service. Positions alone do not show it once the record has
//! grown again. So a mark holds the digest of the entry at its position too, and whoever continues
//! after a mark first makes sure that the record still has that entry there.
//!
//! When a mark does not hold, a new *epoch* begins. What this process read in an earlier epoch may
//! never have been recorded, as the record has it now; it must be read again.
//!
//! If the database has several nodes and one is away, the marks of its buckets are read when it is
//! back.

use crate::matches::buckets_of;
use crate::shards::{Group, groups};
use crate::{BUCKETS, Bucket, Digest, Error, Heads, MatchId, OfNodes, Position, Store};
use metrics::counter;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgExecutor, PgRow};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard};
use tokio::sync::watch;

/// A position in a bucket: everything up to it was read or written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Of the last entry; 0 is before the first.
    pub position: i64,
    /// Of the entry at that position; none before the first entry, if it is not known, and for
    /// entries of releases that knew no digests.
    pub digest: Option<Digest>,
}

/// A mark for each bucket.
pub type Marks = [Mark; BUCKETS];

/// Marks as a client presents them again: each with the first bytes of its digest, or with zeros if
/// it had none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims(pub [(i64, DigestStart); BUCKETS]);

/// The first bytes of a digest. A cursor has one for each bucket; one of another history is
/// accepted once in 16 million times, and for all its buckets never.
pub type DigestStart = [u8; 3];

/// Counts how often this process has seen the record go back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(u64);

impl Epoch {
    /// Never the present one.
    pub(crate) const UNKNOWN: Self = Self(u64::MAX);
}

/// The record does not contain, or no longer, what was read before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the record went back")]
pub struct WentBack {
    /// The last position in each bucket that can still be relied on.
    pub holds: Box<Marks>,
}

/// A counter: how often the record was seen to go back.
pub const WENT_BACK: &str = "croupier_record_went_back_total";
/// A counter: entries that were recorded and are no longer in the record, as far as is known.
pub const ENTRIES_LOST: &str = "croupier_record_entries_lost_total";

/// The marks of a process, and its epoch.
pub(crate) struct SharedMarks {
    marks: Mutex<Both>,
    /// Notified whenever a mark rises.
    rose: watch::Sender<()>,
    epoch: watch::Sender<Epoch>,
}

struct Both {
    /// Every entry up to here was read or written.
    high_water: Box<Marks>,
    /// The last entry that was read or written at all. If the record still has it, it has all that
    /// this process knows.
    seen: Box<Marks>,
    /// The last of the marks that `seen` passed, to find where two histories part.
    passed: Box<[VecDeque<Mark>; BUCKETS]>,
    /// Where an earlier history parted from the present one: the last mark that both have, as far
    /// as is known, and the first of them if there were several. Whoever has an entry that the
    /// record does not continues there, because by now the record may have others in the place of
    /// those that it lost.
    parted: Box<Partings>,
}

/// By bucket; none if the record was not seen to go back.
type Partings = [Option<Mark>; BUCKETS];

/// How many marks are remembered in each bucket. A record that went back further is read again from
/// its beginning.
const PASSED_MAX: usize = 64;

impl Default for SharedMarks {
    fn default() -> Self {
        let start = Box::new([Mark::default(); BUCKETS]);
        let unknown = Box::new([None; BUCKETS]);
        let passed = Box::new(std::array::from_fn(|_| VecDeque::new()));
        let both = Both { high_water: start.clone(), seen: start, passed, parted: unknown };
        Self {
            marks: Mutex::new(both),
            rose: watch::Sender::new(()),
            epoch: watch::Sender::new(Epoch::default()),
        }
    }
}

impl Mark {
    pub fn new(position: i64, digest: Option<Digest>) -> Self {
        Self { position, digest }
    }

    pub fn digest_start(&self) -> DigestStart {
        self.digest.map_or([0; 3], |digest| {
            *digest.as_bytes().first_chunk().expect("a digest has 32 bytes")
        })
    }
}

impl Claims {
    pub fn positions(&self) -> Heads {
        self.0.map(|(position, _)| position)
    }
}

/// The positions of marks.
pub fn positions(marks: &Marks) -> Heads {
    marks.map(|mark| mark.position)
}

impl SharedMarks {
    fn lock(&self) -> MutexGuard<'_, Both> {
        self.marks.lock().expect("no holder of this lock panics")
    }

    pub(crate) fn all(&self) -> Marks {
        *self.lock().high_water
    }

    pub(crate) fn seen(&self) -> Marks {
        *self.lock().seen
    }

    fn parted(&self) -> Partings {
        *self.lock().parted
    }

    pub(crate) fn get(&self, bucket: Bucket) -> Mark {
        self.lock().high_water[bucket.index()]
    }

    /// Notes an entry that was read.
    pub(crate) fn saw(&self, bucket: Bucket, mark: Mark) {
        self.lock().saw(bucket, mark);
    }

    /// Moves a mark from `old` to `new`, unless it is elsewhere by now.
    pub(crate) fn advance(&self, bucket: Bucket, old: Mark, new: Mark) {
        let mut marks = self.lock();
        let mark = &mut marks.high_water[bucket.index()];
        if *mark == old {
            *mark = new;
        }
        marks.saw(bucket, new);
    }

    /// Notes an entry that a peer wrote for this process. The mark rises if the entry is the next.
    pub(crate) fn wrote(&self, bucket: Bucket, new: Mark) {
        let mut marks = self.lock();
        let mark = &mut marks.high_water[bucket.index()];
        let is_next = mark.position + 1 == new.position;
        if is_next {
            *mark = new;
        }
        marks.saw(bucket, new);
        drop(marks);
        if is_next {
            self.notify();
        }
    }

    /// Raises marks that are lower than these.
    pub(crate) fn raise(&self, new: impl IntoIterator<Item = (Bucket, Mark)>) {
        let mut marks = self.lock();
        let mut has_risen = false;
        for (bucket, new) in new {
            let mark = &mut marks.high_water[bucket.index()];
            if mark.position < new.position {
                *mark = new;
                has_risen = true;
            }
            marks.saw(bucket, new);
        }
        drop(marks);
        if has_risen {
            self.notify();
        }
    }

    pub(crate) fn notify(&self) {
        self.rose.send_replace(());
    }

    pub(crate) fn has_receivers(&self) -> bool {
        self.rose.receiver_count() > 0
    }

    pub(crate) fn epoch(&self) -> Epoch {
        *self.epoch.borrow()
    }

    /// Begins the epoch after this one. Returns false if it has begun.
    pub(crate) fn leave_epoch(&self, epoch: Epoch) -> bool {
        self.epoch.send_if_modified(|current| {
            let begins = *current == epoch;
            current.0 += u64::from(begins);
            begins
        })
    }
}

impl Both {
    fn saw(&mut self, bucket: Bucket, mark: Mark) {
        let seen = &mut self.seen[bucket.index()];
        if seen.position < mark.position {
            *seen = mark;
            if mark.digest.is_some() {
                let passed = &mut self.passed[bucket.index()];
                if passed.len() == PASSED_MAX {
                    passed.pop_front();
                }
                passed.push_back(mark);
            }
        }
    }
}

impl Store {
    /// By bucket: this process has written or read every entry up to this mark.
    pub fn high_water_marks(&self) -> Marks {
        self.shared.marks.all()
    }

    /// Changes whenever a high-water mark rises. While there is a receiver, the marks of all
    /// buckets rise as soon as another process's notification arrives.
    pub fn high_water_changes(&self) -> watch::Receiver<()> {
        self.shared.marks.rose.subscribe()
    }

    /// The current epoch: what was read in an earlier one must be read again.
    pub fn epoch(&self) -> Epoch {
        self.shared.marks.epoch()
    }

    /// Changes whenever an epoch begins.
    pub fn epochs(&self) -> watch::Receiver<Epoch> {
        self.shared.marks.epoch.subscribe()
    }

    /// The last entry of each bucket, read from the database.
    pub async fn bucket_heads(&self) -> Result<Marks, Error> {
        let heads =
            heads_after(&self.pool, &every_bucket(), &[Mark::default(); BUCKETS]).await?.heads;
        let mut marks = self.shared.marks.lock();
        Bucket::all().for_each(|bucket| marks.saw(bucket, heads[bucket.index()]));
        Ok(heads)
    }

    /// The marks that a client presents, if the record still has them.
    pub async fn check_claims(&self, claims: &Claims) -> Result<Result<Marks, WentBack>, Error> {
        let positions = claims.0.map(|(position, _)| Mark::new(position, None));
        let found = heads_after(&self.pool, &every_bucket(), &positions).await?;
        let there = |bucket: Bucket| {
            let n = bucket.index();
            let (position, start) = claims.0[n];
            let there = Mark::new(position, found.there[n].flatten());
            let is_there = position == 0 || found.there[n].is_some();
            let holds = is_there && (start == [0; 3] || there.digest_start() == start);
            holds.then_some(there)
        };
        let holds = Bucket::all().all(|bucket| there(bucket).is_some());
        if !holds {
            // Somebody's lost mark may be the first sign that the record went back.
            self.heads_if_seen().await?;
        }
        let (mut marks, parted) = ([Mark::default(); BUCKETS], self.shared.marks.parted());
        for bucket in Bucket::all() {
            let n = bucket.index();
            marks[n] = there(bucket).unwrap_or_else(|| last_shared(&parted, bucket, claims.0[n].0));
        }
        Ok(if holds { Ok(marks) } else { Err(WentBack { holds: Box::new(marks) }) })
    }

    /// The digests of these entries, by match. Entries that the record does not have are left out.
    pub async fn digests(
        &self,
        entries: &[(MatchId, Position)],
    ) -> Result<HashMap<MatchId, Option<Digest>>, Error> {
        let mut digests = HashMap::new();
        let is_sharded = self.is_sharded().await?;
        for Group { of, .. } in groups(entries.to_vec(), is_sharded, |it| Bucket::of(it.0)) {
            let (match_ids, positions): (Vec<MatchId>, Vec<Position>) = of.into_iter().unzip();
            let found: Vec<(MatchId, Option<Digest>)> = sqlx::query_as(
                "select entries.match_id, entries.digest
                 from unnest($1::smallint[], $2::uuid[], $3::int8[]) as asked (bucket, match_id, position)
                 join entries using (bucket, match_id, position)
                 where entries.bucket = any($1)",
            )
            .bind(buckets_of(&match_ids))
            .bind(&match_ids)
            .bind(positions)
            .fetch_all(&self.pool)
            .await?;
            digests.extend(found);
        }
        Ok(digests)
    }

    /// Whether the record still has these marks.
    pub async fn check_marks(&self, marks: &Marks) -> Result<Result<(), WentBack>, Error> {
        let found = heads_after(&self.pool, &every_bucket(), marks).await?;
        if !found.hold(marks) {
            self.heads_if_seen().await?;
        }
        Ok(found.check(marks, &self.shared.marks.parted()))
    }

    /// The heads of the buckets, without those of nodes that are away. If the record no longer has
    /// what this process saw, a new epoch begins.
    pub(crate) async fn heads_if_seen(&self) -> Result<OfNodes<(Bucket, Mark)>, Error> {
        let read = self.each_node(|buckets| self.heads_of_if_seen(buckets)).await?;
        let heads = read.found.into_iter().flat_map(|(buckets, heads)| {
            buckets.into_iter().map(move |bucket| (bucket, heads[bucket.index()]))
        });
        Ok(OfNodes { found: heads.collect(), away: read.away })
    }

    /// Holds no connection of the pool while it finds out what is lost.
    async fn heads_of_if_seen(&self, buckets: Vec<Bucket>) -> Result<(Vec<Bucket>, Marks), Error> {
        let (epoch, seen) = (self.epoch(), self.shared.marks.seen());
        let mut found = heads_after(&self.pool, &buckets, &seen).await?;
        if !found.hold(&seen) {
            let mut connection = self.connection().await?;
            found = self.begin_epoch(&mut connection, epoch, &buckets, &seen).await?;
        }
        Ok((buckets, found.heads))
    }

    /// The heads of the buckets. If the record no longer has one of the marks `known` in `epoch`, a
    /// new epoch begins.
    pub(crate) async fn heads_if_known(
        &self,
        connection: &mut PgConnection,
        epoch: Epoch,
        buckets: &[Bucket],
        known: &Marks,
    ) -> Result<Marks, sqlx::Error> {
        let found = heads_after(&mut *connection, buckets, known).await?;
        if found.hold(known) {
            return Ok(found.heads);
        }
        let found = self.begin_epoch(connection, epoch, buckets, known).await?;
        Ok(found.heads)
    }

    /// Begins the epoch after `epoch`, unless it has begun. The marks of these buckets that no
    /// longer hold become the heads. Whether those of others hold is found when they are read.
    async fn begin_epoch(
        &self,
        connection: &mut PgConnection,
        epoch: Epoch,
        buckets: &[Bucket],
        known: &Marks,
    ) -> Result<HeadsAfter, sqlx::Error> {
        let (high_water, seen) = (self.shared.marks.all(), self.shared.marks.seen());
        let at_known = heads_after(&mut *connection, buckets, known).await?;
        let at_seen = heads_after(&mut *connection, buckets, &seen).await?;
        let at_high_water = heads_after(&mut *connection, buckets, &high_water).await?;
        let lost =
            |bucket: &Bucket| !at_known.holds(known, *bucket) || !at_seen.holds(&seen, *bucket);
        let lost: Vec<Bucket> = buckets.iter().copied().filter(lost).collect();
        // Whoever sees the new epoch finds where to continue.
        self.find_parting(connection, &lost).await?;
        if !self.shared.marks.leave_epoch(epoch) {
            return Ok(at_high_water);
        }
        let (mut entries, mut of_buckets) = (0, Vec::new());
        let mut marks = self.shared.marks.lock();
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
        self.shared.marks.notify();
        Ok(at_high_water)
    }

    /// Finds where the histories of these buckets part.
    async fn find_parting(
        &self,
        connection: &mut PgConnection,
        buckets: &[Bucket],
    ) -> Result<(), sqlx::Error> {
        let passed = self.shared.marks.lock().passed.clone();
        let (mut of_marks, mut positions) = (Vec::new(), Vec::new());
        for &bucket in buckets {
            for mark in &passed[bucket.index()] {
                of_marks.push(bucket);
                positions.push(mark.position);
            }
        }
        let there: Vec<(Bucket, i64, Option<Digest>)> = sqlx::query_as(
            "select entries.bucket, entries.bucket_position, entries.digest
             from unnest($1::smallint[], $2::int8[]) as asked (bucket, position)
             join entries
                 on entries.bucket = asked.bucket and entries.bucket_position = asked.position
             where entries.bucket = any($1)",
        )
        .bind(&of_marks)
        .bind(&positions)
        .fetch_all(connection)
        .await?;
        let mut marks = self.shared.marks.lock();
        for bucket in buckets {
            let n = bucket.index();
            let has = |mark: &Mark| there.contains(&(*bucket, mark.position, mark.digest));
            let shared = passed[n].iter().rev().find(|mark| has(mark)).copied().unwrap_or_default();
            marks.passed[n].retain(|mark| mark.position <= shared.position);
            let earlier = marks.parted[n].filter(|it| it.position < shared.position);
            marks.parted[n] = Some(earlier.unwrap_or(shared));
        }
        Ok(())
    }
}

/// The mark to continue after for whoever has an entry at `position` that the record does not have.
fn last_shared(parted: &Partings, bucket: Bucket, position: i64) -> Mark {
    parted[bucket.index()].filter(|parted| parted.position < position).unwrap_or_default()
}

fn every_bucket() -> Vec<Bucket> {
    Bucket::all().collect()
}

/// The heads of some buckets, and what the record has at some earlier marks.
struct HeadsAfter {
    /// Those that were read. Nothing is known of the others.
    buckets: Vec<Bucket>,
    heads: Marks,
    /// By bucket: the digest of the entry at the mark, if there is one; none if there is no entry.
    there: [Option<Option<Digest>>; BUCKETS],
}

impl HeadsAfter {
    fn holds(&self, marks: &Marks, bucket: Bucket) -> bool {
        let (mark, there) = (marks[bucket.index()], self.there[bucket.index()]);
        mark.position == 0
            || there.is_some_and(|digest| mark.digest.is_none() || digest == mark.digest)
    }

    /// Whether the record has the marks of all buckets that were read.
    fn hold(&self, marks: &Marks) -> bool {
        self.buckets.iter().all(|&bucket| self.holds(marks, bucket))
    }

    fn check(&self, marks: &Marks, parted: &Partings) -> Result<(), WentBack> {
        if self.hold(marks) {
            return Ok(());
        }
        let surviving = |bucket: Bucket| {
            let mark = marks[bucket.index()];
            match self.holds(marks, bucket) {
                true => mark,
                false => last_shared(parted, bucket, mark.position),
            }
        };
        let mut holds = Box::new([Mark::default(); BUCKETS]);
        Bucket::all().for_each(|bucket| holds[bucket.index()] = surviving(bucket));
        Err(WentBack { holds })
    }
}

/// Reads heads. The statement names the buckets that it reads `entries` of, unless it is all.
macro_rules! select_heads {
    ($bucket:literal) => {
        concat!(
            "select its.bucket, head.bucket_position, head.digest,
                 there.is_there is not null as is_there, there.digest as digest_there
             from buckets as its
             cross join lateral (
                 select entries.bucket_position, entries.digest
                 from entries
                 where entries.bucket = ",
            $bucket,
            "
                 order by entries.bucket_position desc
                 limit 1
             ) as head
             left join lateral (
                 select true as is_there, entries.digest
                 from entries
                 where entries.bucket = ",
            $bucket,
            "
                     and entries.bucket_position = ($2::int8[])[array_position($1::smallint[], its.bucket)]
                 limit 1
             ) as there on true
             where its.bucket = any ($1)"
        )
    };
}

/// Reads the heads of these buckets, and what the record has there at these marks, in one snapshot.
async fn heads_after(
    database: impl PgExecutor<'_>,
    buckets: &[Bucket],
    marks: &Marks,
) -> Result<HeadsAfter, sqlx::Error> {
    // One Postgres looks up a bucket by its number; several must be told which have any to look up.
    let query = match buckets.len() {
        BUCKETS => sqlx::query(select_heads!("its.bucket")),
        _ => sqlx::query(select_heads!("its.bucket and entries.bucket = any ($1)")),
    };
    let rows: Vec<PgRow> = query
        .bind(buckets)
        .bind(buckets.iter().map(|bucket| marks[bucket.index()].position).collect::<Vec<_>>())
        .fetch_all(database)
        .await?;
    let (mut heads, mut there) = ([Mark::default(); BUCKETS], [None; BUCKETS]);
    for row in rows {
        let bucket: Bucket = row.try_get("bucket")?;
        heads[bucket.index()] = Mark::new(row.try_get("bucket_position")?, row.try_get("digest")?);
        if row.try_get("is_there")? {
            there[bucket.index()] = Some(row.try_get("digest_there")?);
        }
    }
    Ok(HeadsAfter { buckets: buckets.to_vec(), heads, there })
}
