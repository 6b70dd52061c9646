//! Rebuilding: a model made anew from the first entry on, beside the old one, which is read and
//! kept up meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use futures::future::try_join_all;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use store::{Bucket, Store};

use crate::take::{LOCK_WAIT, Taker};
use crate::{Error, Model};

/// What a rebuild did.
#[derive(Clone, Copy, Debug)]
pub struct Rebuilt {
    pub generation: i32,
    pub entries: u64,
    /// Until everything was taken in and settled.
    pub took: Duration,
}

/// Entries of a bucket taken in at a time: enough that a match is written once or twice, not once
/// an entry.
const PAGE: i64 = 5000;

/// Buckets at a time: one reads while another writes.
const WORKERS: usize = 3;

/// How often readers are asked to let go of the old tables, each time for as long as [`LOCK_WAIT`].
const SWITCH_ATTEMPTS: u32 = 20;

/// Rebuilds a model and switches to it. `progress` is told how many entries were taken in and how
/// many there are, as they grow.
pub async fn rebuild(
    store: &Store,
    model: Model,
    progress: impl Fn(u64, u64),
) -> Result<Rebuilt, Error> {
    let began = Instant::now();
    let mut connection = store.connection().await?;
    let generation = begin(&mut connection, model).await?;
    let taken = Arc::<AtomicU64>::default();
    let total = store.bucket_heads().await?.iter().sum::<i64>().unsigned_abs();
    let report = || progress(taken.load(Relaxed), total.max(taken.load(Relaxed)));
    let workers = (0..WORKERS).map(|nth| {
        let buckets = Bucket::all().skip(nth).step_by(WORKERS).collect();
        catch_up(Taker::new(store, &[model], Some(generation)), buckets, &taken, &report)
    });
    try_join_all(workers).await?;
    let mut taker = Taker::new(store, &[model], Some(generation));
    taker.settle().await?;
    let took = began.elapsed();
    switch(&mut connection, &mut taker, model, generation).await?;
    report();
    Ok(Rebuilt { generation, entries: taken.load(Relaxed), took })
}

/// Makes empty tables beside the ones that are read. Tables that another rebuild left are dropped,
/// be it under way or not.
async fn begin(connection: &mut PgConnection, model: Model) -> Result<i32, Error> {
    let mut transaction = connection.begin().await?;
    let generation = sqlx::query_scalar(
        "update projections
         set begun = begun + 1
         where bucket = 0 and model = $1
         returning begun",
    )
    .bind(model.name())
    .fetch_one(&mut *transaction)
    .await?;
    for table in model.tables() {
        let anew = format!(
            "drop table if exists rebuilding.{table};
             create table rebuilding.{table} (like public.{table} including all)"
        );
        sqlx::raw_sql(AssertSqlSafe(anew)).execute(&mut *transaction).await?;
    }
    sqlx::query(
        "with abandoned as (
             delete from checkpoints
             using projections
             where checkpoints.model = $1
             and projections.bucket = 0
             and projections.model = checkpoints.model
             and checkpoints.generation <> projections.generation
         )
         insert into checkpoints (bucket, model, generation, bucket_position)
         select bucket, $1, $2, 0
         from generate_series(0, 63) as each (bucket)",
    )
    .bind(model.name())
    .bind(generation)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(generation)
}

/// Takes in all there is in these buckets.
async fn catch_up(
    mut taker: Taker,
    buckets: Vec<Bucket>,
    taken: &AtomicU64,
    report: &impl Fn(),
) -> Result<(), Error> {
    for bucket in buckets {
        loop {
            match taker.take(&[bucket], PAGE).await? {
                0 => break,
                entries => taken.fetch_add(entries as u64, Relaxed),
            };
            report();
        }
    }
    Ok(())
}

/// Puts the new tables in the place of the old ones.
async fn switch(
    connection: &mut PgConnection,
    taker: &mut Taker,
    model: Model,
    generation: i32,
) -> Result<(), Error> {
    for _ in 0..SWITCH_ATTEMPTS {
        match try_switch(connection, taker, model, generation).await {
            Err(Error::Store(store::Error::Unavailable(error))) if is_lock_wait(&error) => {
                tracing::debug!("readers hold the old tables, trying again");
            }
            done => return done,
        }
    }
    Err(Error::Held)
}

async fn try_switch(
    connection: &mut PgConnection,
    taker: &mut Taker,
    model: Model,
    generation: i32,
) -> Result<(), Error> {
    let mut transaction = connection.begin().await?;
    sqlx::query("select set_config('lock_timeout', $1, true)")
        .bind(LOCK_WAIT.as_millis().to_string())
        .execute(&mut *transaction)
        .await?;
    let begun: i32 = sqlx::query_scalar(
        "select begun
         from projections
         where bucket = 0 and model = $1
         for update",
    )
    .bind(model.name())
    .fetch_one(&mut *transaction)
    .await?;
    if begun != generation {
        return Err(Error::Overtaken);
    }
    // Whoever takes the old tables further holds these rows; with them in hand, the new ones need
    // only come as far.
    let old: Vec<(Bucket, i64)> = sqlx::query_as(
        "select bucket, bucket_position
         from checkpoints
         where model = $1 and generation <> $2
         order by bucket
         for update",
    )
    .bind(model.name())
    .bind(generation)
    .fetch_all(&mut *transaction)
    .await?;
    reach(taker, model, &old).await?;
    for table in model.tables() {
        // All of them before the first is dropped, so that nobody reads one old table and one new.
        let lock = format!("lock table public.{table} in access exclusive mode");
        sqlx::raw_sql(AssertSqlSafe(lock)).execute(&mut *transaction).await?;
    }
    for table in model.tables() {
        let switch = format!(
            "drop table public.{table};
             alter table rebuilding.{table} set schema public"
        );
        sqlx::raw_sql(AssertSqlSafe(switch)).execute(&mut *transaction).await?;
    }
    sqlx::query(
        "with switched as (
             update projections
             set generation = $2
             where bucket = 0 and model = $1
         )
         delete from checkpoints
         where model = $1 and generation <> $2",
    )
    .bind(model.name())
    .bind(generation)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}

/// Takes the new tables at least as far as the old ones are.
async fn reach(taker: &mut Taker, model: Model, old: &[(Bucket, i64)]) -> Result<(), Error> {
    loop {
        let [(_, new)] = taker.checkpoints(&[model]).await?[..] else {
            unreachable!("one was asked for")
        };
        let is_behind = |&&(bucket, old): &&(Bucket, i64)| new[bucket.index()] < old;
        let behind: Vec<Bucket> = old.iter().filter(is_behind).map(|&(bucket, _)| bucket).collect();
        if behind.is_empty() {
            return taker.settle().await;
        }
        taker.take(&behind, PAGE).await?;
    }
}

fn is_lock_wait(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.code().as_deref() == Some("55P03"))
}
