//! Connections to the database, and the state that the parts of one process share.

use crate::batch::{self, BatchLoader};
use crate::hints::ChangedBuckets;
use crate::hints::{self, Hints};
use crate::hosts::{self, Hosts};
use crate::marks::SharedMarks;
use crate::read::{EntriesAfter, EntriesRead};
use crate::shards::Shards;
use crate::watch::Watch;
use crate::{ColdStore, Error, Loaded, MatchId, UrlError, durability, matches, read};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{
    PgArguments, PgConnectOptions, PgConnection, PgPool, PgPoolOptions, PgQueryResult, PgRow,
};
use sqlx::query::{Query, QueryAs};
use sqlx::{Connection, Executor, FromRow, Postgres, Row};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;
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
    pub(crate) matches: BatchLoader<(String, MatchId), Option<Loaded>>,
    pub(crate) entries: BatchLoader<EntriesAfter, EntriesRead>,
}

/// State that the writer, the follower and the readers of one process share.
pub(crate) struct Shared {
    pub(crate) hosts: Arc<Hosts>,
    /// Identifies this process in hints, so that it ignores its own.
    pub(crate) process: Uuid,
    pub(crate) hints: Hints,
    /// How far this process has written or read.
    pub(crate) marks: SharedMarks,
    pub(crate) watch: Watch,
    /// Buckets that have entries for the follower of this process.
    pub(crate) hinted: Arc<ChangedBuckets>,
    /// Read once.
    pub(crate) installation: OnceCell<Uuid>,
    pub(crate) cold: Option<ColdStore>,
    pub(crate) shards: Arc<Shards>,
}

/// The database, and how much of it readers may use. Writers and followers open their own
/// connections.
#[derive(Clone, Debug)]
pub struct Options {
    hosts: Vec<PgConnectOptions>,
    /// Whether a connection is used only if its host accepts writes.
    only_writable: bool,
    /// Connections for concurrent queries, of which up to six are for the batched reads. Besides, a
    /// process has one each for its writer, its follower, its probe, what it watches, and its
    /// projector. They are opened as they are needed: at rest one of these is.
    pub query_connections: u32,
    /// How long a read waits for a connection. Short: when the database is down, callers should
    /// learn it before they give up.
    pub acquire_wait: Duration,
    /// How long the database may work on one read before it cancels it.
    pub statement_wait: Duration,
    /// How a writer tells the followers of other processes that there are new entries.
    pub hints: hints::Options,
    /// Where archived matches are; none if this process reads none.
    pub cold: Option<ColdStore>,
}

/// Settings for queries that find rows by key and run so often that they are planned once. The plan
/// must not be a sequential scan, which is the fastest plan only while the tables are empty.
pub(crate) const PLANNED_ONCE: &str =
    "select set_config('plan_cache_mode', 'force_generic_plan', false)
     -- It has to know the values to know the nodes.
     where not exists (select 1 from pg_extension where extname = 'citus');
     set enable_seqscan = off";

/// A setting for queries that find some rows of a large table by their keys. Without it, the
/// planner expects a disk with a moving head, and reads whole tables of some ten thousand rows.
const READ_BY_KEY: &str = "set random_page_cost = 1.1";

/// Settings for connections that only read: they are refused a write even if something is wrong.
const READ_ONLY: &str = "set default_transaction_read_only = on";

/// How long the database lets a transaction wait for its client before it ends the connection:
/// longer than any part of this program works between two statements of a transaction, short enough
/// that the locks of a process that hangs do not stop the others for long.
const IDLE_IN_TRANSACTION_WAIT: Duration = Duration::from_secs(30);

/// How long a pooled connection may live, and be idle. A pool uses its connections in turn, so
/// while there are few queries none is idle for long; but it opens new ones only as they are
/// needed.
const LIFETIME_MAX: Duration = Duration::from_secs(60);
const IDLE_MAX: Duration = Duration::from_secs(20);

/// [`Options::query_connections`] of a process that is told nothing else: enough for a few
/// processors.
pub const QUERY_CONNECTIONS: u32 = 20;

/// How often two connections are asked for their sessions: others may use a pooler's sessions
/// meanwhile.
const SESSION_QUESTIONS: u32 = 5;

impl Options {
    pub fn new(database: PgConnectOptions) -> Self {
        Self::on(vec![database], false)
    }

    fn on(hosts: Vec<PgConnectOptions>, only_writable: bool) -> Self {
        let hosts = hosts.into_iter().map(|host| host.application_name("croupier")).collect();
        Self {
            hosts,
            only_writable,
            query_connections: QUERY_CONNECTIONS,
            acquire_wait: Duration::from_millis(1500),
            statement_wait: Duration::from_secs(5),
            hints: hints::Options::default(),
            cold: None,
        }
    }

