//! The database, for commands that work on the record itself.

use std::path::Path;

use log::Log;

use crate::client::Failure;
use crate::postgres::{self, Postgres};
use crate::serve;

/// Which database.
#[derive(Debug, clap::Args)]
pub struct Database {
    /// The database to work on, as postgres://user:password@host/name; if none is named, the one in the data folder, whether a
    /// service runs on it or not
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "CROUPIER_DATABASE_URL",
        hide_env_values = true
    )]
    database_url: Option<String>,
}

/// A database that can be worked on.
pub struct Opened {
    options: log::Options,
    /// The server, where nobody else runs it.
    postgres: Option<Postgres>,
}

impl Database {
    /// Finds the database, and starts its server if it is one of ours and does not run.
    pub async fn open(&self, data: &Path) -> Result<Opened, Failure> {
        if let Some(url) = &self.database_url {
            return Ok(Opened { options: log::Options::parse(url)?, postgres: None });
        }
        let folder = data.join("postgres");
        match Postgres::start(&folder, postgres::Options::default()).await {
            Ok(postgres) => {
                let options = log::Options::new(postgres.options());
                Ok(Opened { options, postgres: Some(postgres) })
            }
            Err(postgres::Error::Held { .. }) => {
                let options = log::Options::new(Postgres::options_of_another(&folder));
                Ok(Opened { options, postgres: None })
            }
            Err(error) => Err(serve::Error::from(error).into()),
        }
    }
}

impl Opened {
    /// The record, its tables brought up to date.
    pub async fn log(&self) -> Result<Log, Failure> {
        let log = Log::connect(self.options.clone()).await?;
        log.migrate().await?;
        Ok(log)
    }

    /// Stops the server, if it was started for this.
    pub async fn close(self) {
        if let Some(postgres) = self.postgres {
            postgres.stop().await;
        }
    }
}
