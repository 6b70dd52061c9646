//! Subscriptions: named positions in a platform's stream, and the leases by which the consumers of
//! a subscription divide its buckets among themselves.

use std::collections::HashMap;
use std::time::Duration;

use database::Error;
use futures::{StreamExt, TryStreamExt, stream};
use positions::{BUCKETS, Bookmark, Bucket, Digest, Heads, Mark, Term};
use rows::Tags;
use sqlx::postgres::PgRow;
use sqlx::types::Json;
use sqlx::{Connection, FromRow, Row};
use time::OffsetDateTime;

use crate::Deliveries;

/// A subscription: its filter may change, the rest is as it was created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionRow {
    pub platform: String,
    pub subscription: String,
    pub games: Vec<String>,
    pub verbs: Vec<String>,
    pub players: Vec<String>,
    /// What is to have happened, by the names of the use cases; empty for anything.
    pub happenings: Vec<String>,
    pub tags: Tags,
    pub is_whole: bool,
    pub create_time: OffsetDateTime,
}

/// What to change of a subscription; `None` leaves what is there.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubscriptionUpdate<'a> {
    /// The filter of this row, without `is_whole`.
    pub filter: Option<&'a SubscriptionRow>,
    pub is_whole: Option<bool>,
    /// Of its webhook, which must exist.
    pub url: Option<&'a str>,
}

/// A bucket that a consumer has leased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leased {
    pub bucket: Bucket,
    /// Every entry up to this bucket position has been acknowledged, and the digest of the one at
    /// it, if it is known.
    pub acknowledged: Mark,
    /// The term of the cursor that was acknowledged; unknown for one of an earlier release.
    pub term: Term,
}

/// How long a consumer keeps its buckets without renewing its lease. It is longer than a pause of a
/// process, and short enough that buckets do not wait long after a crash.
pub const LEASE: Duration = Duration::from_secs(10);

/// How many buckets a consumer takes at once where each is taken by itself. One after the other
/// they could take longer than the lease.
const TAKEN_AT_ONCE: usize = 8;

/// Whether the subscription exists; and of each bucket that is leased, the bucket, the acknowledged
/// position, its digest and its term.
type LeasedRow = (bool, Vec<Bucket>, Vec<i64>, Vec<Option<Vec<u8>>>, Vec<i64>);

/// Advances cursors. One that was acknowledged in an earlier term moves back, too.
macro_rules! acknowledge {
    ($bucket:literal) => {
        concat!(
            "update subscription_cursors as its
             set acknowledged = given.at,
                 term = greatest(its.term, $6),
                 digest_position = given.at,
                 digest = given.digest
             from (
                 select own.bucket, given.at, given.digest
                 from subscription_cursors as own
                 join unnest($3::int8[], $4::bytea[], $5::smallint[]) as given (at, digest, bucket)
                     on own.bucket = given.bucket
                 where own.bucket = ",
            $bucket,
            "
                     and platform = $1 and subscription = $2
                     and (
                         acknowledged < given.at
                         or (term < $6 and (0 < term or acknowledged = given.at))
                     )
                 -- The database may have gone back since the position was seen to hold.
                     and (given.digest is null or exists (
                         select 1
                         from entries
                         where entries.bucket = ",
            $bucket,
            "
                             and entries.bucket_position = given.at
                             and entries.digest = given.digest
                     ))
                 -- Always in this order, so that two calls for the same buckets cannot deadlock.
                 order by own.bucket
                 for update of own
             ) as given
             where its.bucket = given.bucket
                 and its.bucket = ",
            $bucket,
            "
                 and its.platform = $1
                 and its.subscription = $2
                 and (its.acknowledged < given.at or its.term < $6)"
        )
    };
}

/// Renews or begins a consumer's lease: `registered` has a row if the subscription exists.
macro_rules! register {
    () => {
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
         )"
    };
}

