//! Matches that this release cannot read: an entry of a newer release, damaged bytes, an unknown
//! game. A model skips such a match, remembers it in the same transaction as its checkpoint, and
//! writes its rows as soon as a release can read it.

use sqlx::PgConnection;
use store::{Bucket, MatchId, Position, Recorded, Store};
use time::OffsetDateTime;

use crate::match_cache::MatchState;
use crate::{Error, Model, Reader};

/// Why a match cannot be read.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub match_id: MatchId,
    /// The first entry that cannot be read.
    pub position: Position,
    pub reason: String,
}

/// A match that some models had to skip.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct UnreadableMatch {
    pub match_id: MatchId,
    pub platform: String,
    pub game: String,
    /// The first entry that could not be read.
    pub position: Position,
    pub reason: String,
    pub find_time: OffsetDateTime,
    /// The names of the models that lack the match.
    pub models: Vec<String>,
}

/// Matches tried in one transaction.
const RETRIES_MAX: i64 = 100;

impl Unreadable {
    pub fn of_unknown_game(match_id: MatchId) -> Unreadable {
        let reason = "the match was never created, or its game is unknown".to_owned();
        Unreadable { match_id, position: Position::START.next(), reason }
    }

    pub fn bucket(&self) -> Bucket {
        Bucket::of(self.match_id)
    }
}

/// Remembers that these models skip these matches. What was not known before is logged.
pub(crate) async fn remember(
    connection: &mut PgConnection,
    skipped: impl Iterator<Item = &Unreadable>,
    models: &[Model],
) -> Result<(), Error> {
    for it in skipped {
        for model in models {
            let added = sqlx::query(
                "insert into unreadable_matches (bucket, match_id, model, position, reason, find_time, try_time)
                 values ($1, $2, $3, $4, $5, $6, $6)
                 on conflict do nothing",
            )
            .bind(it.bucket())
            .bind(it.match_id)
            .bind(model.name())
            .bind(it.position)
            .bind(&it.reason)
            .bind(OffsetDateTime::now_utc())
            .execute(&mut *connection)
            .await?;
            if added.rows_affected() > 0 {
                tracing::error!(
                    match.id = %it.match_id.0,
                    entry.position = it.position.0,
                    projection = model.name(),
                    "entry {} of match {} cannot be read by this release ({}): the projection {} \
                     skips the match",
                    it.position.0,
                    it.match_id.0,
                    it.reason,
                    model.name(),
                );
            }
        }
    }
    Ok(())
}

/// Some of the matches that these models skip and that were last tried before `time`, or a while
/// before it unless `all` are due, by bucket.
pub(crate) async fn due(
    connection: &mut PgConnection,
    models: &[Model],
    time: OffsetDateTime,
    all: bool,
) -> Result<Vec<(MatchId, Model)>, Error> {
    let rows: Vec<(MatchId, String)> = sqlx::query_as(
        "select match_id, model
         from unreadable_matches
         where model = any($1)
         and try_time < $2 - case when $3 then interval '0' else interval '1 minute' end
         order by bucket, match_id, model
         limit $4",
    )
    .bind(models.iter().map(|it| it.name()).collect::<Vec<_>>())
    .bind(time)
    .bind(all)
    .bind(RETRIES_MAX)
    .fetch_all(connection)
    .await?;
    let model = |name: &str| Model::from_name(name).expect("the query selects known models only");
    Ok(rows.into_iter().map(|(match_id, name)| (match_id, model(&name))).collect())
}

/// Reads a match up to a bucket position.
pub(crate) async fn read(
    store: &Store,
    match_id: MatchId,
    checkpoint: i64,
) -> Result<Result<MatchState, Unreadable>, Error> {
    let row = store.find_all(&[match_id]).await?.pop();
    let Some(mut state) = row.and_then(MatchState::new) else {
        return Ok(Err(Unreadable::of_unknown_game(match_id)));
    };
    if state.row.last.as_ref().is_some_and(Recorded::is_stub) {
        let kept = store.kept_results(&[match_id]).await?.remove(&match_id);
        return Ok(state.complete(kept).map(|()| state));
    }
    let read = state.read(store, |entry| entry.bucket_position <= checkpoint).await?;
    Ok(read.map(|()| state))
}

/// The model has the match's rows now.
pub(crate) async fn forget(
    connection: &mut PgConnection,
    match_id: MatchId,
    model: Model,
) -> Result<(), Error> {
    sqlx::query(
        "delete from unreadable_matches where bucket = $1 and match_id = $2 and model = $3",
    )
    .bind(Bucket::of(match_id))
    .bind(match_id)
    .bind(model.name())
    .execute(connection)
    .await?;
    tracing::info!(
        match.id = %match_id.0,
        projection = model.name(),
        "match {} can be read again: the projection {} includes it",
        match_id.0,
        model.name(),
    );
    Ok(())
}

/// The match still cannot be read.
pub(crate) async fn still(
    connection: &mut PgConnection,
    it: &Unreadable,
    model: Model,
) -> Result<(), Error> {
    sqlx::query(
        "update unreadable_matches
         set position = $4, reason = $5, try_time = $6
         where bucket = $1 and match_id = $2 and model = $3",
    )
    .bind(it.bucket())
    .bind(it.match_id)
    .bind(model.name())
    .bind(it.position)
    .bind(&it.reason)
    .bind(OffsetDateTime::now_utc())
    .execute(connection)
    .await?;
    Ok(())
}

/// The match could not be tried.
pub(crate) async fn defer(
    connection: &mut PgConnection,
    match_id: MatchId,
    model: Model,
) -> Result<(), Error> {
    sqlx::query(
        "update unreadable_matches
         set try_time = $4
         where bucket = $1 and match_id = $2 and model = $3",
    )
    .bind(Bucket::of(match_id))
    .bind(match_id)
    .bind(model.name())
    .bind(OffsetDateTime::now_utc())
    .execute(connection)
    .await?;
    Ok(())
}

impl Reader {
    /// The number of matches that some model lacks because they cannot be read.
    pub async fn unreadable_count(&self) -> Result<i64, Error> {
        let count = sqlx::query_scalar(
            "select count(*) from (select distinct bucket, match_id from unreadable_matches) as each",
        );
        Ok(count.fetch_one(self.store().pool()).await?)
    }

    /// The matches that some model lacks because they cannot be read, the latest first.
    pub async fn unreadable(&self) -> Result<Vec<UnreadableMatch>, Error> {
        let matches = sqlx::query_as(
            "select match_id,
                 coalesce(matches.platform, '') as platform,
                 coalesce(matches.game, '') as game,
                 min(unreadable.position) as position,
                 min(unreadable.reason) as reason,
                 min(unreadable.find_time) as find_time,
                 array_agg(unreadable.model order by unreadable.model) as models
             from unreadable_matches as unreadable
             left join matches using (bucket, match_id)
             group by bucket, match_id, matches.platform, matches.game
             order by find_time desc, match_id",
        );
        Ok(matches.fetch_all(self.store().pool()).await?)
    }
}