    /// Parses a database URL, such as `postgres://user:password@host/name`. It may name several
    /// hosts, separated by commas: the one that accepts writes is used.
    pub fn parse(url: &str) -> Result<Self, UrlError> {
        let (hosts, only_writable) = hosts::parse(url)?;
        Ok(Self::on(hosts, only_writable))
    }

    /// The addresses of the hosts, without credentials.
    pub fn addresses(&self) -> String {
        self.hosts.iter().map(hosts::address).collect::<Vec<_>>().join(", ")
    }

    /// Opens a connection and closes it again.
    pub async fn reach(&self) -> Result<(), Error> {
        let connection = Hosts::new(self.hosts.clone(), self.only_writable).connect().await?;
        let _ = connection.close().await;
        Ok(())
    }

    /// Connections of each of the two pools for batched reads.
    fn batched_max(&self) -> u32 {
        (self.query_connections / 6).clamp(1, batch::QUERIES_MAX as u32)
    }

    /// Connections for all other queries.
    fn readers_max(&self) -> u32 {
        self.query_connections.saturating_sub(2 * self.batched_max()).max(1)
    }

    /// A pool whose connections have these settings in addition to the usual ones.
    fn pool(&self, settings: &str, hosts: &Arc<Hosts>) -> PgPoolOptions {
        let statement_wait_ms = self.statement_wait.as_millis();
        let limit = limit_idle_transactions();
        let settings = format!(
            "set statement_timeout = {statement_wait_ms}; {limit}; {}; {READ_BY_KEY}; {settings}",
            durability::ENFORCE
        );
        let hosts = hosts.clone();
        let pool = PgPoolOptions::new()
            .acquire_timeout(self.acquire_wait)
            .idle_timeout(IDLE_MAX)
            .max_lifetime(LIFETIME_MAX);
        pool.after_connect(move |connection, _| {
            let (settings, hosts) = (sqlx::AssertSqlSafe(settings.clone()), hosts.clone());
            Box::pin(async move {
                if hosts.only_writable() && !hosts::accepts_writes(connection).await? {
                    // Looks for the host that does; the pool tries again and finds it.
                    drop(hosts.connect().await);
                    return Err(hosts::read_only());
                }
                connection.execute(settings).await.map(drop)
            })
        })
    }
}

impl Store {
    /// Connects, and fails when the database does not answer in time.
    pub async fn connect(options: Options) -> Result<Self, Error> {
        let hosts = Arc::new(Hosts::new(options.hosts.clone(), options.only_writable));
        if options.only_writable {
            drop(hosts.connect().await?);
        }
        let readers = (options.pool("", &hosts).max_connections(options.readers_max()))
            // A connection that is refused is closed.
            .after_release(|connection, _| Box::pin(is_outside_transactions(connection)))
            .test_before_acquire(false)
            .before_acquire(|connection, its| Box::pin(is_alive(connection, its.idle_for)));
        let pool = readers.connect_with(hosts.current()).await?;
        let shards = Arc::<Shards>::default();
        let hot_reads = Arc::new(HotReads::new(&options, &hosts, &shards));
        let [for_matches, for_entries] = hot_reads.pools.clone();
        hosts.lead(vec![pool.clone(), for_matches, for_entries]);
        let shared = Shared {
            hosts,
            process: Uuid::new_v4(),
            hints: Hints::new(options.hints),
            marks: SharedMarks::default(),
            watch: Watch::default(),
            hinted: Arc::default(),
            installation: OnceCell::new(),
            cold: options.cold,
            shards,
        };
        Ok(Self { pool, shared: Arc::new(shared), hot_reads })
    }

