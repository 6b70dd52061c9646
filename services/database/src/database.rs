//! The database of a process: its pool, and its nodes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use futures::future::join_all;
use positions::{BUCKETS, Bucket};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnection, PgExecutor, PgPool, PgQueryResult, PgRow};
use sqlx::{Connection, FromRow, Postgres, Row};
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::error::is_disk_full;
use crate::hosts::accepts_writes;
use crate::{Clock, Error, Hosts, Node, OfNodes, Options};

/// A database, cheap to clone.
#[derive(Clone)]
pub struct Database(Arc<Inner>);

struct Inner {
    pool: PgPool,
    hosts: Arc<Hosts>,
    options: Options,
    clock: Clock,
    /// Read once, like the next fields.
    is_sharded: OnceCell<bool>,
    nodes: OnceCell<Vec<Node>>,
    installation: OnceCell<Uuid>,
    /// Whether a write failed because the disk is full, since the probe last looked. It also looks
    /// when it begins.
    has_failed_full: AtomicBool,
}

/// How often two connections are asked for their sessions, since others may use a pooler's sessions
/// in between.
const SESSION_QUESTIONS: u32 = 5;

impl Database {
    /// Connects, and fails if the database does not answer in time.
    pub async fn connect(options: Options) -> Result<Self, Error> {
        let hosts = Arc::new(options.hosts());
        if options.only_writable() {
            drop(hosts.connect().await?);
        }
        let readers = (options.pool("", &hosts).max_connections(options.readers_max()))
            // A connection that fails this check is closed.
            .after_release(|connection, _| Box::pin(is_outside_transactions(connection)))
            .test_before_acquire(false)
            .before_acquire(|connection, its| Box::pin(is_alive(connection, its.idle_for)));
        let pool = readers.connect_with(hosts.current()).await?;
        hosts.lead(&pool);
        let clock = Clock::new(options.simulated_time);
        clock.ask(&pool).await?;
        let inner = Inner {
            pool,
            hosts,
            options,
            clock,
            is_sharded: OnceCell::new(),
            nodes: OnceCell::new(),
            installation: OnceCell::new(),
            has_failed_full: AtomicBool::new(true),
        };
        Ok(Self(Arc::new(inner)))
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

    /// The pool of the readers.
    pub fn pool(&self) -> &PgPool {
        &self.0.pool
    }

    /// The time that all processes share. It is known while a [`probe`](crate::probe) runs.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The number of connections for queries that are not batched.
    pub fn readers_max(&self) -> u32 {
        self.pool().options().get_max_connections()
    }

    /// A pool for the queries of one [`BatchLoader`](crate::BatchLoader), with these settings.
    pub fn batched_pool(&self, settings: &str) -> PgPool {
        let pool = self.0.options.batched_pool(settings, &self.0.hosts);
        self.0.hosts.lead(&pool);
        pool
    }

    /// Closes the connections of all pools.
    pub async fn close(&self) {
        join_all(self.0.hosts.led().iter().map(PgPool::close)).await;
    }

    /// The address with which the service was configured.
    pub fn hosts(&self) -> &Hosts {
        &self.0.hosts
    }

    /// A connection outside the pools, without their limits, for long-running work.
    pub async fn connection(&self) -> Result<PgConnection, sqlx::Error> {
        self.0.hosts.open().await
    }

    /// Whether the server accepts writes: it is no standby.
    pub async fn accepts_writes(&self) -> Result<bool, Error> {
        Ok(accepts_writes(&mut self.connection().await?).await?)
    }

    /// The id of this installation: the same for all processes on one database, different for every
    /// database.
    pub async fn installation(&self) -> Result<Uuid, Error> {
        let reading = async || {
            sqlx::query_scalar("select installation_id from installation")
                .fetch_one(self.pool())
                .await
        };
        Ok(*self.0.installation.get_or_try_init(reading).await?)
    }

    /// Executes a statement that writes. A transaction of several statements is never begun on a
    /// pool: if its caller were cancelled at its beginning, it would stay open, and others' writes
    /// on the connection would become part of it.
    ///
    /// A single statement is atomic, even if the caller is cancelled. If the connection is lost
    /// during it, the error is [`Error::Unknown`].
    pub async fn write(&self, query: Query<'_>) -> Result<PgQueryResult, Error> {
        let mut connection = self.connection_for_write().await?;
        query.execute(&mut *connection).await.map_err(|error| self.of_write(error))
    }

    /// Like [`Database::write`], for a statement that returns one row.
    pub async fn write_returning<Row>(&self, query: QueryAs<'_, Row>) -> Result<Row, Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let mut connection = self.connection_for_write().await?;
        query.fetch_one(&mut *connection).await.map_err(|error| self.of_write(error))
    }

    /// Like [`Database::write`], for a statement that returns at most one row.
    pub async fn write_returning_any<Row>(
        &self,
        query: QueryAs<'_, Row>,
    ) -> Result<Option<Row>, Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let mut connection = self.connection_for_write().await?;
        query.fetch_optional(&mut *connection).await.map_err(|error| self.of_write(error))
    }

