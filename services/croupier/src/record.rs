//! The record itself, for commands that work on it without a service: the whole truth, for whoever may read the database anyway.

use std::path::Path;

use log::Log;

use crate::client::Failure;
use crate::postgres::{Error, Options, Postgres};

/// Which database.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "The database")]
pub struct Database {
    /// The service's database, as postgres://user:password@host/name; if none is named, the one in the data folder, whether a
    /// service runs on it or not
    #[arg(long, value_name = "URL", env = "CROUPIER_DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,
}

/// An open record.
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
                    Err(Error::Held { .. }) => {
                        let running = Postgres::running(&folder);
                        let running =
                            running.map_err(|source| Failure::Path { path: folder, source })?;
                        (log::Options::new(running), None)
                    }
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
