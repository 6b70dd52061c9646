//! Subscriptions that the service sends to an endpoint: URL, secrets, progress and the latest
//! attempts.
//!
//! A sending process leases buckets like any consumer. Every change to a bucket's progress requires
//! the lease, so a process that has lost it, or whose subscription was recreated, no longer changes
//! anything.
//!
//! These changes do not wait until they are durable, which would take longer than sending. Messages
//! whose progress a database crash loses are sent again.

use std::collections::HashMap;
use std::time::Duration;

use database::{Error, Group, groups};
use positions::{Bucket, Heads, Mark, Position, Term};
use rows::MatchId;
use sqlx::postgres::PgRow;
use sqlx::{Connection, FromRow, Row};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Deliveries;
use crate::subscriptions::SubscriptionRow;

/// The number of attempts that are kept per subscription.
const DELIVERIES_MAX: i64 = 500;

/// The maximum number of secrets with which a message is signed.
pub const SECRETS_MAX: usize = 4;

/// A subscription that is sent, with all that sending needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    pub row: SubscriptionRow,
    pub url: String,
    pub generation: i32,
    /// The signing secrets, newest first.
    pub secrets: Vec<Vec<u8>>,
    /// The term of which the endpoint was told; unknown if it was told of none.
    pub told: Term,
}

/// The state of a subscription that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookState {
    pub url: String,
    pub disabled_time: Option<OffsetDateTime>,
    /// When messages began to fail; `None` if none fails.
    pub failing_since: Option<OffsetDateTime>,
    pub next_attempt: Option<OffsetDateTime>,
    /// The error of the latest failure.
    pub failure: Option<String>,
    /// When the last of the earlier secrets expires.
    pub secret_expire_time: Option<OffsetDateTime>,
}

/// The attempts in a bucket so far, as far as the next one needs them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketProgress {
    pub bucket: Bucket,
    pub acknowledged: i64,
    pub planned: Option<i64>,
    pub attempts: u32,
    /// How long until the next attempt is due.
    pub wait: Duration,
}

/// How far a bucket was sent, and how far its next messages reach.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub bucket: Bucket,
    pub sent: Mark,
    pub until: Option<i64>,
}

/// A stored attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryRow {
    pub delivery: Uuid,
    pub attempt_time: OffsetDateTime,
    pub duration: Duration,
    pub message: String,
    /// The content of the message; `None` for a test.
    pub part: Option<DeliveredPart>,
    pub entries: usize,
    /// Counted from 1.
    pub attempt: u32,
    pub status: Option<u16>,
    pub failure: Option<String>,
    pub answer: String,
}

/// The part of a match that a message holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveredPart {
    pub bucket: Bucket,
    /// The bucket position after which it begins.
    pub after: i64,
    pub match_id: MatchId,
    pub first: Position,
    pub last: Position,
}

/// The outcome of a rotation of secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// When the secrets before it expire.
    Rotated { expire_time: OffsetDateTime },
    /// The maximum number of secrets have not expired.
    TooMany,
    /// Another rotation came first.
    Conflict,
}

/// Consecutive failures of a bucket's messages, which are tried again after `wait`.
#[derive(Clone, Copy, Debug)]
pub struct BucketFailure<'a> {
    pub bucket: Bucket,
    pub attempts: u32,
    pub wait: Duration,
    pub failure: &'a str,
}

/// The row of a [`BucketProgress`], with the seconds until the next attempt.
type ProgressRow = (Bucket, i64, Option<i64>, i32, Option<f64>);

/// A subscription with failing messages in a bucket: its name, when they began to fail, the next
/// attempt, and the error.
type FailingRow = (String, OffsetDateTime, Option<OffsetDateTime>, Option<String>);

