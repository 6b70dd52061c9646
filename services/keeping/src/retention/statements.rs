//! Statements of retention, which reduces matches that ended long ago to their results.
//!
//! Only `croupier retention` does so, as the role that owns the tables.

use database::{Database, Error, Group, groups};
use positions::{Bucket, Position, Recorded, buckets_of};
use rows::{KeptResult, MatchId, Terms};
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::types::Json;
use sqlx::{Connection, FromRow, Row};
use time::OffsetDateTime;

use crate::emptying::emptying;

/// A match, with the data that decides whether it may be deleted or reduced.
#[derive(Clone, Debug)]
pub struct AgedMatch {
    pub match_id: MatchId,
    pub game: String,
    pub create_time: OffsetDateTime,
    pub has_open_seat: bool,
    pub terms: Terms,
    pub last: Option<Recorded>,
}

/// The outcome of [`Retention::reduce`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduced {
    pub matches: i64,
    pub entries: i64,
}

/// Reduces matches to their results.
macro_rules! reduce {
    ($bucket:literal) => {
        concat!(
            "with asked as (
                 select *
                 from unnest(
                     $1::smallint[], $2::uuid[], $3::int8[], $4::bytea[], $5::timestamptz[],
                     $6::timestamptz[], $7::bytea[]
                 ) as it (bucket, match_id, position, digest, start_time, end_time, body)
             ), kept as (
                 insert into kept_results (bucket, match_id, position, start_time, end_time, body)
                 select last.bucket, last.match_id, last.position, its.start_time, its.end_time,
                     its.body
                 from asked as its
                 join entries as last
                     on last.bucket = ",
            $bucket,
            "
                     and last.match_id = its.match_id
                     and last.position = its.position
                 where last.digest is not distinct from its.digest
                 on conflict do nothing
                 returning bucket, match_id
             ), emptied as (
                 update entries
                 set body = '', request_id = null
                 from kept as its
                 where entries.bucket = ",
            $bucket,
            " and entries.match_id = its.match_id
                 returning 1
             ), unseeded as (
                 delete from seeds
                 using kept as its
                 where seeds.bucket = ",
            $bucket,
            " and seeds.match_id = its.match_id
             ), unspoken as (
                 delete from speech_keys
                 using kept as its
                 where speech_keys.bucket = ",
            $bucket,
            " and speech_keys.match_id = its.match_id
             ), left_unspoken as (
                 update former_players
                 set speech_key = null
                 from kept as its
                 where former_players.bucket = ",
            $bucket,
            " and former_players.match_id = its.match_id
             ), derived as (
                 delete from match_snapshots
                 using kept as its
                 where match_snapshots.bucket = ",
            $bucket,
            " and match_snapshots.match_id = its.match_id
             )
             select (select count(*) from kept), (select count(*) from emptied)"
        )
    };
}

/// A connection that reduces matches.
pub struct Retention {
    connection: PgConnection,
    /// Whether the tables are distributed over several nodes.
    is_sharded: bool,
}

impl Retention {
    /// A connection to reduce matches, without a statement timeout.
    pub async fn on(database: &Database) -> Result<Self, Error> {
        let is_sharded = database.is_sharded().await?;
        Ok(Self { connection: database.connection().await?, is_sharded })
    }

    /// Whether the role may do it: it must own the tables.
    pub async fn is_permitted(&mut self) -> Result<bool, Error> {
        let permitted = sqlx::query_scalar(
            "select has_table_privilege('entries', 'update')
                 and has_table_privilege('seeds', 'delete')
                 and has_table_privilege('kept_results', 'insert')",
        );
        Ok(permitted.fetch_one(&mut self.connection).await?)
    }

