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

/// Why content that was moved away cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ColdError {
    /// It is in an archive, and this process was not told where.
    #[error("the content is in an archive, and this process was given none")]
    NotGiven,
    /// The archive cannot be reached, or did not answer in time; then there is no source.
    #[error("the archive is unavailable")]
    Unavailable(#[source] Option<Arc<dyn StdError + Send + Sync>>),
    /// The object of a stream is not what was stored, or is gone.
    #[error("{problem}: {object} of the archive")]
    Damaged { stream: StreamId, object: String, problem: String },
}

impl From<sqlx::Error> for Error {
    fn from(source: sqlx::Error) -> Self {
        Self::Database(source.into())
    }
}
