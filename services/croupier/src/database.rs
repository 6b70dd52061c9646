//! The database, for commands that work on the record itself.

use std::path::Path;

use log::Log;
use sqlx::postgres::PgConnectOptions;

use crate::client::Failure;
use crate::postgres::{Error, Options, Postgres};

/// Which database.
#[derive(Debug, clap::Args)]
pub struct Database {
    /// The service's database, as postgres://user:password@host/name; if none is named, the one in the data folder
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
    pub async fn open(&self, data: &Path) -> Result<Log, Failure> {
        let options = match &self.database_url {
            Some(url) => log::Options::parse(url)?,
            None => log::Options::new(running(&data.join("postgres"))?),
        };
        Ok(Log::connect(options).await?)
    }
}

/// An open record, on a server that was started for it if nobody else runs one.
pub struct Record {
    pub log: Log,
    /// The server, where this process had to start it.
    postgres: Option<Postgres>,
}

impl Record {
    pub async fn open(database: &Database, data: &Path) -> Result<Record, Failure> {
        let (options, postgres) = match &database.database_url {
            Some(url) => (log::Options::parse(url)?, None),
            None => {
                let folder = data.join("postgres");
                match Postgres::start(&folder, Options::default()).await {
                    Ok(postgres) => (log::Options::new(postgres.options()), Some(postgres)),
                    // A service runs on it.
                    Err(Error::Held { .. }) => (log::Options::new(running(&folder)?), None),
                    Err(error) => return Err(error.into()),
                }
            }
        };
        let log = Log::connect(options).await?;
        log.migrate().await?;
        Ok(Record { log, postgres })
    }

    pub async fn close(self) {
        self.log.close().await;
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
