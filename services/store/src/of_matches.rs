//! Statements about matches, on one Postgres or several.

use database::{Database, Error, groups};
use positions::{Bucket, buckets_of};
use rows::MatchId;
use sqlx::FromRow;
use sqlx::postgres::{PgPool, PgRow};

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
        self.read_on(database, database.pool(), match_ids, platform).await
    }

    /// The same on another pool.
    pub(crate) async fn read_on<Row>(
        self,
        database: &Database,
        pool: &PgPool,
        match_ids: &[MatchId],
        platform: Option<&str>,
    ) -> Result<Vec<Row>, Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let (mut rows, is_sharded) = (Vec::new(), database.is_sharded().await?);
        for group in groups(match_ids.to_vec(), is_sharded, |&it| Bucket::of(it)) {
            if is_sharded {
                database.check_reachable(Bucket::of(group.of[0]))?;
            }
            let text = if group.is_of_one { self.one } else { self.any };
            let query = sqlx::query_as(text).bind(buckets_of(&group.of)).bind(group.of);
            let query = platform.iter().fold(query, |query, it| query.bind(*it));
            rows.append(&mut query.fetch_all(pool).await?);
        }
        Ok(rows)
    }
}
