//! Ingests entries: reads a page, folds it into matches, and updates the rows and the checkpoints
//! of some models in one transaction.
//!
//! See `docs/decisions/0038-checkpoints-per-bucket.md`.

use std::collections::HashMap;
use std::time::Duration;

use event_log::Window;
use positions::{BUCKETS, Bucket, Heads, Position};
use sqlx::{Connection, PgConnection};
use store::Store;
use time::OffsetDateTime;

use crate::error::Error;
use crate::fold::MatchState;
use crate::match_cache::{self, Applied, MatchCache};
use crate::model::Model;
use crate::skipped;

/// Updates models that advance together, on a connection of its own.
pub(crate) struct Ingester {
    pub store: Store,
    pub models: Vec<Model>,
    /// The generation that is being rebuilt; `None` for the current one.
    generation: Option<i32>,
    connection: Option<PgConnection>,
    /// To the nodes of several, by their numbers: a transaction about one bucket costs its node
    /// less than half of what it costs through another one.
    of_nodes: HashMap<usize, PgConnection>,
    cache: MatchCache,
}

/// A part of a bucket, and the models that ingest it next.
#[derive(Debug, PartialEq, Eq)]
struct Portion {
    window: Window,
    models: Vec<Model>,
}

/// The bucket position up to which a model has ingested a bucket.
type Checkpoint = (Bucket, Model, i64);

/// How long a statement on a read model may wait for a lock. Locks are held for milliseconds.
pub(crate) const LOCK_WAIT: Duration = Duration::from_secs(2);

impl Ingester {
    pub fn new(store: &Store, models: &[Model], generation: Option<i32>) -> Ingester {
        Ingester {
            store: store.clone(),
            models: models.to_vec(),
            generation,
            connection: None,
            of_nodes: HashMap::new(),
            cache: MatchCache::default(),
        }
    }

    /// Ingests up to `page` entries of each of these buckets, and returns their number. Buckets
    /// that another process is ingesting are left to it.
    pub async fn ingest(&mut self, buckets: &[Bucket], page: i64) -> Result<usize, Error> {
        let ingested = self.try_ingest_all(buckets, page).await;
        self.reset_on_error(ingested)
    }

    /// Retries matches that the models had to skip: all of them, or those that were not tried
    /// recently. Matches whose buckets another process is ingesting are left for the next time.
    pub async fn retry_unreadable(&mut self, all: bool) -> Result<(), Error> {
        let retried = self.try_retry_unreadable(all).await;
        self.reset_on_error(retried)
    }

    /// Settles the models. Called when all entries are ingested.
    pub async fn settle(&mut self) -> Result<(), Error> {
        let settled = self.try_settle().await;
        self.reset_on_error(settled)
    }

    /// The checkpoints of these models, by bucket.
    pub async fn checkpoints(&mut self, models: &[Model]) -> Result<Vec<(Model, Heads)>, Error> {
        let generation = self.generation;
        let read =
            async { read_checkpoints(self.connection().await?, models, generation).await }.await;
        self.reset_on_error(read)
    }

    /// After an error the cache may include entries whose rows were not written, or that the record
    /// no longer has: the record can only go back if this connection is lost.
    fn reset_on_error<T>(&mut self, done: Result<T, Error>) -> Result<T, Error> {
        if done.is_err() {
            self.connection = None;
            self.of_nodes.clear();
            self.cache.clear();
        }
        done
    }

    /// Ingests in one transaction or, if the database is sharded, in one per bucket: no statement
    /// can lock rows on several nodes.
    async fn try_ingest_all(&mut self, buckets: &[Bucket], page: i64) -> Result<usize, Error> {
        if !self.store.database().is_sharded().await? {
            return self.try_ingest(buckets, page).await;
        }
        let mut entries = 0;
        for &bucket in buckets {
            entries += self.try_ingest(&[bucket], page).await?;
        }
        Ok(entries)
    }

    async fn try_ingest(&mut self, buckets: &[Bucket], page: i64) -> Result<usize, Error> {
        let connection = match buckets[..] {
            [bucket] if self.store.database().is_sharded().await? => {
                let node = self.store.database().lane(bucket);
                if !self.of_nodes.contains_key(&node) {
                    let connection = self.store.database().connection_at(bucket).await?;
                    self.of_nodes.insert(node, self.prepare(connection).await?);
                }
                self.of_nodes.get_mut(&node).expect("it was just opened")
            }
            _ => {
                self.connection().await?;
                self.connection.as_mut().expect("it was just opened")
            }
        };
        let mut transaction = connection.begin().await?;
        let locked =
            lock_checkpoints(&mut transaction, &self.models, self.generation, buckets).await?;
        let portions = portions(&locked, page);
        let windows: Vec<Window> = portions.iter().map(|it| it.window).collect();
        let entries = self.store.log().whole_entries_in(&windows).await?;
        if entries.is_empty() {
            return Ok(0);
        }
        let mut reached = [0; BUCKETS];
        for (match_id, entry) in &entries {
            reached[Bucket::of(*match_id).index()] = entry.bucket_position;
        }
        let Applied { matches, unreadable } = self.cache.apply(&self.store, &entries).await?;
        for &model in &self.models {
            let mut is_due = [false; BUCKETS];
            for portion in portions.iter().filter(|it| it.models.contains(&model)) {
                is_due[portion.window.bucket.index()] = true;
            }
            let due: Vec<&MatchState> =
                (matches.iter().copied()).filter(|it| is_due[it.bucket().index()]).collect();
            let written = model.write(&mut transaction, &due).await;
            written.map_err(|source| Error::Unwritten {
                model: model.name(),
                source: source.into(),
            })?;
        }
        for portion in &portions {
            let skipped = unreadable.iter().filter(|it| it.bucket() == portion.window.bucket);
            skipped::remember(&mut transaction, skipped, &portion.models).await?;
        }
        save(&mut transaction, self.generation, &portions, &reached).await?;
        transaction.commit().await?;
        self.cache.sweep();
        Ok(entries.len())
    }

