//! The database, for commands that work on it directly.

use std::path::{Path, PathBuf};

use postgres_server::{Options, Postgres};
use sqlx::postgres::PgConnectOptions;
use store::Store;

/// The application that our own Postgres belongs to, and its role there.
const APPLICATION: &str = "croupier";

#[derive(Debug, clap::Args)]
pub struct Database {
    /// The service's database, as postgres://user:password@host/name [default: the one in the data
    /// folder]
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "CROUPIER_DATABASE_URL",
        hide_env_values = true
    )]
    database_url: Option<String>,
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
    #[error("the database cannot be opened")]
    Store(#[from] store::Error),
}

/// Our own Postgres does not run.
#[derive(Debug, thiserror::Error)]
#[error("the service's own Postgres cannot run (--database-url uses another one instead)")]
pub struct OwnPostgresError(#[from] pub postgres_server::Error);

/// The folder of our own Postgres in a data folder.
fn folder(data: &Path) -> PathBuf {
    data.join("postgres")
}

/// Starts our own Postgres in a data folder.
pub async fn start_postgres(data: &Path) -> Result<Postgres, OwnPostgresError> {
    Ok(Postgres::start(folder(data), Options::new(APPLICATION)).await?)
}

impl Database {
    /// Opens the store. If no database is named, a service must be running on the data folder.
    pub async fn open(&self, data: &Path) -> Result<Store, Error> {
        let options = match &self.database_url {
            Some(url) => store::Options::parse(url)?,
            None => store::Options::new(running(data)?),
        };
        Ok(Store::connect(options).await?)
    }

    /// Opens the store, with or without a running service.
    pub async fn open_alone(&self, data: &Path) -> Result<OpenStore, Error> {
        let (options, postgres) = match &self.database_url {
            Some(url) => (store::Options::parse(url)?, None),
            None => match start_postgres(data).await {
                Ok(postgres) => (store::Options::new(postgres.options()), Some(postgres)),
                // A running service holds the folder, so its server can be used.
                Err(OwnPostgresError(postgres_server::Error::Held { .. })) => {
                    (store::Options::new(running(data)?), None)
                }
                Err(error) => return Err(error.into()),
            },
        };
        let store = Store::connect(options).await?;
        store.migrate().await?;
        Ok(OpenStore { store, postgres })
    }
}

/// An open store, with the server that was started for it.
pub struct OpenStore {
    pub store: Store,
    /// None where a server was running already.
    postgres: Option<Postgres>,
}

impl OpenStore {
    pub async fn close(self) {
        self.store.close().await;
        if let Some(postgres) = self.postgres {
            postgres.stop().await;
        }
    }
}

fn running(data: &Path) -> Result<PgConnectOptions, Error> {
    let folder = folder(data);
    Postgres::running(&folder, APPLICATION).map_err(|_| Error::Missing { folder })
}
