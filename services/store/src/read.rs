//! Reading the entries of a match or a bucket.

use crate::batch::Answers;
use crate::shards::{Group, Shards, groups, read_apart};
use crate::{BUCKETS, Bucket, Digest, Error, Mark, MatchId, Origin, Position, Store, Window};
use bytes::Bytes;
use futures::Stream;
use sqlx::postgres::{PgPool, PgRow};
use sqlx::{FromRow, Row};
use std::sync::Arc;
use time::OffsetDateTime;

/// An entry as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub position: Position,
    /// Its place within its bucket, counted from 1. Cursors over the whole stream consist of these.
    pub bucket_position: i64,
    pub request_id: Option<String>,
    pub create_time: OffsetDateTime,
    pub body: Bytes,
    /// None if it was recorded by a release that knew no digests.
    pub digest: Option<Digest>,
}

impl Recorded {
    /// The mark of a bucket that is read up to this entry.
    pub fn mark(&self) -> Mark {
        Mark::new(self.bucket_position, self.digest)
    }
}

/// A bucket position for each bucket, such as that of its last entry; 0 is before the first entry.
pub type Heads = [i64; BUCKETS];

/// Entries that a stream reads at a time: a few dozen kilobytes, and more than most matches have.
const PAGE: i64 = 500;

/// The key of a batched read: up to `limit` of a match's entries after a position.
#[derive(Clone, Copy)]
pub(crate) struct EntriesAfter {
    match_id: MatchId,
    position: Position,
    limit: i64,
    /// Whether to read what the match was created with, too.
    with_origin: bool,
}

impl EntriesAfter {
    fn bucket(&self) -> Bucket {
        Bucket::of(self.match_id)
    }
}

/// What is read for [`EntriesAfter`].
#[derive(Default)]
pub(crate) struct EntriesRead {
    /// None also if there are no entries.
    origin: Option<Origin>,
    entries: Vec<Recorded>,
}

/// Reads the entries in windows. `offset 0` makes the planner read each window by its index.
macro_rules! select_windows {
    ($bucket:literal) => {
        concat!(
            "select each.*
             from unnest($1::smallint[], $2::int8[], $3::int8[]) as w (bucket, after, until)
             cross join lateral (
                 select match_id, position, bucket_position, request_id, create_time, body, digest
                 from entries
                 where entries.bucket = ",
            $bucket,
            "
                     and entries.bucket_position > w.after
                     and entries.bucket_position <= w.until
                 order by entries.bucket_position
                 offset 0
             ) as each"
        )
    };
}

/// Reads the entries of keys, and what their matches were created with.
macro_rules! select_entries {
    ($bucket:literal) => {
        concat!(
            "select asked.number, asked.with_origin, origin.*, each.*
             from unnest($1::smallint[], $2::uuid[], $3::int8[], $4::int8[], $5::boolean[], $6::int8[])
                 as asked (bucket, match_id, after, most, with_origin, number)
             left join lateral (
                 select m.platform, m.game, m.seats, m.options::text as options_text,
                     m.seed_commitment, m.reveal_wait_s, m.create_time as match_create_time,
                     m.previous_match_id, m.series_number, m.series_wins, m.series_best_of,
                     seeds.seed
                 from matches as m
                 left join seeds using (bucket, match_id)
                 where asked.with_origin
                     and m.bucket = ",
            $bucket,
            "
                     and m.match_id = asked.match_id
                 offset 0
             ) as origin on true
             cross join lateral (
                 select position, bucket_position, request_id, create_time, body, digest
                 from entries
                 where entries.bucket = ",
            $bucket,
            "
                     and entries.match_id = asked.match_id
                     and entries.position > asked.after
                 order by entries.position
                 limit asked.most
             ) as each"
        )
    };
}

impl Store {
    /// A match's entries after a position, in order, at most `limit`.
    pub async fn entries(
        &self,
        match_id: MatchId,
        after: Position,
        limit: i64,
    ) -> Result<Vec<Recorded>, Error> {
        let key = EntriesAfter { match_id, position: after, limit, with_origin: false };
        Ok(self.load_entries(key).await?.entries)
    }

    /// A match's entries from a position on, in order, at most `limit`, and what the match was
    /// created with; none inside if there are no such entries.
    pub async fn entries_from(
        &self,
        match_id: MatchId,
        from: Position,
        limit: i64,
    ) -> Result<(Option<Origin>, Vec<Recorded>), Error> {
        let position = Position(from.0 - 1);
        let key = EntriesAfter { match_id, position, limit, with_origin: true };
        let EntriesRead { origin, entries } = self.load_entries(key).await?;
        Ok((origin, entries))
    }

    async fn load_entries(&self, key: EntriesAfter) -> Result<EntriesRead, Error> {
        let mut read = self.hot_reads.entries.load(key).await?;
        self.restore_all(read.entries.iter_mut().map(|row| (key.match_id, row))).await?;
        if let Some(last) = read.entries.last() {
            self.shared.marks.saw(Bucket::of(key.match_id), last.mark());
        }
        Ok(read)
    }

    /// A match's entries after a position, in order, up to the last one at the time of reading.
    /// They are read page by page, so the match may be long and the reader slow.
    pub fn stream(
        &self,
        match_id: MatchId,
        after: Position,
    ) -> impl Stream<Item = Result<Recorded, Error>> + use<> {
        use futures::{TryStreamExt, stream};
        let store = self.clone();
        let pages = stream::try_unfold(Some(after), move |after| {
            let store = store.clone();
            async move {
                let Some(after) = after else { return Ok::<_, Error>(None) };
                let page = store.entries(match_id, after, PAGE).await?;
                let next =
                    page.last().filter(|_| page.len() == PAGE as usize).map(|last| last.position);
                Ok(Some((stream::iter(page.into_iter().map(Ok)), next)))
            }
        });
        pages.try_flatten()
    }

