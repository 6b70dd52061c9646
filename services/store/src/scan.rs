//! Reads the whole record in the order of its buckets, for a program that verifies it.

use std::collections::HashMap;

use database::Error;
use event_log::{ColdError, Error as LogError};
use positions::{Bucket, Recorded};
use rows::{MatchId, MatchRow, Seed, version_of};
use sqlx::postgres::PgConnection;
use sqlx::{Executor, FromRow, Row};

use crate::found::{Found, select_matches};
use crate::loading::seed_of;
use crate::{Store, Unknown};

/// A read-only connection that reads pages of matches. It needs only original columns, so it also
/// reads the record of an earlier release.
pub struct Scan {
    connection: PgConnection,
    store: Store,
    /// Whether the tables are of a release with archives.
    knows_archives: bool,
    /// Whether they are of a release with modules.
    knows_modules: bool,
}

/// A match with its players and its entries, as of one moment.
pub struct Scanned {
    pub row: MatchRow,
    /// `None` if it was deleted.
    pub seed: Option<Seed>,
    pub entries: Vec<Recorded>,
    /// Why its archived entries cannot be read. Then they are empty.
    pub damaged: Option<ColdError>,
}

/// Matches read at a time: their entries are some megabytes.
const PAGE: i64 = 64;

impl Store {
    pub async fn scan(&self) -> Result<Scan, Error> {
        let mut connection = self.database().connection().await?;
        connection.execute("set default_transaction_read_only = on").await?;
        let (knows_archives, knows_modules) = sqlx::query_as(
            "select to_regclass('archived_matches') is not null, to_regclass('modules') is not null",
        )
        .fetch_one(&mut connection)
        .await?;
        Ok(Scan { connection, store: self.clone(), knows_archives, knows_modules })
    }
}

impl Scan {
    /// The next matches of a bucket in the order of their ids, of all platforms or of one; empty at
    /// its end.
    pub async fn page(
        &mut self,
        bucket: Bucket,
        after: Option<MatchId>,
        platform: Option<&str>,
    ) -> Result<Vec<Scanned>, LogError> {
        let mut rows: Vec<Found> = sqlx::query_as(select_matches!(
            "$1",
            "where bucket = $1
                 and ($2::uuid is null or match_id > $2)
                 and ($3::text is null or platform = $3)
             order by match_id
             limit $4"
        ))
        .bind(bucket)
        .bind(after)
        .bind(platform)
        .bind(PAGE)
        .fetch_all(&mut self.connection)
        .await?;
        rows.sort_by_key(|Found(row)| row.match_id);
        self.store
            .learn_all(Unknown::among(rows.iter().map(|Found(row)| row.terms.module())))
            .await;
        let ids: Vec<MatchId> = rows.iter().map(|Found(row)| row.match_id).collect();
        // Before the entries: a match that is reduced to its result in between then has none.
        let mut seeds = self.seeds(bucket, &ids).await?;
        let mut entries = self.entries(bucket, &ids).await?;
        let scanned = rows.into_iter().map(|Found(row)| {
            let (match_id, last) = (row.match_id, row.last.as_ref().map(|it| it.position));
            let mut entries = entries.remove(&match_id).unwrap_or_default();
            // Later entries may be of other players.
            entries.retain(|it| Some(it.position) <= last);
            Scanned { row, seed: seeds.remove(&match_id), entries, damaged: None }
        });
        let mut matches: Vec<Scanned> = scanned.collect();
        if self.knows_archives {
            self.restore(&mut matches).await?;
        }
        if self.knows_modules {
            let of_versions = matches.iter().filter(|it| it.row.terms.module().is_none());
            let versions = of_versions
                .flat_map(|it| it.entries.iter().map(|entry| (&*it.row.game, version_of(entry))));
            self.store.learn_versions(versions).await?;
        }
        Ok(matches)
    }

    async fn restore(&self, matches: &mut [Scanned]) -> Result<(), LogError> {
        let rows = matches.iter_mut().flat_map(|it| {
            let match_id = it.row.match_id;
            it.entries.iter_mut().map(move |row| (match_id, row))
        });
        let mut damaged: HashMap<MatchId, ColdError> =
            self.store.log().restore(rows).await?.into_iter().collect();
        for it in matches {
            it.damaged = damaged.remove(&it.row.match_id);
        }
        Ok(())
    }

    async fn seeds(
        &mut self,
        bucket: Bucket,
        ids: &[MatchId],
    ) -> Result<HashMap<MatchId, Seed>, Error> {
        let seeds: Vec<(MatchId, Vec<u8>)> = sqlx::query_as(
            "select match_id, seed
             from seeds
             where bucket = $1 and match_id = any ($2)",
        )
        .bind(bucket)
        .bind(ids)
        .fetch_all(&mut self.connection)
        .await?;
        Ok(seeds.into_iter().map(|(match_id, seed)| (match_id, seed_of(seed))).collect())
    }

    async fn entries(
        &mut self,
        bucket: Bucket,
        ids: &[MatchId],
    ) -> Result<HashMap<MatchId, Vec<Recorded>>, Error> {
        let rows = sqlx::query(
            "select match_id, position, bucket_position, request_id, create_time, body, digest
             from entries
             where bucket = $1 and match_id = any ($2)
             order by match_id, position",
        )
        .bind(bucket)
        .bind(ids)
        .fetch_all(&mut self.connection)
        .await?;
        let mut entries: HashMap<MatchId, Vec<Recorded>> = HashMap::new();
        for row in &rows {
            entries.entry(row.try_get("match_id")?).or_default().push(Recorded::from_row(row)?);
        }
        Ok(entries)
    }
}
