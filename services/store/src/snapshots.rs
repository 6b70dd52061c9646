//! Snapshots of long matches: derived from the entries, so they can be dropped or rewritten at any
//! time.

use bytes::Bytes;
use database::Error;
use event_log::Error as LogError;
use positions::{Bucket, Digest, Position};
use rows::MatchId;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};
use time::OffsetDateTime;

use crate::Store;

/// Snapshots are taken at multiples of this position. Shorter matches have none.
pub const SNAPSHOT_INTERVAL: i64 = 500;

/// A match after one of its entries, as the house sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    pub position: Position,
    /// The time of the entry at this position. A snapshot whose entry has another time or digest
    /// belongs to a lost history and is not read.
    pub create_time: OffsetDateTime,
    pub digest: Digest,
    /// The version of the stored form.
    pub version: i32,
    pub table: Bytes,
    /// By seat: how many entries it has added to the match so far.
    pub acted: Vec<i32>,
    /// The request ids since the previous snapshot, in the writer's own encoding.
    pub requests: Bytes,
    /// In the writer's own encoding; `None` in a match without clocks.
    pub clocks: Option<Bytes>,
}

impl Store {
    /// Writes a snapshot, unless it exists, or its entry is not in the record or was emptied.
    pub async fn save_snapshot(&self, match_id: MatchId, snapshot: &Snapshot) -> Result<(), Error> {
        sqlx::query(
            "insert into match_snapshots
                 (bucket, match_id, position, create_time, digest, version, body, acted, requests, clocks)
             select bucket, match_id, position, create_time, $9, $5, $6, $7, $8, $10
             from entries
             where bucket = $1 and match_id = $2 and position = $3 and create_time = $4
                 and coalesce(digest = $9, true)
                 and body <> ''
             on conflict (bucket, match_id, position) do update
             set create_time = excluded.create_time,
                 digest = excluded.digest,
                 version = excluded.version,
                 body = excluded.body,
                 acted = excluded.acted,
                 requests = excluded.requests,
                 clocks = excluded.clocks
             where match_snapshots.version <> excluded.version
                 or match_snapshots.create_time <> excluded.create_time
                 or match_snapshots.digest is distinct from excluded.digest
                 or match_snapshots.clocks is distinct from excluded.clocks",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(snapshot.position)
        .bind(snapshot.create_time)
        .bind(snapshot.version)
        .bind(&snapshot.table[..])
        .bind(&snapshot.acted)
        .bind(&snapshot.requests[..])
        .bind(snapshot.digest)
        .bind(snapshot.clocks.as_deref())
        .execute(self.at(Bucket::of(match_id)))
        .await?;
        Ok(())
    }

    /// The last snapshot of this version at or before `until`, if there is one.
    pub async fn snapshot(
        &self,
        match_id: MatchId,
        until: Position,
        version: i32,
    ) -> Result<Option<Snapshot>, Error> {
        let snapshot = sqlx::query_as(
            "select snapshot.*
             from match_snapshots as snapshot
             join entries using (bucket, match_id, position, create_time)
             where bucket = $1 and match_id = $2 and position <= $3 and version = $4
                 and coalesce(snapshot.digest = entries.digest, snapshot.digest is not null)
             order by position desc
             limit 1",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(until)
        .bind(version)
        .fetch_optional(self.at(Bucket::of(match_id)))
        .await?;
        Ok(snapshot)
    }

    /// The requests of every snapshot of this version up to `until`, by position.
    pub async fn snapshot_requests(
        &self,
        match_id: MatchId,
        until: Position,
        version: i32,
    ) -> Result<Vec<(Position, Bytes)>, Error> {
        let requests: Vec<(Position, Vec<u8>)> = sqlx::query_as(
            "select position, requests
             from match_snapshots as snapshot
             join entries using (bucket, match_id, position, create_time)
             where bucket = $1 and match_id = $2 and position <= $3 and version = $4
                 and coalesce(snapshot.digest = entries.digest, snapshot.digest is not null)
             order by position",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(until)
        .bind(version)
        .fetch_all(self.at(Bucket::of(match_id)))
        .await?;
        Ok(requests.into_iter().map(|(position, bytes)| (position, bytes.into())).collect())
    }
}

impl Store {
    /// The first of a match's entries that was created after a time, and its own time.
    pub async fn first_after(
        &self,
        match_id: MatchId,
        time: OffsetDateTime,
    ) -> Result<Option<(Position, OffsetDateTime)>, LogError> {
        // Times do not decrease within a match, so entries before a snapshot that is early enough
        // need not be read.
        let early: Option<Position> = sqlx::query_scalar(
            "select max(position)
             from match_snapshots
             join entries using (bucket, match_id, position, create_time)
             where bucket = $1 and match_id = $2 and create_time <= $3",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(time)
        .fetch_one(self.at(Bucket::of(match_id)))
        .await?;
        self.log().first_after(match_id, time, early.unwrap_or(Position::START)).await
    }
}

impl FromRow<'_, PgRow> for Snapshot {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            position: row.try_get("position")?,
            create_time: row.try_get("create_time")?,
            digest: row.try_get("digest")?,
            version: row.try_get("version")?,
            table: row.try_get::<Vec<u8>, _>("body")?.into(),
            acted: row.try_get("acted")?,
            requests: row.try_get::<Vec<u8>, _>("requests")?.into(),
            clocks: row.try_get::<Option<Vec<u8>>, _>("clocks")?.map(Bytes::from),
        })
    }
}