/// Records how far a bucket was sent, and its next messages.
macro_rules! plan {
    ($bucket:literal) => {
        concat!(
            "with planned as (
                 update subscription_cursors as its
                 set acknowledged = greatest(its.acknowledged, given.at),
                     digest_position = given.at,
                     digest = given.digest,
                     planned = given.until,
                     attempts = 0,
                     failing_since = null,
                     next_attempt = null,
                     failure = null
                 from (
                     select its.bucket, given.at, given.digest, given.until
                     from subscription_cursors as its
                     join unnest($4::smallint[], $5::int8[], $6::bytea[], $7::int8[])
                         as given (bucket, at, digest, until) on its.bucket = given.bucket
                     where its.bucket = ",
            $bucket,
            "
                         and its.platform = $1 and its.subscription = $2 and its.consumer = $3
                         -- As in an acknowledgement: the database may have gone back.
                         and (given.digest is null or exists (
                             select 1
                             from entries
                             where entries.bucket = ",
            $bucket,
            "
                                 and entries.bucket_position = given.at
                                 and entries.digest = given.digest
                         ))
                     order by its.bucket
                     for update of its
                 ) as given
                 where its.bucket = given.bucket
                     and its.bucket = ",
            $bucket,
            "
                     and its.platform = $1
                     and its.subscription = $2
                     and its.consumer = $3
                 returning its.bucket
             )
             select coalesce(array_agg(bucket), '{}')
             from planned
             where (select set_config('synchronous_commit', 'off', true)) = 'off'"
        )
    };
}

impl Deliveries {
    /// Every enabled webhook of platforms that are not suspended.
    pub async fn enabled_webhooks(&self) -> Result<Vec<Webhook>, Error> {
        if !self.database().may_have("webhooks", "its.disabled_time is null").await {
            return Ok(Vec::new());
        }
        let rows = sqlx::query(
            "select s.*, w.url, w.generation, w.told_term, secrets.secrets
             from webhooks as w
             join subscriptions as s using (bucket, platform, subscription)
             join platforms as p on p.bucket = w.bucket and p.platform = w.platform
             cross join lateral (
                 select coalesce(array_agg(secret order by number desc), '{}') as secrets
                 from webhook_secrets as its
                 where its.bucket = w.bucket
                     and its.platform = w.platform
                     and its.subscription = w.subscription
                     and (expire_time is null or expire_time > now())
             ) as secrets
             where w.disabled_time is null and p.suspend_time is null",
        )
        .fetch_all(self.pool_of_all())
        .await?;
        let webhook = |row: &PgRow| -> Result<Webhook, sqlx::Error> {
            Ok(Webhook {
                row: SubscriptionRow::from_row(row)?,
                url: row.try_get("url")?,
                generation: row.try_get("generation")?,
                secrets: row.try_get("secrets")?,
                told: row.try_get("told_term")?,
            })
        };
        Ok(rows.iter().map(webhook).collect::<Result<_, _>>()?)
    }

