//! An installation: the tables of a database of its own.

use database::{Database, Options};
use event_log::Log;
use store::{RECORD, Store};
use test_database::TestDatabase;

/// An installation with an empty record.
pub struct Installation {
    pub store: Store,
    _database: TestDatabase,
}

impl Installation {
    pub async fn open() -> Self {
        let test = TestDatabase::shared().await;
        let database = Database::connect(Options::new(test.options.clone())).await.unwrap();
        schema::migrate(&database).await.unwrap();
        let store = Store::new(&Log::new(&database, event_log::Options::new(RECORD)));
        Self { store, _database: test }
    }
}
