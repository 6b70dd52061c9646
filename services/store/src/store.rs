//! The tables of matches, around the record's log.

use std::sync::Arc;

use database::{At, BatchLoader, Database, Error, Pool, READ_ONLY};
use event_log::Log;
use positions::Bucket;
use rows::MatchId;

use crate::catalogue::{Catalogue, ModuleOptions};
use crate::loading::{self, Loaded};

/// The tables of matches, cheap to clone.
#[derive(Clone)]
pub struct Store {
    log: Log,
    matches: Arc<BatchLoader<(String, MatchId), Option<Loaded>>>,
    catalogue: Arc<Catalogue>,
}

impl Store {
    /// The matches whose entries are in this log. Call it within a tokio runtime.
    pub fn new(log: &Log) -> Self {
        let database = log.database().clone();
        let (of, pools) = (database.clone(), database.batched_pools(READ_ONLY));
        let lane = move |(_, match_id): &(String, MatchId)| of.lane(Bucket::of(*match_id));
        let load = move |keys| loading::load(database.clone(), pools.clone(), keys);
        let matches = BatchLoader::in_lanes(lane, load);
        let catalogue = Arc::new(Catalogue::new(ModuleOptions::default()));
        Self { log: log.clone(), matches: Arc::new(matches), catalogue }
    }

    /// With other options for modules.
    pub fn with_modules(self, options: ModuleOptions) -> Self {
        Self { catalogue: Arc::new(Catalogue::new(options)), ..self }
    }

    pub(crate) fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The entries of the matches.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The database that has the log and these tables.
    pub fn database(&self) -> &Database {
        self.log.database()
    }

    pub(crate) fn pool(&self) -> &Pool {
        self.database().pool()
    }

    /// The pool for statements about all buckets.
    pub(crate) fn pool_of_all(&self) -> &Pool {
        self.database().pool_of_all()
    }

    pub(crate) fn at(&self, bucket: Bucket) -> At {
        self.database().at(bucket)
    }

    /// Whether a right holds, given as `accounts::Right::to_sql` writes it.
    pub(crate) async fn right_holds(&self, right: &str) -> Result<bool, Error> {
        let holds = sqlx::query_scalar("select rights_hold(array[$1])").bind(right);
        Ok(holds.fetch_one(self.pool()).await?)
    }

    pub(crate) async fn load_batched(
        &self,
        key: (String, MatchId),
    ) -> Result<Option<Loaded>, Error> {
        self.matches.load(key).await
    }

    /// Returns when a task that reads for many callers has ended, which happens only by a panic.
    pub async fn reading_ended(&self) {
        tokio::select! {
            () = self.matches.ended() => {}
            () = self.log.reading_ended() => {}
        }
    }
}
