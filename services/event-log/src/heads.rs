//! The heads of buckets, and whether the log still has what was read at earlier marks.

use database::Pool;
use positions::{BUCKETS, Bucket, Digest, Mark, Marks};
use sqlx::postgres::{PgExecutor, PgRow};
use sqlx::{Row, SqlStr};
use time::OffsetDateTime;

use crate::tables::Statements;

/// An entry at a mark: its bucket, its position there, its digest and its time.
pub(crate) type AtMark = (Bucket, i64, Option<Digest>, OffsetDateTime);

/// The heads of some buckets, and the entries at some earlier marks.
pub(crate) struct HeadsAfter {
    /// The buckets that were read. Nothing is known of the others.
    buckets: Vec<Bucket>,
    pub heads: Marks,
    /// By bucket: the entry at the mark, if there is one, with its digest, if it has one.
    pub there: [Option<Option<Digest>>; BUCKETS],
}

impl HeadsAfter {
    fn of(buckets: &[Bucket], rows: &[PgRow]) -> Result<Self, sqlx::Error> {
        let (mut heads, mut there) = ([Mark::default(); BUCKETS], [None; BUCKETS]);
        for row in rows {
            let Some(bucket): Option<Bucket> = row.try_get("bucket")? else { continue };
            heads[bucket.index()] =
                Mark::new(row.try_get("bucket_position")?, row.try_get("digest")?);
            if row.try_get("is_there")? {
                there[bucket.index()] = Some(row.try_get("digest_there")?);
            }
        }
        Ok(Self { buckets: buckets.to_vec(), heads, there })
    }

    pub(crate) fn holds(&self, marks: &Marks, bucket: Bucket) -> bool {
        let (mark, there) = (marks[bucket.index()], self.there[bucket.index()]);
        mark.position == 0
            || there.is_some_and(|digest| mark.digest.is_none() || digest == mark.digest)
    }

    /// Whether the log has the marks of all buckets that were read.
    pub(crate) fn hold(&self, marks: &Marks) -> bool {
        self.buckets.iter().all(|&bucket| self.holds(marks, bucket))
    }
}

/// Reads the heads of these buckets, and the entries at these marks, in one snapshot.
pub(crate) async fn heads_after(
    database: impl PgExecutor<'_>,
    statements: &Statements,
    buckets: &[Bucket],
    marks: &Marks,
) -> Result<HeadsAfter, sqlx::Error> {
    let is_of_some = buckets.len() < BUCKETS;
    let rows = rows(database, statements.heads.of(is_of_some), buckets, marks).await?;
    HeadsAfter::of(buckets, &rows)
}

/// The same from a pool that leads to the node that has the buckets, which reads its own shards if
/// it is known which.
pub(crate) async fn heads_of_node_after(
    pool: &Pool,
    statements: &Statements,
    buckets: &[Bucket],
    marks: &Marks,
) -> Result<HeadsAfter, sqlx::Error> {
    if let Some(statement) = statements.heads_of.get(buckets) {
        match rows(pool, statement, buckets, marks).await {
            Ok(rows) if rows.first().map_or(Ok(false), |row| row.try_get("is_here"))? => {
                return HeadsAfter::of(buckets, &rows);
            }
            // The shards were moved, and some may be gone.
            Ok(_) | Err(sqlx::Error::Database(_)) => statements.heads_of.remove(buckets),
            Err(error) => return Err(error),
        }
    }
    heads_after(pool, statements, buckets, marks).await
}

async fn rows(
    database: impl PgExecutor<'_>,
    statement: SqlStr,
    buckets: &[Bucket],
    marks: &Marks,
) -> Result<Vec<PgRow>, sqlx::Error> {
    sqlx::query(statement)
        .bind(buckets)
        .bind(buckets.iter().map(|bucket| marks[bucket.index()].position).collect::<Vec<_>>())
        .fetch_all(database)
        .await
}