    /// Matches of a platform that were created before `until`, oldest first, after the given one.
    pub async fn aged(
        &mut self,
        platform: &str,
        until: OffsetDateTime,
        after: Option<(OffsetDateTime, MatchId)>,
        limit: i64,
    ) -> Result<Vec<AgedMatch>, Error> {
        let (time, match_id) = after.unzip();
        let rows = sqlx::query_as(
            "select m.match_id, m.game, m.create_time, m.terms,
                 m.seats > (
                     select count(*)
                     from seats
                     where seats.bucket = m.bucket and seats.match_id = m.match_id
                 ) as has_open_seat,
                 last.position, last.bucket_position, last.request_id,
                 last.create_time as last_create_time, last.body, last.digest
             from matches as m
             left join lateral (
                 select position, bucket_position, request_id, create_time, body, digest
                 from entries
                 where entries.bucket = m.bucket and entries.match_id = m.match_id
                 order by position desc
                 limit 1
             ) as last on true
             where m.platform = $1
                 and m.create_time < $2
                 and (m.create_time, m.match_id)
                     > (coalesce($3::timestamptz, '-infinity'), coalesce($4::uuid, '00000000-0000-0000-0000-000000000000'))
             order by m.create_time, m.match_id
             limit $5",
        )
        .bind(platform)
        .bind(until)
        .bind(time)
        .bind(match_id)
        .bind(limit)
        .fetch_all(&mut self.connection)
        .await?;
        Ok(rows)
    }

    /// Reduces matches to their results, all or none; if the database is sharded, all of a bucket
    /// or none. It skips matches that were reduced before, or whose last entry is not the result's.
    pub async fn reduce(&mut self, results: &[KeptResult]) -> Result<Reduced, Error> {
        let bucket = |it: &&KeptResult| Bucket::of(it.match_id);
        let mut reduced = Reduced::default();
        for Group { is_of_one, of } in groups(results.iter().collect(), self.is_sharded, bucket) {
            let ids: Vec<MatchId> = of.iter().map(|it| it.match_id).collect();
            let mut transaction = emptying(&mut self.connection).await?;
            let query = match is_of_one {
                true => sqlx::query_as(reduce!("$8")),
                false => sqlx::query_as(reduce!("its.bucket")),
            };
            let query = query
                .bind(buckets_of(&ids))
                .bind(&ids)
                .bind(of.iter().map(|it| it.position).collect::<Vec<_>>())
                .bind(of.iter().map(|it| it.digest).collect::<Vec<_>>())
                .bind(of.iter().map(|it| it.start_time).collect::<Vec<_>>())
                .bind(of.iter().map(|it| it.end_time).collect::<Vec<_>>())
                .bind(of.iter().map(|it| &it.table[..]).collect::<Vec<_>>());
            let query = if is_of_one { query.bind(bucket(&of[0])) } else { query };
            let (matches, entries): (i64, i64) =
                query.fetch_one(&mut *transaction).await.map_err(Error::of_write)?;
            transaction.commit().await.map_err(Error::of_write)?;
            reduced.matches += matches;
            reduced.entries += entries;
        }
        Ok(reduced)
    }

    /// Deletes snapshots of matches that were reduced: a process may have written one in the
    /// meantime, from entries that it had read before.
    pub async fn delete_late_snapshots(&mut self) -> Result<u64, Error> {
        let deleted = sqlx::query(
            "delete from match_snapshots as its
             using kept_results as kept
             where its.bucket = kept.bucket and its.match_id = kept.match_id",
        );
        let deleted = deleted.execute(&mut self.connection).await.map_err(Error::of_write)?;
        Ok(deleted.rows_affected())
    }

    pub async fn close(self) {
        let _ = self.connection.close().await;
    }
}

impl FromRow<'_, PgRow> for AgedMatch {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        let Json(terms) = row.try_get("terms")?;
        let position: Option<Position> = row.try_get("position")?;
        let last = position.map(|position| {
            Ok::<_, sqlx::Error>(Recorded {
                position,
                bucket_position: row.try_get("bucket_position")?,
                request_id: row.try_get("request_id")?,
                create_time: row.try_get("last_create_time")?,
                body: row.try_get::<Vec<u8>, _>("body")?.into(),
                digest: row.try_get("digest")?,
            })
        });
        Ok(Self {
            match_id: row.try_get("match_id")?,
            game: row.try_get("game")?,
            create_time: row.try_get("create_time")?,
            has_open_seat: row.try_get("has_open_seat")?,
            terms: Terms::of_column(terms),
            last: last.transpose()?,
        })
    }
}
