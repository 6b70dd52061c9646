//! The statements that archive matches.

use std::collections::HashMap;

use database::{Database, Error};
use positions::{Bucket, Digest, Position, Recorded};
use rows::MatchId;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{Connection, Executor, FromRow, Row};
use time::OffsetDateTime;

use super::archived::Archived;
use super::place::name_place;
use super::size;
use crate::emptying::emptying;

/// A match that may be archived.
#[derive(Clone, Debug)]
pub struct ArchiveCandidate {
    pub match_id: MatchId,
    pub game: String,
    /// The hash of the module that has its rules, if they are not compiled in.
    pub module: Option<String>,
    pub last: Option<Recorded>,
    pub state: ArchiveState,
}

/// The state of a match's archiving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveState {
    None,
    /// A run is about to write this object, or was given up.
    Begun(String),
    Archived,
}

/// A match whose object was verified.
#[derive(Clone, Debug)]
pub struct Verified {
    pub archived: Archived,
    /// The digest of the last entry, as the record had it.
    pub digest: Option<Digest>,
}

/// The outcome of [`Archiving::finish`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Emptied {
    pub matches: Vec<MatchId>,
    pub entries: i64,
}

/// A connection that archives matches.
pub struct Archiving {
    connection: PgConnection,
    is_sharded: bool,
}

impl Archiving {
    /// A connection to archive matches, without a statement timeout.
    pub async fn on(database: &Database) -> Result<Self, Error> {
        let is_sharded = database.is_sharded().await?;
        Ok(Self { connection: database.connection().await?, is_sharded })
    }

    /// Whether the role may do this: it must own the tables.
    pub async fn is_permitted(&mut self) -> Result<bool, Error> {
        let permitted = sqlx::query_scalar(
            "select has_table_privilege('entries', 'update')
                 and has_table_privilege('archived_matches', 'insert')
                 and has_table_privilege('archive_place', 'update')",
        );
        Ok(permitted.fetch_one(&mut self.connection).await?)
    }

    /// Names the place of the objects, unless it is no longer `before`. Returns whether it is named
    /// now.
    pub(crate) async fn name_place(
        &mut self,
        url: &str,
        before: Option<&str>,
    ) -> Result<bool, Error> {
        name_place(&mut self.connection, url, before).await
    }

    /// Matches of a bucket that were created before `until`, by their ids, after the given one.
    pub async fn candidates(
        &mut self,
        bucket: Bucket,
        platform: Option<&str>,
        until: OffsetDateTime,
        after: Option<MatchId>,
        limit: i64,
    ) -> Result<Vec<ArchiveCandidate>, Error> {
        let candidates = sqlx::query_as(
            "select m.match_id, m.game, m.module, begun.object,
                 begun.hash is not null as is_archived, last.*
             from (
                 select match_id, game, terms -> 'options' ->> 'module' as module
                 from matches
                 where bucket = $1
                     and create_time < $2
                     and ($3::uuid is null or match_id > $3)
                     and ($4::text is null or platform = $4)
                 order by match_id
                 limit $5
             ) as m
             left join archived_matches as begun
                 on begun.bucket = $1 and begun.match_id = m.match_id
             left join lateral (
                 select position, bucket_position, request_id, create_time, body, digest
                 from entries
                 where entries.bucket = $1 and entries.match_id = m.match_id
                 order by position desc
                 limit 1
             ) as last on true
             order by m.match_id",
        )
        .bind(bucket)
        .bind(until)
        .bind(after)
        .bind(platform)
        .bind(limit)
        .fetch_all(&mut self.connection)
        .await?;
        Ok(candidates)
    }

    /// Names the objects that are about to be written, for matches of one bucket. If several runs
    /// begin the same match, the last one may finish it. Returns the matches that were begun: the
    /// others are already archived.
    pub async fn begin(
        &mut self,
        bucket: Bucket,
        objects: &[(MatchId, String)],
    ) -> Result<Vec<MatchId>, Error> {
        let begun = sqlx::query_scalar(
            "insert into archived_matches (bucket, match_id, object)
             select $1::smallint, match_id, object
             from unnest($2::uuid[], $3::text[]) as it (match_id, object)
             on conflict (bucket, match_id) do update
             set object = excluded.object
             where archived_matches.hash is null
             returning match_id",
        )
        .bind(bucket)
        .bind(objects.iter().map(|it| it.0).collect::<Vec<_>>())
        .bind(objects.iter().map(|it| it.1.as_str()).collect::<Vec<_>>())
        .fetch_all(&mut self.connection)
        .await
        .map_err(Error::of_write)?;
        Ok(begun)
    }

