//! Series: matches that follow each other.

use crate::{Bucket, Error, MatchId, Store};
use sqlx::Row;
use sqlx::postgres::PgRow;

/// What a match takes over from the one that it follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Follows {
    pub previous: MatchId,
    /// The match's number in the series. The first match, which follows none, counts as 1.
    pub number: i32,
    /// The matches of the series won before this one, by seat of this match.
    pub wins: Vec<i32>,
    /// The number of matches of which more than half decide the series; none if it has no end.
    pub best_of: Option<i32>,
}

impl Follows {
    /// From the columns of `matches`; none for a match that follows none.
    pub(crate) fn of_row(row: &PgRow) -> Result<Option<Self>, sqlx::Error> {
        let Some(previous) = row.try_get("previous_match_id")? else { return Ok(None) };
        Ok(Some(Self {
            previous,
            number: row.try_get("series_number")?,
            wins: row.try_get("series_wins")?,
            best_of: row.try_get("series_best_of")?,
        }))
    }
}

impl Store {
    /// The match of a platform that follows one of its matches.
    pub async fn next_match(
        &self,
        platform: &str,
        match_id: MatchId,
    ) -> Result<Option<MatchId>, Error> {
        let next = sqlx::query_scalar(
            "select next_match_id
             from next_matches
             where bucket = $1 and match_id = $2 and platform = $3",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(platform)
        .fetch_optional(&self.pool)
        .await?;
        Ok(next)
    }
}