    /// The error of a write, which the probe is told of if the disk is full.
    fn of_write(&self, source: sqlx::Error) -> Error {
        if is_disk_full(&source) {
            self.note_full();
        }
        Error::of_write(source)
    }

    /// Lets the probe find out whether the disk is full, as a write failed for that reason.
    pub fn note_full(&self) {
        self.0.has_failed_full.store(true, Relaxed);
    }

    pub(crate) fn take_full(&self) -> bool {
        self.0.has_failed_full.swap(false, Relaxed)
    }

    #[expect(clippy::disallowed_methods, reason = "it is used for a single statement")]
    async fn connection_for_write(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.pool().acquire().await?)
    }

    /// Whether the tables are distributed over several nodes, with the extension Citus.
    pub async fn is_sharded(&self) -> Result<bool, Error> {
        Ok(self.is_sharded_seen_by(self.pool()).await?)
    }

    /// Like [`Database::is_sharded`], on the caller's connection.
    pub async fn is_sharded_seen_by(
        &self,
        connection: impl PgExecutor<'_>,
    ) -> Result<bool, sqlx::Error> {
        let asking = async || {
            sqlx::query_scalar("select exists (select 1 from pg_extension where extname = 'citus')")
                .fetch_one(connection)
                .await
        };
        Ok(*self.0.is_sharded.get_or_try_init(asking).await?)
    }

    /// For tests: assumes a sharded database with these nodes, to try its statements.
    #[doc(hidden)]
    pub fn assume_sharded(&self, nodes: Vec<Node>) {
        self.0.is_sharded.set(true).expect("nothing was read before");
        self.0.nodes.set(nodes).map_err(|_| ()).expect("nothing was read before");
    }

    /// The size of the database on the disk of the node that was configured.
    pub async fn bytes(&self) -> Result<i64, Error> {
        let bytes = sqlx::query_scalar("select pg_database_size(current_database())");
        Ok(bytes.fetch_one(self.pool()).await?)
    }

    /// Reads the buckets of each node. Fails if no node can be read, or if one fails for another
    /// reason than being unreachable. One Postgres is read for all buckets at once.
    pub async fn each_node<T, Reading>(
        &self,
        read: impl Fn(Vec<Bucket>) -> Reading,
    ) -> Result<OfNodes<T>, Error>
    where
        Reading: Future<Output = Result<T, Error>>,
    {
        let nodes = self.nodes().await?;
        if let [only] = nodes {
            return Ok(OfNodes {
                found: vec![read(only.buckets.clone()).await?],
                away: Vec::new(),
            });
        }
        let given = &self.0.hosts;
        let answers =
            join_all(nodes.iter().map(|node| node.ask(given, read(node.buckets.clone())))).await;
        let mut all = OfNodes { found: Vec::new(), away: Vec::new() };
        for (node, answer) in nodes.iter().zip(answers) {
            match answer? {
                Some(found) => all.found.push(found),
                None => all.away.extend(&node.buckets),
            }
        }
        if all.found.is_empty() { Err(Error::TimedOut) } else { Ok(all) }
    }

    /// Fails if the node of this bucket has just been found unreachable, so that no connection
    /// waits for it. It asks nobody.
    pub fn check_reachable(&self, bucket: Bucket) -> Result<(), Error> {
        let nodes = self.0.nodes.get().map_or(&[][..], Vec::as_slice);
        let is_away = |node: &&Node| node.is_away() && node.buckets.contains(&bucket);
        match nodes.iter().find(is_away) {
            Some(_) => Err(Error::of_node()),
            None => Ok(()),
        }
    }

    /// The nodes of the database. Each bucket is on one of them.
    pub async fn nodes(&self) -> Result<&[Node], Error> {
        Ok(self.0.nodes.get_or_try_init(|| self.find_nodes()).await?)
    }

    async fn find_nodes(&self) -> Result<Vec<Node>, Error> {
        if !self.is_sharded().await? {
            return Ok(vec![Node::only()]);
        }
        let places: Vec<(Bucket, String, i32)> = sqlx::query_as(
            "select placed.bucket, place.nodename, place.nodeport
             from (
                 select bucket, get_shard_id_for_distribution_column('buckets', bucket) as shard
                 from unnest($1::smallint[]) as bucket
             ) as placed
             join pg_dist_shard_placement as place on place.shardid = placed.shard
             where exists (
                 select 1 from pg_dist_partition where logicalrelid = 'buckets'::regclass
             )",
        )
        .bind(Bucket::all().collect::<Vec<_>>())
        .fetch_all(self.pool())
        .await?;
        let mut nodes = BTreeMap::<(String, i32), Vec<Bucket>>::new();
        for (bucket, host, port) in places {
            nodes.entry((host, port)).or_default().push(bucket);
        }
        if nodes.values().map(Vec::len).sum::<usize>() != BUCKETS {
            return Ok(vec![Node::only()]);
        }
        let given = self.0.hosts.current();
        let node = |((host, port), buckets): ((String, i32), _)| {
            let port = u16::try_from(port).unwrap_or_default();
            let hosts = Hosts::new(vec![given.clone().host(&host).port(port)], false);
            Node::of(Some(Arc::new(hosts)), buckets)
        };
        Ok(nodes.into_iter().map(node).collect())
    }
}

