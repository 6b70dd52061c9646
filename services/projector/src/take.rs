//! Taking entries in: read models that go on together, a connection of their own, and the matches
//! at hand.

use std::time::Duration;

use sqlx::{Connection, PgConnection};
use store::{BUCKETS, Bucket, Heads, Store, Window};

use crate::fold::{Folded, Folds};
use crate::{Error, Model};

/// Takes models further: the generations that are read, or one that is being rebuilt.
pub(crate) struct Taker {
    pub store: Store,
    pub models: Vec<Model>,
    /// None for the one that is read, whichever that is by then.
    generation: Option<i32>,
    connection: Option<PgConnection>,
    folds: Folds,
}

/// A part of a bucket to be taken in, and the models that stand before it.
#[derive(Debug, PartialEq, Eq)]
struct Portion {
    window: Window,
    models: Vec<Model>,
}

/// Where a model stands in a bucket.
type Checkpoint = (Bucket, Model, i64);

/// How long a statement of a read model may wait for a lock: whoever holds one holds it for
/// milliseconds.
pub(crate) const LOCK_WAIT: Duration = Duration::from_secs(2);

impl Taker {
    pub fn new(store: &Store, models: &[Model], generation: Option<i32>) -> Taker {
        Taker {
            store: store.clone(),
            models: models.to_vec(),
            generation,
            connection: None,
            folds: Folds::default(),
        }
    }

    /// Takes in up to `page` entries of each of these buckets and returns how many they were.
    /// Buckets that another process is at are left to it.
    pub async fn take(&mut self, buckets: &[Bucket], page: i64) -> Result<usize, Error> {
        let taken = self.try_take(buckets, page).await;
        self.after(taken)
    }

    /// Does what is to be done after the last entry there is.
    pub async fn settle(&mut self) -> Result<(), Error> {
        let settled = self.try_settle().await;
        self.after(settled)
    }

    /// How far each of these models has come in each bucket.
    pub async fn checkpoints(&mut self, models: &[Model]) -> Result<Vec<(Model, Heads)>, Error> {
        let generation = self.generation;
        let read = async { checkpoints(self.connection().await?, models, generation).await }.await;
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
        self.connection().await?;
        let connection = self.connection.as_mut().expect("it was just made");
        let mut transaction = connection.begin().await?;
        let held = hold(&mut transaction, &self.models, self.generation, buckets).await?;
        let portions = portions(&held, page);
        let windows: Vec<Window> = portions.iter().map(|it| it.window).collect();
        let entries = self.store.entries_in(&windows).await?;
        if entries.is_empty() {
            return Ok(0);
        }
        let mut reached = [0; BUCKETS];
        for (match_id, entry) in &entries {
            reached[Bucket::of(*match_id).index()] = entry.bucket_position;
        }
        let matches = self.folds.apply(&self.store, &entries).await?;
        for &model in &self.models {
            let mut is_due = [false; BUCKETS];
            for portion in portions.iter().filter(|it| it.models.contains(&model)) {
                is_due[portion.window.bucket.index()] = true;
            }
            let due: Vec<&Folded> =
                (matches.iter().copied()).filter(|it| is_due[it.bucket().index()]).collect();
            let written = model.write(&mut transaction, &due).await;
            written.map_err(|source| Error::Unwritten { model, source: source.into() })?;
        }
        save(&mut transaction, self.generation, &portions, &reached).await?;
        transaction.commit().await?;
        self.folds.sweep();
        Ok(entries.len())
    }

    async fn try_settle(&mut self) -> Result<(), Error> {
        for model in self.models.clone() {
            let settled = model.settle(self.connection().await?).await;
            settled.map_err(|source| Error::Unwritten { model, source: source.into() })?;
        }
        Ok(())
    }

    /// The connection, made if it was lost.
    pub async fn connection(&mut self) -> Result<&mut PgConnection, Error> {
        if self.connection.is_none() {
            self.connection = Some(self.connect().await?);
        }
        Ok(self.connection.as_mut().expect("it was just made"))
    }

    async fn connect(&self) -> Result<PgConnection, Error> {
        let mut connection = self.store.connection().await?;
        // The same statements fill the tables that are read and those of a rebuild: the names are
        // looked up in another place. And what a crash takes back is taken in again, rows and
        // checkpoint alike, so no commit has to wait for the disk.
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

/// Locks the checkpoints of these models in these buckets, but for those that are locked, and
/// returns them, bucket by bucket.
async fn hold(
    connection: &mut PgConnection,
    models: &[Model],
    generation: Option<i32>,
    buckets: &[Bucket],
) -> Result<Vec<Checkpoint>, Error> {
    let held = sqlx::query_as(
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
    Ok(held.fetch_all(connection).await?.into_iter().map(checkpoint).collect())
}

/// What is taken in next: in each bucket, up to a page for those that are behind the others, if
/// only up to where they meet them.
fn portions(held: &[Checkpoint], page: i64) -> Vec<Portion> {
    let portion = |held: &[Checkpoint]| {
        let positions = || held.iter().map(|&(_, _, position)| position);
        let after = positions().min()?;
        let next = positions().filter(|&position| position > after).min();
        let until = next.unwrap_or(i64::MAX).min(after + page);
        let models = held.iter().filter(|it| it.2 == after).map(|it| it.1).collect();
        Some(Portion { window: Window { bucket: held[0].0, after, until }, models })
    };
    held.chunk_by(|one, other| one.0 == other.0).filter_map(portion).collect()
}

/// Moves checkpoints that this transaction holds to where their buckets were read to.
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

async fn checkpoints(
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
    (bucket, Model::named(&model).expect("only models that are known were asked for"), position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(number: i16) -> Bucket {
        number.try_into().unwrap()
    }

    #[track_caller]
    fn check(held: &[(i16, Model, i64)], expected: &[(i16, i64, i64, &[Model])]) {
        let held: Vec<Checkpoint> = held.iter().map(|it| (bucket(it.0), it.1, it.2)).collect();
        let expected = expected.iter().map(|&(number, after, until, models)| Portion {
            window: Window { bucket: bucket(number), after, until },
            models: models.to_vec(),
        });
        assert_eq!(portions(&held, 100), expected.collect::<Vec<_>>());
    }

    #[test]
    fn models_that_stand_together_are_taken_in_together() {
        use Model::{Holdings, Matches, Players};
        check(
            &[(2, Matches, 7), (2, Players, 7), (5, Matches, 0), (5, Players, 0), (5, Holdings, 0)],
            &[(2, 7, 107, &[Matches, Players]), (5, 0, 100, &[Matches, Players, Holdings])],
        );
    }

    #[test]
    fn models_that_are_behind_go_on_until_they_meet_the_others() {
        use Model::{Holdings, Matches, Players};
        check(
            &[(0, Matches, 50), (0, Players, 20), (0, Holdings, 20)],
            &[(0, 20, 50, &[Players, Holdings])],
        );
        check(&[(0, Matches, 500), (0, Players, 20)], &[(0, 20, 120, &[Players])]);
    }
}
