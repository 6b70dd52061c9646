//! Connections to the database, and the state that the parts of one process share.

use crate::batch::{self, BatchLoader};
use crate::read::EntriesAfter;
use crate::{BUCKETS, Error, MatchId, MatchRow, Recorded, Seed, matches, read};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Executor};
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Duration;
use tokio::sync::{OnceCell, watch};
use uuid::Uuid;

/// A connection to the record, cheap to clone.
#[derive(Clone)]
pub struct Store {
    pub(crate) pool: PgPool,
    pub(crate) shared: Arc<Shared>,
    pub(crate) hot_reads: Arc<HotReads>,
}

/// The reads that almost every call needs, batched with those of other callers.
///
/// They have their own pools, with one connection for each query that may run at once. So waiting
/// for a connection means that the database is down, not that it is busy with other reads.
pub(crate) struct HotReads {
    pools: [PgPool; 2],
    pub(crate) matches: BatchLoader<(String, MatchId), Option<(MatchRow, Seed)>>,
    pub(crate) entries: BatchLoader<EntriesAfter, Vec<Recorded>>,
}

/// State that the writer, the follower and the readers of one process share.
pub(crate) struct Shared {
    pub(crate) database: PgConnectOptions,
    /// Identifies this process in notifications, so that it ignores its own.
    pub(crate) process: Uuid,
    /// By bucket: this process has written or read every entry up to this bucket position.
    pub(crate) high_water: [AtomicI64; BUCKETS],
    /// Notified whenever a high-water mark rises.
    pub(crate) high_water_rose: watch::Sender<()>,
    /// Read once.
    pub(crate) installation: OnceCell<Uuid>,
}

/// The database, and how much of it readers may use. Writers and followers open their own
/// connections.
#[derive(Clone, Debug)]
pub struct Options {
    pub database: PgConnectOptions,
    /// Connections for concurrent reads, besides those for the batched ones. With the connections
    /// of its writer, follower and projector, a process opens about two dozen: a Postgres with a
    /// hundred connections has room for four processes.
    pub readers_max: u32,
    /// How long a read waits for a connection. Short: when the database is down, callers should
    /// learn it before they give up.
    pub acquire_wait: Duration,
    /// How long the database may work on one read before it cancels it.
    pub statement_wait: Duration,
}

/// Settings for queries that find rows by key and run so often that they are planned once. The plan
/// must not be a sequential scan, which is the fastest plan only while the tables are empty.
pub(crate) const PLANNED_ONCE: &str =
    "set plan_cache_mode = force_generic_plan; set enable_seqscan = off";

impl Options {
    pub fn new(database: PgConnectOptions) -> Self {
        Self {
            database: database.application_name("croupier"),
            readers_max: 14,
            acquire_wait: Duration::from_millis(1500),
            statement_wait: Duration::from_secs(5),
        }
    }

    /// Parses a database URL, such as `postgres://user:password@host/name`.
    pub fn parse(url: &str) -> Result<Self, Error> {
        Ok(Self::new(url.parse()?))
    }

    /// A pool whose connections have these settings in addition to the usual ones.
    fn pool(&self, settings: &str) -> PgPoolOptions {
        let statement_wait_ms = self.statement_wait.as_millis();
        let settings = format!("set statement_timeout = {statement_wait_ms}; {settings}");
        PgPoolOptions::new().acquire_timeout(self.acquire_wait).after_connect(
            move |connection, _| {
                let settings = sqlx::AssertSqlSafe(settings.clone());
                Box::pin(async move { connection.execute(settings).await.map(drop) })
            },
        )
    }
}

impl Store {
    /// Connects, and fails when the database does not answer in time.
    pub async fn connect(options: Options) -> Result<Self, Error> {
        let readers = options.pool("").max_connections(options.readers_max);
        let pool = readers.connect_with(options.database.clone()).await?;
        let hot_reads = Arc::new(HotReads::new(&options));
        let shared = Shared {
            database: options.database,
            process: Uuid::new_v4(),
            high_water: [const { AtomicI64::new(0) }; BUCKETS],
            high_water_rose: watch::Sender::new(()),
            installation: OnceCell::new(),
        };
        Ok(Self { pool, shared: Arc::new(shared), hot_reads })
    }

    /// Brings the database's tables up to date. Processes that start together wait for each other
    /// here.
    pub async fn migrate(&self) -> Result<(), Error> {
        let mut connection = self.connection().await?;
        sqlx::migrate!("../../migrations").run(&mut connection).await?;
        Ok(())
    }

    /// Closes all connections that read.
    pub async fn close(&self) {
        tokio::join!(self.pool.close(), self.hot_reads.close());
    }

    /// The pool of the readers, for queries on other tables of the same database.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// A connection outside the pools, without their limits, for long-running work.
    pub async fn connection(&self) -> Result<PgConnection, sqlx::Error> {
        self.shared.database.connect().await
    }
}

impl HotReads {
    fn new(options: &Options) -> Self {
        let pool = |settings| {
            let pool = options.pool(settings).max_connections(batch::QUERIES_MAX as u32);
            // A query on a dead connection fails and is repeated on another one, so testing each
            // connection first would only cost a round trip.
            pool.test_before_acquire(false).connect_lazy_with(options.database.clone())
        };
        let (for_matches, for_entries) = (pool(""), pool(PLANNED_ONCE));
        Self {
            pools: [for_matches.clone(), for_entries.clone()],
            matches: BatchLoader::new(move |keys| matches::load(for_matches.clone(), keys)),
            entries: BatchLoader::new(move |keys| read::entries_after(for_entries.clone(), keys)),
        }
    }

    async fn close(&self) {
        let [one, other] = &self.pools;
        tokio::join!(one.close(), other.close());
    }
}
