//! Compares models with what the record gives. A row that was altered by hand is served like any
//! other, and verification of the record does not find it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Duration;

use futures::stream::{self, StreamExt};
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

/// Matches read at a time.
const READS_MAX: usize = 4;

/// Compares every model with what the record gives. `progress` receives each bucket.
pub async fn compare(
    store: &Store,
    progress: impl Fn(Bucket),
) -> Result<Vec<(Model, Differences)>, Error> {
    let mut comparison = Comparison::begin(store).await?;
    for bucket in Bucket::all() {
        progress(bucket);
        comparison.compare_bucket(bucket).await?;
    }
    for model in Model::ALL {
        if !model.compared_settled().is_empty() {
            comparison.compare_settled(model).await?;
        }
    }
    Ok(comparison.differences.into())
}

/// A comparison under way. The rows that the record gives are written into temporary tables of the
/// models' names, which come first in the search path.
struct Comparison<'a> {
    store: &'a Store,
    connection: PgConnection,
    /// The schema of the tables that are compared.
    schema: String,
    differences: [(Model, Differences); Model::ALL.len()],
}

impl<'a> Comparison<'a> {
    async fn begin(store: &'a Store) -> Result<Comparison<'a>, Error> {
        let mut connection = store.database().connection().await?;
        let schema = schema(&mut connection).await?;
        let mut script = format!("set lock_timeout = {};", BUCKET_WAIT.as_millis());
        for model in Model::ALL {
            // Rows that only one match gives are not needed after they were compared.
            let kept = if model.compared_settled().is_empty() { "delete" } else { "preserve" };
            for table in model.tables() {
                write!(
                    script,
                    "create temporary table {table} (like {schema}.{table} including all)
                     on commit {kept} rows;"
                )
                .expect("a string takes everything");
            }
        }
        sqlx::raw_sql(AssertSqlSafe(script)).execute(&mut connection).await?;
        let differences = Model::ALL.map(|model| (model, Differences::default()));
        Ok(Comparison { store, connection, schema, differences })
    }

    async fn compare_bucket(&mut self, bucket: Bucket) -> Result<(), Error> {
        let mut after = None;
        loop {
            let mut transaction = self.connection.begin().await?;
            let checkpoints = lock(&mut transaction, bucket).await?;
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
            let mut given = Given::default();
            for (model, differences) in &mut self.differences {
                let checkpoint = checkpoints.get(model.name()).ok_or(sqlx::Error::RowNotFound)?;
                given.read(self.store, &match_ids, *checkpoint).await?;
                given.write(*model, &mut transaction).await?;
                for compared in model.compared() {
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
                        .bind(&given.left_out)
                        .fetch_all(&mut *transaction)
                        .await?;
                    differences.add(compared, found);
                }
            }
            transaction.commit().await?;
            match until {
                Some(last) => after = Some(last),
                None => return Ok(()),
            }
        }
    }

    /// Compares the rows that depend on several matches. Nobody settles results meanwhile.
    async fn compare_settled(&mut self, model: Model) -> Result<(), Error> {
        for _ in 0..SETTLING_ATTEMPTS {
            if self.try_compare_settled(model).await? {
                return Ok(());
            }
            sleep(SETTLING_PAUSE).await;
        }
        self.differences_of(model).is_unsettled = true;
        Ok(())
    }

    /// Returns false if results are being settled.
    async fn try_compare_settled(&mut self, model: Model) -> Result<bool, Error> {
        let schema = self.schema.clone();
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
        let mut given = Given::default();
        given.read(self.store, &late, i64::MAX).await?;
        given.write(model, &mut transaction).await?;
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
        let mut found = Vec::new();
        for compared in model.compared_settled() {
            let sql = difference(compared, &schema, compared.rows);
            let keys = sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&mut *transaction).await?;
            found.push((compared, keys));
        }
        transaction.rollback().await?;
        found
            .into_iter()
            .for_each(|(compared, keys)| self.differences_of(model).add(compared, keys));
        Ok(true)
    }

    fn differences_of(&mut self, model: Model) -> &mut Differences {
        let found = self.differences.iter_mut().find(|(it, _)| *it == model);
        &mut found.expect("every model is compared").1
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

/// Locks the checkpoints of a bucket, so that nobody advances it until the page is compared.
/// Returns them by the names of their models.
async fn lock(
    transaction: &mut PgTransaction<'_>,
    bucket: Bucket,
) -> Result<HashMap<String, i64>, Error> {
    let checkpoints: Vec<(String, i64)> = sqlx::query_as(
        "select model, bucket_position
         from checkpoints
         where bucket = $1 and generation = (
             select generation
             from projections
             where projections.bucket = 0 and projections.model = checkpoints.model
         )
         order by model
         for update",
    )
    .bind(bucket)
    .fetch_all(&mut **transaction)
    .await?;
    Ok(checkpoints.into_iter().collect())
}

/// What the record gives of some matches up to a checkpoint.
#[derive(Default)]
struct Given {
    checkpoint: Option<i64>,
    states: Vec<MatchState>,
    /// The matches that cannot be read, which are not compared.
    left_out: Vec<MatchId>,
}

impl Given {
    /// Reads the matches, unless they were read up to this checkpoint already: models are mostly at
    /// the same one.
    async fn read(
        &mut self,
        store: &Store,
        match_ids: &[MatchId],
        checkpoint: i64,
    ) -> Result<(), Error> {
        if self.checkpoint == Some(checkpoint) {
            return Ok(());
        }
        *self = Given { checkpoint: Some(checkpoint), ..Given::default() };
        let read =
            async |match_id| (match_id, match_cache::read(store, match_id, checkpoint).await);
        let mut reading = stream::iter(match_ids.iter().copied().map(read)).buffered(READS_MAX);
        while let Some((match_id, read)) = reading.next().await {
            match read {
                Ok(Ok(state)) if state.position == Position::START => {}
                Ok(Ok(state)) => self.states.push(state),
                // Its content is archived and cannot be read, which verification of the record
                // tells.
                Ok(Err(_)) | Err(Error::Log(event_log::Error::Cold(_))) => {
                    self.left_out.push(match_id);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Writes the rows of a model.
    async fn write(&self, model: Model, transaction: &mut PgTransaction<'_>) -> Result<(), Error> {
        let states: Vec<&MatchState> = self.states.iter().collect();
        let written = model.write(transaction, &states).await;
        written.map_err(|source| Error::Unwritten { model: model.name(), source: source.into() })
    }
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
