//! Statements about matches, on one Postgres or several.

use database::{Database, Error, Pools, groups};
use positions::{Bucket, buckets_of};
use rows::MatchId;
use sqlx::FromRow;
use sqlx::postgres::PgRow;

/// A statement about matches: their buckets are `$1`, their ids `$2`.
#[derive(Clone, Copy)]
pub struct OfMatches {
    /// For matches of any buckets.
    pub any: &'static str,
    /// For matches of one bucket.
    pub one: &'static str,
}

/// Both forms of a statement about matches, from the parts before and after the condition.
#[macro_export]
macro_rules! of_matches {
    ($before:literal, $after:literal) => {
        $crate::OfMatches {
            any: concat!(
                $before,
                " (bucket, match_id) in (select * from unnest($1::smallint[], $2::uuid[])) ",
                $after
            ),
            one: concat!($before, " bucket = any($1) and match_id = any($2) ", $after),
        }
    };
}

impl OfMatches {
    /// Reads rows of these matches. `$3` is the platform, if the statement is about one.
    pub async fn read<Row>(
        self,
        database: &Database,
        match_ids: &[MatchId],
        platform: Option<&str>,
    ) -> Result<Vec<Row>, Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let Some(first) = match_ids.first() else { return Ok(Vec::new()) };
        let is_of_one = match_ids.iter().all(|it| Bucket::of(*it) == Bucket::of(*first));
        let reading = self.read_on(database, database.readers(), match_ids, platform);
        match is_of_one {
            true => database.within(Bucket::of(*first), reading).await,
            false => reading.await,
        }
    }

    /// The same on other pools.
    pub(crate) async fn read_on<Row>(
        self,
        database: &Database,
        pools: &Pools,
        match_ids: &[MatchId],
        platform: Option<&str>,
    ) -> Result<Vec<Row>, Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let (mut rows, is_sharded) = (Vec::new(), database.is_sharded().await?);
        for group in groups(match_ids.to_vec(), is_sharded, |&it| Bucket::of(it)) {
            let bucket = Bucket::of(group.of[0]);
            if is_sharded {
                database.check_reachable(bucket)?;
            }
            let text = if group.is_of_one { self.one } else { self.any };
            let query = sqlx::query_as(text).bind(buckets_of(&group.of)).bind(group.of);
            let query = platform.iter().fold(query, |query, it| query.bind(*it));
            rows.append(&mut query.fetch_all(&pools.of(bucket)).await?);
        }
        Ok(rows)
    }
}
