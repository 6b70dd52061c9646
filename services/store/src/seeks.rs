//! Seeks: players who want to be seated in a match. `migrations/0003_matches.sql` explains how a
//! seek ends only once.

use std::collections::HashMap;

use database::{Error, Group, groups, is_unique_violation};
use positions::{Bucket, buckets_of};
use rows::MatchId;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Store;

/// A seek as it was created.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SeekRow {
    pub seek_id: Uuid,
    pub platform: String,
    pub player: String,
    pub display_name: Option<String>,
    pub game: String,
    pub seats: Vec<i16>,
    /// A JSON object.
    pub options: String,
    pub rating: i64,
    pub distance: Option<i64>,
    pub widening: i64,
    /// A digest of the request. Empty once the player was erased.
    pub request: Vec<u8>,
    /// Each player has request ids of its own. `None` once the player was erased.
    pub request_id: Option<String>,
    pub create_time: OffsetDateTime,
}

/// A seek and its outcome.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FoundSeek {
    #[sqlx(flatten)]
    pub row: SeekRow,
    pub has_ended: bool,
    /// `None` while it waits, and if it was deleted.
    pub match_id: Option<MatchId>,
}

/// A seek that waits.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct OpenSeek {
    #[sqlx(flatten)]
    pub row: SeekRow,
    pub pool: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeekCreated {
    Created,
    /// The player has a seek of this request id.
    Repeated(Box<FoundSeek>),
    /// Another seek of the player for this game is open.
    Exists,
    /// The right by which the player would seek has ended.
    RightEnded,
}

/// The row of a new seek.
const GIVEN: &str = "values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";

/// The row of a new seek, if the right holds by which its player seeks.
const GIVEN_BY_RIGHT: &str = "select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
                 where $16::text is null or right_holds_for($3, $4, $16)";

/// The number of pools per batch.
const POOLS_MAX: i64 = 64;

macro_rules! columns {
    () => {
        "s.seek_id, s.platform, s.player, s.display_name, s.game, s.seats, s.options, s.rating,
         s.distance, s.widening, s.request, s.request_id, s.create_time"
    };
}

/// Reads the seeks of these rows, with their outcomes.
macro_rules! select_found {
    ($rows:literal) => {
        concat!(
            "select ",
            columns!(),
            ", e.seek_id is not null as has_ended, e.match_id
             from seeks as s
             left join seek_ends as e using (bucket, seek_id)
             where ",
            $rows
        )
    };
}

/// Reads the longest-waiting seeks of each pool. `offset 0` makes the planner read each of them by
/// its key.
macro_rules! select_waiting {
    ($bucket:literal) => {
        concat!(
            "select ",
            columns!(),
            ", its.pool
             from unnest($1::smallint[], $2::text[], $3::bytea[]) as asked (bucket, platform, pool)
             cross join lateral (
                 select seek_id, pool
                 from open_seeks
                 where open_seeks.bucket = ",
            $bucket,
            "
                     and open_seeks.platform = asked.platform
                     and open_seeks.pool = asked.pool
                 order by create_time, seek_id
                 limit $4
             ) as its
             cross join lateral (
                 select *
                 from seeks
                 where seeks.bucket = ",
            $bucket,
            " and seeks.seek_id = its.seek_id
                 offset 0
             ) as s"
        )
    };
}

