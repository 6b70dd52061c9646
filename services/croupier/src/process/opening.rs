//! Opening an installation, for commands that work on its record directly.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use database::{Database, Hazard};
use event_log::hints;
use keeping::archiving::ColdStore;
use postgres_server::{Options, Postgres};
use sqlx::postgres::PgConnectOptions;
use store::{ModuleOptions, Store};
use tokio_util::sync::CancellationToken;

use super::installation::{self, Installation};
use super::patience::{Passing, Patience};

/// The application that our own Postgres belongs to, and its role there.
const APPLICATION: &str = "croupier";

/// The database's URL, or the file that holds it.
#[derive(Clone, Debug, clap::Args)]
pub struct Url {
    /// The service's database, as postgres://user:password@host/name [default: the one in the data
    /// folder]
    ///
    /// With several hosts, as in postgres://user:password@one,two:5433/name, the one that accepts
    /// writes is used.
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "CROUPIER_DATABASE_URL",
        hide_env_values = true
    )]
    database_url: Option<String>,

    /// A file that contains the database's URL
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "CROUPIER_DATABASE_URL_FILE",
        conflicts_with = "database_url"
    )]
    database_url_file: Option<PathBuf>,

    /// The destination of `croupier archive`, as file:///FOLDER or s3://BUCKET/PREFIX [default:
    /// archived matches cannot be read]
    ///
    /// Credentials and endpoint of S3 come from the environment, as AWS_ACCESS_KEY_ID,
    /// AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL.
    #[arg(long, global = true, value_name = "URL", env = "CROUPIER_ARCHIVE")]
    archive: Option<String>,

    /// The program that compiles games that are modules [default: croupier-module-compiler beside
    /// this program, or in `modules` or `lib/croupier` of the folder above]
    #[arg(long, global = true, value_name = "PATH", env = "CROUPIER_MODULE_COMPILER")]
    module_compiler: Option<PathBuf>,

    /// The folder that keeps compiled modules. Only this user may be able to write it, since what
    /// is there is run [default: `modules` in the data folder]
    #[arg(long, global = true, value_name = "FOLDER", env = "CROUPIER_MODULE_CACHE")]
    module_cache: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct DatabaseArgs {
    #[command(flatten)]
    url: Url,
}

// The options of a command that also needs the database. A doc comment would replace the command's
// help.
#[derive(clap::Args)]
pub struct OnDatabase<A: clap::Args> {
    #[command(flatten)]
    pub database: DatabaseArgs,
    #[command(flatten)]
    pub args: A,
}

/// Whether a long-running command may change the schema.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Migration {
    /// Do not start while migrations are pending; by default they are applied, which requires the
    /// role that owns the tables. `croupier migrate` applies them too, and it alone if the database
    /// has several nodes
    #[arg(long, env = "CROUPIER_WITHOUT_MIGRATION")]
    without_migration: bool,
}

