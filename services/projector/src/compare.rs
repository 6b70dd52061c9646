//! Compares a model with what the record gives. A row that was altered by hand is served like any
//! other, and verification of the record does not find it.

use std::fmt::Write as _;
use std::time::Duration;

use positions::{Bucket, Position};
use rows::MatchId;
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgTransaction};
use store::Store;
use tokio::time::sleep;

use crate::error::Error;
use crate::fold::MatchState;
use crate::ingest::schema;
use crate::match_cache;
use crate::model::Model;
use crate::model::read_model::Compared;

/// What differs between a model and the record.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    /// Rows that the record does not give, and those that are missing.
    pub rows: u64,
    /// Where they are, as far as they are listed: a table, and the key of a row.
    pub listed: Vec<String>,
    /// Whether rows that depend on several matches were left out: their results were not settled,
    /// because no process projects.
    pub is_unsettled: bool,
}

/// Differences that are listed.
const LISTED_MAX: usize = 100;

/// Matches compared at a time, while nobody advances their bucket.
const PAGE: i64 = 64;

/// How long to wait for a bucket while it is advanced or rebuilt. Who compares has time, and an end
/// of the wait would be one of the whole comparison.
const BUCKET_WAIT: Duration = Duration::from_secs(60);

/// How often to wait until the results are settled.
const SETTLING_ATTEMPTS: u32 = 20;
const SETTLING_PAUSE: Duration = Duration::from_millis(500);

/// Compares a model with what the record gives. `progress` receives each bucket.
pub async fn compare(
    store: &Store,
    model: Model,
    progress: impl Fn(Bucket),
) -> Result<Differences, Error> {
    let mut comparison = Comparison::begin(store, model).await?;
    for bucket in Bucket::all() {
        progress(bucket);
        comparison.compare_bucket(bucket).await?;
    }
    if !model.compared_settled().is_empty() {
        comparison.compare_settled().await?;
    }
    Ok(comparison.differences)
}

/// A comparison under way. The rows that the record gives are written into temporary tables of the
/// model's names, which come first in the search path.
struct Comparison<'a> {
    store: &'a Store,
    model: Model,
    connection: PgConnection,
    /// The schema of the tables that are compared.
    schema: String,
    differences: Differences,
}

