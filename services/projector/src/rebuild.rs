//! Rebuilds a model from the first entry, while its current tables stay in use and up to date.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use futures::future::try_join_all;
use positions::{Bucket, positions};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use store::Store;

use crate::error::Error;
use crate::ingest::{Ingester, LOCK_WAIT, schema};
use crate::model::Model;

/// The result of a rebuild.
#[derive(Clone, Copy, Debug)]
pub struct Rebuilt {
    pub generation: i32,
    pub entries: u64,
    /// The time until everything was ingested and settled.
    pub took: Duration,
}

/// Entries of a bucket ingested at a time: enough that a match is written once or twice instead of
/// with each entry.
const PAGE: i64 = 5000;

/// Buckets ingested concurrently: one reads while another writes.
const WORKERS: usize = 3;

/// How often to try to lock the old tables, which readers use, for [`LOCK_WAIT`] each time.
const SWITCH_ATTEMPTS: u32 = 20;

/// Rebuilds a model and switches to it. `progress` receives the number of entries ingested and the
/// total.
pub async fn rebuild(
    store: &Store,
    model: Model,
    progress: impl Fn(u64, u64),
) -> Result<Rebuilt, Error> {
    let began = Instant::now();
    let mut connection = store.database().connection().await?;
    let is_sharded = store.database().is_sharded().await?;
    let generation = begin(&mut connection, model, is_sharded).await?;
    let ingested = Arc::<AtomicU64>::default();
    let total = positions(&store.log().bucket_heads().await?).iter().sum::<i64>().unsigned_abs();
    let report = || progress(ingested.load(Relaxed), total.max(ingested.load(Relaxed)));
    let workers = (0..WORKERS).map(|nth| {
        let buckets = Bucket::all().skip(nth).step_by(WORKERS).collect();
        catch_up(Ingester::new(store, &[model], Some(generation)), buckets, &ingested, &report)
    });
    try_join_all(workers).await?;
    let mut ingester = Ingester::new(store, &[model], Some(generation));
    ingester.settle().await?;
    let took = began.elapsed();
    switch(&mut connection, &mut ingester, model, generation).await?;
    report();
    Ok(Rebuilt { generation, entries: ingested.load(Relaxed), took })
}

/// Creates empty tables in the schema `rebuilding`. Tables of another rebuild are dropped, even if
/// it is still running.
async fn begin(
    connection: &mut PgConnection,
    model: Model,
    is_sharded: bool,
) -> Result<i32, Error> {
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
    let schema = schema(&mut transaction).await?;
    for table in model.tables() {
        let new = format!("rebuilding.{table}");
        let mut changes = vec![
            format!("drop table if exists {new}"),
            format!("create table {new} (like {schema}.{table} including all)"),
        ];
        if is_sharded {
            changes.push(schema::distribution_of(&new, &format!("{schema}.buckets")));
        }
        change(&mut transaction, changes).await?;
        copy_grants(&mut transaction, &schema, table).await?;
    }
    sqlx::query(
        "delete from checkpoints
         using projections
         where checkpoints.model = $1
         and projections.bucket = 0
         and projections.model = checkpoints.model
         and checkpoints.generation <> projections.generation",
    )
    .bind(model.name())
    .execute(&mut *transaction)
    .await?;
    sqlx::query(
        "insert into checkpoints (bucket, model, generation, bucket_position)
         select bucket, $1, $2, 0
         from buckets",
    )
    .bind(model.name())
    .bind(generation)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(generation)
}

