//! The handles that a process opens on a database.

use accounts::Accounts;
use database::{Database, Options};
use deliveries::Deliveries;
use event_log::Log;
use sqlx::postgres::PgConnectOptions;
use std::ops::Deref;
use store::{RECORD, Store};

/// The tables of a database.
pub struct Installation {
    pub store: Store,
    pub accounts: Accounts,
    pub deliveries: Deliveries,
}

impl Installation {
    pub async fn open(options: Options) -> Installation {
        let database = Database::connect(options).await.expect("it connects");
        let store = Store::new(&Log::new(&database, event_log::Options::new(RECORD)));
        let (accounts, deliveries) = (Accounts::new(&database), Deliveries::new(&database));
        Installation { store, accounts, deliveries }
    }

    /// The same with up-to-date tables.
    pub async fn migrated(options: PgConnectOptions) -> Installation {
        let installation = Installation::open(Options::new(options)).await;
        schema::migrate(installation.database()).await.expect("it migrates");
        installation
    }

    pub async fn close(&self) {
        self.accounts.close().await;
        self.database().close().await;
    }
}

impl Deref for Installation {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}
