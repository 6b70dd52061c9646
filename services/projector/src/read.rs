//! What is asked of the read models. A platform's name is part of every question: it finds its own
//! rows and no others.

mod find;
mod players;

use std::collections::BTreeMap;
use std::time::Duration;

use sqlx::Row;
use sqlx::types::Json;
use store::{Bucket, Heads, MatchId, Position, Store};
use time::OffsetDateTime;
use tokio::time::Instant;

use crate::{Error, Handle, Model};

pub use find::{Cursor, Filter, Found, Outcome, State};
pub use players::{League, Opponent, Player, Standing, StandingCursor};

/// Asks the read models. Cheap to clone.
#[derive(Clone)]
pub struct Reader {
    store: Store,
    handle: Handle,
}

/// What an answer must take into account: whoever has acted, or was told, may ask for answers that
/// know of it.
#[derive(Clone, Debug)]
pub enum ConsistencyToken {
    Entry(MatchId, Position),
    /// Every entry up to these positions.
    Stream(Box<Heads>),
}

/// How a read model stands.
#[derive(Clone, Copy, Debug)]
pub struct Projection {
    pub model: Model,
    pub generation: i32,
    /// Entries recorded and not yet taken in.
    pub lag: i64,
    /// When the oldest of those was recorded.
    pub behind_since: Option<OffsetDateTime>,
    /// While it is rebuilt: the new generation, and how many entries that one lacks.
    pub rebuilding: Option<(i32, i64)>,
}

/// What lies before a seat, as everybody may know it.
#[derive(Clone, Debug)]
pub struct Holding {
    pub seat: i16,
    pub position: Position,
    pub pieces: i32,
    /// Amounts by coin.
    pub coins: BTreeMap<String, i64>,
}

/// How long a question waits for what it must take into account. A model that is in step needs a
/// tenth of a second.
const SEEN_WAIT: Duration = Duration::from_secs(3);
/// How often it looks.
const SEEN_PAUSE: Duration = Duration::from_millis(10);

impl Reader {
    /// `handle` is that of the projector of this process, if it runs one; of any other it is of no
    /// effect.
    pub fn new(store: &Store, handle: Handle) -> Reader {
        Reader { store: store.clone(), handle }
    }

    /// Waits until a model has taken in what a platform has seen, within bounds, and says whether
    /// it has.
    pub async fn has_reached(
        &self,
        platform: &str,
        model: Model,
        token: &ConsistencyToken,
    ) -> Result<bool, Error> {
        let until = Instant::now() + SEEN_WAIT;
        while !self.is_at(platform, model, token).await? {
            if Instant::now() > until {
                return Ok(false);
            }
            self.handle.wake();
            tokio::time::sleep(SEEN_PAUSE).await;
        }
        Ok(true)
    }

    async fn is_at(
        &self,
        platform: &str,
        model: Model,
        token: &ConsistencyToken,
    ) -> Result<bool, Error> {
        let is_taken = match token {
            ConsistencyToken::Entry(match_id, position) => {
                self.has_taken(model, *match_id, *position).await?
            }
            ConsistencyToken::Stream(heads) => self.has_passed(model, heads).await?,
        };
        match (model, token) {
            (Model::Players, ConsistencyToken::Entry(match_id, _)) if is_taken => {
                self.is_settled(*match_id).await
            }
            (Model::Players, ConsistencyToken::Stream(heads)) if is_taken => {
                self.are_settled(platform, heads).await
            }
            _ => Ok(is_taken),
        }
    }

    async fn has_taken(
        &self,
        model: Model,
        match_id: MatchId,
        position: Position,
    ) -> Result<bool, Error> {
        let has_taken = sqlx::query_scalar(
            "select exists (
                 select
                 from entries
                 join projections on projections.bucket = 0 and projections.model = $4
                 join checkpoints using (model, generation)
                 where entries.bucket = $1 and match_id = $2 and position = $3
                 and checkpoints.bucket = $1
                 and checkpoints.bucket_position >= entries.bucket_position
             )",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(position)
        .bind(model.name())
        .fetch_one(self.store.pool())
        .await?;
        Ok(has_taken)
    }

    async fn has_passed(&self, model: Model, heads: &Heads) -> Result<bool, Error> {
        let has_passed = sqlx::query_scalar(
            "select coalesce(bool_and(checkpoints.bucket_position >= seen.bucket_position), false)
             from projections
             join checkpoints using (model, generation)
             join unnest($2::int8[]) with ordinality as seen (bucket_position, number)
                 on checkpoints.bucket = seen.number - 1
             where projections.bucket = 0 and model = $1",
        )
        .bind(model.name())
        .bind(&heads[..])
        .fetch_one(self.store.pool())
        .await?;
        Ok(has_passed)
    }

    /// Whether a match's results, if it has any, are in the standings.
    async fn is_settled(&self, match_id: MatchId) -> Result<bool, Error> {
        let is_settled: bool = sqlx::query_scalar(
            "select not exists (
                 select
                 from results
                 where bucket = $1 and match_id = $2 and mean is null
             )",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .fetch_one(self.store.pool())
        .await?;
        Ok(is_settled)
    }

    /// Whether the results of all of a platform's matches that had ended by then are in the
    /// standings. Those that came since are not waited for: on a busy platform there are always
    /// some.
    async fn are_settled(&self, platform: &str, heads: &Heads) -> Result<bool, Error> {
        let are_settled: bool = sqlx::query_scalar(
            "select not exists (
                 select
                 from results
                 join unnest($2::int8[]) with ordinality as seen (bucket_position, number)
                     on results.bucket = seen.number - 1
                 where platform = $1
                 and mean is null
                 and seen.bucket_position >= (
                     select max(entries.bucket_position)
                     from entries
                     where entries.bucket = results.bucket and entries.match_id = results.match_id
                 )
             )",
        )
        .bind(platform)
        .bind(&heads[..])
        .fetch_one(self.store.pool())
        .await?;
        Ok(are_settled)
    }

    /// How a read model stands.
    pub async fn projection(&self, model: Model) -> Result<Projection, Error> {
        let heads = self.store.bucket_heads().await?;
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
        let mut it =
            Projection { model, generation: 0, lag: 0, behind_since: None, rebuilding: None };
        for row in rows {
            let (bucket, generation): (Bucket, i32) = (row.try_get(0)?, row.try_get(1)?);
            let lag = (heads[bucket.index()] - row.try_get::<i64, _>(2)?).max(0);
            it.generation = row.try_get(3)?;
            if generation == it.generation {
                it.lag += lag;
                let next: Option<OffsetDateTime> = row.try_get(4)?;
                it.behind_since = it.behind_since.into_iter().chain(next).min();
            } else {
                let (_, whole) = it.rebuilding.unwrap_or_default();
                it.rebuilding = Some((generation, whole + lag));
            }
        }
        Ok(it)
    }

    /// What lies before each seat of a match; nothing before the deal.
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
