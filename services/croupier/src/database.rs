//! The database, for commands that work on the record itself.

use std::path::Path;

use log::Log;
use sqlx::postgres::PgConnectOptions;

use crate::client::Failure;
use crate::postgres::Postgres;

/// Which database.
#[derive(Debug, clap::Args)]
pub struct Database {
    /// The service's database; if none is named, the one that a running `croupier serve` keeps in the data folder
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
    /// The record in it. `data` is the data folder.
    pub async fn open(&self, data: &Path) -> Result<Log, Failure> {
        let options = match &self.database_url {
            Some(url) => log::Options::parse(url)?,
            None => log::Options::new(running(&data.join("postgres"))?),
        };
        Ok(Log::connect(options).await?)
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