/// Changes tables one after the other: a sharded database accepts one change at a time.
async fn change(
    connection: &mut PgConnection,
    changes: impl IntoIterator<Item = String>,
) -> Result<(), Error> {
    for change in changes {
        sqlx::raw_sql(AssertSqlSafe(change)).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Gives the new table the rights of the old one, which `like` leaves out: services may run as a
/// role that does not own it.
async fn copy_grants(
    connection: &mut PgConnection,
    schema: &str,
    table: &str,
) -> Result<(), Error> {
    let grants: Option<String> = sqlx::query_scalar(
        "select string_agg(
             format(
                 'grant %s on rebuilding.%I to %s',
                 privilege_type,
                 relname,
                 case grantee when 0 then 'public' else grantee::regrole::text end
             ),
             ';'
         )
         from pg_class
         cross join aclexplode(relacl)
         where pg_class.oid = $1::regclass and grantee <> relowner",
    )
    .bind(format!("{schema}.{table}"))
    .fetch_one(&mut *connection)
    .await?;
    if let Some(grants) = grants {
        change(connection, grants.split(';').map(str::to_owned)).await?;
    }
    Ok(())
}

/// Ingests all entries of these buckets.
async fn catch_up(
    mut ingester: Ingester,
    buckets: Vec<Bucket>,
    ingested: &AtomicU64,
    report: &impl Fn(),
) -> Result<(), Error> {
    for bucket in buckets {
        loop {
            match ingester.ingest(&[bucket], PAGE).await? {
                0 => break,
                entries => ingested.fetch_add(entries as u64, Relaxed),
            };
            report();
        }
    }
    Ok(())
}

/// Replaces the old tables by the new ones.
async fn switch(
    connection: &mut PgConnection,
    ingester: &mut Ingester,
    model: Model,
    generation: i32,
) -> Result<(), Error> {
    for _ in 0..SWITCH_ATTEMPTS {
        match try_switch(connection, ingester, model, generation).await {
            Err(Error::Database(database::Error::Unavailable(error))) if is_lock_wait(&error) => {
                tracing::debug!("readers use the old tables, retrying");
            }
            done => return done,
        }
    }
    Err(Error::TablesInUse)
}

async fn try_switch(
    connection: &mut PgConnection,
    ingester: &mut Ingester,
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
        return Err(Error::Superseded);
    }
    // With these rows locked, no process advances the old tables, so the new ones can catch up.
    let mut old: Vec<(Bucket, i64)> = Vec::new();
    let buckets: Vec<Bucket> = Bucket::all().collect();
    let at_once = if ingester.store.database().is_sharded().await? { 1 } else { buckets.len() };
    for buckets in buckets.chunks(at_once) {
        let of_buckets = sqlx::query_as(
            "select bucket, bucket_position
             from checkpoints
             where bucket = any($3) and model = $1 and generation <> $2
             order by bucket
             for update",
        );
        let of_buckets = of_buckets.bind(model.name()).bind(generation).bind(buckets);
        old.append(&mut of_buckets.fetch_all(&mut *transaction).await?);
    }
    catch_up_with(ingester, model, &old).await?;
    let schema = schema(&mut transaction).await?;
    for table in model.tables() {
        // All tables are locked before the first is dropped, so that no query reads both old and
        // new tables.
        let lock = format!("lock table {schema}.{table} in access exclusive mode");
        sqlx::raw_sql(AssertSqlSafe(lock)).execute(&mut *transaction).await?;
    }
    for table in model.tables() {
        let changes = [
            format!("drop table {schema}.{table}"),
            format!("alter table rebuilding.{table} set schema {schema}"),
        ];
        change(&mut transaction, changes).await?;
    }
    sqlx::query("update projections set generation = $2 where bucket = 0 and model = $1")
        .bind(model.name())
        .bind(generation)
        .execute(&mut *transaction)
        .await?;
    sqlx::query("delete from checkpoints where model = $1 and generation <> $2")
        .bind(model.name())
        .bind(generation)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// Advances the new tables at least to the old checkpoints.
async fn catch_up_with(
    ingester: &mut Ingester,
    model: Model,
    old: &[(Bucket, i64)],
) -> Result<(), Error> {
    loop {
        let [(_, new)] = ingester.checkpoints(&[model]).await?[..] else {
            unreachable!("one model was requested")
        };
        let is_behind = |&&(bucket, old): &&(Bucket, i64)| new[bucket.index()] < old;
        let behind: Vec<Bucket> = old.iter().filter(is_behind).map(|&(bucket, _)| bucket).collect();
        if behind.is_empty() {
            return ingester.settle().await;
        }
        ingester.ingest(&behind, PAGE).await?;
    }
}

fn is_lock_wait(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.code().as_deref() == Some("55P03"))
}
