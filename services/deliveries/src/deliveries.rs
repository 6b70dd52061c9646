//! The tables of deliveries.

use database::{At, Database, Pool};
use positions::Bucket;

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

    pub(crate) fn pool(&self) -> &Pool {
        self.database.pool()
    }

    /// The pool for statements about the cursors of all buckets.
    pub(crate) fn pool_of_all(&self) -> &Pool {
        self.database.pool_of_all()
    }

    pub(crate) fn at(&self, bucket: Bucket) -> At {
        self.database.at(bucket)
    }
}