/// Moves cursors back.
macro_rules! rewind {
    ($bucket:literal) => {
        concat!(
            "update subscription_cursors as its
             set acknowledged = given.at, planned = null
             from (
                 select own.bucket, given.at
                 from subscription_cursors as own
                 join unnest($3::int8[], $4::smallint[]) as given (at, bucket)
                     on own.bucket = given.bucket
                 where own.bucket = ",
            $bucket,
            "
                     and platform = $1 and subscription = $2 and acknowledged > given.at
                 -- Locked in the order in which an acknowledgement locks them.
                 order by own.bucket
                 for update of own
             ) as given
             where its.bucket = given.bucket
                 and its.bucket = ",
            $bucket,
            "
                 and its.platform = $1
                 and its.subscription = $2
                 and its.acknowledged > given.at"
        )
    };
}

impl Deliveries {
    /// Creates a subscription that begins after `start` and, with `push`, is sent to its URL,
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
                     (
                         bucket, platform, subscription, games, verbs, players, is_whole, create_time,
                         tags, happenings
                     )
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $10, $13)
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
        .bind(Bucket::of_name(&row.platform))
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
        .bind(push.map(|(_, secret)| secret))
        .bind(&row.happenings);
        let created = self.database().write(query).await?;
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
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .fetch_optional(self.at(Bucket::of_name(platform)))
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
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(after)
        .bind(limit)
        .fetch_all(self.at(Bucket::of_name(platform)))
        .await?;
        Ok(rows)
    }

    /// Changes a subscription, all or nothing; positions and leases stay. Returns false if there is
    /// no such subscription.
    pub async fn update_subscription(
        &self,
        platform: &str,
        subscription: &str,
        update: SubscriptionUpdate<'_>,
    ) -> Result<bool, Error> {
        let SubscriptionUpdate { filter, is_whole, url } = update;
        let query = sqlx::query_as(
            "with changed as (
                 update subscriptions
                 set games = coalesce($4, games),
                     verbs = coalesce($5, verbs),
                     players = coalesce($6, players),
                     happenings = coalesce($7, happenings),
                     tags = coalesce($8, tags),
                     is_whole = coalesce($9, is_whole)
                 where bucket = $1 and platform = $2 and subscription = $3
                 returning platform
             ), moved as (
                 update webhooks
                 set url = $10, disabled_time = null
                 where bucket = $1 and platform = $2 and subscription = $3
                     and $10::text is not null
                     and exists (select 1 from changed)
             )
             select exists (select 1 from changed)",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .bind(filter.map(|it| &it.games))
        .bind(filter.map(|it| &it.verbs))
        .bind(filter.map(|it| &it.players))
        .bind(filter.map(|it| &it.happenings))
        .bind(filter.map(|it| Json(&it.tags)))
        .bind(is_whole)
        .bind(url);
        let (is_known,): (bool,) =
            self.database().write_returning_at(Bucket::of_name(platform), query).await?;
        if is_known && url.is_some() {
            self.try_anew(platform, subscription).await?;
        }
        Ok(is_known)
    }

    /// Returns false if there is no such subscription.
    pub async fn delete_subscription(
        &self,
        platform: &str,
        subscription: &str,
    ) -> Result<bool, Error> {
        if self.database().is_sharded().await? {
            return self.delete_sharded_subscription(platform, subscription).await;
        }
        // It locks in the same order as a lease and a leaving consumer: first the subscription,
        // then its consumers, then its cursors.
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
                     and exists (select 1 from known)
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
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription);
        let deleted = self.database().write(query).await?;
        Ok(deleted.rows_affected() > 0)
    }

    /// The same where the cursors are on several nodes.
    async fn delete_sharded_subscription(
        &self,
        platform: &str,
        subscription: &str,
    ) -> Result<bool, Error> {
        let mut connection = self.database().connection().await?;
        let mut transaction = connection.begin().await?;
        let deleted = sqlx::query(
            "delete from subscriptions where bucket = $1 and platform = $2 and subscription = $3",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .execute(&mut *transaction)
        .await
        .map_err(Error::of_write)?;
        sqlx::query("delete from subscription_cursors where platform = $1 and subscription = $2")
            .bind(platform)
            .bind(subscription)
            .execute(&mut *transaction)
            .await
            .map_err(Error::of_write)?;
        transaction.commit().await.map_err(Error::of_write)?;
        Ok(deleted.rows_affected() > 0)
    }

    /// The number of a platform's subscriptions besides this one.
    pub async fn count_subscriptions(&self, platform: &str, besides: &str) -> Result<usize, Error> {
        let count: i64 = sqlx::query_scalar(
            "select count(*)
             from subscriptions
             where bucket = $1 and platform = $2 and subscription <> $3",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(besides)
        .fetch_one(self.at(Bucket::of_name(platform)))
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
        .fetch_all(self.pool_of_all())
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
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscriptions)
        .fetch_all(self.at(Bucket::of_name(platform)))
        .await?;
        for (subscription, consumer) in consumers {
            if let Some((_, consumers)) = states.get_mut(&subscription) {
                consumers.push(consumer);
            }
        }
        Ok(states)
    }

    /// Advances a subscription to these positions, in each bucket whose position is lower. Buckets
    /// that were acknowledged in an earlier term move back, too.
    pub async fn acknowledge(
        &self,
        platform: &str,
        subscription: &str,
        at: &Bookmark,
    ) -> Result<(), Error> {
        let is_of = |bucket: &Bucket| at.buckets & bucket.bit() != 0;
        let marks: Vec<(Bucket, Mark)> =
            Bucket::all().filter(is_of).map(|it| (it, at.marks[it.index()])).collect();
        for (is_of_one, of) in self.cursor_groups(platform, subscription, marks, at.term).await? {
            let query = match is_of_one {
                true => sqlx::query(acknowledge!("$7")),
                false => sqlx::query(acknowledge!("given.bucket")),
            };
            let digests = of.iter().map(|(_, it)| it.digest.map(|it| it.as_bytes().to_vec()));
            let query = query
                .bind(platform)
                .bind(subscription)
                .bind(of.iter().map(|(_, it)| it.position).collect::<Vec<_>>())
                .bind(digests.collect::<Vec<_>>())
                .bind(of.iter().map(|(bucket, _)| *bucket).collect::<Vec<_>>())
                .bind(at.term);
            if is_of_one {
                let (its, _) = of[0];
                self.database().write_at(its, query.bind(its)).await?;
            } else {
                self.database().write(query).await?;
            }
        }
        Ok(())
    }

    /// The cursors that one statement may lock: those of all buckets, or in a sharded database
    /// those of one bucket, without those that are already there, in this term or a later one.
    async fn cursor_groups(
        &self,
        platform: &str,
        subscription: &str,
        mut marks: Vec<(Bucket, Mark)>,
        term: Term,
    ) -> Result<Vec<(bool, Vec<(Bucket, Mark)>)>, Error> {
        if !self.database().is_sharded().await? {
            return Ok(vec![(false, marks)]);
        }
        let cursors: Vec<(Bucket, i64, Term)> = sqlx::query_as(
            "select bucket, acknowledged, term
             from subscription_cursors
             where bucket between 0 and 63 and platform = $1 and subscription = $2",
        )
        .bind(platform)
        .bind(subscription)
        .fetch_all(self.pool_of_all())
        .await?;
        marks.retain(|(bucket, mark)| {
            let its = cursors.iter().find(|(its, ..)| its == bucket);
            its.is_some_and(|(_, position, its)| *position != mark.position || *its < term)
        });
        Ok(marks.into_iter().map(|mark| (true, vec![mark])).collect())
    }

    /// Renews a consumer's lease for [`LEASE`] and returns its share of the buckets. The shares
    /// cover all buckets and are nearly equal once every consumer has called again. Returns `None`
    /// if there is no such subscription.
    pub async fn lease(
        &self,
        platform: &str,
        subscription: &str,
        consumer: &str,
    ) -> Result<Option<Vec<Leased>>, Error> {
        if self.database().is_sharded().await? {
            return self.lease_by_bucket(platform, subscription, consumer).await;
        }
        // The statement sees the consumers as they were before it, so it counts the others and adds
        // itself. It locks the subscription before its cursors, as the deletion does.
        let query = sqlx::query_as(concat!(
            register!(),
            ", share as materialized (
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
                     and exists (select 1 from registered)
                 order by bucket
                 for update
             ), free as materialized (
                 select bucket
                 from subscription_cursors
                 where platform = $2 and subscription = $3 and consumer is distinct from $4
                     and (consumer is null or lease_time < now())
                     and exists (select 1 from registered)
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
                 returning its.bucket, its.acknowledged, its.term, is_kept,
                     case when its.digest_position = its.acknowledged then its.digest end as digest
             )
             select exists (select 1 from registered),
                 coalesce(array_agg(bucket) filter (where is_kept), '{}'),
                 coalesce(array_agg(acknowledged) filter (where is_kept), '{}'),
                 coalesce(array_agg(digest) filter (where is_kept), '{}'),
                 coalesce(array_agg(term) filter (where is_kept), '{}')
             from updated",
        ))
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .bind(consumer)
        .bind(LEASE.as_secs_f64())
        .bind(BUCKETS as i64);
        let (is_known, buckets, acknowledged, digests, terms): LeasedRow =
            self.database().write_returning(query).await?;
        let leased = buckets.into_iter().zip(acknowledged).zip(digests).zip(terms);
        let leased = leased.map(|(((bucket, acknowledged), digest), term)| {
            leased_of(bucket, acknowledged, digest, term)
        });
        Ok(is_known.then(|| leased.collect()))
    }

    /// The same where the cursors are on several nodes: each is taken, kept or given back by its
    /// own statement. A cursor that another consumer takes first stays with it.
    async fn lease_by_bucket(
        &self,
        platform: &str,
        subscription: &str,
        consumer: &str,
    ) -> Result<Option<Vec<Leased>>, Error> {
        let registering = sqlx::query_as(concat!(
            register!(),
            "
             select (select count(*) from registered), (
                 select count(*)
                 from subscription_consumers
                 where bucket = $1 and platform = $2 and subscription = $3
                     and consumer <> $4 and lease_time > now()
             )",
        ));
        let registering = registering
            .bind(Bucket::of_name(platform))
            .bind(platform)
            .bind(subscription)
            .bind(consumer)
            .bind(LEASE.as_secs_f64());
        let (registered, others): (i64, i64) =
            self.database().write_returning_at(Bucket::of_name(platform), registering).await?;
        if registered == 0 {
            return Ok(None);
        }
        let cursors: Vec<(Bucket, bool)> = sqlx::query_as(
            "select bucket, coalesce(consumer = $3, false)
             from subscription_cursors
             where bucket between 0 and 63 and platform = $1 and subscription = $2
                 and (consumer = $3 or consumer is null or lease_time < now())
             order by bucket",
        )
        .bind(platform)
        .bind(subscription)
        .bind(consumer)
        .fetch_all(self.pool_of_all())
        .await?;
        let share =
            (BUCKETS + others.unsigned_abs() as usize) / (1 + others.unsigned_abs() as usize);
        let (held, free): (Vec<_>, Vec<_>) = cursors.into_iter().partition(|(_, is_held)| *is_held);
        let excess = held.iter().skip(share).map(|(bucket, _)| (*bucket, false));
        let kept = held.iter().chain(&free).take(share.max(held.len())).enumerate();
        let kept = kept.filter(|(nth, _)| *nth < share).map(|(_, (bucket, _))| (*bucket, true));
        let each: Vec<_> = kept
            .chain(excess)
            .map(|(bucket, is_kept)| {
                self.take_cursor(platform, subscription, consumer, bucket, is_kept)
            })
            .collect();
        let taken: Vec<Option<Leased>> =
            stream::iter(each).buffered(TAKEN_AT_ONCE).try_collect().await?;
        let leased = taken.into_iter().flatten().collect();
        Ok(Some(leased))
    }

    /// Takes or keeps the cursor of a bucket, or gives it back. `None` if another consumer has it.
    async fn take_cursor(
        &self,
        platform: &str,
        subscription: &str,
        consumer: &str,
        bucket: Bucket,
        is_kept: bool,
    ) -> Result<Option<Leased>, Error> {
        let taking = sqlx::query_as(
            "update subscription_cursors
             set consumer = case when $5 then $4 end,
                 lease_time = now() + $6 * interval '1 second'
             where bucket = $1 and platform = $2 and subscription = $3
                 and (consumer = $4 or consumer is null or lease_time < now())
             returning acknowledged,
                 case when digest_position = acknowledged then digest end, term",
        );
        let taking = taking
            .bind(bucket)
            .bind(platform)
            .bind(subscription)
            .bind(consumer)
            .bind(is_kept)
            .bind(LEASE.as_secs_f64());
        let taken: Option<(i64, Option<Vec<u8>>, i64)> =
            self.database().write_returning_any_at(bucket, taking).await?;
        let taken = taken.filter(|_| is_kept);
        Ok(taken.map(|(acknowledged, digest, term)| leased_of(bucket, acknowledged, digest, term)))
    }

    /// Moves a subscription back to these positions, in each bucket whose position is higher: the
    /// record no longer has the entries that it acknowledged.
    pub async fn rewind(
        &self,
        platform: &str,
        subscription: &str,
        at: &Heads,
    ) -> Result<(), Error> {
        let marks: Vec<(Bucket, Mark)> =
            Bucket::all().map(|bucket| (bucket, Mark::new(at[bucket.index()], None))).collect();
        let term = Term::UNKNOWN;
        for (is_of_one, of) in self.cursor_groups(platform, subscription, marks, term).await? {
            let query = match is_of_one {
                true => sqlx::query(rewind!("$5")),
                false => sqlx::query(rewind!("given.bucket")),
            };
            let query = query
                .bind(platform)
                .bind(subscription)
                .bind(of.iter().map(|(_, it)| it.position).collect::<Vec<_>>())
                .bind(of.iter().map(|(bucket, _)| *bucket).collect::<Vec<_>>());
            if is_of_one {
                let (its, _) = of[0];
                self.database().write_at(its, query.bind(its)).await?;
            } else {
                self.database().write(query).await?;
            }
        }
        Ok(())
    }

    /// Removes a consumer and frees its buckets.
    pub async fn leave(
        &self,
        platform: &str,
        subscription: &str,
        consumer: &str,
    ) -> Result<(), Error> {
        if self.database().is_sharded().await? {
            let leaving = sqlx::query(
                "delete from subscription_consumers
                 where bucket = $1 and platform = $2 and subscription = $3 and consumer = $4",
            );
            let leaving = leaving
                .bind(Bucket::of_name(platform))
                .bind(platform)
                .bind(subscription)
                .bind(consumer);
            self.database().write_at(Bucket::of_name(platform), leaving).await?;
            let freeing = sqlx::query(
                "update subscription_cursors
                 set consumer = null
                 where platform = $1 and subscription = $2 and consumer = $3",
            );
            let freeing = freeing.bind(platform).bind(subscription).bind(consumer);
            return self.database().write(freeing).await.map(drop);
        }
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
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .bind(consumer);
        self.database().write(query).await.map(drop)
    }
}

fn leased_of(bucket: Bucket, acknowledged: i64, digest: Option<Vec<u8>>, term: i64) -> Leased {
    let digest = digest.and_then(|digest| Digest::try_from(&digest[..]).ok());
    Leased { bucket, acknowledged: Mark::new(acknowledged, digest), term: Term(term) }
}

impl FromRow<'_, PgRow> for SubscriptionRow {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            platform: row.try_get("platform")?,
            subscription: row.try_get("subscription")?,
            games: row.try_get("games")?,
            verbs: row.try_get("verbs")?,
            players: row.try_get("players")?,
            happenings: row.try_get("happenings")?,
            tags: row.try_get::<Json<_>, _>("tags")?.0,
            is_whole: row.try_get("is_whole")?,
            create_time: row.try_get("create_time")?,
        })
    }
}
