//! The record: every accepted action, once, in order, in Postgres.
//!
//! Begin with `migrations/`: the tables carry the promises, this crate only keeps to them.
//! [`append`] is the one way to add an entry; [`Log`] reads entries, and keeps what surrounds them
//! (matches, seats, platforms); [`follow`] hands on what other processes have added.

pub mod append;
mod bucket;
mod copy;
pub mod follow;
mod gather;
mod matches;
mod platforms;
mod read;
mod stream;
mod subscriptions;
mod tags;

pub use append::{Append, AppendError, Draft, jittered};
pub use bucket::{BUCKETS, Bucket, NoSuchBucket};
pub use matches::{Created, MatchRow, NewMatch, SeatRow, Seating, Seed};
pub use platforms::TokenKey;
pub use read::{Heads, Recorded};
pub use stream::{Last, Scope, Streamed, Window};
pub use subscriptions::{LEASE, Leased, SubscriptionRow};
pub use tags::{TAGS_MAX, Tagging, Tags};

use gather::Gather;
use read::After;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Executor};
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Duration;
use tokio::sync::{OnceCell, watch};
use uuid::Uuid;

/// A place in a match's log, counted from 1. [`Position::START`] is before the first entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct Position(pub i64);

/// The name of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct MatchId(pub Uuid);

impl Position {
    pub const START: Self = Self(0);

    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// A connection to the record, cheap to clone.
#[derive(Clone)]
pub struct Store {
    pool: PgPool,
    shared: Arc<Shared>,
    reads: Arc<Reads>,
}

/// What is asked all the time, and so together with others. It has connections of its own, one a
/// query that may be under way: if there is none to be had, the database is away, and not only busy
/// with other questions.
struct Reads {
    pools: [PgPool; 2],
    loads: Gather<(String, MatchId), Option<(MatchRow, Seed)>>,
    entries: Gather<After, Vec<Recorded>>,
}

impl Reads {
    fn new(options: &Options) -> Self {
        let pool = |settings| {
            let pool = options.pool(settings).max_connections(gather::LANES as u32);
            // Whoever asks finds out whether a connection is dead.
            pool.test_before_acquire(false).connect_lazy_with(options.database.clone())
        };
        let (loading, reading) = (pool(""), pool(PLANNED_ONCE));
        Self {
            pools: [loading.clone(), reading.clone()],
            loads: Gather::new(move |asked| matches::load(loading.clone(), asked)),
            entries: Gather::new(move |asked| read::entries_after(reading.clone(), asked)),
        }
    }

    async fn close(&self) {
        let [one, other] = &self.pools;
        tokio::join!(one.close(), other.close());
    }
}

/// What the writer and the follower of one process know together.
struct Shared {
    database: PgConnectOptions,
    /// Names this process in hints between processes, so that it does not wake itself.
    process: Uuid,
    /// By bucket: up to which bucket position this process has written or been handed every entry.
    known: [AtomicI64; BUCKETS],
    /// Told whenever `known` grows.
    news: watch::Sender<()>,
    /// Read once.
    installation: OnceCell<Uuid>,
}

/// Which database, and how much of it readers may take. Writers and followers bring their own
/// connections.
#[derive(Clone, Debug)]
pub struct Options {
    pub database: PgConnectOptions,
    /// Connections for reading at once, beside those of what is asked all the time. With those of
    /// the writer, the follower and the projector a process has some two dozen: a Postgres with a
    /// hundred connections has room for four.
    pub readers_max: u32,
    /// How long a read waits for a connection. Short: when the database is down, callers should
    /// hear it while they still listen.
    pub acquire_wait: Duration,
    /// How long the database may work on one read before it gives up.
    pub statement_wait: Duration,
}

impl Options {
    pub fn new(database: PgConnectOptions) -> Self {
        Self {
            database: database.application_name("croupier"),
            readers_max: 8,
            acquire_wait: Duration::from_millis(1500),
            statement_wait: Duration::from_secs(5),
        }
    }

    /// Connections with these settings beside the usual.
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

    /// Reads a database's URL, as `postgres://user:password@host/name`.
    pub fn parse(url: &str) -> Result<Self, Error> {
        Ok(Self::new(url.parse()?))
    }
}

impl Store {
    /// Connects, and fails when the database does not answer in time.
    pub async fn connect(options: Options) -> Result<Self, Error> {
        let readers = options.pool("").max_connections(options.readers_max);
        let pool = readers.connect_with(options.database.clone()).await?;
        let reads = Arc::new(Reads::new(&options));
        let shared = Shared {
            database: options.database,
            process: Uuid::new_v4(),
            known: [const { AtomicI64::new(0) }; BUCKETS],
            news: watch::Sender::new(()),
            installation: OnceCell::new(),
        };
        Ok(Self { pool, shared: Arc::new(shared), reads })
    }

