//! The tables of deliveries.

use database::Database;
use sqlx::postgres::PgPool;

/// The tables of deliveries, cheap to clone.
#[derive(Clone)]
pub struct Deliveries {
    database: Database,
}

impl Deliveries {
    pub fn new(database: &Database) -> Self {
        Self { database: database.clone() }
    }

    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    pub(crate) fn pool(&self) -> &PgPool {
        self.database.pool()
    }
}