/// The hazardous settings of the database server that are accepted.
#[derive(Clone, Debug, clap::Args)]
pub struct Durability {
    /// Serve even if the database has this setting, with which a crash of its machine loses or
    /// damages acknowledged entries: fsync=off or full_page_writes=off; repeatable
    #[arg(long, value_name = "SETTING", env = "CROUPIER_ALLOW_UNSAFE", value_delimiter = ',',
        value_parser = hazard)]
    allow_unsafe: Vec<Hazard>,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Postgres(#[from] OwnPostgresError),
    #[error(
        "no service keeps its database in {}: name one with --data or --database-url",
        folder.display()
    )]
    Missing { folder: PathBuf },
    #[error("the database URL cannot be read from {}", path.display())]
    UrlFile { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Url(#[from] database::UrlError),
    #[error("--hints cannot be used")]
    Hints(#[from] hints::WaysError),
    #[error(transparent)]
    Archive(#[from] keeping::objects::ObjectsError),
    #[error("the database at {addresses} did not accept a connection")]
    Silent { addresses: String, source: database::Error },
    #[error("the database at {addresses} refuses the role, or its password")]
    Refused { addresses: String, source: Arc<sqlx::Error> },
    #[error(
        "{addresses} is a connection pooler in transaction mode, such as PgBouncer, but the service \
         needs sessions of its own: connect to Postgres directly, or to a pool in session mode"
    )]
    Pooler { addresses: String },
    #[error(
        "{addresses} is a connection pooler, such as PgBouncer, that refuses a setting of the \
         service's sessions: connect to Postgres directly, or to a pool in session mode that has \
         extra_float_digits among its ignore_startup_parameters"
    )]
    PoolerRefuses { addresses: String },
    #[error("the database cannot be opened")]
    Database(#[from] database::Error),
    #[error("the database cannot be brought up to date")]
    Schema(#[from] schema::Error),
    #[error("the database lacks {}: run `croupier migrate` first", listed(.0))]
    Pending(Vec<schema::Migration>),
    #[error("an earlier migration is unfinished: run `croupier migrate` on the coordinator first")]
    Misplaced(#[source] schema::Error),
    #[error(
        "the database has the setting `{}`, with which a crash of its machine loses or damages \
         what was acknowledged: change it, or allow it with --allow-unsafe {}",
        .0.setting(),
        name(*.0)
    )]
    Unsafe(Hazard),
}

fn listed(migrations: &[schema::Migration]) -> String {
    let names = migrations.iter().map(|it| format!("{:04} {}", it.version, it.description));
    let plural = if migrations.len() == 1 { "" } else { "s" };
    format!("{} migration{plural} ({})", migrations.len(), names.collect::<Vec<_>>().join(", "))
}

/// A setting as `--allow-unsafe` names it.
fn name(hazard: Hazard) -> String {
    hazard.setting().replace(' ', "")
}

fn hazard(text: &str) -> Result<Hazard, String> {
    let hazards = [Hazard::FsyncOff, Hazard::FullPageWritesOff];
    let found = hazards.into_iter().find(|&it| name(it) == text);
    found.ok_or_else(|| format!("it is one of {}", hazards.map(name).join(", ")))
}

