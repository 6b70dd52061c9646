//! Reads the whole record in the order of its buckets, for a program that verifies it.

use std::collections::HashMap;

use database::Error;
use event_log::{ColdError, Error as LogError};
use positions::{Bucket, Recorded};
use rows::{MatchId, MatchRow, Seed};
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{Executor, FromRow, Row};

use crate::Store;
use crate::found::as_created;
use crate::loading::seed_of;

/// A read-only connection that reads pages of matches. It needs only original columns, so it also
/// reads the record of an earlier release.
pub struct Scan {
    connection: PgConnection,
    store: Store,
    /// Whether the tables are of a release with archives.
    knows_archives: bool,
}

/// A match with all its entries, without its players.
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
        let table: Option<String> =
            sqlx::query_scalar("select to_regclass('archived_matches')::text")
                .fetch_one(&mut connection)
                .await?;
        Ok(Scan { connection, store: self.clone(), knows_archives: table.is_some() })
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
        let rows = sqlx::query(
            "select m.*, its.seed
             from matches as m
             left join seeds as its on its.bucket = m.bucket and its.match_id = m.match_id
             where m.bucket = $1
                 and ($2::uuid is null or m.match_id > $2)
                 and ($3::text is null or m.platform = $3)
             order by m.match_id
             limit $4",
        )
        .bind(bucket)
        .bind(after)
        .bind(platform)
        .bind(PAGE)
        .fetch_all(&mut self.connection)
        .await?;
        let mut matches = rows.iter().map(scanned).collect::<Result<Vec<_>, _>>()?;
        let ids: Vec<MatchId> = matches.iter().map(|it| it.row.match_id).collect();
        let mut entries = self.entries(bucket, &ids).await?;
        for it in &mut matches {
            it.entries = entries.remove(&it.row.match_id).unwrap_or_default();
        }
        if self.knows_archives {
            self.restore(&mut matches).await?;
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

fn scanned(row: &PgRow) -> Result<Scanned, sqlx::Error> {
    let seed: Option<Vec<u8>> = row.try_get("seed")?;
    let row = as_created(row)?;
    Ok(Scanned { row, seed: seed.map(seed_of), entries: Vec::new(), damaged: None })
}