    /// Whether the archiving that named this object may still finish: no other run has begun or
    /// finished the match since, and it was not reduced to its result.
    pub async fn is_ours(&mut self, match_id: MatchId, object: &str) -> Result<bool, Error> {
        let ours = sqlx::query_scalar(
            "select exists (
                 select 1
                 from archived_matches as its
                 where its.bucket = $1
                     and its.match_id = $2
                     and its.object = $3
                     and its.hash is null
                     and not exists (
                         select 1
                         from kept_results as kept
                         where kept.bucket = $1 and kept.match_id = $2
                     )
             )",
        );
        let ours = ours.bind(Bucket::of(match_id)).bind(match_id).bind(object);
        Ok(ours.fetch_one(&mut self.connection).await?)
    }

    /// Records these objects of one bucket, and empties the rows, all or none. It skips a match
    /// that another run has begun since, that was reduced to its result, or whose last entry has
    /// changed.
    pub async fn finish(&mut self, bucket: Bucket, them: &[Verified]) -> Result<Emptied, Error> {
        let mut transaction = emptying(&mut self.connection).await?;
        let (matches, entries) = sqlx::query_as(
            "with asked as (
                 select *
                 from unnest($2::uuid[], $3::int8[], $4::bytea[], $5::text[], $6::int8[], $7::bytea[])
                     as it (match_id, position, digest, object, bytes, hash)
             ), done as (
                 update archived_matches as its
                 set position = asked.position, bytes = asked.bytes, hash = asked.hash,
                     archive_time = now()
                 from asked
                 join entries as last
                     on last.bucket = $1
                     and last.match_id = asked.match_id
                     and last.position = asked.position
                 where its.bucket = $1
                     and its.match_id = asked.match_id
                     and its.object = asked.object
                     and its.hash is null
                     and last.digest is not distinct from asked.digest
                     and last.body <> ''
                     and not exists (
                         select 1
                         from entries as later
                         where later.bucket = $1
                             and later.match_id = asked.match_id
                             and later.position > asked.position
                     )
                 returning its.match_id, its.position
             ), emptied as (
                 update entries
                 set body = '', request_id = null
                 from done
                 where entries.bucket = $1
                     and entries.match_id = done.match_id
                     and entries.position < done.position
                 returning 1
             ), derived as (
                 delete from match_snapshots as its
                 using done
                 where its.bucket = $1 and its.match_id = done.match_id
             )
             select
                 (select coalesce(array_agg(match_id), '{}') from done),
                 (select count(*) from emptied)",
        )
        .bind(bucket)
        .bind(them.iter().map(|it| it.archived.match_id).collect::<Vec<_>>())
        .bind(them.iter().map(|it| it.archived.position).collect::<Vec<_>>())
        .bind(them.iter().map(|it| it.digest).collect::<Vec<_>>())
        .bind(them.iter().map(|it| it.archived.object.as_str()).collect::<Vec<_>>())
        .bind(them.iter().map(|it| it.archived.bytes).collect::<Vec<_>>())
        .bind(them.iter().map(|it| &it.archived.hash[..]).collect::<Vec<_>>())
        .fetch_one(&mut *transaction)
        .await
        .map_err(Error::of_write)?;
        transaction.commit().await.map_err(Error::of_write)?;
        Ok(Emptied { matches, entries })
    }

    /// The objects of a bucket's matches that were reduced to their results since they were
    /// archived.
    pub async fn reduced(&mut self, bucket: Bucket) -> Result<Vec<(MatchId, String)>, Error> {
        let objects = sqlx::query_as(
            "select its.match_id, its.object
             from archived_matches as its
             join kept_results as kept on kept.bucket = $1 and kept.match_id = its.match_id
             where its.bucket = $1",
        );
        Ok(objects.bind(bucket).fetch_all(&mut self.connection).await?)
    }

    /// Deletes the row of a removed object.
    pub async fn forget(&mut self, match_id: MatchId, object: &str) -> Result<(), Error> {
        sqlx::query(
            "delete from archived_matches where bucket = $1 and match_id = $2 and object = $3",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(object)
        .execute(&mut self.connection)
        .await
        .map_err(Error::of_write)?;
        Ok(())
    }

    /// The objects that no row names: nothing reads them, now or later.
    pub async fn orphans(&mut self, objects: Vec<(MatchId, String)>) -> Result<Vec<String>, Error> {
        let mut by_bucket: HashMap<Bucket, Vec<(MatchId, String)>> = HashMap::new();
        for it in objects {
            by_bucket.entry(Bucket::of(it.0)).or_default().push(it);
        }
        let mut orphans = Vec::new();
        for (bucket, objects) in by_bucket {
            let (match_ids, names): (Vec<MatchId>, Vec<String>) = objects.into_iter().unzip();
            let unnamed: Vec<String> = sqlx::query_scalar(
                "select asked.object
                 from unnest($2::uuid[], $3::text[]) as asked (match_id, object)
                 where not exists (
                     select 1
                     from archived_matches as its
                     where its.bucket = $1
                         and its.match_id = asked.match_id
                         and its.object = asked.object
                 )",
            )
            .bind(bucket)
            .bind(match_ids)
            .bind(names)
            .fetch_all(&mut self.connection)
            .await?;
            orphans.extend(unnamed);
        }
        Ok(orphans)
    }

    /// The size of the table of entries on disk with its indexes, in bytes, and its approximate
    /// number of rows.
    pub async fn table_size(&mut self) -> Result<(i64, i64), Error> {
        let connection = &mut self.connection;
        let size = match self.is_sharded {
            true => size::of_shards(connection).await?,
            false => size::of_table(connection).await?,
        };
        Ok(size)
    }

    /// Makes the space of emptied rows available to new ones.
    pub async fn vacuum(&mut self) -> Result<(), Error> {
        self.connection.execute("vacuum entries").await?;
        Ok(())
    }

    pub async fn close(self) {
        let _ = self.connection.close().await;
    }
}

impl FromRow<'_, PgRow> for ArchiveCandidate {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        let position: Option<Position> = row.try_get("position")?;
        let state = match (row.try_get("object")?, row.try_get("is_archived")?) {
            (_, true) => ArchiveState::Archived,
            (Some(object), false) => ArchiveState::Begun(object),
            (None, false) => ArchiveState::None,
        };
        Ok(Self {
            match_id: row.try_get("match_id")?,
            game: row.try_get("game")?,
            module: row.try_get("module")?,
            last: position.map(|_| Recorded::from_row(row)).transpose()?,
            state,
        })
    }
}
