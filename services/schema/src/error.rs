//! Why the schema could not be read or changed.

use std::sync::Arc;

use sqlx::migrate::MigrateError;

/// Why the schema could not be read or changed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Database(#[from] database::Error),
    #[error("the database's tables could not be brought up to date")]
    Migrate(#[source] Arc<MigrateError>),
    /// A migration created a table without a declaration.
    #[error("the table {0} declares nothing of itself, or something unknown")]
    Undeclared(String),
    /// The nodes of the database do not have what they should. Migrating again may mend it.
    #[error("the tables are not where they belong on the database's nodes: {}", .0.join("; "))]
    Misplaced(Vec<String>),
}

impl From<sqlx::Error> for Error {
    fn from(source: sqlx::Error) -> Self {
        Self::Database(source.into())
    }
}

impl From<MigrateError> for Error {
    fn from(source: MigrateError) -> Self {
        match source {
            MigrateError::Execute(source) => source.into(),
            other => Self::Migrate(Arc::new(other)),
        }
    }
}