    /// Brings the database's tables up to date. Processes that start together wait for one another
    /// here.
    pub async fn migrate(&self) -> Result<(), Error> {
        let mut connection = self.connection().await?;
        sqlx::migrate!("../../migrations").run(&mut connection).await?;
        Ok(())
    }

    /// Lets go of all connections that read.
    pub async fn close(&self) {
        tokio::join!(self.pool.close(), self.reads.close());
    }

    /// For readers of what is kept next to the record.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// A connection outside the pool, without its limits, for work that lasts.
    pub async fn connection(&self) -> Result<PgConnection, sqlx::Error> {
        self.shared.database.connect().await
    }
}

/// Settings for what is found by its key, and done so often that it is planned once. A plan from
/// the first day, when to look at the whole table was quickest, must not last.
pub(crate) const PLANNED_ONCE: &str =
    "set plan_cache_mode = force_generic_plan; set enable_seqscan = off";

/// Postgres' code for a disk without space.
pub(crate) const DISK_FULL: &str = "53100";

/// Postgres' code for text that it has no way to keep: with a zero in it.
const NO_TEXT: &str = "22021";

/// Why the record could not be asked, told by what there is to do about it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// More is asked than can be answered in time: ask again in a moment.
    #[error("too many questions are waiting for the database")]
    Busy,
    /// It is there, and no answer comes: the same call may succeed in a moment.
    #[error("the database does not answer")]
    Silent,
    /// It cannot be reached, is starting, stopping or busy: the same call may succeed in a moment.
    #[error("the database is unavailable")]
    Unavailable(#[source] Arc<sqlx::Error>),
    /// It needs an operator: there is no room on its disk.
    #[error("the database is full")]
    Full(#[source] Arc<sqlx::Error>),
    /// A text that it was asked for, or to keep, has a zero in it.
    #[error("the database keeps no such text")]
    NoText(#[source] Arc<sqlx::Error>),
    /// It understood and said no: a mistake in this crate, its options or its caller.
    #[error("the database refused the statement")]
    Fault(#[source] Arc<sqlx::Error>),
    #[error("the database's tables could not be brought up to date")]
    Migrate(#[source] Arc<sqlx::migrate::MigrateError>),
}

impl Error {
    /// Whether a connection was lost: another one may well be good.
    fn is_of_connection(&self) -> bool {
        match self {
            Self::Unavailable(source) => match &**source {
                sqlx::Error::Io(_) => true,
                sqlx::Error::Database(database) => {
                    database.code().is_some_and(|code| code.starts_with("57P"))
                }
                _ => false,
            },
            _ => false,
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(source: sqlx::Error) -> Self {
        use sqlx::Error::*;
        let kind = match &source {
            Io(_) | Tls(_) | Protocol(_) | PoolTimedOut | PoolClosed | WorkerCrashed => {
                Self::Unavailable
            }
            Database(database) => match database.code().as_deref() {
                Some(DISK_FULL) => Self::Full,
                Some(NO_TEXT) => Self::NoText,
                Some(code) if is_passing(code) => Self::Unavailable,
                _ => Self::Fault,
            },
            _ => Self::Fault,
        };
        kind(Arc::new(source))
    }
}

impl From<sqlx::migrate::MigrateError> for Error {
    fn from(source: sqlx::migrate::MigrateError) -> Self {
        match source {
            sqlx::migrate::MigrateError::Execute(source) => source.into(),
            other => Self::Migrate(Arc::new(other)),
        }
    }
}

/// Whether a key was there first.
pub(crate) fn is_unique_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.code().as_deref() == Some("23505"))
}

/// Whether an SQLSTATE speaks of the server's condition and not of our statement.
fn is_passing(code: &str) -> bool {
    // Connections, rollbacks of a loser, too little of something, operator intervention, the system
    // below.
    let classes = ["08", "40", "53", "57", "58"];
    // A standby that does not take writes (yet), a lock that was not to be had.
    let codes = ["25006", "55P03"];
    classes.iter().any(|class| code.starts_with(class)) || codes.contains(&code)
}
