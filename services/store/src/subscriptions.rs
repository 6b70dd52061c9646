//! Subscriptions: named positions in a platform's stream, and the leases by which the consumers of
//! a subscription divide its buckets among them.

use crate::{BUCKETS, Bucket, Error, Heads, Marks, Store, Tags, positions};
use sqlx::postgres::PgRow;
use sqlx::types::Json;
use sqlx::{FromRow, Row};
use std::collections::HashMap;
use std::time::Duration;
use time::OffsetDateTime;

/// A subscription as it was created.
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

/// A bucket that a consumer has leased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leased {
    pub bucket: Bucket,
    /// Every entry up to this bucket position has been acknowledged.
    pub acknowledged: i64,
}

/// How long a consumer keeps its buckets without renewing its lease. Longer than a pause of its
/// process, short enough that its buckets do not wait long after a crash.
pub const LEASE: Duration = Duration::from_secs(10);

impl Store {
    /// Creates a subscription that begins after `start`, and that is sent to the URL of `push`,
    /// signed with its secret. Returns false if its name is taken.
    pub async fn create_subscription(
        &self,
        row: &SubscriptionRow,
        start: &Heads,
        push: Option<(&str, &[u8])>,
    ) -> Result<bool, Error> {
        let query = sqlx::query(
            "with created as (
                 insert into subscriptions
                     (bucket, platform, subscription, games, verbs, players, is_whole, create_time, tags)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $10)
                 on conflict do nothing
                 returning platform, subscription
             ), pushed as (
                 insert into webhooks (bucket, platform, subscription, url)
                 select $1, platform, subscription, $11
                 from created
                 where $11 is not null
             ), signed as (
                 insert into webhook_secrets
                     (bucket, platform, subscription, number, secret, create_time)
                 select $1, platform, subscription, 1, $12, $8
                 from created
                 where $11 is not null
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
        .bind(push.map(|(url, _)| url))
        .bind(push.map(|(_, secret)| secret));
        let created = self.write(query).await?;
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

    /// A platform's subscriptions by name, after the given name.
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

    /// Returns false if there is no such subscription.
    pub async fn delete_subscription(
        &self,
        platform: &str,
        subscription: &str,
    ) -> Result<bool, Error> {
        // It locks what it deletes in the order of a lease and of a consumer that leaves: first the
        // subscription, then its consumers, then its cursors.
        let query = sqlx::query(
            "with known as materialized (
                 select bucket, platform, subscription
                 from subscriptions
                 where bucket = $1 and platform = $2 and subscription = $3
                 for update
             ), leaving as materialized (
                 select consumer
                 from subscription_consumers
                 where bucket = $1 and platform = $2 and subscription = $3
                     and exists (select from known)
                 order by consumer
                 for update
             ), deleted as (
                 delete from subscriptions
                 where bucket = $1 and platform = $2 and subscription = $3
                     and (select count(*) from leaving) >= 0
                 returning platform, subscription
             )
             delete from subscription_cursors
             using deleted
             where subscription_cursors.platform = deleted.platform
                 and subscription_cursors.subscription = deleted.subscription",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(subscription);
        let deleted = self.write(query).await?;
        Ok(deleted.rows_affected() > 0)
    }

    /// How many subscriptions a platform has besides this one.
    pub async fn count_subscriptions(&self, platform: &str, besides: &str) -> Result<usize, Error> {
        let count: i64 = sqlx::query_scalar(
            "select count(*)
             from subscriptions
             where bucket = $1 and platform = $2 and subscription <> $3",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(besides)
        .fetch_one(&self.pool)
        .await?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// The acknowledged positions and the consumers of these subscriptions, by name.
    pub async fn subscription_states(
        &self,
        platform: &str,
        subscriptions: &[String],
    ) -> Result<HashMap<String, (Heads, Vec<String>)>, Error> {
        let mut states: HashMap<String, (Heads, Vec<String>)> =
            subscriptions.iter().map(|it| (it.clone(), ([0; BUCKETS], Vec::new()))).collect();
        let positions: Vec<(String, Bucket, i64)> = sqlx::query_as(
            "select subscription, bucket, acknowledged
             from subscription_cursors
             where bucket between 0 and 63 and platform = $1 and subscription = any ($2)",
        )
        .bind(platform)
        .bind(subscriptions)
        .fetch_all(&self.pool)
        .await?;
        for (subscription, bucket, acknowledged) in positions {
            if let Some((at, _)) = states.get_mut(&subscription) {
                at[bucket.index()] = acknowledged;
            }
        }
        let consumers: Vec<(String, String)> = sqlx::query_as(
            "select subscription, consumer
             from subscription_consumers
             where bucket = $1 and platform = $2 and subscription = any ($3) and lease_time > now()
             order by consumer",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(subscriptions)
        .fetch_all(&self.pool)
        .await?;
        for (subscription, consumer) in consumers {
            if let Some((_, consumers)) = states.get_mut(&subscription) {
                consumers.push(consumer);
            }
        }
        Ok(states)
    }

    /// Advances a subscription to these positions, in each bucket whose position is lower.
    pub async fn acknowledge(
        &self,
        platform: &str,
        subscription: &str,
        at: &Marks,
    ) -> Result<(), Error> {
        let query = sqlx::query(
            "update subscription_cursors as its
             set acknowledged = given.at
             from (
                 select bucket, given.at
                 from subscription_cursors
                 join unnest($3::int8[], $4::bytea[]) with ordinality as given (at, digest, number)
                     on bucket = given.number - 1
                 where platform = $1 and subscription = $2 and acknowledged < given.at
                 -- The database may have gone back since the position was seen to hold.
                     and (given.digest is null or exists (
                         select from entries
                         where entries.bucket = subscription_cursors.bucket
                             and entries.bucket_position = given.at
                             and entries.digest = given.digest
                     ))
                 -- Always in this order, so that two calls for the same buckets cannot deadlock.
                 order by bucket
                 for update of subscription_cursors
             ) as given
             where its.bucket = given.bucket
                 and its.platform = $1
                 and its.subscription = $2
                 and its.acknowledged < given.at",
        )
        .bind(platform)
        .bind(subscription)
        .bind(&positions(at)[..])
        .bind(at.map(|mark| mark.digest.map(|digest| digest.as_bytes().to_vec())).to_vec());
        self.write(query).await?;
        Ok(())
    }

    /// Renews a consumer's lease for [`LEASE`] and returns its share of the buckets. The shares
    /// cover all buckets and are nearly equal once every consumer has called again. None if there
    /// is no such subscription.
    pub async fn lease(
        &self,
        platform: &str,
        subscription: &str,
        consumer: &str,
    ) -> Result<Option<Vec<Leased>>, Error> {
        // The statement sees the consumers as they were before it: it counts the others and adds
        // itself. It locks the subscription before its cursors, as the deletion does.
        let query = sqlx::query_as(
            "with known as materialized (
                 select bucket, platform, subscription
                 from subscriptions
                 where bucket = $1 and platform = $2 and subscription = $3
                 for key share
             ), registered as (
                 insert into subscription_consumers
                     (bucket, platform, subscription, consumer, lease_time)
                 select bucket, platform, subscription, $4, now() + $5 * interval '1 second'
                 from known
                 on conflict (bucket, platform, subscription, consumer)
                 do update set lease_time = excluded.lease_time
                 returning bucket
             ), share as materialized (
                 select ($6 + others) / (1 + others) as buckets
                 from (
                     select count(*) as others
                     from subscription_consumers
                     where bucket = $1 and platform = $2 and subscription = $3
                         and consumer <> $4 and lease_time > now()
                 ) as counted
             ), held as materialized (
                 select bucket
                 from subscription_cursors
                 where platform = $2 and subscription = $3 and consumer = $4
                     and exists (select from registered)
                 order by bucket
                 for update
             ), free as materialized (
                 select bucket
                 from subscription_cursors
                 where platform = $2 and subscription = $3 and consumer is distinct from $4
                     and (consumer is null or lease_time < now())
                     and exists (select from registered)
                 order by bucket
                 limit greatest(0, (select buckets from share) - (select count(*) from held))
                 for update skip locked
             ), leased as materialized (
                 select bucket, row_number() over (order by bucket) <= share.buckets as is_kept
                 from held
                 cross join share
                 union all
                 select bucket, true
                 from free
             ), updated as (
                 update subscription_cursors as its
                 set consumer = case when is_kept then $4 end,
                     lease_time = now() + $5 * interval '1 second'
                 from leased
                 where its.bucket = leased.bucket and its.platform = $2 and its.subscription = $3
                 returning its.bucket, its.acknowledged, is_kept
             )
             select exists (select from registered),
                 coalesce(array_agg(bucket) filter (where is_kept), '{}'),
                 coalesce(array_agg(acknowledged) filter (where is_kept), '{}')
             from updated",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(subscription)
        .bind(consumer)
        .bind(LEASE.as_secs_f64())
        .bind(BUCKETS as i64);
        let (is_known, buckets, acknowledged): (bool, Vec<Bucket>, Vec<i64>) =
            self.write_returning(query).await?;
        let leased = buckets.into_iter().zip(acknowledged);
        let leased = leased.map(|(bucket, acknowledged)| Leased { bucket, acknowledged });
        Ok(is_known.then(|| leased.collect()))
    }

    /// Takes a subscription back to these positions, in each bucket whose position is higher: the
    /// record no longer has what it acknowledged.
    pub async fn rewind(
        &self,
        platform: &str,
        subscription: &str,
        at: &Heads,
    ) -> Result<(), Error> {
        let query = sqlx::query(
            "update subscription_cursors as its
             set acknowledged = given.at, planned = null
             from (
                 select bucket, given.at
                 from subscription_cursors
                 join unnest($3::int8[]) with ordinality as given (at, number)
                     on bucket = given.number - 1
                 where platform = $1 and subscription = $2 and acknowledged > given.at
                 -- Locked in the order in which an acknowledgement locks them.
                 order by bucket
                 for update of subscription_cursors
             ) as given
             where its.bucket = given.bucket
                 and its.platform = $1
                 and its.subscription = $2
                 and its.acknowledged > given.at",
        )
        .bind(platform)
        .bind(subscription)
        .bind(&at[..]);
        self.write(query).await?;
        Ok(())
    }

    /// Removes a consumer and frees its buckets.
    pub async fn leave(
        &self,
        platform: &str,
        subscription: &str,
        consumer: &str,
    ) -> Result<(), Error> {
        let query = sqlx::query(
            "with removed as (
                 delete from subscription_consumers
                 where bucket = $1 and platform = $2 and subscription = $3 and consumer = $4
                 returning bucket
             )
             update subscription_cursors
             set consumer = null
             where platform = $2 and subscription = $3 and consumer = $4
                 -- The consumer is locked before the cursors, as by a lease.
                 and (select count(*) from removed) >= 0",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(subscription)
        .bind(consumer);
        self.write(query).await.map(drop)
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
