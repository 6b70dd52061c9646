//! Matches that were reduced to their results.

use std::collections::HashMap;

use database::Error;
use rows::{KeptResult, MatchId};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};

use crate::Store;
use crate::of_matches::OfMatches;

const KEPT_RESULTS: OfMatches = OfMatches {
    any: "select match_id, position, digest, start_time, end_time, kept_results.body
         from kept_results
         join entries using (bucket, match_id, position)
         where (bucket, match_id) in (select * from unnest($1::smallint[], $2::uuid[]))",
    one: "select match_id, position, digest, start_time, end_time, kept_results.body
         from kept_results
         join entries using (bucket, match_id, position)
         where kept_results.bucket = any($1) and entries.bucket = any($1) and match_id = any($2)",
};

/// A result as a row.
struct Kept(KeptResult);

impl Store {
    /// The kept results of these matches. Matches that were not reduced are left out.
    pub async fn kept_results(
        &self,
        match_ids: &[MatchId],
    ) -> Result<HashMap<MatchId, KeptResult>, Error> {
        if match_ids.is_empty() {
            return Ok(HashMap::new());
        }
        let kept: Vec<Kept> = KEPT_RESULTS.read(self.database(), match_ids, None).await?;
        Ok(kept.into_iter().map(|Kept(it)| (it.match_id, it)).collect())
    }
}

impl FromRow<'_, PgRow> for Kept {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self(KeptResult {
            match_id: row.try_get("match_id")?,
            position: row.try_get("position")?,
            digest: row.try_get("digest")?,
            start_time: row.try_get("start_time")?,
            end_time: row.try_get("end_time")?,
            table: row.try_get::<Vec<u8>, _>("body")?.into(),
        }))
    }
}
