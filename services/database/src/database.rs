//! The database of a process: its pool, and its nodes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use futures::TryFutureExt;
use futures::future::{BoxFuture, join_all};
use positions::{BUCKETS, Bucket};
use sqlx::postgres::{
    PgArguments, PgConnection, PgExecutor, PgPool, PgPoolOptions, PgQueryResult, PgRow,
};
use sqlx::{Connection, FromRow, Postgres, Row};
use tokio::sync::{Mutex, OnceCell, watch};
use tokio::time::timeout;
use uuid::Uuid;

use crate::error::{is_disk_full, is_of_node, is_unique_violation};
use crate::hosts::accepts_writes;
use crate::nodes::{AWAY_WAIT, Places};
use crate::own_shards::Asked;
use crate::pool::AnyQuery;
use crate::{At, Clock, Error, Hosts, Node, OfNodes, Options, Pool, Pools, SeenNodes};

/// A database, cheap to clone.
#[derive(Clone)]
pub struct Database(Arc<Inner>);

struct Inner {
    readers: Pools,
    /// Connects on demand.
    of_all: Pool,
    hosts: Arc<Hosts>,
    options: Options,
    clock: Clock,
    /// Read once.
    is_sharded: OnceCell<bool>,
    /// Read once.
    installation: OnceCell<Uuid>,
    places: Places,
    asked: Asked,
    /// All nodes, as last seen.
    seen: watch::Sender<SeenNodes>,
    /// When the places were last read. Held while they are.
    placed: Mutex<Option<Instant>>,
    /// Whether a write failed because the disk is full, since the probe last looked. It also looks
    /// when it begins.
    has_failed_full: AtomicBool,
}

/// How often two connections are asked for their sessions, since others may use a pooler's sessions
/// in between.
const SESSION_QUESTIONS: u32 = 5;

/// How often the places of the buckets are read again, which an operator may have moved.
const PLACES_PAUSE: Duration = Duration::from_secs(10);

