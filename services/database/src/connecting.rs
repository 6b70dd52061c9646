//! Connection options: hosts and numbers of connections.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, Executor};

use crate::hosts::{self, Hosts};
use crate::settings::{DURABLE, READ_BY_KEY, limit_idle_transactions};
use crate::{Error, Pool, SimulatedTime, UrlError, batch};

/// The database, and the number of connections for readers. Writers and followers open their own
/// connections.
#[derive(Clone, Debug)]
pub struct Options {
    hosts: Vec<PgConnectOptions>,
    /// Whether a connection is used only if its host accepts writes.
    only_writable: bool,
    /// Connections for concurrent queries, of which up to six are for batched reads. In addition, a
    /// process has one each for its writer, its follower, its probe, its watch of changes, and its
    /// projector. Query connections are opened on demand; an idle process has one.
    pub query_connections: u32,
    /// How long a read waits for a connection. It is short, so that callers learn that the database
    /// is down before they give up.
    pub acquire_wait: Duration,
    /// How long the database may work on one read before it cancels it.
    pub statement_wait: Duration,
    /// Runs the process on an accelerated clock.
    pub simulated_time: Option<SimulatedTime>,
}

/// How long a pooled connection may live, and be idle. A pool uses its connections in turn, so even
/// with few queries none is idle for long, but it reopens them only on demand. Each new one costs
/// the database a process, and planning all statements again.
const LIFETIME_MAX: Duration = Duration::from_secs(300);
const IDLE_MAX: Duration = Duration::from_secs(20);

/// The default of [`Options::query_connections`]: enough for a few processors.
pub const QUERY_CONNECTIONS: u32 = 20;

/// The inverse share of the connections that each pool for batched reads gets: a sixth.
const BATCHED_SHARE: u32 = 6;

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
            simulated_time: None,
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
        let connection = self.hosts().connect().await?;
        let _ = connection.close().await;
        Ok(())
    }

    pub(crate) fn hosts(&self) -> Hosts {
        Hosts::new(self.hosts.clone(), self.only_writable)
    }

    pub(crate) fn only_writable(&self) -> bool {
        self.only_writable
    }

    /// Connections of a pool for batched reads. There are two such pools.
    pub(crate) fn batched_max(&self) -> u32 {
        (self.query_connections / BATCHED_SHARE).clamp(1, batch::QUERIES_MAX as u32)
    }

    /// Connections for all other queries.
    pub(crate) fn readers_max(&self) -> u32 {
        self.query_connections.saturating_sub(2 * self.batched_max()).max(1)
    }

    /// A pool whose connections have these settings in addition to the usual ones.
    pub(crate) fn pool(&self, settings: &str, hosts: &Arc<Hosts>) -> PgPoolOptions {
        let statement_wait_ms = self.statement_wait.as_millis();
        let limit = limit_idle_transactions();
        let settings = format!(
            "set statement_timeout = {statement_wait_ms}; {limit}; {DURABLE}; {READ_BY_KEY}; {settings}"
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
                    // Looks for the host that accepts writes; the pool tries again and finds it.
                    drop(hosts.connect().await);
                    return Err(hosts::read_only());
                }
                connection.execute(settings).await.map(drop)
            })
        })
    }

    /// A pool for the queries of one [`BatchLoader`](crate::BatchLoader): with one connection for
    /// each concurrent query, so waiting for a connection means that the database is down, not that
    /// it is busy with other reads.
    ///
    /// A query on a dead connection fails and is repeated on another one, so testing each
    /// connection first would only cost a round trip. Connections are not tested for open
    /// transactions either: these queries are never cancelled and never write.
    pub(crate) fn batched_pool(&self, settings: &str, hosts: &Arc<Hosts>) -> Pool {
        let pool = self.pool(settings, hosts).max_connections(self.batched_max());
        Pool::on_demand(pool.test_before_acquire(false), hosts)
    }
}
