//! Why the log cannot be appended to or read.

/// Why the log cannot be appended to or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Database(#[from] database::Error),
    /// The leaves are no longer those of the checkpoint that was signed last. Whatever was signed
    /// on top would be another history, so nothing is.
    #[error(
        "the leaves of the transparency log {origin:?} are not those that were signed: it went back \
         or was altered, and does not go on"
    )]
    Altered { origin: String },
    #[error("no log can have the name {0:?}: it is printable, without spaces and `+`")]
    Origin(String),
    #[error("the installation has had a log named {0:?}")]
    Used(String),
    #[error("the log {0:?} has not ended")]
    Current(String),
    #[error("no log has begun")]
    NoLog,
    #[error("the checkpoint cannot be cosigned by {witness}: {reason}")]
    Witness { witness: String, reason: String },
    #[error("the system provides no randomness")]
    NoRandomness,
}

impl From<sqlx::Error> for Error {
    fn from(source: sqlx::Error) -> Error {
        Error::Database(source.into())
    }
}