    /// Notes that the endpoint of a subscription was told of a term.
    pub async fn tell_webhook(
        &self,
        platform: &str,
        subscription: &str,
        term: Term,
    ) -> Result<(), Error> {
        let query = sqlx::query(
            "update webhooks
             set told_term = greatest(told_term, $4)
             where bucket = $1 and platform = $2 and subscription = $3",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .bind(term);
        self.database().write_at(Bucket::of_name(platform), query).await?;
        Ok(())
    }

    /// The URL and the secrets of a subscription, newest first; `None` if it is not a webhook.
    pub async fn find_webhook(
        &self,
        platform: &str,
        subscription: &str,
    ) -> Result<Option<(String, Vec<Vec<u8>>)>, Error> {
        let found = sqlx::query_as(
            "select url, (
                 select coalesce(array_agg(secret order by number desc), '{}')
                 from webhook_secrets
                 where bucket = $1 and platform = $2 and subscription = $3
                     and (expire_time is null or expire_time > now())
             )
             from webhooks
             where bucket = $1 and platform = $2 and subscription = $3",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .fetch_optional(self.at(Bucket::of_name(platform)))
        .await?;
        Ok(found)
    }

    /// The state of these subscriptions, as far as they are webhooks, by name.
    pub async fn webhook_states(
        &self,
        platform: &str,
        subscriptions: &[String],
    ) -> Result<HashMap<String, WebhookState>, Error> {
        let rows = sqlx::query(
            "select subscription, url, disabled_time, secret_expire_time
             from webhooks
             cross join lateral (
                 select max(expire_time) as secret_expire_time
                 from webhook_secrets as its
                 where its.bucket = $1
                     and its.platform = $2
                     and its.subscription = webhooks.subscription
                     and expire_time > now()
             ) as secrets
             where bucket = $1 and platform = $2 and subscription = any ($3)",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscriptions)
        .fetch_all(self.at(Bucket::of_name(platform)))
        .await?;
        if rows.is_empty() {
            return Ok(HashMap::new());
        }
        let failing: Vec<FailingRow> = sqlx::query_as(
            "select subscription, failing_since, next_attempt, failure
             from subscription_cursors
             where bucket between 0 and 63
                 and platform = $1 and subscription = any ($2) and failing_since is not null
             order by next_attempt",
        )
        .bind(platform)
        .bind(subscriptions)
        .fetch_all(self.pool_of_all())
        .await?;
        let state = |row: &PgRow| -> Result<(String, WebhookState), sqlx::Error> {
            let state = WebhookState {
                url: row.try_get("url")?,
                disabled_time: row.try_get("disabled_time")?,
                failing_since: None,
                next_attempt: None,
                failure: None,
                secret_expire_time: row.try_get("secret_expire_time")?,
            };
            Ok((row.try_get("subscription")?, state))
        };
        let mut states: HashMap<String, WebhookState> =
            rows.iter().map(state).collect::<Result<_, _>>()?;
        for (subscription, failing_since, next_attempt, failure) in failing {
            let Some(state) = states.get_mut(&subscription) else { continue };
            state.failing_since = state.failing_since.into_iter().chain([failing_since]).min();
            state.next_attempt = state.next_attempt.or(next_attempt);
            state.failure = failure;
        }
        Ok(states)
    }

    /// Adds a secret. Earlier secrets expire after `overlap` at the latest.
    pub async fn rotate_secret(
        &self,
        platform: &str,
        subscription: &str,
        secret: &[u8],
        overlap: Duration,
    ) -> Result<Rotation, Error> {
        // The key decides between concurrent rotations, since each sees the same last number.
        let query = sqlx::query_as(
            "with known as materialized (
                 select number, expire_time is null or expire_time > now() as is_valid
                 from webhook_secrets
                 where bucket = $1 and platform = $2 and subscription = $3
             ), allowed as materialized (
                 select count(*) filter (where is_valid) < $6 as is_allowed,
                     coalesce(max(number), 0) + 1 as number
                 from known
             ), added as (
                 insert into webhook_secrets
                     (bucket, platform, subscription, number, secret, create_time)
                 select $1, $2, $3, number, $4, now()
                 from allowed
                 where is_allowed
                 on conflict do nothing
                 returning number
             ), expiring as (
                 update webhook_secrets
                 set expire_time = now() + $5 * interval '1 second'
                 where bucket = $1 and platform = $2 and subscription = $3
                     and number < (select number from added)
                     and (expire_time is null or expire_time > now() + $5 * interval '1 second')
                 returning number
             ), removed as (
                 delete from webhook_secrets
                 where bucket = $1 and platform = $2 and subscription = $3
                     and expire_time <= now()
                     and exists (select 1 from added)
                 returning number
             )
             select is_allowed, exists (select 1 from added), now() + $5 * interval '1 second'
             from allowed",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .bind(secret)
        .bind(overlap.as_secs_f64())
        .bind(SECRETS_MAX as i64);
        let (is_allowed, is_added, expire_time): (bool, bool, OffsetDateTime) =
            self.database().write_returning_at(Bucket::of_name(platform), query).await?;
        Ok(match (is_allowed, is_added) {
            (false, _) => Rotation::TooMany,
            (true, false) => Rotation::Conflict,
            (true, true) => Rotation::Rotated { expire_time },
        })
    }

    // === Sending ===

    /// The progress of the buckets that a consumer has leased.
    pub async fn webhook_progress(
        &self,
        platform: &str,
        subscription: &str,
        consumer: &str,
    ) -> Result<Vec<BucketProgress>, Error> {
        let rows: Vec<ProgressRow> = sqlx::query_as(
            "select bucket, acknowledged, planned, attempts,
                 extract(epoch from next_attempt - now())::float8
             from subscription_cursors
             where bucket between 0 and 63
                 and platform = $1 and subscription = $2 and consumer = $3
             order by bucket",
        )
        .bind(platform)
        .bind(subscription)
        .bind(consumer)
        .fetch_all(self.pool_of_all())
        .await?;
        let progress = rows.into_iter().map(|(bucket, acknowledged, planned, attempts, wait_s)| {
            let wait = Duration::try_from_secs_f64(wait_s.unwrap_or(0.0)).unwrap_or_default();
            let attempts = u32::try_from(attempts).unwrap_or(0);
            BucketProgress { bucket, acknowledged, planned, attempts, wait }
        });
        Ok(progress.collect())
    }

    /// Records how far these buckets were sent, and their next messages. Returns the buckets that
    /// the consumer still has; the others belong to another consumer, or the record went back.
    pub async fn plan_webhook(
        &self,
        platform: &str,
        subscription: &str,
        consumer: &str,
        plans: &[Plan],
    ) -> Result<Vec<Bucket>, Error> {
        let mut planned = Vec::new();
        let is_sharded = self.database().is_sharded().await?;
        for Group { is_of_one, of } in groups(plans.to_vec(), is_sharded, |it| it.bucket) {
            let query = match is_of_one {
                true => sqlx::query_as(plan!("$8")),
                false => sqlx::query_as(plan!("given.bucket")),
            };
            let query = query
                .bind(platform)
                .bind(subscription)
                .bind(consumer)
                .bind(of.iter().map(|it| it.bucket).collect::<Vec<_>>())
                .bind(of.iter().map(|it| it.sent.position).collect::<Vec<_>>())
                .bind(digests(&of))
                .bind(of.iter().map(|it| it.until).collect::<Vec<_>>());
            let (mut buckets,): (Vec<Bucket>,) = match of.first().filter(|_| is_of_one) {
                Some(plan) => {
                    let query = query.bind(plan.bucket);
                    self.database().write_returning_at(plan.bucket, query).await?
                }
                None => self.database().write_returning(query).await?,
            };
            planned.append(&mut buckets);
        }
        Ok(planned)
    }

    /// Records that messages of a bucket failed and are tried again later. Returns for how long
    /// they have been failing; `None` if the consumer no longer has the bucket.
    pub async fn fail_webhook(
        &self,
        platform: &str,
        subscription: &str,
        consumer: &str,
        it: BucketFailure<'_>,
    ) -> Result<Option<Duration>, Error> {
        let BucketFailure { bucket, attempts, wait, failure } = it;
        let query = sqlx::query_as(
            "with failed as (
                 update subscription_cursors
                 set attempts = $5,
                     failing_since = least(failing_since, now()),
                     next_attempt = now() + $6 * interval '1 second',
                     failure = $7
                 where bucket = $1 and platform = $2 and subscription = $3 and consumer = $4
                 returning failing_since
             )
             select extract(epoch from now() - max(failing_since))::float8
             from failed
             where (select set_config('synchronous_commit', 'off', true)) = 'off'",
        )
        .bind(bucket)
        .bind(platform)
        .bind(subscription)
        .bind(consumer)
        .bind(attempts.cast_signed())
        .bind(wait.as_secs_f64())
        .bind(failure);
        let (since_s,): (Option<f64>,) = self.database().write_returning_at(bucket, query).await?;
        Ok(since_s.map(|it| Duration::try_from_secs_f64(it).unwrap_or_default()))
    }

    /// Retries the failed messages of a subscription at once, because its endpoint has accepted
    /// one.
    pub async fn hurry_webhook(&self, platform: &str, subscription: &str) -> Result<(), Error> {
        if self.database().is_sharded().await? {
            let hurrying = sqlx::query(
                "update subscription_cursors
                 set next_attempt = now()
                 where platform = $1 and subscription = $2 and next_attempt > now()",
            );
            return self
                .database()
                .write(hurrying.bind(platform).bind(subscription))
                .await
                .map(drop);
        }
        let query = sqlx::query(
            "update subscription_cursors
             set next_attempt = now()
             where bucket in (
                 select bucket
                 from subscription_cursors
                 where platform = $1 and subscription = $2 and next_attempt > now()
                     and (select set_config('synchronous_commit', 'off', true)) = 'off'
                 order by bucket
                 for update
             ) and platform = $1 and subscription = $2 and next_attempt > now()",
        )
        .bind(platform)
        .bind(subscription);
        self.database().write(query).await.map(drop)
    }

    /// Disables a subscription of this generation and endpoint. Returns false if it already was.
    pub async fn disable_webhook(
        &self,
        platform: &str,
        subscription: &str,
        generation: i32,
        url: &str,
    ) -> Result<bool, Error> {
        let query = sqlx::query(
            "update webhooks
             set disabled_time = now()
             where bucket = $1 and platform = $2 and subscription = $3
                 and generation = $4 and url = $5 and disabled_time is null",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .bind(generation)
        .bind(url);
        Ok(self.database().write_at(Bucket::of_name(platform), query).await?.rows_affected() > 0)
    }

    /// Restarts a subscription at once, after these positions or at its current one. Every lease
    /// ends, so pending changes of other processes have no effect. Returns false if it is not a
    /// webhook.
    pub async fn restart_webhook(
        &self,
        platform: &str,
        subscription: &str,
        at: Option<&Heads>,
    ) -> Result<bool, Error> {
        if self.database().is_sharded().await? {
            return self.restart_sharded_webhook(platform, subscription, at).await;
        }
        let query = sqlx::query_as(
            "with restarted as (
                 update webhooks
                 set generation = generation + 1, disabled_time = null
                 where bucket = $1 and platform = $2 and subscription = $3
                 returning bucket
             ), left_alone as (
                 delete from subscription_consumers
                 where bucket = $1 and platform = $2 and subscription = $3
                     and exists (select 1 from restarted)
                 returning bucket
             ), locked as materialized (
                 select bucket
                 from subscription_cursors
                 where platform = $2 and subscription = $3
                     -- Consumers are locked before cursors, as by a lease.
                     and (select count(*) from left_alone) >= 0
                     and exists (select 1 from restarted)
                 order by bucket
                 for update
             ), moved as (
                 update subscription_cursors as its
                 set acknowledged = coalesce(($4::int8[])[its.bucket + 1], its.acknowledged),
                     consumer = null,
                     lease_time = null,
                     planned = null,
                     attempts = 0,
                     failing_since = null,
                     next_attempt = null,
                     failure = null
                 from locked
                 where its.bucket = locked.bucket
                     and its.platform = $2
                     and its.subscription = $3
                 returning its.bucket
             )
             select exists (select 1 from restarted) and (select count(*) from moved) >= 0",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .bind(at.map(|at| &at[..]));
        let (is_known,): (bool,) = self.database().write_returning(query).await?;
        Ok(is_known)
    }

    /// The same where the cursors are on several nodes.
    async fn restart_sharded_webhook(
        &self,
        platform: &str,
        subscription: &str,
        at: Option<&Heads>,
    ) -> Result<bool, Error> {
        let mut connection = self.database().connection().await?;
        let mut transaction = connection.begin().await?;
        let restarted = sqlx::query(
            "update webhooks
             set generation = generation + 1, disabled_time = null
             where bucket = $1 and platform = $2 and subscription = $3",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .execute(&mut *transaction)
        .await
        .map_err(Error::of_write)?;
        if restarted.rows_affected() == 0 {
            return Ok(false);
        }
        sqlx::query(
            "delete from subscription_consumers
             where bucket = $1 and platform = $2 and subscription = $3",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .execute(&mut *transaction)
        .await
        .map_err(Error::of_write)?;
        sqlx::query(
            "update subscription_cursors
             set acknowledged = coalesce(($3::int8[])[bucket + 1], acknowledged),
                 consumer = null,
                 lease_time = null,
                 planned = null,
                 attempts = 0,
                 failing_since = null,
                 next_attempt = null,
                 failure = null
             where platform = $1 and subscription = $2",
        )
        .bind(platform)
        .bind(subscription)
        .bind(at.map(|at| &at[..]))
        .execute(&mut *transaction)
        .await
        .map_err(Error::of_write)?;
        transaction.commit().await.map_err(Error::of_write)?;
        Ok(true)
    }

    /// Changes the endpoint, and retries waiting messages at once. Returns false if the
    /// subscription is not a webhook.
    pub async fn move_webhook(
        &self,
        platform: &str,
        subscription: &str,
        url: &str,
    ) -> Result<bool, Error> {
        if self.database().is_sharded().await? {
            let moving = sqlx::query(
                "update webhooks
                 set url = $4, disabled_time = null
                 where bucket = $1 and platform = $2 and subscription = $3",
            );
            let moving =
                moving.bind(Bucket::of_name(platform)).bind(platform).bind(subscription).bind(url);
            if self.database().write_at(Bucket::of_name(platform), moving).await?.rows_affected()
                == 0
            {
                return Ok(false);
            }
            self.try_anew(platform, subscription).await?;
            return Ok(true);
        }
        let query = sqlx::query_as(
            "with moved as (
                 update webhooks
                 set url = $4, disabled_time = null
                 where bucket = $1 and platform = $2 and subscription = $3
                 returning bucket
             ), locked as materialized (
                 select bucket
                 from subscription_cursors
                 where platform = $2 and subscription = $3
                     and exists (select 1 from moved)
                 order by bucket
                 for update
             ), hurried as (
                 update subscription_cursors as its
                 set attempts = 0, failing_since = null, next_attempt = null, failure = null
                 from locked
                 where its.bucket = locked.bucket
                     and its.platform = $2
                     and its.subscription = $3
                 returning its.bucket
             )
             select exists (select 1 from moved) and (select count(*) from hurried) >= 0",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .bind(url);
        let (is_known,): (bool,) = self.database().write_returning(query).await?;
        Ok(is_known)
    }

    /// Retries waiting messages at once, as if none had failed.
    pub(crate) async fn try_anew(&self, platform: &str, subscription: &str) -> Result<(), Error> {
        let hurrying = match self.database().is_sharded().await? {
            true => sqlx::query(
                "update subscription_cursors
                 set attempts = 0, failing_since = null, next_attempt = null, failure = null
                 where platform = $1 and subscription = $2",
            ),
            false => sqlx::query(
                "with locked as materialized (
                     select bucket
                     from subscription_cursors
                     where platform = $1 and subscription = $2
                     order by bucket
                     for update
                 )
                 update subscription_cursors as its
                 set attempts = 0, failing_since = null, next_attempt = null, failure = null
                 from locked
                 where its.bucket = locked.bucket
                     and its.platform = $1
                     and its.subscription = $2",
            ),
        };
        self.database().write(hurrying.bind(platform).bind(subscription)).await.map(drop)
    }

    // === Deliveries ===

    /// Stores attempts, and removes the oldest.
    pub async fn note_deliveries(
        &self,
        platform: &str,
        subscription: &str,
        rows: &[DeliveryRow],
    ) -> Result<(), Error> {
        let part = |of: fn(&DeliveredPart) -> i64| -> Vec<Option<i64>> {
            rows.iter().map(|it| it.part.as_ref().map(of)).collect()
        };
        let query = sqlx::query(
            "with forgotten as (
                 delete from webhook_deliveries
                 where bucket = $1 and platform = $2 and subscription = $3
                     and delivery in (
                         select delivery
                         from webhook_deliveries
                         where bucket = $1 and platform = $2 and subscription = $3
                         order by attempt_time desc, delivery desc
                         offset greatest(0, $18 - cardinality($4::uuid[]))
                     )
             )
             insert into webhook_deliveries (
                 bucket, platform, subscription, delivery, attempt_time, duration_ms, message,
                 log_bucket, after, match_id, first_position, last_position, entries,
                 attempt, status, failure, answer
             )
             select $1, $2, $3, given.*
             from unnest(
                 $4::uuid[], $5::timestamptz[], $6::int[], $7::text[],
                 $8::smallint[], $9::int8[], $10::uuid[], $11::int8[], $12::int8[], $13::int[],
                 $14::int[], $15::int[], $16::text[], $17::text[]
             ) as given
             where (select set_config('synchronous_commit', 'off', true)) = 'off' and exists (
                 select 1 from webhooks
                 where bucket = $1 and platform = $2 and subscription = $3
             )",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .bind(rows.iter().map(|it| it.delivery).collect::<Vec<_>>())
        .bind(rows.iter().map(|it| it.attempt_time).collect::<Vec<_>>())
        .bind(rows.iter().map(|it| millis(it.duration)).collect::<Vec<_>>())
        .bind(rows.iter().map(|it| it.message.as_str()).collect::<Vec<_>>())
        .bind(rows.iter().map(|it| it.part.map(|it| it.bucket)).collect::<Vec<_>>())
        .bind(part(|it| it.after))
        .bind(rows.iter().map(|it| it.part.map(|it| it.match_id)).collect::<Vec<_>>())
        .bind(part(|it| it.first.0))
        .bind(part(|it| it.last.0))
        .bind(rows.iter().map(|it| int(it.entries)).collect::<Vec<_>>())
        .bind(rows.iter().map(|it| int(it.attempt as usize)).collect::<Vec<_>>())
        .bind(rows.iter().map(|it| it.status.map(i32::from)).collect::<Vec<_>>())
        .bind(rows.iter().map(|it| it.failure.as_deref()).collect::<Vec<_>>())
        .bind(rows.iter().map(|it| it.answer.as_str()).collect::<Vec<_>>())
        .bind(DELIVERIES_MAX);
        self.database().write_at(Bucket::of_name(platform), query).await.map(drop)
    }

    /// The latest attempts before the given one, newest first.
    pub async fn list_deliveries(
        &self,
        platform: &str,
        subscription: &str,
        before: Option<(OffsetDateTime, Uuid)>,
        limit: i64,
    ) -> Result<Vec<DeliveryRow>, Error> {
        let rows = sqlx::query(
            "select *
             from webhook_deliveries
             where bucket = $1 and platform = $2 and subscription = $3
                 and ($4::timestamptz is null or (attempt_time, delivery) < ($4, $5))
             order by attempt_time desc, delivery desc
             limit $6",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(subscription)
        .bind(before.map(|it| it.0))
        .bind(before.map(|it| it.1))
        .bind(limit)
        .fetch_all(self.at(Bucket::of_name(platform)))
        .await?;
        Ok(rows.iter().map(DeliveryRow::from_row).collect::<Result<_, _>>()?)
    }
}

fn digests(plans: &[Plan]) -> Vec<Option<Vec<u8>>> {
    plans.iter().map(|it| it.sent.digest.map(|digest| digest.as_bytes().to_vec())).collect()
}

fn millis(duration: Duration) -> i32 {
    i32::try_from(duration.as_millis()).unwrap_or(i32::MAX)
}

fn int(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

impl FromRow<'_, PgRow> for DeliveryRow {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        let unsigned = |name| -> Result<u64, sqlx::Error> {
            Ok(u64::try_from(row.try_get::<i32, _>(name)?).unwrap_or(0))
        };
        let match_id: Option<MatchId> = row.try_get("match_id")?;
        let part = match match_id {
            None => None,
            Some(match_id) => Some(DeliveredPart {
                bucket: row.try_get("log_bucket")?,
                after: row.try_get("after")?,
                match_id,
                first: row.try_get("first_position")?,
                last: row.try_get("last_position")?,
            }),
        };
        let status: Option<i32> = row.try_get("status")?;
        Ok(Self {
            delivery: row.try_get("delivery")?,
            attempt_time: row.try_get("attempt_time")?,
            duration: Duration::from_millis(unsigned("duration_ms")?),
            message: row.try_get("message")?,
            part,
            entries: unsigned("entries")? as usize,
            attempt: unsigned("attempt")? as u32,
            status: status.and_then(|it| u16::try_from(it).ok()),
            failure: row.try_get("failure")?,
            answer: row.try_get("answer")?,
        })
    }
}
