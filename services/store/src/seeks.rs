//! Seeks: players who want to be seated in a match. `migrations/0016_players.sql` says how a seek
//! ends once.

use crate::error::is_unique_violation;
use crate::{Bucket, Error, MatchId, Store};
use time::OffsetDateTime;
use uuid::Uuid;

/// A seek as it was created.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
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
    /// A digest of the request. It is empty once the player was erased.
    pub request: Vec<u8>,
    pub create_time: OffsetDateTime,
}

/// A seek, and what has become of it.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct FoundSeek {
    #[sqlx(flatten)]
    pub row: SeekRow,
    pub has_ended: bool,
    /// None while it waits, and if it was deleted.
    pub match_id: Option<MatchId>,
}

/// A seek that waits.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct OpenSeek {
    #[sqlx(flatten)]
    pub row: SeekRow,
    pub pool: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeekCreated {
    Created,
    /// There is a seek of this id.
    Repeated(Box<FoundSeek>),
    /// Another seek of the player for this game waits.
    Exists,
}

/// Pools looked at for one batch.
const POOLS_MAX: i64 = 64;

macro_rules! columns {
    () => {
        "s.seek_id, s.platform, s.player, s.display_name, s.game, s.seats, s.options, s.rating,
         s.distance, s.widening, s.request, s.create_time"
    };
}

impl Store {
    /// Creates a seek. Of several attempts, the key of the seek lets one succeed; of several seeks
    /// of a player for one game, that of `open_seeks`.
    pub async fn create_seek(&self, new: &SeekRow, pool: &[u8; 32]) -> Result<SeekCreated, Error> {
        let creating = sqlx::query(
            "with created as (
                 insert into seeks
                     (bucket, seek_id, platform, player, display_name, game, seats, options, rating,
                      distance, widening, request, create_time)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                 on conflict do nothing
                 returning bucket, seek_id, platform, player, game, create_time
             )
             insert into open_seeks (bucket, platform, player, game, seek_id, pool, create_time)
             select bucket, platform, player, game, seek_id, $14, create_time
             from created",
        )
        .bind(Bucket::of_platform(&new.platform))
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
        .bind(new.create_time)
        .bind(&pool[..]);
        match self.write(creating).await {
            Ok(created) if created.rows_affected() == 1 => return Ok(SeekCreated::Created),
            Ok(_) => {}
            Err(Error::Fault(source)) if is_unique_violation(&source) => {
                return Ok(SeekCreated::Exists);
            }
            Err(error) => return Err(error),
        }
        let found = self.find_seek(&new.platform, new.seek_id).await?;
        // Nothing removes a seek, so there is one.
        found.map(|it| SeekCreated::Repeated(Box::new(it))).ok_or(Error::TimedOut)
    }

    pub async fn find_seek(
        &self,
        platform: &str,
        seek_id: Uuid,
    ) -> Result<Option<FoundSeek>, Error> {
        let found = sqlx::query_as(concat!(
            "select ",
            columns!(),
            ", e.seek_id is not null as has_ended, e.match_id
             from seeks as s
             left join seek_ends as e using (bucket, seek_id)
             where s.bucket = $1 and s.seek_id = $2 and s.platform = $3"
        ))
        .bind(Bucket::of_platform(platform))
        .bind(seek_id)
        .bind(platform)
        .fetch_optional(&self.pool)
        .await?;
        Ok(found)
    }

    /// Ends a seek, unless it has ended. [`Store::find_seek`] tells how.
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
                 returning bucket, seek_id
             )
             delete from open_seeks
             using ended
             where open_seeks.bucket = ended.bucket and open_seeks.seek_id = ended.seek_id",
        )
        .bind(Bucket::of_platform(platform))
        .bind(seek_id)
        .bind(platform)
        .bind(now);
        self.write(deleting).await.map(drop)
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
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(player)
        .bind(game)
        .bind(time)
        .bind(seek_id)
        .bind(limit)
        .fetch_all(&self.pool)
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
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(seek_ids)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Matches that were created for seeks in the last hour and not dealt, with the time of their
    /// creation. One that is being dealt right now is left to whoever does.
    pub async fn undealt_of_seeks(
        &self,
        now: OffsetDateTime,
    ) -> Result<Vec<(String, MatchId, OffsetDateTime)>, Error> {
        let rows = sqlx::query_as(
            "select distinct matches.platform, matches.match_id, matches.create_time
             from seek_ends
             join matches
                 on matches.bucket = bucket_of(seek_ends.match_id)
                 and matches.match_id = seek_ends.match_id
             where seek_ends.match_id is not null
             and seek_ends.end_time > $1::timestamptz - interval '1 hour'
             and seek_ends.end_time < $1::timestamptz - interval '3 seconds'
             and not exists (
                 select 1
                 from entries
                 where entries.bucket = matches.bucket and entries.match_id = matches.match_id
             )",
        )
        .bind(now)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Seeks that wait with others in their pool: of each pool the oldest, at most `each`. Pools
    /// that have waited longest come first, but each platform's in turn.
    pub async fn waiting_seeks(&self, each: i64) -> Result<Vec<OpenSeek>, Error> {
        let rows = sqlx::query_as(concat!(
            "with pools as (
                 select platform, pool,
                     row_number() over (partition by platform order by min(create_time)) as turn,
                     min(create_time) as since
                 from open_seeks
                 group by platform, pool
                 having count(*) > 1
                 order by turn, since
                 limit $1
             )
             select ",
            columns!(),
            ", its.pool
             from pools
             cross join lateral (
                 select bucket, seek_id, pool
                 from open_seeks
                 where open_seeks.platform = pools.platform and open_seeks.pool = pools.pool
                 order by create_time, seek_id
                 limit $2
             ) as its
             join seeks as s on s.bucket = its.bucket and s.seek_id = its.seek_id
             order by pools.turn, pools.since, its.pool, s.create_time, s.seek_id"
        ))
        .bind(POOLS_MAX)
        .bind(each)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }
}