impl Database {
    /// Connects, and fails if the database does not answer in time.
    pub async fn connect(options: Options) -> Result<Self, Error> {
        let hosts = Arc::new(options.hosts());
        if options.only_writable() {
            drop(hosts.connect().await?);
        }
        let pool = Pool::connect(readers(&options, &hosts), &hosts).await?;
        let clock = Clock::new(options.simulated_time);
        clock.ask(&pool).await?;
        let places = Places::default();
        let (of, given) = (options.clone(), hosts.clone());
        let make = move |node: &Node| {
            let hosts = node.shared_hosts().unwrap_or(&given);
            Pool::on_demand(readers(&of, hosts), hosts)
        };
        let of_all = Pool::on_demand(readers(&options, &hosts), &hosts);
        let inner = Inner {
            of_all,
            readers: Pools::new(pool, places.clone(), make),
            hosts,
            options,
            clock,
            is_sharded: OnceCell::new(),
            installation: OnceCell::new(),
            places,
            asked: Asked::default(),
            seen: watch::Sender::new(SeenNodes::default()),
            placed: Mutex::default(),
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

    /// The pool of the readers, for statements about no bucket or several.
    pub fn pool(&self) -> &Pool {
        self.0.readers.whole()
    }

    /// The pool for statements that may need all nodes. They wait for a node that hangs, so on
    /// several nodes it is another one.
    pub fn pool_of_all(&self) -> &Pool {
        match self.0.places.all().len() {
            0 | 1 => self.pool(),
            _ => &self.0.of_all,
        }
    }

    /// The pools of the readers.
    pub fn readers(&self) -> &Pools {
        &self.0.readers
    }

    /// Where a statement about one bucket runs.
    pub fn at(&self, bucket: Bucket) -> At {
        match self.0.places.of(bucket) {
            None => At { pool: self.pool().clone(), node: None },
            Some((_, node)) => {
                let pool = self.0.readers.of_node(&node);
                At { pool, node: Some((node, self.0.hosts.clone())) }
            }
        }
    }

    /// The time that all processes share. It is known while a [`probe`](crate::probe) runs.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The number of connections for queries that are not batched.
    pub fn readers_max(&self) -> u32 {
        self.pool().inner().options().get_max_connections()
    }

    /// Pools for the queries of one [`BatchLoader`](crate::BatchLoader), with these settings. Its
    /// lanes are [those of the nodes](Self::lane).
    pub fn batched_pools(&self, settings: &str) -> Pools {
        let (options, given) = (self.0.options.clone(), self.0.hosts.clone());
        let settings = settings.to_owned();
        let make = move |hosts: &Arc<Hosts>| options.batched_pool(&settings, hosts);
        let whole = make(&given);
        let of_node = move |node: &Node| make(node.shared_hosts().unwrap_or(&given));
        Pools::new(whole, self.0.places.clone(), of_node)
    }

    /// The number of a bucket's node; 0 on one Postgres.
    pub fn lane(&self, bucket: Bucket) -> usize {
        self.0.places.of(bucket).map_or(0, |(number, _)| number)
    }

    /// Closes the connections of all pools.
    pub async fn close(&self) {
        let nodes = self.0.places.all();
        let of_nodes = nodes.iter().filter_map(Node::hosts).flat_map(Hosts::led);
        let all: Vec<PgPool> = self.0.hosts.led().into_iter().chain(of_nodes).collect();
        join_all(all.iter().map(PgPool::close)).await;
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
        self.done(None, AnyQuery::of(query)).await
    }

    /// Like [`Database::write`], for a statement about one bucket. If its node is found away
    /// meanwhile, the error is [`Error::Unknown`].
    pub async fn write_at(&self, bucket: Bucket, query: Query<'_>) -> Result<PgQueryResult, Error> {
        self.done(Some(bucket), AnyQuery::of(query)).await
    }

    /// Like [`Database::write`], for an insert of one row by its values into a table of which every
    /// node has all rows. Returns false if the key of the row is taken.
    ///
    /// With `on conflict`, or with rows that are read, such an insert locks the table on all nodes,
    /// for which the role that serves has no right where it may only insert.
    pub async fn add(&self, query: Query<'_>) -> Result<bool, Error> {
        is_added(self.write(query).await)
    }

    /// Like [`Database::write_at`], for an insert of one row by its values. Returns false if a key
    /// of the row is taken.
    pub async fn add_at(&self, bucket: Bucket, query: Query<'_>) -> Result<bool, Error> {
        is_added(self.write_at(bucket, query).await)
    }

    /// Like [`Database::write`], for a statement that returns one row.
    pub async fn write_returning<Row>(&self, query: QueryAs<'_, Row>) -> Result<Row, Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        self.only_row(self.first_row(None, AnyQuery::of(query)).await?)
    }

    /// Like [`Database::write_at`], for a statement that returns one row.
    pub async fn write_returning_at<Row>(
        &self,
        bucket: Bucket,
        query: QueryAs<'_, Row>,
    ) -> Result<Row, Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        self.only_row(self.first_row(Some(bucket), AnyQuery::of(query)).await?)
    }

    /// Like [`Database::write_at`], for a statement that returns at most one row.
    pub async fn write_returning_any_at<Row>(
        &self,
        bucket: Bucket,
        query: QueryAs<'_, Row>,
    ) -> Result<Option<Row>, Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        self.any_row(self.first_row(Some(bucket), AnyQuery::of(query)).await?)
    }

