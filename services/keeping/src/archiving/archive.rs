//! The archive of a database: finds archived matches and restores the content of their entries.
//!
//! Rows of the record without content belong to a match that was reduced to its result, or to an
//! archived one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use database::{Database, Error, Pool};
use event_log::{ColdError, Error as LogError, Restore};
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use positions::{Bucket, Recorded};
use rows::MatchId;

use super::archived::Archived;
use super::cold_store::ColdStore;
use super::place::place;

/// The archived matches of a database, and the store of their objects.
#[derive(Clone)]
pub struct Archive {
    database: Database,
    /// The store that this process was given.
    given: Option<ColdStore>,
    /// The store that the database names, once it was opened.
    known: Arc<Mutex<Option<ColdStore>>>,
}

/// The number of matches that one read fetches concurrently.
const FETCHES_MAX: usize = 16;

impl Archive {
    /// Without a store of its own, it uses the one that the database names.
    pub fn new(database: &Database, given: Option<ColdStore>) -> Self {
        Self { database: database.clone(), given, known: Arc::default() }
    }

    /// The store of the objects: the given one, or else that of the last archiving.
    pub async fn objects(&self) -> Result<Option<ColdStore>, LogError> {
        if let Some(given) = &self.given {
            return Ok(Some(given.clone()));
        }
        let Some(url) = place(&self.database).await? else { return Ok(None) };
        let known = || self.known.lock().expect("no holder of this lock panics");
        if let Some(store) = known().as_ref().filter(|it| it.url() == url) {
            return Ok(Some(store.clone()));
        }
        let opened = ColdStore::open(&url);
        let opened = opened.map_err(|error| ColdError::Unavailable(Some(Arc::new(error))))?;
        *known() = Some(opened.clone());
        Ok(Some(opened))
    }

    /// Whether any match on a reachable node is archived.
    pub async fn has_archived(&self) -> Result<bool, Error> {
        let any = async |pool: Pool, buckets: Vec<Bucket>| {
            let any = sqlx::query(
                "select 1
                 from archived_matches
                 where bucket = any($1) and hash is not null
                 limit 1",
            );
            Ok(any.bind(buckets).fetch_optional(&pool).await?.is_some())
        };
        Ok(self.database.each_node(any).await?.found.contains(&true))
    }

    /// Those of these matches that are archived.
    pub async fn archived(&self, match_ids: &[MatchId]) -> Result<Vec<Archived>, Error> {
        let mut by_bucket: HashMap<Bucket, Vec<MatchId>> = HashMap::new();
        for &match_id in match_ids {
            by_bucket.entry(Bucket::of(match_id)).or_default().push(match_id);
        }
        let mut found = Vec::new();
        for (bucket, match_ids) in by_bucket {
            // A match that was reduced to its result counts as without content, even if its object
            // still exists.
            let archived = sqlx::query_as(
                "select match_id, position, object, bytes, hash
                 from archived_matches as its
                 where bucket = $1 and match_id = any ($2) and hash is not null
                     and not exists (
                         select 1
                         from kept_results as kept
                         where kept.bucket = $1 and kept.match_id = its.match_id
                     )",
            )
            .bind(bucket)
            .bind(match_ids);
            found.extend(archived.fetch_all(self.database.at(bucket)).await?);
        }
        Ok(found)
    }

    async fn restore_matches<'r>(
        &self,
        rows: Vec<(MatchId, &'r mut Recorded)>,
    ) -> Result<Vec<(MatchId, ColdError)>, LogError> {
        let mut empty: HashMap<MatchId, Vec<&'r mut Recorded>> = HashMap::new();
        for (match_id, row) in rows {
            empty.entry(match_id).or_default().push(row);
        }
        let mut damaged = Vec::new();
        let match_ids: Vec<MatchId> = empty.keys().copied().collect();
        let archived = self.archived(&match_ids).await?;
        if archived.is_empty() {
            return Ok(damaged);
        }
        let objects = self.objects().await?.ok_or(ColdError::NotGiven)?;
        let fetching = archived.into_iter().map(|it| {
            let objects = objects.clone();
            async move { (it.match_id, objects.content(&it).await) }
        });
        let mut fetching = futures::stream::iter(fetching).buffer_unordered(FETCHES_MAX);
        while let Some((match_id, content)) = fetching.next().await {
            match content {
                Ok(content) => {
                    let rows = empty.remove(&match_id).into_iter().flatten();
                    rows.for_each(|row| content.restore(row));
                }
                Err(error @ ColdError::Damaged { .. }) => damaged.push((match_id, error)),
                Err(error) => return Err(error.into()),
            }
        }
        if !damaged.is_empty() {
            // A match may have been reduced to its result since it was looked up; then its object
            // was removed on purpose.
            let match_ids: Vec<MatchId> = damaged.iter().map(|it| it.0).collect();
            let still = self.archived(&match_ids).await?;
            damaged.retain(|(match_id, _)| still.iter().any(|it| it.match_id == *match_id));
        }
        Ok(damaged)
    }
}

impl Restore for Archive {
    fn restore<'r>(
        &'r self,
        rows: Vec<(MatchId, &'r mut Recorded)>,
    ) -> BoxFuture<'r, Result<Vec<(MatchId, ColdError)>, LogError>> {
        self.restore_matches(rows).boxed()
    }
}
