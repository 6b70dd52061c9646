//! Reading the read models. A query about a platform's data names the platform, so that it finds no
//! rows of another one.

mod matches;
mod players;
mod progress;

use std::collections::BTreeMap;

use sqlx::Row;
use sqlx::types::Json;
use store::{Bucket, Claims, MatchId, Position, Store, positions};
use time::OffsetDateTime;

use progress::Progress;

use crate::{Error, Handle, Model};

pub use matches::{Cursor, Filter, FoundMatch, State};
pub use players::{League, Opponent, Player, Standing, StandingCursor};

/// Reads the read models. Cheap to clone.
#[derive(Clone)]
pub struct Reader {
    store: Store,
    progress: Progress,
}

/// What an answer must include, so that a client finds the effects of entries it has seen.
#[derive(Clone, Debug)]
pub enum ConsistencyToken {
    Entry(MatchId, Position),
    /// Every entry up to these positions.
    Stream(Box<Claims>),
}

/// The progress of a read model.
#[derive(Clone, Copy, Debug)]
pub struct Projection {
    pub model: Model,
    pub generation: i32,
    /// Recorded entries that the model does not include yet.
    pub lag: i64,
    /// When the oldest of them was recorded.
    pub behind_since: Option<OffsetDateTime>,
    /// During a rebuild: the new generation, and the number of entries it does not include yet.
    pub rebuilding: Option<(i32, i64)>,
}

/// What a seat holds, as far as it is public.
#[derive(Clone, Debug)]
pub struct Holding {
    pub seat: i16,
    pub position: Position,
    pub pieces: i32,
    /// Amounts by coin.
    pub coins: BTreeMap<String, i64>,
}

impl Reader {
    /// `handle` belongs to the projector of this process. If the process runs none, a default
    /// handle does.
    pub fn new(store: &Store, handle: Handle) -> Reader {
        Reader { store: store.clone(), progress: Progress::new(store, handle) }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Waits until a model includes a consistency token. Returns false if it does not in time.
    pub async fn has_reached(
        &self,
        platform: &str,
        model: Model,
        token: &ConsistencyToken,
    ) -> Result<bool, Error> {
        self.progress.reaches(platform, model, token).await
    }

    /// The progress of a read model.
    pub async fn projection(&self, model: Model) -> Result<Projection, Error> {
        let heads = positions(&self.store.bucket_heads().await?);
        let rows = sqlx::query(
            "select checkpoints.bucket, checkpoints.generation, checkpoints.bucket_position,
                 projections.generation as live, next.create_time
             from projections
             join checkpoints using (model)
             left join entries as next
                 on next.bucket = checkpoints.bucket
                 and next.bucket_position = checkpoints.bucket_position + 1
             where projections.bucket = 0 and model = $1",
        )
        .bind(model.name())
        .fetch_all(self.store.pool())
        .await?;
        let mut projection =
            Projection { model, generation: 0, lag: 0, behind_since: None, rebuilding: None };
        for row in rows {
            let (bucket, generation): (Bucket, i32) = (row.try_get(0)?, row.try_get(1)?);
            let lag = (heads[bucket.index()] - row.try_get::<i64, _>(2)?).max(0);
            projection.generation = row.try_get(3)?;
            if generation == projection.generation {
                projection.lag += lag;
                let next: Option<OffsetDateTime> = row.try_get(4)?;
                projection.behind_since = projection.behind_since.into_iter().chain(next).min();
            } else {
                let (_, others) = projection.rebuilding.unwrap_or_default();
                projection.rebuilding = Some((generation, others + lag));
            }
        }
        Ok(projection)
    }

    /// What each seat of a match holds, as far as it is public; empty before the deal.
    pub async fn holdings(&self, match_id: MatchId) -> Result<Vec<Holding>, Error> {
        let row = sqlx::query(
            "select position, pieces, coins
             from holdings
             where bucket = $1 and match_id = $2",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .fetch_optional(self.store.pool())
        .await?;
        let Some(row) = row else { return Ok(Vec::new()) };
        let (position, pieces): (Position, Vec<i32>) = (row.try_get(0)?, row.try_get(1)?);
        let Json(coins): Json<Vec<BTreeMap<String, i64>>> = row.try_get(2)?;
        let seats = pieces.into_iter().zip(coins).zip(0..);
        Ok(seats.map(|((pieces, coins), seat)| Holding { seat, position, pieces, coins }).collect())
    }
}
