//! Subscriptions: where the readers of a platform's stream stand, and who of their consumers works
//! on which buckets.

use crate::{BUCKETS, Bucket, Error, Heads, Store, Tags};
use sqlx::postgres::{PgRow, PgTransaction};
use sqlx::types::Json;
use sqlx::{FromRow, Row};
use std::time::Duration;
use time::OffsetDateTime;

/// A named reader, as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionRow {
    pub platform: String,
    pub subscription: String,
    pub games: Vec<String>,
    pub verbs: Vec<String>,
    pub players: Vec<String>,
    pub tags: Tags,
    pub is_whole: bool,
    pub create_time: OffsetDateTime,
}

/// A bucket that a consumer works on, and where the work begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leased {
    pub bucket: Bucket,
    pub acknowledged: i64,
}

/// How long a consumer that is not heard of keeps its share. Long against a pause of its process,
/// short against anyone's patience.
pub const LEASE: Duration = Duration::from_secs(10);

impl Store {
    /// Makes a subscription that starts at `start`; says whether its name was free.
    pub async fn create_subscription(
        &self,
        row: &SubscriptionRow,
        start: &Heads,
    ) -> Result<bool, Error> {
        let created = sqlx::query(
            "with created as (
                 insert into subscriptions
                     (bucket, platform, subscription, games, verbs, players, is_whole, create_time, tags)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $10)
                 on conflict do nothing
                 returning platform, subscription
             )
             insert into subscription_cursors (bucket, platform, subscription, acknowledged)
             select number - 1, platform, subscription, start
             from created
             cross join unnest($9::int8[]) with ordinality as each (start, number)",
        )
        .bind(Bucket::of_platform(&row.platform))
        .bind(&row.platform)
        .bind(&row.subscription)
        .bind(&row.games)
        .bind(&row.verbs)
        .bind(&row.players)
        .bind(row.is_whole)
        .bind(row.create_time)
        .bind(&start[..])
        .bind(Json(&row.tags))
        .execute(&self.pool)
        .await?;
        Ok(created.rows_affected() > 0)
    }

    pub async fn find_subscription(
        &self,
        platform: &str,
        subscription: &str,
    ) -> Result<Option<SubscriptionRow>, Error> {
        let row = sqlx::query_as(
            "select *
             from subscriptions
             where bucket = $1 and platform = $2 and subscription = $3",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(subscription)
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// A platform's subscriptions by name, after one of them.
    pub async fn list_subscriptions(
        &self,
        platform: &str,
        after: &str,
        limit: i64,
    ) -> Result<Vec<SubscriptionRow>, Error> {
        let rows = sqlx::query_as(
            "select *
             from subscriptions
             where bucket = $1 and platform = $2 and subscription > $3
             order by subscription
             limit $4",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(after)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Says whether there was one.
    pub async fn delete_subscription(
        &self,
        platform: &str,
        subscription: &str,
    ) -> Result<bool, Error> {
        let deleted = sqlx::query(
            "with deleted as (
                 delete from subscriptions
                 where bucket = $1 and platform = $2 and subscription = $3
                 returning platform, subscription
             )
             delete from subscription_cursors
             using deleted
             where subscription_cursors.platform = deleted.platform
                 and subscription_cursors.subscription = deleted.subscription",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(subscription)
        .execute(&self.pool)
        .await?;
        Ok(deleted.rows_affected() > 0)
    }

    /// How far each bucket of a subscription is acknowledged.
    pub async fn acknowledged(&self, platform: &str, subscription: &str) -> Result<Heads, Error> {
        let rows: Vec<(Bucket, i64)> = sqlx::query_as(
            "select bucket, acknowledged
             from subscription_cursors
             where bucket between 0 and 63 and platform = $1 and subscription = $2",
        )
        .bind(platform)
        .bind(subscription)
        .fetch_all(&self.pool)
        .await?;
        let mut heads = [0; BUCKETS];
        rows.into_iter().for_each(|(bucket, at)| heads[bucket.index()] = at);
        Ok(heads)
    }

    /// Who consumes a subscription at the moment.
    pub async fn consumers(
        &self,
        platform: &str,
        subscription: &str,
    ) -> Result<Vec<String>, Error> {
        let consumers = sqlx::query_scalar(
            "select consumer
             from subscription_consumers
             where bucket = $1 and platform = $2 and subscription = $3 and lease_time > now()
             order by consumer",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(subscription)
        .fetch_all(&self.pool)
        .await?;
        Ok(consumers)
    }

    /// Moves a subscription on, in each bucket, unless it is further already.
    pub async fn acknowledge(
        &self,
        platform: &str,
        subscription: &str,
        at: &Heads,
    ) -> Result<(), Error> {
        sqlx::query(
            "update subscription_cursors as its
             set acknowledged = told.at
             from (
                 select bucket, told.at
                 from subscription_cursors
                 join unnest($3::int8[]) with ordinality as told (at, number) on bucket = told.number - 1
                 where platform = $1 and subscription = $2 and acknowledged < told.at
                 -- Always in this order, so that two that move the same buckets cannot wait for
                 -- each other.
                 order by bucket
                 for update of subscription_cursors
             ) as told
             where its.bucket = told.bucket
                 and its.platform = $1
                 and its.subscription = $2
                 and its.acknowledged < told.at",
        )
        .bind(platform)
        .bind(subscription)
        .bind(&at[..])
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Says that a consumer is there, for as long as a [`LEASE`], and gives it its share of the
    /// buckets: none is left over, and no consumer has many more than another. None if there is no
    /// such subscription.
    pub async fn lease(
        &self,
        platform: &str,
        subscription: &str,
        consumer: &str,
    ) -> Result<Option<Vec<Leased>>, Error> {
        let mut transaction = self.pool.begin().await?;
        let whose = Whose { platform, subscription, consumer };
        let Some(consumers) = whose.attend(&mut transaction).await? else { return Ok(None) };
        let share = BUCKETS.div_ceil(consumers.max(1));
        let mut leased = whose.renew(&mut transaction).await?;
        if leased.len() > share {
            whose.release(&mut transaction, &leased.split_off(share)).await?;
        } else {
            leased.extend(whose.take(&mut transaction, share - leased.len()).await?);
        }
        transaction.commit().await?;
        Ok(Some(leased))
    }

    /// Gives a consumer's share back: it has gone.
    pub async fn leave(
        &self,
        platform: &str,
        subscription: &str,
        consumer: &str,
    ) -> Result<(), Error> {
        sqlx::query(
            "with gone as (
                 delete from subscription_consumers
                 where bucket = $1 and platform = $2 and subscription = $3 and consumer = $4
             )
             update subscription_cursors
             set consumer = null
             where platform = $2 and subscription = $3 and consumer = $4",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(subscription)
        .bind(consumer)
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}

/// Which consumer of which subscription.
struct Whose<'a> {
    platform: &'a str,
    subscription: &'a str,
    consumer: &'a str,
}

impl Whose<'_> {
    /// Notes that the consumer is there, and counts all that are; none without a subscription.
    async fn attend(&self, at: &mut PgTransaction<'_>) -> Result<Option<usize>, sqlx::Error> {
        let attending = sqlx::query(
            "insert into subscription_consumers (bucket, platform, subscription, consumer, lease_time)
             select bucket, platform, subscription, $4, now() + $5 * interval '1 second'
             from subscriptions
             where bucket = $1 and platform = $2 and subscription = $3
             on conflict (bucket, platform, subscription, consumer)
             do update set lease_time = excluded.lease_time",
        )
        .bind(Bucket::of_platform(self.platform))
        .bind(self.platform)
        .bind(self.subscription)
        .bind(self.consumer)
        .bind(LEASE.as_secs_f64())
        .execute(&mut **at)
        .await?;
        if attending.rows_affected() == 0 {
            return Ok(None);
        }
        let consumers: i64 = sqlx::query_scalar(
            "select count(*)
             from subscription_consumers
             where bucket = $1 and platform = $2 and subscription = $3 and lease_time > now()",
        )
        .bind(Bucket::of_platform(self.platform))
        .bind(self.platform)
        .bind(self.subscription)
        .fetch_one(&mut **at)
        .await?;
        Ok(Some(usize::try_from(consumers).unwrap_or(1)))
    }

    /// Keeps what the consumer has, unless somebody else took it meanwhile.
    async fn renew(&self, at: &mut PgTransaction<'_>) -> Result<Vec<Leased>, sqlx::Error> {
        sqlx::query_as(
            "update subscription_cursors as its
             set lease_time = now() + $4 * interval '1 second'
             from (
                 select bucket
                 from subscription_cursors
                 where platform = $1 and subscription = $2 and consumer = $3
                 order by bucket
                 for update
             ) as held
             where its.bucket = held.bucket and its.platform = $1 and its.subscription = $2
             returning its.bucket, its.acknowledged",
        )
        .bind(self.platform)
        .bind(self.subscription)
        .bind(self.consumer)
        .bind(LEASE.as_secs_f64())
        .fetch_all(&mut **at)
        .await
    }

    /// Takes buckets that nobody works on.
    async fn take(
        &self,
        at: &mut PgTransaction<'_>,
        count: usize,
    ) -> Result<Vec<Leased>, sqlx::Error> {
        sqlx::query_as(
            "update subscription_cursors as its
             set consumer = $3, lease_time = now() + $4 * interval '1 second'
             from (
                 select bucket
                 from subscription_cursors
                 where platform = $1 and subscription = $2 and (consumer is null or lease_time < now())
                 order by bucket
                 limit $5
                 for update skip locked
             ) as free
             where its.bucket = free.bucket and its.platform = $1 and its.subscription = $2
             returning its.bucket, its.acknowledged",
        )
        .bind(self.platform)
        .bind(self.subscription)
        .bind(self.consumer)
        .bind(LEASE.as_secs_f64())
        .bind(i64::try_from(count).unwrap_or(0))
        .fetch_all(&mut **at)
        .await
    }

    /// Lets others work on these.
    async fn release(
        &self,
        at: &mut PgTransaction<'_>,
        leased: &[Leased],
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "update subscription_cursors
             set consumer = null
             where bucket = any ($1) and platform = $2 and subscription = $3 and consumer = $4",
        )
        .bind(leased.iter().map(|it| it.bucket).collect::<Vec<_>>())
        .bind(self.platform)
        .bind(self.subscription)
        .bind(self.consumer)
        .execute(&mut **at)
        .await?;
        Ok(())
    }
}

impl FromRow<'_, PgRow> for SubscriptionRow {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            platform: row.try_get("platform")?,
            subscription: row.try_get("subscription")?,
            games: row.try_get("games")?,
            verbs: row.try_get("verbs")?,
            players: row.try_get("players")?,
            tags: row.try_get::<Json<_>, _>("tags")?.0,
            is_whole: row.try_get("is_whole")?,
            create_time: row.try_get("create_time")?,
        })
    }
}

impl FromRow<'_, PgRow> for Leased {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self { bucket: row.try_get("bucket")?, acknowledged: row.try_get("acknowledged")? })
    }
}