/// A statement, as `sqlx::query` makes it.
pub type Query<'q> = sqlx::query::Query<'q, Postgres, PgArguments>;
/// A statement that returns rows, as `sqlx::query_as` makes it.
pub type QueryAs<'q, Row> = sqlx::query::QueryAs<'q, Postgres, Row, PgArguments>;

/// Tests a connection that was idle for a while. A connection that was just returned has been
/// tested by [`is_outside_transactions`], whose round trip this saves.
async fn is_alive(connection: &mut PgConnection, idle: Duration) -> Result<bool, sqlx::Error> {
    if idle > TRUSTED_IDLE {
        connection.ping().await?;
    }
    Ok(true)
}

/// A connection that was idle for longer is tested before use.
const TRUSTED_IDLE: Duration = Duration::from_millis(100);

/// Asks the server whether the connection is outside of any transaction, in one round trip. A
/// connection with a failed transaction answers with an error.
async fn is_outside_transactions(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    // The statement begins no transaction, so this fails unless one is already open.
    match connection.begin_with("select").await {
        Err(sqlx::Error::BeginFailed) => Ok(true),
        Ok(_) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The session that serves a connection.
async fn session(connection: &mut PgConnection) -> Result<i32, Error> {
    // A simple query, because a pooler could prepare a statement in one session and run it in
    // another.
    let row = sqlx::raw_sql("select pg_backend_pid()").fetch_one(connection).await?;
    Ok(row.try_get(0)?)
}
