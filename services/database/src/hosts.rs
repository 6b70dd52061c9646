//! The hosts of the database: one, or several of which one accepts writes.
//!
//! After a failover another host is the primary. Each new connection tries the hosts in turn, from
//! the last one that accepted writes, and the pools follow it.

use futures::future::BoxFuture;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgListener, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, Row};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use crate::settings::limit_idle_transactions;

/// An invalid database URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    #[error("the database URL is not of the form postgres://user:password@host:port/name")]
    Form,
    #[error("the database URL is invalid: {0}")]
    Invalid(String),
    #[error(
        "target_session_attrs={0} is not supported: the service needs a database that accepts \
         writes (any, read-write or primary)"
    )]
    SessionAttributes(String),
}

/// The hosts, and the current one.
pub struct Hosts {
    all: Vec<PgConnectOptions>,
    /// Whether a connection is used only if its host accepts writes.
    only_writable: bool,
    current: AtomicUsize,
    /// The host to try first. If a caller gives up an attempt, the next caller tries the next host.
    next: AtomicUsize,
    /// The pools that connect to the current host.
    pools: Mutex<Vec<PgPool>>,
}

/// The timeout of connecting to one of several hosts.
const HOST_WAIT: Duration = Duration::from_secs(2);

impl Hosts {
    pub fn new(all: Vec<PgConnectOptions>, only_writable: bool) -> Self {
        let (current, next) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { all, only_writable, current, next, pools: Mutex::default() }
    }

    /// Lets a pool follow the current host.
    pub(crate) fn lead(&self, pool: &PgPool) {
        let mut pools = self.pools();
        pool.set_connect_options(self.current());
        pools.push(pool.clone());
    }

    /// The pools that follow the current host.
    pub(crate) fn led(&self) -> Vec<PgPool> {
        self.pools().clone()
    }

    fn pools(&self) -> MutexGuard<'_, Vec<PgPool>> {
        self.pools.lock().expect("no holder of this lock panics")
    }

    pub fn only_writable(&self) -> bool {
        self.only_writable
    }

    /// The host that accepted the last connection.
    pub fn current(&self) -> PgConnectOptions {
        self.all[self.current.load(Relaxed)].clone()
    }

    /// A connection to a host, which accepts writes if `only_writable` is set.
    pub fn connect(&self) -> BoxFuture<'_, Result<PgConnection, sqlx::Error>> {
        Box::pin(self.connect_to_any())
    }

    async fn connect_to_any(&self) -> Result<PgConnection, sqlx::Error> {
        if !self.only_writable {
            return self.current().connect().await;
        }
        let (first, count) = (self.next.load(Relaxed), self.all.len());
        let mut failure = None;
        for nth in (first..first + count).map(|nth| nth % count) {
            self.next.store((nth + 1) % count, Relaxed);
            let connecting = connect_writable(&self.all[nth]);
            match tokio::time::timeout(HOST_WAIT, connecting).await {
                Ok(Ok(connection)) => {
                    self.prefer(nth);
                    return Ok(connection);
                }
                Ok(Err(error)) => failure = Some(error),
                Err(_) => failure = Some(io::Error::from(io::ErrorKind::TimedOut).into()),
            }
        }
        Err(failure.expect("there is a host"))
    }

    /// A connection without the limits of a pool, for long-running work.
    pub fn open(&self) -> BoxFuture<'_, Result<PgConnection, sqlx::Error>> {
        Box::pin(async {
            let mut connection = self.connect().await?;
            connection.execute(AssertSqlSafe(limit_idle_transactions())).await?;
            Ok(connection)
        })
    }

    /// A connection that receives the notifications of a channel.
    pub fn listen<'a>(
        &'a self,
        channel: &'a str,
    ) -> BoxFuture<'a, Result<PgListener, sqlx::Error>> {
        Box::pin(async move {
            let pool = PgPoolOptions::new().max_connections(1);
            let pool = pool.connect_with(self.current()).await?;
            let mut listener = PgListener::connect_with(&pool).await?;
            listener.listen(channel).await?;
            Ok(listener)
        })
    }

    fn prefer(&self, nth: usize) {
        self.next.store(nth, Relaxed);
        if self.current.swap(nth, Relaxed) != nth {
            let host = &self.all[nth];
            tracing::info!("the database is at {} now", address(host));
            self.pools().iter().for_each(|pool| pool.set_connect_options(host.clone()));
        }
    }
}

async fn connect_writable(host: &PgConnectOptions) -> Result<PgConnection, sqlx::Error> {
    let mut connection = host.connect().await?;
    match accepts_writes(&mut connection).await? {
        true => Ok(connection),
        false => Err(read_only()),
    }
}

