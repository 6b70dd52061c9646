//! The progress of read models.

use positions::{Bucket, positions};
use sqlx::Row;
use time::OffsetDateTime;

use crate::error::Error;
use crate::model::Model;
use crate::reader::Reader;
use crate::token::ConsistencyToken;

/// The progress of a read model.
#[derive(Clone, Copy, Debug)]
pub struct Projection {
    pub model: Model,
    pub generation: i32,
    /// Recorded entries that the model does not include yet.
    pub lag: i64,
    /// When the oldest missing entry was recorded.
    pub behind_since: Option<OffsetDateTime>,
    /// During a rebuild: the new generation, and the number of entries it does not include yet.
    pub rebuilding: Option<(i32, i64)>,
}

/// Entries of a bucket that a read model does not include yet.
struct Missing {
    bucket: Bucket,
    after: i64,
    count: i64,
}

/// The maximum number of missing entries that are read to count a platform's: some tens of
/// milliseconds.
const COUNTED_MAX: i64 = 10_000;

/// Counts a platform's entries in windows. `offset 0` makes the planner read each window, and each
/// of its matches, by its index; otherwise it would read all entries.
const COUNT: &str = "select coalesce(sum(its.count), 0)::int8, min(its.create_time)
     from unnest($1::int2[], $2::int8[], $3::int8[]) as missing (bucket, after, until)
     cross join lateral (
         select match_id, count(*) as count, min(create_time) as create_time
         from entries
         where entries.bucket = missing.bucket
             and entries.bucket_position > missing.after
             and entries.bucket_position <= missing.until
         group by match_id
         offset 0
     ) as its
     cross join lateral (
         select platform
         from matches
         where matches.bucket = missing.bucket and matches.match_id = its.match_id
         offset 0
     ) as m
     where m.platform = $4";

/// The same for a sharded database, where each node counts its own entries.
const COUNT_IN_SHARDS: &str = "select count(*), min(entries.create_time)
     from unnest($1::int2[], $2::int8[], $3::int8[]) as missing (bucket, after, until)
     join entries
         on entries.bucket = missing.bucket
         and entries.bucket_position > missing.after
         and entries.bucket_position <= missing.until
     join matches
         on matches.bucket = entries.bucket
         and matches.match_id = entries.match_id
     where matches.platform = $4";

impl Reader {
    /// Waits until a model includes a consistency token. Returns false if it does not in time.
    pub async fn has_reached(
        &self,
        platform: &str,
        model: Model,
        token: &ConsistencyToken,
    ) -> Result<bool, Error> {
        self.reaches(platform, model.awaitable(), token).await
    }

    /// The progress of a read model, over all platforms. For operators only: it shows the activity
    /// of all platforms.
    pub async fn projection(&self, model: Model) -> Result<Projection, Error> {
        Ok(self.progress(model).await?.0)
    }

    /// The progress of a read model for a platform: `lag` and `behind_since` cover its own entries
    /// only. Up to [`COUNTED_MAX`] missing entries are counted; beyond that, the model counts as at
    /// least one entry behind.
    pub async fn projection_for(&self, platform: &str, model: Model) -> Result<Projection, Error> {
        let (projection, missing) = self.progress(model).await?;
        let [live, rebuilt] = missing;
        let (lag, behind_since) = self.count_of(platform, live).await?;
        let rebuilding = match projection.rebuilding {
            Some((generation, _)) => Some((generation, self.count_of(platform, rebuilt).await?.0)),
            None => None,
        };
        Ok(Projection { lag, behind_since, rebuilding, ..projection })
    }

    /// How many of these entries are a platform's, and the time of the oldest.
    async fn count_of(
        &self,
        platform: &str,
        missing: Vec<Missing>,
    ) -> Result<(i64, Option<OffsetDateTime>), Error> {
        let all: i64 = missing.iter().map(|missing| missing.count).sum();
        let mut left = COUNTED_MAX;
        let (mut buckets, mut after, mut until) = (Vec::new(), Vec::new(), Vec::new());
        for Missing { bucket, after: from, count } in missing {
            let counted = count.min(left);
            left -= counted;
            buckets.push(bucket);
            after.push(from);
            until.push(from + counted);
        }
        if all == 0 {
            return Ok((0, None));
        }
        let counting = match self.store.database().is_sharded().await? {
            true => sqlx::query_as(COUNT_IN_SHARDS),
            false => sqlx::query_as(COUNT),
        };
        let (count, oldest): (i64, Option<OffsetDateTime>) = counting
            .bind(buckets)
            .bind(after)
            .bind(until)
            .bind(platform)
            .fetch_one(self.store.database().pool_of_all())
            .await?;
        Ok((if all > COUNTED_MAX { count.max(1) } else { count }, oldest))
    }

    /// The progress of a read model, and the entries that it and the one being rebuilt do not
    /// include yet.
    async fn progress(&self, model: Model) -> Result<(Projection, [Vec<Missing>; 2]), Error> {
        let heads = positions(&self.store.log().bucket_heads().await?);
        let rows = sqlx::query(
            "select checkpoints.bucket, checkpoints.generation, checkpoints.bucket_position,
                 projections.generation as live, next.create_time
             from checkpoints
             join projections using (model)
             left join entries as next
                 on next.bucket = checkpoints.bucket
                 and next.bucket_position = checkpoints.bucket_position + 1
             where projections.bucket = 0 and model = $1",
        )
        .bind(model.name())
        .fetch_all(self.store.database().pool_of_all())
        .await?;
        let mut projection =
            Projection { model, generation: 0, lag: 0, behind_since: None, rebuilding: None };
        let mut missing = [Vec::new(), Vec::new()];
        for row in rows {
            let (bucket, generation): (Bucket, i32) = (row.try_get(0)?, row.try_get(1)?);
            let after: i64 = row.try_get(2)?;
            let lag = (heads[bucket.index()] - after).max(0);
            let missing_here = Missing { bucket, after, count: lag };
            projection.generation = row.try_get(3)?;
            if generation == projection.generation {
                projection.lag += lag;
                missing[0].push(missing_here);
                let next: Option<OffsetDateTime> = row.try_get(4)?;
                projection.behind_since = projection.behind_since.into_iter().chain(next).min();
            } else {
                let (_, others) = projection.rebuilding.unwrap_or_default();
                projection.rebuilding = Some((generation, others + lag));
                missing[1].push(missing_here);
            }
        }
        Ok((projection, missing))
    }
}