    /// Like [`Database::write`], for a statement that returns at most one row.
    pub async fn write_returning_any<Row>(
        &self,
        query: QueryAs<'_, Row>,
    ) -> Result<Option<Row>, Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        self.any_row(self.first_row(None, AnyQuery::of(query)).await?)
    }

    fn done(
        &self,
        bucket: Option<Bucket>,
        query: AnyQuery,
    ) -> BoxFuture<'_, Result<PgQueryResult, Error>> {
        let writing = async |connection: &mut PgConnection| query.done_on(connection).await;
        Box::pin(self.writing(bucket, writing))
    }

    fn first_row(
        &self,
        bucket: Option<Bucket>,
        query: AnyQuery,
    ) -> BoxFuture<'_, Result<Option<PgRow>, Error>> {
        let writing = async |connection: &mut PgConnection| query.first_row_on(connection).await;
        Box::pin(self.writing(bucket, writing))
    }

    async fn writing<T>(
        &self,
        bucket: Option<Bucket>,
        writing: impl AsyncFnOnce(&mut PgConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, Error> {
        let Some(bucket) = bucket else {
            let mut connection = self.pool_of_all().acquire().await?;
            return writing(&mut connection).await.map_err(|error| self.of_write(error));
        };
        let acquiring = self.0.readers.of(bucket).acquire();
        let mut connection = self.within(bucket, acquiring.map_err(Error::from)).await?;
        let writing = writing(&mut connection);
        let Some((_, node)) = self.0.places.of(bucket) else {
            return writing.await.map_err(|error| self.of_write(error));
        };
        match node.ask(&self.0.hosts, is_of_node, writing).await {
            Ok(Some(written)) => Ok(written),
            Ok(None) => Err(Error::of_write(crate::error::node_is_away())),
            Err(error) => Err(self.of_write(error)),
        }
    }

    fn only_row<Row>(&self, row: Option<PgRow>) -> Result<Row, Error>
    where
        Row: for<'r> FromRow<'r, PgRow>,
    {
        let row = row.ok_or(sqlx::Error::RowNotFound);
        row.and_then(|row| Row::from_row(&row)).map_err(|error| self.of_write(error))
    }

    fn any_row<Row>(&self, row: Option<PgRow>) -> Result<Option<Row>, Error>
    where
        Row: for<'r> FromRow<'r, PgRow>,
    {
        let row = row.map(|row| Row::from_row(&row)).transpose();
        row.map_err(|error| self.of_write(error))
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

    /// Waits for work about one bucket: if its node is found away, the error says so.
    pub async fn within<T>(
        &self,
        bucket: Bucket,
        working: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        match self.0.places.of(bucket) {
            None => working.await,
            Some((_, node)) => node
                .ask(&self.0.hosts, Error::is_of_node, working)
                .await?
                .ok_or_else(Error::of_node),
        }
    }

    /// A connection like [`Database::connection`], to the node of a bucket.
    pub async fn connection_at(&self, bucket: Bucket) -> Result<PgConnection, Error> {
        let Some((_, node)) = self.0.places.of(bucket) else {
            return Ok(self.connection().await?);
        };
        let connecting = async { Ok(node.connect(&self.0.hosts).await?) };
        self.within(bucket, connecting).await
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
        self.0.places.set(nodes);
    }

    /// The size of the database on the disk of the node that was configured.
    pub async fn bytes(&self) -> Result<i64, Error> {
        let bytes = sqlx::query_scalar("select pg_database_size(current_database())");
        Ok(bytes.fetch_one(self.pool()).await?)
    }

    /// Reads the buckets of each node. Fails if no node can be read, or if one fails for another
    /// reason than being unreachable. One Postgres is read for all buckets at once. `read` is given
    /// a pool of the node.
    pub async fn each_node<T, Reading>(
        &self,
        read: impl Fn(Pool, Vec<Bucket>) -> Reading,
    ) -> Result<OfNodes<T>, Error>
    where
        Reading: Future<Output = Result<T, Error>>,
    {
        self.follow_places().await;
        let nodes = self.nodes().await?;
        if let [only] = &nodes[..] {
            let found = read(self.pool().clone(), only.buckets.to_vec()).await?;
            return Ok(OfNodes { found: vec![found], away: Vec::new() });
        }
        let ask = |node: &Node| {
            let reading = read(self.0.readers.of_node(node), node.buckets.to_vec());
            let node = node.clone();
            async move { node.ask(&self.0.hosts, Error::is_of_node, reading).await }
        };
        let answers = join_all(nodes.iter().map(ask)).await;
        let mut all = OfNodes { found: Vec::new(), away: Vec::new() };
        for (node, answer) in nodes.iter().zip(answers) {
            match answer? {
                Some(found) => all.found.push(found),
                None => all.away.extend(&node.buckets[..]),
            }
        }
        if all.found.is_empty() { Err(Error::TimedOut) } else { Ok(all) }
    }

    /// Fails if the node of this bucket has just been found unreachable, so that no connection
    /// waits for it. It asks nobody.
    pub fn check_reachable(&self, bucket: Bucket) -> Result<(), Error> {
        match self.0.places.of(bucket) {
            Some((_, node)) if node.is_away() => Err(Error::of_node()),
            _ => Ok(()),
        }
    }

    /// The nodes as last read; none if they were not read yet.
    pub(crate) fn known_nodes(&self) -> Arc<[Node]> {
        self.0.places.all()
    }

    pub(crate) fn asked(&self) -> &Asked {
        &self.0.asked
    }

    /// The nodes of the database, as last read. Each bucket is on one of them.
    pub async fn nodes(&self) -> Result<Arc<[Node]>, Error> {
        let known = self.0.places.all();
        if !known.is_empty() {
            return Ok(known);
        }
        let mut placed = self.0.placed.lock().await;
        if self.0.places.all().is_empty() {
            self.0.places.set(self.find_nodes().await?);
            *placed = Some(Instant::now());
        }
        Ok(self.0.places.all())
    }

    /// A connection to each server: to the one that is configured and, if the database has several
    /// nodes, to each of them, which may be the same ones.
    pub async fn connections_to_all(&self) -> Result<Vec<PgConnection>, Error> {
        let mut all = vec![self.connection().await?];
        if !self.is_sharded().await? {
            return Ok(all);
        }
        for (host, port) in self.node_addresses().await? {
            all.push(self.hosts_at(&host, port).open().await?);
        }
        Ok(all)
    }

    /// The host and the port of every node of a cluster.
    pub(crate) async fn node_addresses(&self) -> Result<Vec<(String, i32)>, Error> {
        let addresses = sqlx::query_as(
            "select nodename, nodeport
             from pg_dist_node
             where noderole = 'primary' and isactive
             order by nodeid",
        );
        Ok(addresses.fetch_all(self.pool()).await?)
    }

    /// The nodes of a cluster, as they are seen while a [`probe`](crate::probe) runs.
    pub fn watch_nodes(&self) -> watch::Receiver<SeenNodes> {
        self.0.seen.subscribe()
    }

    pub(crate) fn saw(&self, nodes: SeenNodes) {
        self.0.seen.send_if_modified(|before| {
            let is_new = *before != nodes;
            *before = nodes;
            is_new
        });
    }

    /// Reads the places of the buckets again if it is time. While they cannot be read, the last
    /// ones hold.
    async fn follow_places(&self) {
        let nodes = self.0.places.all();
        if nodes.len() < 2 {
            return;
        }
        let pause = match nodes.iter().any(Node::is_away) {
            true => AWAY_WAIT,
            false => PLACES_PAUSE,
        };
        let Ok(mut placed) = self.0.placed.try_lock() else { return };
        if placed.is_some_and(|placed| placed.elapsed() < pause) {
            return;
        }
        if let Ok(Ok(found)) = timeout(AWAY_WAIT, self.find_nodes()).await {
            self.0.places.set(found);
        }
        *placed = Some(Instant::now());
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
        let known = self.0.places.all();
        let node = async |((host, port), buckets): ((String, i32), Vec<Bucket>)| {
            let name = format!("{host}:{port}");
            match known.iter().find(|node| node.name() == name) {
                Some(node) => node.with(buckets),
                None => self.find_node(name, &host, port, buckets).await,
            }
        };
        Ok(join_all(nodes.into_iter().map(node)).await)
    }

    /// A server that is reached as the configured one is, at another address.
    pub(crate) fn hosts_at(&self, host: &str, port: i32) -> Hosts {
        let port = u16::try_from(port).unwrap_or_default();
        Hosts::new(vec![self.0.hosts.current().host(host).port(port)], false)
    }

    /// A node that was not known. If only the others reach it, so do we through them.
    async fn find_node(&self, name: String, host: &str, port: i32, buckets: Vec<Bucket>) -> Node {
        let at = Arc::new(self.hosts_at(host, port));
        let direct = Node::of(name.clone(), Some(at), buckets.clone());
        let through = Node::of(name, None, buckets);
        if direct.answers(&self.0.hosts).await || !through.answers(&self.0.hosts).await {
            return direct;
        }
        tracing::warn!(
            "the node {host}:{port} of the database is reached through another one: let the service \
             connect to it, so that it costs less and waits for no other"
        );
        through
    }
}

/// The options of a pool of readers.
fn readers(options: &Options, hosts: &Arc<Hosts>) -> PgPoolOptions {
    (options.pool("", hosts).max_connections(options.readers_max()))
        .test_before_acquire(false)
        .before_acquire(|connection, its| Box::pin(is_alive(connection, its.idle_for)))
}

/// A statement, as `sqlx::query` makes it.
pub type Query<'q> = sqlx::query::Query<'q, Postgres, PgArguments>;
/// A statement that returns rows, as `sqlx::query_as` makes it.
pub type QueryAs<'q, Row> = sqlx::query::QueryAs<'q, Postgres, Row, PgArguments>;

/// Tests a connection that was idle for a while. The pool itself tests one that is returned.
async fn is_alive(connection: &mut PgConnection, idle: Duration) -> Result<bool, sqlx::Error> {
    if idle > TRUSTED_IDLE {
        connection.ping().await?;
    }
    Ok(true)
}

/// A connection that was idle for longer is tested before use.
const TRUSTED_IDLE: Duration = Duration::from_millis(100);

/// The session that serves a connection.
async fn session(connection: &mut PgConnection) -> Result<i32, Error> {
    // A simple query, because a pooler could prepare a statement in one session and run it in
    // another.
    let row = sqlx::raw_sql("select pg_backend_pid()").fetch_one(connection).await?;
    Ok(row.try_get(0)?)
}

/// Whether an insert added its row: false if a key of the row is taken.
fn is_added<T>(written: Result<T, Error>) -> Result<bool, Error> {
    match written {
        Ok(_) => Ok(true),
        Err(Error::Fault(source)) if is_unique_violation(&source) => Ok(false),
        Err(error) => Err(error),
    }
}