impl Store {
    /// Creates a seek, by the player's own right if there is one. Of concurrent attempts, the key
    /// of the player's request ids lets one succeed; of several seeks of a player for one game, the
    /// key of `open_seeks` does.
    pub async fn create_seek(
        &self,
        new: &SeekRow,
        pool: &[u8; 32],
        right: Option<&str>,
    ) -> Result<SeekCreated, Error> {
        // A database of several nodes does not call the function while it writes.
        let is_sharded = self.database().is_sharded().await?;
        if let (true, Some(right)) = (is_sharded, right)
            && !self.right_holds(right).await?
        {
            return Ok(SeekCreated::RightEnded);
        }
        let given = if is_sharded { GIVEN } else { GIVEN_BY_RIGHT };
        let creating = sqlx::query(sqlx::AssertSqlSafe(format!(
            "with created as (
                 insert into seeks
                     (bucket, seek_id, platform, player, display_name, game, seats, options, rating,
                      distance, widening, request, request_id, create_time)
                 {given}
                 on conflict do nothing
                 returning bucket, seek_id, platform, player, game, create_time
             )
             insert into open_seeks (bucket, platform, player, game, seek_id, pool, create_time)
             select bucket, platform, player, game, seek_id, $15, create_time
             from created"
        )))
        .bind(Bucket::of_name(&new.platform))
        .bind(new.seek_id)
        .bind(&new.platform)
        .bind(&new.player)
        .bind(&new.display_name)
        .bind(&new.game)
        .bind(&new.seats)
        .bind(&new.options)
        .bind(new.rating)
        .bind(new.distance)
        .bind(new.widening)
        .bind(&new.request)
        .bind(&new.request_id)
        .bind(new.create_time)
        .bind(&pool[..]);
        let creating = if is_sharded { creating } else { creating.bind(right) };
        match self.database().write_at(Bucket::of_name(&new.platform), creating).await {
            Ok(created) if created.rows_affected() == 1 => return Ok(SeekCreated::Created),
            Ok(_) => {}
            Err(Error::Fault(source)) if is_unique_violation(&source) => {
                return Ok(SeekCreated::Exists);
            }
            Err(error) => return Err(error),
        }
        if let Some(right) = right
            && !self.right_holds(right).await?
        {
            return Ok(SeekCreated::RightEnded);
        }
        let found = sqlx::query_as(select_found!(
            "s.bucket = $1 and s.platform = $2 and s.player = $3 and s.request_id = $4"
        ))
        .bind(Bucket::of_name(&new.platform))
        .bind(&new.platform)
        .bind(&new.player)
        .bind(&new.request_id)
        .fetch_optional(self.at(Bucket::of_name(&new.platform)))
        .await?;
        // It exists, unless the player was erased just now.
        found.map(|it| SeekCreated::Repeated(Box::new(it))).ok_or(Error::TimedOut)
    }

    pub async fn find_seek(
        &self,
        platform: &str,
        seek_id: Uuid,
    ) -> Result<Option<FoundSeek>, Error> {
        let found =
            sqlx::query_as(select_found!("s.bucket = $1 and s.seek_id = $2 and s.platform = $3"))
                .bind(Bucket::of_name(platform))
                .bind(seek_id)
                .bind(platform)
                .fetch_optional(self.at(Bucket::of_name(platform)))
                .await?;
        Ok(found)
    }

    /// Ends a seek, unless it has ended. [`Store::find_seek`] returns its outcome.
    pub async fn delete_seek(
        &self,
        platform: &str,
        seek_id: Uuid,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        let deleting = sqlx::query(
            "with ended as (
                 insert into seek_ends (bucket, seek_id, end_time)
                 select bucket, seek_id, $4
                 from seeks
                 where bucket = $1 and seek_id = $2 and platform = $3
                 on conflict do nothing
                 returning seek_id
             )
             delete from open_seeks
             using ended
             where open_seeks.bucket = $1 and open_seeks.seek_id = $2",
        )
        .bind(Bucket::of_name(platform))
        .bind(seek_id)
        .bind(platform)
        .bind(now);
        self.database().write_at(Bucket::of_name(platform), deleting).await.map(drop)
    }

    /// A platform's seeks that wait, of one player or of all, oldest first, after the given one.
    pub async fn open_seeks(
        &self,
        platform: &str,
        player: Option<&str>,
        game: Option<&str>,
        after: Option<(OffsetDateTime, Uuid)>,
        limit: i64,
    ) -> Result<Vec<SeekRow>, Error> {
        let (time, seek_id) = after.unzip();
        let rows = sqlx::query_as(concat!(
            "select ",
            columns!(),
            " from open_seeks as o
             join seeks as s using (bucket, seek_id)
             where o.bucket = $1 and o.platform = $2
             and ($3::text is null or o.player = $3)
             and ($4::text is null or o.game = $4)
             and ($5::timestamptz is null or (o.create_time, o.seek_id) > ($5, $6))
             order by o.create_time, o.seek_id
             limit $7"
        ))
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(player)
        .bind(game)
        .bind(time)
        .bind(seek_id)
        .bind(limit)
        .fetch_all(self.at(Bucket::of_name(platform)))
        .await?;
        Ok(rows)
    }

    /// These seeks. Unknown ones are left out.
    pub async fn seeks(&self, platform: &str, seek_ids: &[Uuid]) -> Result<Vec<SeekRow>, Error> {
        let rows = sqlx::query_as(concat!(
            "select ",
            columns!(),
            " from seeks as s
             where s.bucket = $1 and s.seek_id = any ($3) and s.platform = $2"
        ))
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(seek_ids)
        .fetch_all(self.at(Bucket::of_name(platform)))
        .await?;
        Ok(rows)
    }

    /// Matches that were created for seeks in the last hour and not dealt, with the time of their
    /// creation. A match that is being dealt right now is left out.
    pub async fn undealt_of_seeks(
        &self,
        now: OffsetDateTime,
    ) -> Result<Vec<(String, MatchId, OffsetDateTime)>, Error> {
        if !self.database().may_have("seek_ends", "its.match_id is not null").await {
            return Ok(Vec::new());
        }
        // A seek is in the bucket of its platform, and its match in another.
        let match_ids: Vec<MatchId> = sqlx::query_scalar(
            "select distinct match_id
             from seek_ends
             where match_id is not null
             and end_time > $1::timestamptz - interval '1 hour'
             and end_time < $1::timestamptz - interval '3 seconds'",
        )
        .bind(now)
        .fetch_all(self.pool_of_all())
        .await?;
        if match_ids.is_empty() {
            return Ok(Vec::new());
        }
        let rows = sqlx::query_as(
            "select platform, match_id, create_time
             from matches
             where (bucket, match_id) in (select * from unnest($1::smallint[], $2::uuid[]))
             and not exists (
                 select 1
                 from entries
                 where entries.bucket = matches.bucket and entries.match_id = matches.match_id
             )",
        )
        .bind(buckets_of(&match_ids))
        .bind(match_ids)
        .fetch_all(self.pool_of_all())
        .await?;
        Ok(rows)
    }

    /// Seeks that wait with others in their pool: the oldest of each pool, at most `each`.
    /// Longest-waiting pools come first, platforms in turn.
    pub async fn waiting_seeks(&self, each: i64) -> Result<Vec<OpenSeek>, Error> {
        if !self.database().may_have("open_seeks", "true").await {
            return Ok(Vec::new());
        }
        // All seeks of a platform are in its bucket.
        let pools: Vec<(Bucket, String, Vec<u8>)> = sqlx::query_as(
            "select bucket, platform, pool
             from open_seeks
             group by bucket, platform, pool
             having count(*) > 1
             order by row_number() over (partition by bucket, platform order by min(create_time)),
                 min(create_time)
             limit $1",
        )
        .bind(POOLS_MAX)
        .fetch_all(self.pool_of_all())
        .await?;
        let places: HashMap<Vec<u8>, usize> =
            pools.iter().enumerate().map(|(place, (_, _, pool))| (pool.clone(), place)).collect();
        let is_sharded = self.database().is_sharded().await?;
        let mut waiting: Vec<OpenSeek> = Vec::new();
        for Group { is_of_one, of } in groups(pools, is_sharded, |(bucket, _, _)| *bucket) {
            let rows = match is_of_one {
                true => sqlx::query_as(select_waiting!("$5")),
                false => sqlx::query_as(select_waiting!("asked.bucket")),
            };
            let rows = rows
                .bind(of.iter().map(|(bucket, _, _)| *bucket).collect::<Vec<_>>())
                .bind(of.iter().map(|(_, platform, _)| platform).collect::<Vec<_>>())
                .bind(of.iter().map(|(_, _, pool)| pool).collect::<Vec<_>>())
                .bind(each);
            let rows = if is_of_one { rows.bind(of[0].0) } else { rows };
            waiting.append(&mut rows.fetch_all(self.pool_of_all()).await?);
        }
        waiting.sort_by_key(|it| (places[&it.pool], it.row.create_time, it.row.seek_id));
        Ok(waiting)
    }
}