/// Our own Postgres is not running.
#[derive(Debug, thiserror::Error)]
#[error("the service's own Postgres cannot run (--database-url uses another one instead)")]
pub struct OwnPostgresError(#[from] pub postgres_server::Error);

impl Passing for OwnPostgresError {
    fn waits_for(&self) -> Option<String> {
        self.0.is_disk_full().then(|| "room on the disk of the data folder".to_owned())
    }
}

impl Passing for database::Error {
    fn waits_for(&self) -> Option<String> {
        let what = match self {
            database::Error::Full(_) => "room on the database's disk",
            database::Error::Busy
            | database::Error::TimedOut
            | database::Error::Unavailable(_)
            | database::Error::Unknown(_) => "the database",
            database::Error::Refused(_)
            | database::Error::InvalidText(_)
            | database::Error::Gone(_)
            | database::Error::Fault(_) => return None,
        };
        Some(what.to_owned())
    }
}

impl Passing for Error {
    fn waits_for(&self) -> Option<String> {
        match self {
            Error::Postgres(error) => error.waits_for(),
            Error::Silent { addresses, .. } => Some(format!("the database at {addresses}")),
            Error::Database(error) | Error::Schema(schema::Error::Database(error)) => {
                error.waits_for()
            }
            _ => None,
        }
    }
}

/// The folder of our own Postgres in a data folder.
fn folder(data: &Path) -> PathBuf {
    data.join("postgres")
}

/// How long a service waits for another one that is stopping on its data folder.
const LOCK_WAIT: Duration = Duration::from_secs(60);

/// Starts our own Postgres in a data folder.
pub async fn start_postgres(data: &Path) -> Result<Postgres, OwnPostgresError> {
    Ok(Postgres::start(folder(data), Options::new(APPLICATION)).await?)
}

/// The same, after an earlier service on the data folder has stopped, and once the disk has room.
pub async fn start_postgres_patiently(
    data: &Path,
    patience: Patience,
) -> Result<Postgres, OwnPostgresError> {
    let options = Options { lock_wait: patience.at_most(LOCK_WAIT), ..Options::new(APPLICATION) };
    let start = async || Ok(Postgres::start(folder(data), options.clone()).await?);
    patience.retry(start).await
}

impl Url {
    /// The compiler of modules, if one is named.
    pub fn module_compiler(&self) -> Option<&Path> {
        self.module_compiler.as_deref()
    }

    /// The database of the given URL, if there is one.
    pub fn options(&self, data: &Path) -> Result<Option<installation::Options>, Error> {
        let url = match (&self.database_url, &self.database_url_file) {
            (Some(url), _) => url.clone(),
            (None, Some(path)) => std::fs::read_to_string(path)
                .map_err(|source| Error::UrlFile { path: path.clone(), source })?,
            (None, None) => return Ok(None),
        };
        self.with_rest(database::Options::parse(url.trim())?, data).map(Some)
    }

    /// The database that the service runs itself.
    pub fn own_options(
        &self,
        own: PgConnectOptions,
        data: &Path,
    ) -> Result<installation::Options, Error> {
        self.with_rest(database::Options::new(own), data)
    }

    fn with_rest(
        &self,
        database: database::Options,
        data: &Path,
    ) -> Result<installation::Options, Error> {
        let objects = self.archive.as_deref().map(ColdStore::open).transpose()?;
        let modules = ModuleOptions {
            compiler: self.module_compiler.clone(),
            cache: Some(self.module_cache.clone().unwrap_or_else(|| data.join("modules"))),
        };
        Ok(installation::Options { objects, modules, ..installation::Options::new(database) })
    }
}

impl Migration {
    /// Whether this process brings the database up to date.
    pub fn migrates(self) -> bool {
        !self.without_migration
    }

    /// Applies the pending migrations, or fails if there are any. Tables on several nodes are
    /// changed by `croupier migrate` only: it needs the coordinator, and nobody else at work.
    pub async fn apply(self, database: &Database) -> Result<(), Error> {
        if self.without_migration || database.is_sharded().await? {
            return refuse_pending(database).await;
        }
        let applied = schema::migrate(database).await?;
        if !applied.is_empty() {
            tracing::info!("applied {} to the database", listed(&applied));
        }
        Ok(())
    }
}

/// Fails if there are pending migrations, or if one failed half-way on several nodes.
pub async fn refuse_pending(database: &Database) -> Result<(), Error> {
    let pending = schema::pending(database).await?;
    if !pending.is_empty() {
        return Err(Error::Pending(pending));
    }
    schema::check_places(database).await.map_err(|error| match error {
        schema::Error::Misplaced(_) => Error::Misplaced(error),
        other => other.into(),
    })
}

impl Durability {
    /// Fails if the database has a hazardous setting that is not allowed.
    pub async fn check(&self, database: &Database) -> Result<(), Error> {
        for hazard in database.hazards().await? {
            if !self.allow_unsafe.contains(&hazard) {
                return Err(Error::Unsafe(hazard));
            }
            tracing::warn!(
                "THE DATABASE HAS THE SETTING `{}`: a crash of its machine loses or damages what \
                 was acknowledged",
                hazard.setting()
            );
        }
        Ok(())
    }
}

/// How long one attempt to reach the database may take.
const ATTEMPT_WAIT: Duration = Duration::from_secs(5);

/// Opens an installation, if its database accepts a connection now.
pub async fn connect(options: installation::Options) -> Result<Installation, Error> {
    let database = &options.database;
    let addresses = database.addresses();
    let reached = tokio::time::timeout(ATTEMPT_WAIT, database.reach()).await;
    match reached.unwrap_or(Err(database::Error::TimedOut)) {
        Ok(()) => {}
        Err(error) if is_of_pooler(&error) => return Err(Error::PoolerRefuses { addresses }),
        Err(source @ (database::Error::Unavailable(_) | database::Error::TimedOut)) => {
            return Err(Error::Silent { addresses, source });
        }
        Err(database::Error::Refused(source)) => return Err(Error::Refused { addresses, source }),
        Err(error) => return Err(error.into()),
    }
    let installation = Installation::open(options).await?;
    if !installation.database().has_sessions().await? {
        return Err(Error::Pooler { addresses });
    }
    Ok(installation)
}

/// Whether PgBouncer refused a setting of a session.
fn is_of_pooler(error: &database::Error) -> bool {
    let causes =
        std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    causes.into_iter().any(|it| it.to_string().contains("unsupported startup parameter"))
}

/// Waits until reads of the store no longer work, or until `stop` is cancelled. The store batches
/// them in tasks of its own; without these, readers would wait forever.
pub async fn batched_reads(store: Store, stop: CancellationToken) {
    stop.run_until_cancelled(store.reading_ended()).await;
}

impl DatabaseArgs {
    /// This database with another archive, or without one.
    pub fn with_archive(&self, archive: Option<String>) -> DatabaseArgs {
        DatabaseArgs { url: Url { archive, ..self.url.clone() } }
    }

    /// The compiler of modules, if one is named.
    pub fn module_compiler(&self) -> Option<&Path> {
        self.url.module_compiler()
    }

    /// Opens it. If no database is named, a service must be running on the data folder.
    pub async fn open(&self, data: &Path) -> Result<Installation, Error> {
        connect(self.options(data)?).await
    }

    /// Like [`DatabaseArgs::open`], but waits for the database, and prepares it.
    pub async fn open_patiently(
        &self,
        data: &Path,
        patience: Patience,
        migration: Migration,
        hints: hints::Options,
    ) -> Result<Installation, Error> {
        let mut options = self.options(data)?;
        options.hints = hints;
        let installation = patience.retry(async || connect(options.clone()).await).await?;
        patience.retry(async || migration.apply(installation.database()).await).await?;
        Ok(installation)
    }

    fn options(&self, data: &Path) -> Result<installation::Options, Error> {
        match self.url.options(data)? {
            Some(options) => Ok(options),
            None => self.url.own_options(running(data)?, data),
        }
    }

    /// Opens it, with or without a running service.
    pub async fn open_alone(&self, data: &Path) -> Result<Opened, Error> {
        let opened = self.open_as_it_is(data).await?;
        let migration = Migration { without_migration: false };
        migration.apply(opened.installation.database()).await?;
        Ok(opened)
    }

    /// Like [`DatabaseArgs::open_alone`], but applies no migrations.
    pub async fn open_as_it_is(&self, data: &Path) -> Result<Opened, Error> {
        let (options, postgres) = match self.url.options(data)? {
            Some(options) => (options, None),
            None => match start_postgres(data).await {
                Ok(postgres) => (self.url.own_options(postgres.options(), data)?, Some(postgres)),
                // A running service holds the folder, so its server can be used.
                Err(OwnPostgresError(postgres_server::Error::Held { .. })) => {
                    (self.url.own_options(running(data)?, data)?, None)
                }
                Err(error) => return Err(error.into()),
            },
        };
        let installation = connect(options).await?;
        Ok(Opened { installation, postgres })
    }
}

/// An installation, with the server that was started for it.
pub struct Opened {
    pub installation: Installation,
    /// `None` if a server was running already.
    postgres: Option<Postgres>,
}

impl Opened {
    pub async fn close(self) {
        self.installation.close().await;
        if let Some(postgres) = self.postgres {
            postgres.stop().await;
        }
    }
}

fn running(data: &Path) -> Result<PgConnectOptions, Error> {
    let folder = folder(data);
    Postgres::running(&folder, APPLICATION).map_err(|_| Error::Missing { folder })
}