    /// Whether a connection keeps its session from one transaction to the next. Behind a pooler in
    /// transaction mode, two connections that are open at once are served by one session.
    pub async fn has_sessions(&self) -> Result<bool, Error> {
        let (mut one, mut other) = (self.connection().await?, self.connection().await?);
        for _ in 0..SESSION_QUESTIONS {
            let (first, second) = (session(&mut one).await?, session(&mut other).await?);
            if first == second || first != session(&mut one).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many connections callers share for queries that are not batched.
    pub fn readers_max(&self) -> u32 {
        self.pool.options().get_max_connections()
    }

    /// Ends when a task that reads for many callers has ended, which happens only by a panic.
    pub async fn reading_ended(&self) {
        tokio::select! {
            () = self.hot_reads.matches.ended() => {}
            () = self.hot_reads.entries.ended() => {}
        }
    }

    /// Closes the connections that are not a task's own.
    pub async fn close(&self) {
        tokio::join!(self.pool.close(), self.hot_reads.close(), self.shared.watch.close());
    }

    /// The pool of the readers, for queries on other tables of the same database.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// A connection outside the pools, without their limits, for long-running work.
    pub async fn connection(&self) -> Result<PgConnection, sqlx::Error> {
        self.connection_to(&self.shared.hosts).await
    }

    /// The same to a node of the database.
    pub(crate) async fn connection_to(&self, hosts: &Hosts) -> Result<PgConnection, sqlx::Error> {
        let mut connection = hosts.connect().await?;
        connection.execute(sqlx::AssertSqlSafe(limit_idle_transactions())).await?;
        Ok(connection)
    }

    /// Executes a statement that writes. A transaction of several statements is never begun on a
    /// pool: were its caller cancelled while it begins, it would stay open, and what others write
    /// on the connection would be part of it.
    ///
    /// One statement is done as a whole or not at all, also if the caller is cancelled. If the
    /// connection is lost meanwhile, the error is [`Error::Unknown`].
    pub(crate) async fn write(&self, query: PgQuery<'_>) -> Result<PgQueryResult, Error> {
        let mut connection = self.connection_for_write().await?;
        query.execute(&mut *connection).await.map_err(Error::of_write)
    }

    /// The same for a statement that returns one row.
    pub(crate) async fn write_returning<Row>(&self, query: PgQueryAs<'_, Row>) -> Result<Row, Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let mut connection = self.connection_for_write().await?;
        query.fetch_one(&mut *connection).await.map_err(Error::of_write)
    }

    /// The same for a statement that returns a row or none.
    pub(crate) async fn write_returning_any<Row>(
        &self,
        query: PgQueryAs<'_, Row>,
    ) -> Result<Option<Row>, Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let mut connection = self.connection_for_write().await?;
        query.fetch_optional(&mut *connection).await.map_err(Error::of_write)
    }

    #[expect(clippy::disallowed_methods, reason = "it is used for a single statement")]
    async fn connection_for_write(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.pool.acquire().await?)
    }
}

type PgQuery<'q> = Query<'q, Postgres, PgArguments>;
type PgQueryAs<'q, Row> = QueryAs<'q, Postgres, Row, PgArguments>;

fn limit_idle_transactions() -> String {
    let wait_ms = IDLE_IN_TRANSACTION_WAIT.as_millis();
    format!("set idle_in_transaction_session_timeout = {wait_ms}")
}

/// Tests a connection that was idle for a while. One that was just given back was tested then,
/// which makes up for the round trip that [`is_outside_transactions`] costs.
async fn is_alive(connection: &mut PgConnection, idle: Duration) -> Result<bool, sqlx::Error> {
    if idle > TRUSTED_IDLE {
        connection.ping().await?;
    }
    Ok(true)
}

/// A connection that was idle for longer is tested before it is used.
const TRUSTED_IDLE: Duration = Duration::from_millis(100);

/// Asks the server whether the connection is outside of any transaction, in one round trip. A
/// connection on which a transaction failed answers with an error.
async fn is_outside_transactions(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    // The statement begins nothing, so unless a transaction is open already, this fails.
    match connection.begin_with("select").await {
        Err(sqlx::Error::BeginFailed) => Ok(true),
        Ok(_) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The session that serves a connection.
async fn session(connection: &mut PgConnection) -> Result<i32, Error> {
    // As a simple query: a pooler could prepare a statement in one session and run it in another.
    let row = sqlx::raw_sql("select pg_backend_pid()").fetch_one(connection).await?;
    Ok(row.try_get(0)?)
}

impl HotReads {
    fn new(options: &Options, hosts: &Arc<Hosts>, shards: &Arc<Shards>) -> Self {
        let pool = |settings: String| {
            let pool = options.pool(&settings, hosts).max_connections(options.batched_max());
            // A query on a dead connection fails and is repeated on another one, so testing each
            // connection first would only cost a round trip. Nor is it tested for an open
            // transaction: its queries are not cancelled, and it writes nothing.
            pool.test_before_acquire(false).connect_lazy_with(hosts.current())
        };
        let (for_matches, for_entries) =
            (pool(READ_ONLY.to_owned()), pool(format!("{READ_ONLY}; {PLANNED_ONCE}")));
        let (of_matches, of_entries) = (shards.clone(), shards.clone());
        Self {
            pools: [for_matches.clone(), for_entries.clone()],
            matches: BatchLoader::new(move |keys| {
                matches::load(for_matches.clone(), of_matches.clone(), keys)
            }),
            entries: BatchLoader::new(move |keys| {
                read::entries_after(for_entries.clone(), of_entries.clone(), keys)
            }),
        }
    }

    async fn close(&self) {
        let [one, other] = &self.pools;
        tokio::join!(one.close(), other.close());
    }
}
