//! The tables of deliveries.

use database::{At, Database};
use positions::Bucket;
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

    /// The pool for statements about the cursors of all buckets.
    pub(crate) fn pool_of_all(&self) -> &PgPool {
        self.database.pool_of_all()
    }

    pub(crate) fn at(&self, bucket: Bucket) -> At {
        self.database.at(bucket)
    }
}
