//! The lobby: matches that wait for players and may be joined by them.

use crate::matches::buckets_of;
use crate::{Bucket, Error, MatchId, Store};
use time::OffsetDateTime;

/// A match of the lobby.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct LobbyRow {
    pub match_id: MatchId,
    pub create_time: OffsetDateTime,
    /// It was dealt or deleted.
    pub is_past: bool,
}

/// Which matches of the lobby are listed. Filters are combined with AND.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LobbyFilter {
    pub game: Option<String>,
    pub seats: Option<i16>,
}

impl Store {
    /// A platform's matches of the lobby, newest first, after the given one. Some of them may be
    /// past.
    pub async fn lobby(
        &self,
        platform: &str,
        filter: &LobbyFilter,
        after: Option<(OffsetDateTime, MatchId)>,
        limit: i64,
    ) -> Result<Vec<LobbyRow>, Error> {
        let (time, match_id) = after.unzip();
        let rows = sqlx::query_as(
            "select match_id, create_time,
                 not exists (
                     select 1
                     from matches
                     where matches.bucket = of.bucket and matches.match_id = of.match_id
                 ) or exists (
                     select 1
                     from entries
                     where entries.bucket = of.bucket and entries.match_id = of.match_id
                 ) as is_past
             from lobby as of
             where platform = $1
             and ($2::text is null or game = $2)
             and ($3::smallint is null or seats = $3)
             and ($4::timestamptz is null or (create_time, match_id) < ($4, $5))
             order by create_time desc, match_id desc
             limit $6",
        )
        .bind(platform)
        .bind(&filter.game)
        .bind(filter.seats)
        .bind(time)
        .bind(match_id)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Removes matches that are past from the lobby.
    pub async fn leave_lobby(&self, past: &[MatchId]) -> Result<(), Error> {
        let leaving = sqlx::query(
            "delete from lobby
             where (bucket, match_id) in (select * from unnest($1::smallint[], $2::uuid[]))",
        )
        .bind(buckets_of(past))
        .bind(past);
        self.write(leaving).await.map(drop)
    }

    pub async fn is_in_lobby(&self, platform: &str, match_id: MatchId) -> Result<bool, Error> {
        let found = sqlx::query_scalar(
            "select exists (
                 select 1
                 from lobby
                 where bucket = $1 and match_id = $2 and platform = $3
             )",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(platform)
        .fetch_one(&self.pool)
        .await?;
        Ok(found)
    }
}