    /// A match's last position; [`Position::START`] if it has no entry yet.
    pub async fn tail(&self, match_id: MatchId) -> Result<Position, Error> {
        let tail: Option<Position> = sqlx::query_scalar(
            "select max(position) from entries where bucket = $1 and match_id = $2",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .fetch_one(&self.pool)
        .await?;
        Ok(tail.unwrap_or(Position::START))
    }

    /// The first of a match's entries that was created after a time, and its own time. The writers'
    /// clocks may differ a little, so a later entry may have an earlier time.
    pub async fn first_after(
        &self,
        match_id: MatchId,
        time: OffsetDateTime,
    ) -> Result<Option<(Position, OffsetDateTime)>, Error> {
        let first = sqlx::query_as(
            "select position, create_time
             from entries
             where bucket = $1 and match_id = $2 and create_time > $3
                 -- Times do not decrease within a match: entries before a snapshot that is early
                 -- enough are not read.
                 and position > coalesce((
                     select max(position)
                     from match_snapshots
                     join entries using (bucket, match_id, position, create_time)
                     where bucket = $1 and match_id = $2 and create_time <= $3
                 ), 0)
             order by position
             limit 1",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(time)
        .fetch_optional(&self.pool)
        .await?;
        Ok(first)
    }

    /// The entries in these windows, by bucket, in commit order. Entries never change and none is
    /// ever inserted between them, so the last one's bucket position is where the next window
    /// begins. Those of archived matches are empty: see [`Store::whole_entries_in`].
    pub async fn entries_in(&self, windows: &[Window]) -> Result<Vec<(MatchId, Recorded)>, Error> {
        let mut rows = Vec::new();
        let is_sharded = self.is_sharded().await?;
        for Group { is_of_one, of } in groups(windows.to_vec(), is_sharded, |it| it.bucket) {
            let entries = match is_of_one {
                true => sqlx::query(select_windows!("$4")),
                false => sqlx::query(select_windows!("w.bucket")),
            };
            let entries = entries
                .bind(of.iter().map(|it| it.bucket).collect::<Vec<_>>())
                .bind(of.iter().map(|it| it.after).collect::<Vec<_>>())
                .bind(of.iter().map(|it| it.until).collect::<Vec<_>>());
            let entries = if is_of_one { entries.bind(of[0].bucket) } else { entries };
            rows.append(&mut entries.fetch_all(&self.pool).await?);
        }
        let entries: Result<Vec<(MatchId, Recorded)>, sqlx::Error> = rows
            .iter()
            .map(|row| Ok((row.try_get("match_id")?, Recorded::from_row(row)?)))
            .collect();
        let mut entries = entries?;
        // They arrive almost sorted, but SQL does not guarantee it, and `order by` would make
        // Postgres sort them on disk.
        entries.sort_by_key(|(match_id, entry)| (Bucket::of(*match_id), entry.bucket_position));
        Ok(entries)
    }

    /// The same with what the entries of archived matches say. An archived match whose object is
    /// damaged stays empty.
    pub async fn whole_entries_in(
        &self,
        windows: &[Window],
    ) -> Result<Vec<(MatchId, Recorded)>, Error> {
        let mut entries = self.entries_in(windows).await?;
        let rows = entries.iter_mut().map(|(match_id, entry)| (*match_id, entry));
        self.restore_or_pass(rows).await?;
        Ok(entries)
    }
}

/// Loads the entries of each key.
pub(crate) async fn entries_after(
    pool: PgPool,
    shards: Arc<Shards>,
    keys: Vec<EntriesAfter>,
) -> Result<Answers<EntriesRead>, Error> {
    let is_sharded = shards.are_many(&pool).await?;
    let read = |group| entries_of_group(&pool, group);
    read_apart(keys, is_sharded, EntriesAfter::bucket, read).await
}

async fn entries_of_group(
    pool: &PgPool,
    Group { is_of_one, of }: Group<EntriesAfter>,
) -> Result<Vec<EntriesRead>, Error> {
    let entries = match is_of_one {
        true => sqlx::query(select_entries!("$7")),
        false => sqlx::query(select_entries!("asked.bucket")),
    };
    let entries = entries
        .bind(of.iter().map(EntriesAfter::bucket).collect::<Vec<_>>())
        .bind(of.iter().map(|it| it.match_id).collect::<Vec<_>>())
        .bind(of.iter().map(|it| it.position).collect::<Vec<_>>())
        .bind(of.iter().map(|it| it.limit).collect::<Vec<_>>())
        .bind(of.iter().map(|it| it.with_origin).collect::<Vec<_>>())
        .bind((0..).take(of.len()).collect::<Vec<i64>>());
    let entries = if is_of_one { entries.bind(of[0].bucket()) } else { entries };
    let mut read: Vec<EntriesRead> = of.iter().map(|_| EntriesRead::default()).collect();
    for row in &entries.fetch_all(pool).await? {
        let number: i64 = row.try_get("number")?;
        let EntriesRead { origin, entries } = &mut read[number as usize];
        if entries.is_empty() && row.try_get("with_origin")? {
            *origin = Origin::of_row(row)?;
        }
        entries.push(Recorded::from_row(row)?);
    }
    read.iter_mut().for_each(|it| it.entries.sort_by_key(|it| it.position));
    Ok(read)
}

impl FromRow<'_, PgRow> for Recorded {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            position: row.try_get("position")?,
            bucket_position: row.try_get("bucket_position")?,
            request_id: row.try_get("request_id")?,
            create_time: row.try_get("create_time")?,
            body: Bytes::from(row.try_get::<Vec<u8>, _>("body")?),
            digest: row.try_get("digest")?,
        })
    }
}