    async fn try_retry_unreadable(&mut self, all: bool) -> Result<(), Error> {
        let began: OffsetDateTime =
            sqlx::query_scalar("select now()").fetch_one(self.store.database().pool()).await?;
        let is_sharded = self.store.database().is_sharded().await?;
        loop {
            self.connection().await?;
            let connection = self.connection.as_mut().expect("it was just opened");
            let mut transaction = connection.begin().await?;
            let mut due = skipped::due(&mut transaction, &self.models, began, all).await?;
            let Some(&(first, _)) = due.first() else { return Ok(()) };
            if is_sharded {
                due.retain(|(match_id, _)| Bucket::of(*match_id) == Bucket::of(first));
            }
            let mut buckets: Vec<Bucket> =
                due.iter().map(|(match_id, _)| Bucket::of(*match_id)).collect();
            buckets.dedup();
            let locked =
                lock_checkpoints(&mut transaction, &self.models, self.generation, &buckets).await?;
            for (match_id, model) in due {
                let bucket = Bucket::of(match_id);
                let its = locked.iter().find(|it| it.0 == bucket && it.1 == model);
                let Some(&(.., checkpoint)) = its else {
                    skipped::defer(&mut transaction, match_id, model).await?;
                    continue;
                };
                let read = match_cache::read(&self.store, match_id, checkpoint).await?;
                match read {
                    Ok(state) if state.position == Position::START => {
                        skipped::defer(&mut transaction, match_id, model).await?;
                    }
                    Ok(state) => {
                        let written = model.write(&mut transaction, &[&state]).await;
                        written.map_err(|source| Error::Unwritten {
                            model: model.name(),
                            source: source.into(),
                        })?;
                        skipped::forget(&mut transaction, match_id, model).await?;
                    }
                    Err(still) => skipped::still(&mut transaction, &still, model).await?,
                }
            }
            transaction.commit().await?;
        }
    }

    async fn try_settle(&mut self) -> Result<(), Error> {
        for model in self.models.clone() {
            let settled = model.settle(self.connection().await?).await;
            settled.map_err(|source| Error::Unwritten {
                model: model.name(),
                source: source.into(),
            })?;
        }
        Ok(())
    }

    /// The connection, opened if there is none.
    pub async fn connection(&mut self) -> Result<&mut PgConnection, Error> {
        if self.connection.is_none() {
            self.connection = Some(self.connect().await?);
        }
        Ok(self.connection.as_mut().expect("it was just opened"))
    }

    async fn connect(&self) -> Result<PgConnection, Error> {
        self.prepare(self.store.database().connection().await?).await
    }

