//! Taking entries in: a read model, a connection of its own, and the matches at hand.

use std::time::Duration;

use futures::future::try_join_all;
use log::{Bucket, Heads, Log};
use sqlx::{Connection, PgConnection};

use crate::fold::Folds;
use crate::{Error, Model};

/// Takes one model further: the generation that is read, or one that is being rebuilt.
pub(crate) struct Taker {
    pub log: Log,
    pub model: Model,
    /// None for the one that is read, whichever that is by then.
    generation: Option<i32>,
    connection: Option<PgConnection>,
    folds: Folds,
}

/// How long a statement of a read model may wait for a lock: whoever holds one holds it for milliseconds.
pub(crate) const LOCK_WAIT: Duration = Duration::from_secs(2);

impl Taker {
    pub fn new(log: &Log, model: Model, generation: Option<i32>) -> Taker {
        Taker { log: log.clone(), model, generation, connection: None, folds: Folds::default() }
    }

    /// Takes in up to `page` entries of each of these buckets and returns how many they were. Buckets that another process is at
    /// are left to it.
    pub async fn take(&mut self, buckets: &[Bucket], page: i64) -> Result<usize, Error> {
        let taken = self.try_take(buckets, page).await;
        self.after(taken)
    }

    /// Does what is to be done after the last entry there is.
    pub async fn settle(&mut self) -> Result<(), Error> {
        let settled = async { Ok(self.model.settle(self.connection().await?).await?) }.await;
        self.after(settled)
    }

    /// How far the model has come in each bucket.
    pub async fn checkpoints(&mut self) -> Result<Heads, Error> {
        let (model, generation) = (self.model, self.generation);
        let read =
            async { Ok(checkpoints(self.connection().await?, model, generation).await?) }.await;
        self.after(read)
    }

    /// After an error nothing at hand is to be trusted: what was folded may not have been written.
    fn after<T>(&mut self, done: Result<T, Error>) -> Result<T, Error> {
        if done.is_err() {
            self.connection = None;
            self.folds.clear();
        }
        done
    }

    async fn try_take(&mut self, buckets: &[Bucket], page: i64) -> Result<usize, Error> {
        let (log, model, generation) = (self.log.clone(), self.model, self.generation);
        self.connection().await?;
        let connection = self.connection.as_mut().expect("it was just made");
        let mut transaction = connection.begin().await?;
        let held = hold(&mut transaction, model, generation, buckets).await?;
        let pages = held.iter().map(|&(bucket, after)| log.bucket_entries(bucket, after, page));
        let pages = try_join_all(pages).await?;
        let moved: (Vec<Bucket>, Vec<i64>) = held
            .iter()
            .zip(&pages)
            .filter_map(|((bucket, _), page)| Some((*bucket, page.last()?.1.bucket_position)))
            .unzip();
        let entries = pages.concat();
        if entries.is_empty() {
            return Ok(0);
        }
        let matches = self.folds.enter(&log, &entries).await?;
        model.write(&mut transaction, &matches).await?;
        save(&mut transaction, model, generation, &moved).await?;
        transaction.commit().await?;
        self.folds.sweep();
        Ok(entries.len())
    }

    /// The connection, made if it was lost.
    pub async fn connection(&mut self) -> Result<&mut PgConnection, Error> {
        if self.connection.is_none() {
            self.connection = Some(self.connect().await?);
        }
        Ok(self.connection.as_mut().expect("it was just made"))
    }

    async fn connect(&self) -> Result<PgConnection, Error> {
        let mut connection = self.log.connection().await?;
        // The same statements fill the tables that are read and those of a rebuild: the names are looked up in another place. And
        // what a crash takes back is taken in again, rows and checkpoint alike, so no commit has to wait for the disk.
        let path = if self.generation.is_some() { "rebuilding, public" } else { "public" };
        let lock_wait_ms = LOCK_WAIT.as_millis().to_string();
        sqlx::query(
            "select
                 set_config('search_path', $1, false),
                 set_config('synchronous_commit', 'off', false),
                 set_config('lock_timeout', $2, false)",
        )
        .bind(path)
        .bind(lock_wait_ms)
        .execute(&mut connection)
        .await?;
        Ok(connection)
    }
}

/// Locks the checkpoints of these buckets, but for those that are locked, and returns how far they are.
async fn hold(
    connection: &mut PgConnection,
    model: Model,
    generation: Option<i32>,
    buckets: &[Bucket],
) -> Result<Vec<(Bucket, i64)>, sqlx::Error> {
    sqlx::query_as(
        "select bucket, bucket_position
         from checkpoints
         where model = $1
         and generation = coalesce($2, (select generation from projections where bucket = 0 and model = $1))
         and bucket = any($3)
         order by bucket
         for update skip locked",
    )
    .bind(model.name())
    .bind(generation)
    .bind(buckets)
    .fetch_all(connection)
    .await
}

/// Moves checkpoints that this transaction holds.
async fn save(
    connection: &mut PgConnection,
    model: Model,
    generation: Option<i32>,
    (buckets, positions): &(Vec<Bucket>, Vec<i64>),
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update checkpoints
         set bucket_position = moved.bucket_position
         from unnest($3::smallint[], $4::int8[]) as moved (bucket, bucket_position)
         where checkpoints.bucket = moved.bucket
         and model = $1
         and generation = coalesce($2, (select generation from projections where bucket = 0 and model = $1))",
    )
    .bind(model.name())
    .bind(generation)
    .bind(buckets)
    .bind(positions)
    .execute(connection)
    .await?;
    Ok(())
}

/// How far a model has come in each bucket: the generation that is read, if none is named.
pub(crate) async fn checkpoints(
    connection: &mut PgConnection,
    model: Model,
    generation: Option<i32>,
) -> Result<Heads, sqlx::Error> {
    let rows: Vec<(Bucket, i64)> = sqlx::query_as(
        "select bucket, bucket_position
         from checkpoints
         where model = $1
         and generation = coalesce($2, (select generation from projections where bucket = 0 and model = $1))",
    )
    .bind(model.name())
    .bind(generation)
    .fetch_all(connection)
    .await?;
    let mut checkpoints = [0; log::BUCKETS];
    rows.into_iter().for_each(|(bucket, position)| checkpoints[bucket.index()] = position);
    Ok(checkpoints)
}