/// The error of a host that accepts no writes: another one may.
pub(crate) fn read_only() -> sqlx::Error {
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "the host accepts no writes").into()
}

/// An expression: whether the server accepts writes.
pub(crate) const ACCEPTS_WRITES: &str =
    "not pg_is_in_recovery() and not current_setting('transaction_read_only')::boolean";

pub(crate) async fn accepts_writes(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let question = sqlx::raw_sql(AssertSqlSafe(format!("select {ACCEPTS_WRITES}")));
    question.fetch_one(connection).await?.try_get(0)
}

/// The address of a host, without credentials.
pub(crate) fn address(host: &PgConnectOptions) -> String {
    match host.get_socket() {
        Some(socket) => socket.display().to_string(),
        None => format!("{}:{}", host.get_host(), host.get_port()),
    }
}

/// The hosts of a URL in the form that libpq understands, with hosts separated by commas, and
/// whether only a host that accepts writes is used.
pub(crate) fn parse(url: &str) -> Result<(Vec<PgConnectOptions>, bool), UrlError> {
    let (scheme, rest) = url.split_once("://").ok_or(UrlError::Form)?;
    if !["postgres", "postgresql"].contains(&scheme) {
        return Err(UrlError::Form);
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    let (user, hosts) = authority
        .rsplit_once('@')
        .map_or(("", authority), |(_, hosts)| (&authority[..authority.len() - hosts.len()], hosts));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (attributes, others): (Vec<&str>, Vec<&str>) = query
        .split('&')
        .filter(|it| !it.is_empty())
        .partition(|it| it.starts_with("target_session_attrs="));
    let wanted = attributes.last().map(|it| it.split_once('=').map_or("", |(_, value)| value));
    let is_primary = match wanted {
        None | Some("any") => false,
        Some("read-write" | "primary") => true,
        Some(other) => return Err(UrlError::SessionAttributes(other.to_owned())),
    };
    let query = if others.is_empty() { String::new() } else { format!("?{}", others.join("&")) };
    let hosts: Vec<&str> = hosts.split(',').collect();
    // Of several hosts only one is the primary, so it is always looked for.
    let only_writable = is_primary || hosts.len() > 1;
    let hosts = hosts.into_iter().map(|host| {
        let url = format!("{scheme}://{user}{host}{path}{query}");
        url.parse().map_err(|error: sqlx::Error| UrlError::Invalid(text(&error)))
    });
    Ok((hosts.collect::<Result<_, _>>()?, only_writable))
}

/// The innermost cause, which says what is wrong.
fn text(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.last().map(ToString::to_string).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: &[&str], only_writable: bool) {
        let (hosts, found) = parse(url).expect("it is valid");
        let hosts: Vec<String> = hosts.iter().map(address).collect();
        assert_eq!(
            (hosts, found),
            (expected.iter().map(ToString::to_string).collect(), only_writable)
        );
    }

    #[test]
    fn a_url_names_one_host_or_several() {
        check("postgres://u:p@one/db", &["one:5432"], false);
        check("postgresql://one:7/db?target_session_attrs=any", &["one:7"], false);
        check("postgres://one/db?target_session_attrs=primary", &["one:5432"], true);
        check("postgres://u:p@one:1,two:2,three/db", &["one:1", "two:2", "three:5432"], true);
        check(
            "postgres://u:p@one,two/db?sslmode=require&target_session_attrs=read-write",
            &["one:5432", "two:5432"],
            true,
        );
        check("postgres://u:a,b@one/db", &["one:5432"], false);
        check("postgres:///db?host=/run/postgresql", &["/run/postgresql"], false);
    }

    #[test]
    fn every_host_gets_the_credentials_and_the_database() {
        let (hosts, _) = parse("postgres://ann:secret@one,two/games?sslmode=disable").unwrap();
        for host in hosts {
            assert_eq!((host.get_username(), host.get_database()), ("ann", Some("games")));
        }
    }

    #[test]
    fn a_url_that_cannot_be_used_is_refused() {
        assert_eq!(parse("one/db").err(), Some(UrlError::Form));
        assert_eq!(parse("mysql://one/db").err(), Some(UrlError::Form));
        assert!(matches!(parse("postgres://one:port/db").err(), Some(UrlError::Invalid(_))));
        let standby = parse("postgres://one,two/db?target_session_attrs=standby").err();
        assert_eq!(standby, Some(UrlError::SessionAttributes("standby".to_owned())));
    }
}