    async fn prepare(&self, mut connection: PgConnection) -> Result<PgConnection, Error> {
        // The search path makes the same statements write the current tables or those of a rebuild.
        // A crash loses rows together with their checkpoint, and they are ingested again, so no
        // commit has to wait for the disk.
        let schema = schema(&mut connection).await?;
        let path = if self.generation.is_some() { format!("rebuilding, {schema}") } else { schema };
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

/// The schema of the tables, as an identifier in SQL. It is `public` unless the database's role has
/// one of its own.
pub(crate) async fn schema(connection: &mut PgConnection) -> Result<String, Error> {
    let schema = sqlx::query_scalar(
        "select quote_ident(nspname)
         from pg_class
         join pg_namespace on pg_namespace.oid = relnamespace
         where pg_class.oid = 'checkpoints'::regclass",
    );
    Ok(schema.fetch_one(connection).await?)
}

/// Locks the checkpoints of these models in these buckets, except those that another process has
/// locked, and returns them by bucket.
async fn lock_checkpoints(
    connection: &mut PgConnection,
    models: &[Model],
    generation: Option<i32>,
    buckets: &[Bucket],
) -> Result<Vec<Checkpoint>, Error> {
    let checkpoints = sqlx::query_as(
        "select bucket, model, bucket_position
         from checkpoints
         where model = any($1)
         and bucket = any($3)
         and generation = coalesce($2, (
             select generation
             from projections
             where projections.bucket = 0 and projections.model = checkpoints.model
         ))
         order by bucket, model
         for update skip locked",
    )
    .bind(names(models))
    .bind(generation)
    .bind(buckets);
    Ok(checkpoints.fetch_all(connection).await?.into_iter().map(checkpoint).collect())
}

/// The next portion of each bucket: up to a page for the models that are furthest behind, but no
/// further than to the next model's checkpoint.
fn portions(locked: &[Checkpoint], page: i64) -> Vec<Portion> {
    let portion = |checkpoints: &[Checkpoint]| {
        let positions = || checkpoints.iter().map(|&(_, _, position)| position);
        let after = positions().min()?;
        let next = positions().filter(|&position| position > after).min();
        let until = next.unwrap_or(i64::MAX).min(after + page);
        let models = checkpoints.iter().filter(|it| it.2 == after).map(|it| it.1).collect();
        Some(Portion { window: Window { bucket: checkpoints[0].0, after, until }, models })
    };
    locked.chunk_by(|one, other| one.0 == other.0).filter_map(portion).collect()
}

/// Advances the locked checkpoints to the last position that was read in their buckets.
async fn save(
    connection: &mut PgConnection,
    generation: Option<i32>,
    portions: &[Portion],
    reached: &Heads,
) -> Result<(), Error> {
    let moved = portions.iter().flat_map(|it| it.models.iter().map(|model| (it.window, model)));
    let moved = moved.filter(|(window, _)| reached[window.bucket.index()] > window.after);
    let (buckets, models): (Vec<Bucket>, Vec<&str>) =
        moved.map(|(window, model)| (window.bucket, model.name())).unzip();
    let positions: Vec<i64> = buckets.iter().map(|it| reached[it.index()]).collect();
    sqlx::query(
        "update checkpoints
         set bucket_position = moved.bucket_position
         from unnest($2::smallint[], $3::text[], $4::int8[]) as moved (bucket, model, bucket_position)
         where checkpoints.bucket = moved.bucket
         and checkpoints.bucket = any($2)
         and checkpoints.model = moved.model
         and generation = coalesce($1, (
             select generation
             from projections
             where projections.bucket = 0 and projections.model = checkpoints.model
         ))",
    )
    .bind(generation)
    .bind(buckets)
    .bind(models)
    .bind(positions)
    .execute(connection)
    .await?;
    Ok(())
}

async fn read_checkpoints(
    connection: &mut PgConnection,
    models: &[Model],
    generation: Option<i32>,
) -> Result<Vec<(Model, Heads)>, Error> {
    let rows = sqlx::query_as(
        "select checkpoints.bucket, model, bucket_position
         from checkpoints
         join projections using (model)
         where model = any($1)
         and projections.bucket = 0
         and checkpoints.generation = coalesce($2, projections.generation)",
    )
    .bind(names(models))
    .bind(generation)
    .fetch_all(connection)
    .await?;
    let mut checkpoints: Vec<_> = models.iter().map(|&model| (model, [0; BUCKETS])).collect();
    for (bucket, model, position) in rows.into_iter().map(checkpoint) {
        let its = checkpoints.iter_mut().filter(|(it, _)| *it == model);
        its.for_each(|(_, heads)| heads[bucket.index()] = position);
    }
    Ok(checkpoints)
}

fn names(models: &[Model]) -> Vec<&'static str> {
    models.iter().map(|it| it.name()).collect()
}

fn checkpoint((bucket, model, position): (Bucket, String, i64)) -> Checkpoint {
    (bucket, Model::from_name(&model).expect("the query selects known models only"), position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(number: i16) -> Bucket {
        number.try_into().unwrap()
    }

    #[track_caller]
    fn check(locked: &[(i16, Model, i64)], expected: &[(i16, i64, i64, &[Model])]) {
        let locked: Vec<Checkpoint> = locked.iter().map(|it| (bucket(it.0), it.1, it.2)).collect();
        let expected = expected.iter().map(|&(number, after, until, models)| Portion {
            window: Window { bucket: bucket(number), after, until },
            models: models.to_vec(),
        });
        assert_eq!(portions(&locked, 100), expected.collect::<Vec<_>>());
    }

    #[test]
    fn models_with_equal_checkpoints_ingest_the_same_entries() {
        use Model::{Holdings, Matches, Players};
        check(
            &[(2, Matches, 7), (2, Players, 7), (5, Matches, 0), (5, Players, 0), (5, Holdings, 0)],
            &[(2, 7, 107, &[Matches, Players]), (5, 0, 100, &[Matches, Players, Holdings])],
        );
    }

    #[test]
    fn models_that_are_behind_advance_only_to_the_next_checkpoint() {
        use Model::{Holdings, Matches, Players};
        check(
            &[(0, Matches, 50), (0, Players, 20), (0, Holdings, 20)],
            &[(0, 20, 50, &[Players, Holdings])],
        );
        check(&[(0, Matches, 500), (0, Players, 20)], &[(0, 20, 120, &[Players])]);
    }
}