impl<'a> Comparison<'a> {
    async fn begin(store: &'a Store, model: Model) -> Result<Comparison<'a>, Error> {
        let mut connection = store.database().connection().await?;
        let schema = schema(&mut connection).await?;
        // Rows that only one match gives are not needed after they were compared.
        let kept = if model.compared_settled().is_empty() { "delete" } else { "preserve" };
        let mut script = format!("set lock_timeout = {};", BUCKET_WAIT.as_millis());
        for table in model.tables() {
            write!(
                script,
                "create temporary table {table} (like {schema}.{table} including all)
                 on commit {kept} rows;"
            )
            .expect("a string takes everything");
        }
        sqlx::raw_sql(AssertSqlSafe(script)).execute(&mut connection).await?;
        Ok(Comparison { store, model, connection, schema, differences: Differences::default() })
    }

    async fn compare_bucket(&mut self, bucket: Bucket) -> Result<(), Error> {
        let mut after = None;
        loop {
            let mut transaction = self.connection.begin().await?;
            // Nobody advances the bucket until the page is compared.
            let checkpoint: i64 = sqlx::query_scalar(
                "select bucket_position
                 from checkpoints
                 where bucket = $1 and model = $2 and generation = (
                     select generation
                     from projections
                     where projections.bucket = 0 and projections.model = $2
                 )
                 for update",
            )
            .bind(bucket)
            .bind(self.model.name())
            .fetch_one(&mut *transaction)
            .await?;
            let match_ids: Vec<MatchId> = sqlx::query_scalar(
                "select match_id
                 from matches
                 where bucket = $1 and ($2::uuid is null or match_id > $2)
                 order by match_id
                 limit $3",
            )
            .bind(bucket)
            .bind(after)
            .bind(PAGE)
            .fetch_all(&mut *transaction)
            .await?;
            let is_last = match_ids.len() < PAGE as usize;
            let until = match_ids.last().copied().filter(|_| !is_last);
            let left_out =
                give(self.store, self.model, &mut transaction, &match_ids, checkpoint).await?;
            for compared in self.model.compared() {
                let sql = difference(
                    compared,
                    &self.schema,
                    "bucket = $1
                     and ($2::uuid is null or match_id > $2)
                     and ($3::uuid is null or match_id <= $3)
                     and match_id <> all($4)",
                );
                let found = sqlx::query_as(AssertSqlSafe(sql))
                    .bind(bucket)
                    .bind(after)
                    .bind(until)
                    .bind(&left_out)
                    .fetch_all(&mut *transaction)
                    .await?;
                self.differences.add(compared, found);
            }
            transaction.commit().await?;
            match until {
                Some(last) => after = Some(last),
                None => return Ok(()),
            }
        }
    }

    /// Compares the rows that depend on several matches. Nobody settles results meanwhile.
    async fn compare_settled(&mut self) -> Result<(), Error> {
        for _ in 0..SETTLING_ATTEMPTS {
            if self.try_compare_settled().await? {
                return Ok(());
            }
            sleep(SETTLING_PAUSE).await;
        }
        self.differences.is_unsettled = true;
        Ok(())
    }

    /// Returns false if results are being settled.
    async fn try_compare_settled(&mut self) -> Result<bool, Error> {
        let (schema, model) = (self.schema.clone(), self.model);
        let mut transaction = self.connection.begin().await?;
        let sql =
            format!("select from {schema}.leagues order by bucket, platform, game for update");
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *transaction).await?;
        // A late result unsettles those after it, which the standings still include.
        let sql = format!(
            "select exists (
                 select
                 from {schema}.results
                 join {schema}.leagues using (platform, game)
                 where mean is null and end_time <= settled_time
             )"
        );
        if sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *transaction).await? {
            return Ok(false);
        }
        // Matches that ended after their bucket was compared.
        let sql = format!(
            "select distinct match_id
             from {schema}.results
             where mean is not null and not exists (
                 select
                 from pg_temp.results as given
                 where given.bucket = results.bucket
                 and given.match_id = results.match_id
                 and given.seat = results.seat
             )"
        );
        let late: Vec<MatchId> =
            sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut *transaction).await?;
        give(self.store, model, &mut transaction, &late, i64::MAX).await?;
        let sql = format!(
            "delete from pg_temp.results as given
             using {schema}.results
             where results.bucket = given.bucket
             and results.match_id = given.match_id
             and results.seat = given.seat
             and results.mean is null"
        );
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *transaction).await?;
        // Players may have been erased since.
        sqlx::query(
            "update pg_temp.results as given
             set player = seats.player
             from seats
             where seats.bucket = given.bucket
             and seats.match_id = given.match_id
             and seats.seat = given.seat
             and seats.player <> given.player",
        )
        .execute(&mut *transaction)
        .await?;
        let settled = model.settle(&mut transaction).await;
        settled
            .map_err(|source| Error::Unwritten { model: model.name(), source: source.into() })?;
        for compared in model.compared_settled() {
            let sql = difference(compared, &schema, compared.rows);
            let found = sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&mut *transaction).await?;
            self.differences.add(compared, found);
        }
        transaction.rollback().await?;
        Ok(true)
    }
}

impl Differences {
    fn add(&mut self, compared: &Compared, found: Vec<(String,)>) {
        self.rows += found.len() as u64;
        let room = LISTED_MAX.saturating_sub(self.listed.len());
        let named = found.into_iter().map(|(key,)| format!("{}: {key}", compared.table));
        self.listed.extend(named.take(room));
    }
}

/// Writes the rows that these matches give up to a checkpoint. Returns the matches that cannot
/// be read, which are not compared.
async fn give(
    store: &Store,
    model: Model,
    transaction: &mut PgTransaction<'_>,
    match_ids: &[MatchId],
    checkpoint: i64,
) -> Result<Vec<MatchId>, Error> {
    let (mut states, mut left_out) = (Vec::with_capacity(match_ids.len()), Vec::new());
    for &match_id in match_ids {
        match match_cache::read(store, match_id, checkpoint).await {
            Ok(Ok(state)) if state.position == Position::START => {}
            Ok(Ok(state)) => states.push(state),
            // Its content is archived and cannot be read, which verification of the record tells.
            Ok(Err(_)) | Err(Error::Log(event_log::Error::Cold(_))) => left_out.push(match_id),
            Err(error) => return Err(error),
        }
    }
    let states: Vec<&MatchState> = states.iter().collect();
    let written = model.write(transaction, &states).await;
    written.map_err(|source| Error::Unwritten { model: model.name(), source: source.into() })?;
    Ok(left_out)
}

/// A query of the keys of rows that one of the tables has and the other does not.
fn difference(compared: &Compared, schema: &str, rows: &str) -> String {
    let Compared { table, key, columns, .. } = compared;
    format!(
        "select distinct concat_ws(' ', {key})
         from (
             (select {columns} from pg_temp.{table} where {rows}
              except all
              select {columns} from {schema}.{table} where {rows})
             union all
             (select {columns} from {schema}.{table} where {rows}
              except all
              select {columns} from pg_temp.{table} where {rows})
         ) as different"
    )
}
