//! Errors of the database, by what can be done about them.

use sqlx::postgres::{PgDatabaseError, PgSeverity};
use std::sync::Arc;

use crate::MatchId;

/// Why the record could not be read or written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// More reads are waiting than can be answered in time. Retry in a moment.
    #[error("too many reads are waiting for the database")]
    Busy,
    /// The database is connected but does not answer. The same call may succeed in a moment.
    #[error("the database did not answer in time")]
    TimedOut,
    /// The database cannot be reached, is starting, stopping or overloaded. The same call may
    /// succeed in a moment.
    #[error("the database is unavailable")]
    Unavailable(#[source] Arc<sqlx::Error>),
    /// The connection was lost while a statement was writing. It is done as a whole or not at all,
    /// and nobody knows which.
    #[error("the connection to the database was lost during a write, whose outcome is unknown")]
    Unknown(#[source] Arc<sqlx::Error>),
    /// The database's disk is full. An operator must act.
    #[error("the database has no space left")]
    Full(#[source] Arc<sqlx::Error>),
    /// A text contains a zero byte, which Postgres can neither store nor search for.
    #[error("a text contains a zero byte, which the database does not allow")]
    InvalidText(#[source] Arc<sqlx::Error>),
    /// The match that a row was to be added to was deleted meanwhile, or a row was added to the
    /// match that was to be deleted. Nothing was done.
    #[error("the match was deleted, or used, at the same time")]
    MatchGone(#[source] Arc<sqlx::Error>),
    /// The database rejected the statement: a mistake in this crate, its options or its caller.
    #[error("the database rejected the statement")]
    Fault(#[source] Arc<sqlx::Error>),
    /// The match is archived, and this process was not told where.
    #[error("the match is archived, and this process was given no archive")]
    ArchiveNotGiven,
    /// The archive cannot be reached, or did not answer in time; then there is no source.
    #[error("the archive is unavailable")]
    ArchiveUnavailable(#[source] Option<Arc<object_store::Error>>),
    /// The object of an archived match is not what was stored, or is gone.
    #[error("{problem}: {object} of the archive")]
    ArchiveDamaged { match_id: MatchId, object: String, problem: String },
    #[error("the database's tables could not be brought up to date")]
    Migrate(#[source] Arc<sqlx::migrate::MigrateError>),
}

/// The SQLSTATE of a full disk.
const DISK_FULL: &str = "53100";

/// The SQLSTATE of a text that contains a zero byte.
const INVALID_TEXT: &str = "22021";

/// The SQLSTATE of a row without the one that it belongs to.
const FOREIGN_KEY_VIOLATION: &str = "23503";

/// What the names of the keys that refer to matches end with.
const KEY_OF_MATCH: &str = "_match_id_fkey";

/// The SQLSTATE of a key that exists already.
const UNIQUE_VIOLATION: &str = "23505";

impl Error {
    /// The error of a statement that writes, once it may have reached the database.
    pub(crate) fn of_write(source: sqlx::Error) -> Self {
        if is_answered(&source) { source.into() } else { Self::Unknown(Arc::new(source)) }
    }

    /// Whether a connection was lost. Another one may work.
    pub(crate) fn is_connection_lost(&self) -> bool {
        match self {
            Self::Unavailable(source) => match &**source {
                sqlx::Error::Io(_) => true,
                sqlx::Error::Database(database) => {
                    database.code().is_some_and(|code| code.starts_with("57P"))
                }
                _ => false,
            },
            Self::Busy
            | Self::TimedOut
            | Self::Unknown(_)
            | Self::Full(_)
            | Self::InvalidText(_)
            | Self::MatchGone(_)
            | Self::ArchiveNotGiven
            | Self::ArchiveUnavailable(_)
            | Self::ArchiveDamaged { .. }
            | Self::Fault(_)
            | Self::Migrate(_) => false,
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(source: sqlx::Error) -> Self {
        use sqlx::Error::*;
        let kind = match &source {
            Io(_) | Tls(_) | Protocol(_) | PoolTimedOut | PoolClosed | WorkerCrashed => {
                Self::Unavailable
            }
            Database(database) => match database.code().as_deref() {
                Some(DISK_FULL) => Self::Full,
                Some(INVALID_TEXT) => Self::InvalidText,
                Some(FOREIGN_KEY_VIOLATION) if is_of_match(&**database) => Self::MatchGone,
                Some(code) if is_transient(code) => Self::Unavailable,
                _ => Self::Fault,
            },
            _ => Self::Fault,
        };
        kind(Arc::new(source))
    }
}

impl From<sqlx::migrate::MigrateError> for Error {
    fn from(source: sqlx::migrate::MigrateError) -> Self {
        match source {
            sqlx::migrate::MigrateError::Execute(source) => source.into(),
            other => Self::Migrate(Arc::new(other)),
        }
    }
}

/// Whether the error is the database's answer to the statement, which then had no effect. A fatal
/// error ends the connection, perhaps after the commit; so it is none, like the loss of a
/// connection.
fn is_answered(error: &sqlx::Error) -> bool {
    use sqlx::Error::*;
    match error {
        Database(error) => error
            .try_downcast_ref::<PgDatabaseError>()
            .is_some_and(|error| matches!(error.severity(), PgSeverity::Error)),
        Io(_) | Tls(_) | Protocol(_) | WorkerCrashed => false,
        _ => true,
    }
}

/// Whether an error is about a key that refers to matches.
fn is_of_match(error: &dyn sqlx::error::DatabaseError) -> bool {
    error.constraint().is_some_and(|it| it.ends_with(KEY_OF_MATCH))
}

pub(crate) fn is_unique_violation(error: &sqlx::Error) -> bool {
    has_code(error, UNIQUE_VIOLATION)
}

/// Whether an error is about this constraint, or the shard's that stands for it.
pub(crate) fn violates(error: &sqlx::Error, constraint: &str) -> bool {
    let violated = error.as_database_error().and_then(|error| error.constraint());
    violated.is_some_and(|violated| violated.starts_with(constraint))
}

pub(crate) fn is_disk_full(error: &sqlx::Error) -> bool {
    has_code(error, DISK_FULL)
}

fn has_code(error: &sqlx::Error, code: &str) -> bool {
    error.as_database_error().is_some_and(|error| error.code().as_deref() == Some(code))
}

/// Whether an SQLSTATE describes the server's condition rather than a fault of the statement.
fn is_transient(code: &str) -> bool {
    // Connection exceptions, rolled back transactions, insufficient resources, operator
    // intervention, system errors.
    let classes = ["08", "40", "53", "57", "58"];
    // A standby that does not accept writes (yet), a lock that was not available in time.
    let codes = ["25006", "55P03"];
    classes.iter().any(|class| code.starts_with(class)) || codes.contains(&code)
}
