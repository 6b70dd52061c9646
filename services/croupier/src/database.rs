//! The database, for commands that work on the record itself.

use std::path::Path;

use sqlx::postgres::PgConnectOptions;
use store::Store;

use crate::client::Failure;
use crate::postgres::{Error, Options, Postgres};

/// Which database.
#[derive(Debug, clap::Args)]
pub struct Database {
    /// The service's database, as postgres://user:password@host/name; if none is named, the one in
    /// the data folder
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "CROUPIER_DATABASE_URL",
        hide_env_values = true
    )]
    database_url: Option<String>,
}

impl Database {
    /// The record in it, which a service has to run on if none is named. `data` is the data folder.
    pub async fn open(&self, data: &Path) -> Result<Store, Failure> {
        let options = match &self.database_url {
            Some(url) => store::Options::parse(url)?,
            None => store::Options::new(running(&data.join("postgres"))?),
        };
        Ok(Store::connect(options).await?)
    }
}

/// An open record, on a server that was started for it if nobody else runs one.
pub struct Record {
    pub store: Store,
    /// The server, where this process had to start it.
    postgres: Option<Postgres>,
}

impl Record {
    pub async fn open(database: &Database, data: &Path) -> Result<Record, Failure> {
        let (options, postgres) = match &database.database_url {
            Some(url) => (store::Options::parse(url)?, None),
            None => {
                let folder = data.join("postgres");
                match Postgres::start(&folder, Options::default()).await {
                    Ok(postgres) => (store::Options::new(postgres.options()), Some(postgres)),
                    // A service runs on it.
                    Err(Error::Held { .. }) => (store::Options::new(running(&folder)?), None),
                    Err(error) => return Err(error.into()),
                }
            }
        };
        let store = Store::connect(options).await?;
        store.migrate().await?;
        Ok(Record { store, postgres })
    }

    pub async fn close(self) {
        self.store.close().await;
        if let Some(postgres) = self.postgres {
            postgres.stop().await;
        }
    }
}

fn running(data: &Path) -> Result<PgConnectOptions, Failure> {
    Postgres::running(data).map_err(|_| {
        let data = data.display();
        Failure::Missing(format!(
            "no service keeps its database in {data}: name one with --data or --database-url"
        ))
    })
}
