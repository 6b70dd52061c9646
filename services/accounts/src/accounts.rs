//! The tables of accounts: callers and their limits.

use std::sync::Arc;

use database::{Database, Error, Pool};

use crate::watch::{Watch, Watching};

/// The tables of accounts, cheap to clone.
#[derive(Clone)]
pub struct Accounts {
    database: Database,
    watch: Arc<Watch>,
}

impl Accounts {
    pub fn new(database: &Database) -> Self {
        Self { database: database.clone(), watch: Arc::default() }
    }

    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Closes the connection on which changes are read.
    pub async fn close(&self) {
        self.watch.close().await;
    }

    pub(crate) fn pool(&self) -> &Pool {
        self.database.pool()
    }

    /// The connection on which changes are read.
    pub(crate) async fn watch(&self) -> Result<Watching<'_>, Error> {
        self.watch.take(&self.database).await
    }
}
