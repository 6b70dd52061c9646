//! The lobby: matches with open seats that players may join.

use std::cmp::Reverse;

use database::{Error, OfNodes, Pool};
use positions::{BUCKETS, Bucket, buckets_of};
use rows::MatchId;
use time::OffsetDateTime;

use crate::Store;

/// A match of the lobby.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct LobbyRow {
    pub match_id: MatchId,
    pub create_time: OffsetDateTime,
    /// Whether it was dealt or deleted.
    pub is_past: bool,
}

/// The filter of a list of the lobby. Fields are combined with AND.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LobbyFilter {
    pub game: Option<String>,
    pub seats: Option<i16>,
}

/// Lists the lobby: of all buckets, or of those that are `$7`.
macro_rules! select_lobby {
    ($of:literal, $matches:literal, $entries:literal) => {
        concat!(
            "select match_id, create_time,
                 not exists (
                     select 1
                     from matches
                     where matches.bucket = of.bucket and matches.match_id = of.match_id ",
            $matches,
            "
                 ) or exists (
                     select 1
                     from entries
                     where entries.bucket = of.bucket and entries.match_id = of.match_id ",
            $entries,
            "
                 ) as is_past
             from lobby as of
             where platform = $1
             and ($2::text is null or game = $2)
             and ($3::smallint is null or seats = $3)
             and ($4::timestamptz is null or (create_time, match_id) < ($4, $5)) ",
            $of,
            "
             order by create_time desc, match_id desc
             limit $6"
        )
    };
}

impl Store {
    /// A platform's matches of the lobby, newest first, after the given one, except on nodes that
    /// are unreachable. Some of them may be past.
    pub async fn lobby(
        &self,
        platform: &str,
        filter: &LobbyFilter,
        after: Option<(OffsetDateTime, MatchId)>,
        limit: i64,
    ) -> Result<OfNodes<LobbyRow>, Error> {
        let (time, match_id) = after.unzip();
        let read = async |pool: Pool, buckets: Vec<Bucket>| {
            let is_of_all = buckets.len() == BUCKETS;
            let rows = match is_of_all {
                true => sqlx::query_as(select_lobby!("", "", "")),
                false => sqlx::query_as(select_lobby!(
                    "and of.bucket = any($7)",
                    "and matches.bucket = any($7)",
                    "and entries.bucket = any($7)"
                )),
            };
            let rows = rows
                .bind(platform)
                .bind(&filter.game)
                .bind(filter.seats)
                .bind(time)
                .bind(match_id)
                .bind(limit);
            let rows = if is_of_all { rows } else { rows.bind(buckets) };
            Ok(rows.fetch_all(&pool).await?)
        };
        let rows = self.database().each_node(read).await?;
        let limit = usize::try_from(limit).unwrap_or_default();
        Ok(rows.in_order(limit, |it: &LobbyRow| Reverse((it.create_time, it.match_id))))
    }

    /// Removes matches that are past from the lobby.
    pub async fn leave_lobby(&self, past: &[MatchId]) -> Result<(), Error> {
        let leaving = sqlx::query(
            "delete from lobby
             where (bucket, match_id) in (select * from unnest($1::smallint[], $2::uuid[]))",
        )
        .bind(buckets_of(past))
        .bind(past);
        self.database().write(leaving).await.map(drop)
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
        .fetch_one(self.at(Bucket::of(match_id)))
        .await?;
        Ok(found)
    }
}
