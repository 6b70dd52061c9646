//! Matches that models had to skip, because this release cannot read them. A model records such a
//! match in the same transaction as its checkpoint, and writes its rows as soon as a release can
//! read it (`tests/it/unreadable.rs`).

use positions::{Bucket, Position};
use rows::MatchId;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::error::Error;
use crate::fold::Unreadable;
use crate::model::Model;
use crate::reader::Reader;

/// A match that some models had to skip.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
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

/// Records that these models skip these matches, and logs those that are new.
pub(crate) async fn remember(
    connection: &mut PgConnection,
    skipped: impl Iterator<Item = &Unreadable>,
    models: &[Model],
) -> Result<(), Error> {
    for it in skipped {
        for model in models {
            let added = sqlx::query(
                "insert into unreadable_matches (bucket, match_id, model, position, reason, find_time, try_time)
                 values ($1, $2, $3, $4, $5, now(), now())
                 on conflict do nothing",
            )
            .bind(it.bucket())
            .bind(it.match_id)
            .bind(model.name())
            .bind(it.position)
            .bind(&it.reason)
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

/// Some of the matches that these models skip, by bucket: those last tried a while before `time`,
/// or with `all`, those last tried before `time`.
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

/// Forgets a skipped match, because the model has its rows now.
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

/// Records that a match still cannot be read.
pub(crate) async fn still(
    connection: &mut PgConnection,
    it: &Unreadable,
    model: Model,
) -> Result<(), Error> {
    sqlx::query(
        "update unreadable_matches
         set position = $4, reason = $5, try_time = now()
         where bucket = $1 and match_id = $2 and model = $3",
    )
    .bind(it.bucket())
    .bind(it.match_id)
    .bind(model.name())
    .bind(it.position)
    .bind(&it.reason)
    .execute(connection)
    .await?;
    Ok(())
}

/// Records that a match could not be tried now.
pub(crate) async fn defer(
    connection: &mut PgConnection,
    match_id: MatchId,
    model: Model,
) -> Result<(), Error> {
    sqlx::query(
        "update unreadable_matches
         set try_time = now()
         where bucket = $1 and match_id = $2 and model = $3",
    )
    .bind(Bucket::of(match_id))
    .bind(match_id)
    .bind(model.name())
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
        Ok(count.fetch_one(self.store.database().pool_of_all()).await?)
    }

    /// The matches that some model lacks because they cannot be read, newest first.
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
        Ok(matches.fetch_all(self.store.database().pool_of_all()).await?)
    }
}
