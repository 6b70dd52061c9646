//! Why the log could not be read or written.

use std::error::Error as StdError;
use std::sync::Arc;

use positions::StreamId;

/// Why the log could not be read or written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Database(#[from] database::Error),
    #[error(transparent)]
    Cold(#[from] ColdError),
}

/// Why content that was moved out of the log cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ColdError {
    /// It is in an archive, which neither the options of this process nor the database names.
    #[error("the content is in an archive that nobody named: name it with --archive")]
    NotGiven,
    /// The archive cannot be reached or, without a source, did not answer in time.
    #[error("the archive is unavailable")]
    Unavailable(#[source] Option<Arc<dyn StdError + Send + Sync>>),
    /// The object of a stream was altered or is missing.
    #[error("{problem}: {object} of the archive")]
    Damaged { stream: StreamId, object: String, problem: String },
}

impl From<sqlx::Error> for Error {
    fn from(source: sqlx::Error) -> Self {
        Self::Database(source.into())
    }
}
