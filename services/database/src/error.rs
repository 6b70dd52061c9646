//! Errors of the database, by the caller's next step.

use crate::up;
use sqlx::error::DatabaseError;
use sqlx::postgres::{PgDatabaseError, PgSeverity};
use std::sync::Arc;

/// Why the database could not be read or written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The database is well, but more is asked of it than it can answer in time. Nothing was done.
    /// Retry shortly.
    #[error("the database has too much to do")]
    Busy,
    /// The database is connected but does not answer. A retry may succeed shortly.
    #[error("the database did not answer in time")]
    TimedOut,
    /// The database cannot be reached, is starting, stopping or overloaded. A retry may succeed
    /// shortly.
    #[error("the database is unavailable")]
    Unavailable(#[source] Arc<sqlx::Error>),
    /// The connection was lost during a write. The statement took effect as a whole or not at all,
    /// and it is unknown which.
    #[error("the connection to the database was lost during a write, whose outcome is unknown")]
    Unknown(#[source] Arc<sqlx::Error>),
    /// The database's disk is full. An operator must act.
    #[error("the database has no space left")]
    Full(#[source] Arc<sqlx::Error>),
    /// The database refuses the role, its password or its certificate. An operator must act.
    #[error("the database refuses the role, or its password")]
    Refused(#[source] Arc<sqlx::Error>),
    /// A text contains a zero byte, which Postgres can neither store nor search for.
    #[error("a text contains a zero byte, which the database does not allow")]
    InvalidText(#[source] Arc<sqlx::Error>),
    /// The parent of a row to be added was deleted in the meantime, or a row was added to a parent
    /// to be deleted. Nothing was done.
    #[error("what the row belongs to was deleted, or used, at the same time")]
    Gone(#[source] Arc<sqlx::Error>),
    /// The database rejected the statement: a mistake of this program or its options.
    #[error("the database rejected the statement")]
    Fault(#[source] Arc<sqlx::Error>),
}

/// The SQLSTATE of a full disk.
const DISK_FULL: &str = "53100";

/// The message, without an SQLSTATE of its own, with which a full disk refuses a new connection.
const NO_INIT_FILE: &str = "could not write init file";

/// The class of the SQLSTATEs of refused credentials.
const REFUSED: &str = "28";

/// The SQLSTATE of a statement that took longer than it may, or that an operator cancelled.
const CANCELED: &str = "57014";

/// The SQLSTATE of a text that contains a zero byte.
const INVALID_TEXT: &str = "22021";

/// The SQLSTATE of a row without its parent.
const FOREIGN_KEY_VIOLATION: &str = "23503";

/// The SQLSTATE of a key that already exists.
const UNIQUE_VIOLATION: &str = "23505";

/// The SQLSTATE of an error without one. A node of a sharded database uses it to forward another
/// node's errors.
const INTERNAL: &str = "XX000";

/// The start of the message of a [`UNIQUE_VIOLATION`]; the key's name follows.
const DUPLICATE: &str = "duplicate key value violates unique constraint \"";

/// Parts of the messages with which a node reports that it lost another one.
const NODE_LOST: [&str; 8] = [
    "connection to the remote node",
    "connection not open",
    "could not connect to any active placements",
    "could not establish any connections to the node",
    "failed to execute task",
    "failure on connection marked as essential",
    "server closed the connection unexpectedly",
    "terminating connection due to administrator command",
];

impl Error {
    /// The error of a node that does not answer. Nothing was sent to it.
    pub(crate) fn of_node() -> Self {
        Self::Unavailable(Arc::new(node_is_away()))
    }

    /// The error of a write that may have reached the database.
    pub fn of_write(source: sqlx::Error) -> Self {
        if is_answered(&source) { source.into() } else { Self::Unknown(Arc::new(source)) }
    }

    /// Whether a node of several may be away, or hang.
    pub(crate) fn is_of_node(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Unknown(_) | Self::Busy | Self::TimedOut)
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
            | Self::Refused(_)
            | Self::InvalidText(_)
            | Self::Gone(_)
            | Self::Fault(_) => false,
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(source: sqlx::Error) -> Self {
        use sqlx::Error::*;
        let kind = match &source {
            PoolTimedOut if up::is_up() => return Self::Busy,
            Io(_) | Tls(_) | Protocol(_) | PoolTimedOut | PoolClosed | WorkerCrashed => {
                Self::Unavailable
            }
            Database(_) if is_disk_full(&source) => Self::Full,
            Database(database) => match database.code().as_deref() {
                Some(CANCELED) => return Self::Busy,
                Some(INVALID_TEXT) => Self::InvalidText,
                Some(FOREIGN_KEY_VIOLATION) => Self::Gone,
                Some(code) if code.starts_with(REFUSED) => Self::Refused,
                Some(code) if is_transient(code) => Self::Unavailable,
                _ if is_node_lost(database.message()) => Self::Unavailable,
                _ => Self::Fault,
            },
            _ => Self::Fault,
        };
        kind(Arc::new(source))
    }
}

/// The error of a statement whose node does not answer.
pub(crate) fn node_is_away() -> sqlx::Error {
    let told = "the node of the database with this bucket does not answer";
    sqlx::Error::Protocol(told.to_owned())
}

/// Whether a statement may have failed because its node is away or hangs.
pub(crate) fn is_of_node(error: &sqlx::Error) -> bool {
    use sqlx::Error::*;
    match error {
        Io(_) | Tls(_) | Protocol(_) | PoolTimedOut | PoolClosed | WorkerCrashed => true,
        Database(told) => {
            told.code().is_some_and(|code| is_transient(&code)) || is_node_lost(told.message())
        }
        _ => false,
    }
}

/// Whether the error is the database's answer to the statement, which then had no effect. A fatal
/// error ends the connection, perhaps after the commit, so like a lost connection it is not an
/// answer. Nor is the report of a node that it lost another one, which may have committed.
pub fn is_answered(error: &sqlx::Error) -> bool {
    use sqlx::Error::*;
    match error {
        Database(error) if is_node_lost(error.message()) => false,
        Database(error) => error
            .try_downcast_ref::<PgDatabaseError>()
            .is_some_and(|error| matches!(error.severity(), PgSeverity::Error)),
        Io(_) | Tls(_) | Protocol(_) | WorkerCrashed => false,
        _ => true,
    }
}

/// Whether the database rejected a statement for what it says, and not for the database's own
/// condition. It had no effect, and fails again with the same parameters.
pub fn is_rejected(error: &sqlx::Error) -> bool {
    use sqlx::Error::*;
    let is_condition =
        |code: &str| code == CANCELED || code.starts_with(REFUSED) || is_transient(code);
    match error {
        Database(told) => is_answered(error) && !told.code().is_some_and(|it| is_condition(&it)),
        Encode(_) | Decode(_) | ColumnDecode { .. } => true,
        _ => false,
    }
}

/// Whether the database gave a statement up that may succeed when it is repeated: a deadlock, a
/// conflict of transactions, or a lock, memory or time that did not suffice. It had no effect.
pub fn is_given_up(error: &sqlx::Error) -> bool {
    const OUT_OF_MEMORY: &str = "53200";
    const LOCK_NOT_AVAILABLE: &str = "55P03";
    const ROLLED_BACK: &str = "40";
    let is_one = |code: &str| {
        code.starts_with(ROLLED_BACK)
            || [CANCELED, OUT_OF_MEMORY, LOCK_NOT_AVAILABLE].contains(&code)
    };
    let code = error.as_database_error().and_then(DatabaseError::code);
    is_answered(error) && code.is_some_and(|code| is_one(&code))
}

/// Whether an error is about a key that already exists.
pub fn is_unique_violation(error: &sqlx::Error) -> bool {
    has_code(error, UNIQUE_VIOLATION)
        || error.as_database_error().is_some_and(|error| {
            error.code().as_deref() == Some(INTERNAL) && error.message().starts_with(DUPLICATE)
        })
}

/// Whether an error is about this constraint, or about a shard's copy of it.
pub fn violates(error: &sqlx::Error, constraint: &str) -> bool {
    error.as_database_error().is_some_and(|error| {
        let told = || error.message().strip_prefix(DUPLICATE);
        error.constraint().or_else(told).is_some_and(|it| it.starts_with(constraint))
    })
}

/// Whether a node of a sharded database reports that it cannot reach another one, or lost it. Such
/// an error has no SQLSTATE of its own.
fn is_node_lost(message: &str) -> bool {
    NODE_LOST.iter().any(|it| message.contains(it))
}

/// Whether an error says that the database's disk is full.
pub fn is_disk_full(error: &sqlx::Error) -> bool {
    let is_refused = |error: &dyn DatabaseError| error.message().starts_with(NO_INIT_FILE);
    has_code(error, DISK_FULL) || error.as_database_error().is_some_and(is_refused)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    #[derive(Debug)]
    struct Told {
        code: &'static str,
        message: &'static str,
        constraint: Option<&'static str>,
    }

    impl std::fmt::Display for Told {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(self.message)
        }
    }

    impl std::error::Error for Told {}

    impl sqlx::error::DatabaseError for Told {
        fn message(&self) -> &str {
            self.message
        }

        fn code(&self) -> Option<Cow<'_, str>> {
            Some(self.code.into())
        }

        fn constraint(&self) -> Option<&str> {
            self.constraint
        }

        fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
            self
        }

        fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
            self
        }

        fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
            self
        }

        fn kind(&self) -> sqlx::error::ErrorKind {
            sqlx::error::ErrorKind::Other
        }
    }

    fn told(code: &'static str, message: &'static str) -> sqlx::Error {
        sqlx::Error::Database(Box::new(Told { code, message, constraint: None }))
    }

    #[test]
    fn a_duplicate_on_another_node_is_a_duplicate() {
        let error = told(
            INTERNAL,
            "duplicate key value violates unique constraint \"entries_pkey_102008\"",
        );
        assert!(is_unique_violation(&error));
        assert!(violates(&error, "entries_pkey"));
        assert!(!violates(&error, "entries_bucket_bucket_position_key"));
        let constraint = Some("entries_pkey");
        let message = "duplicate key value violates unique constraint \"entries_pkey\"";
        let one = Told { code: UNIQUE_VIOLATION, message, constraint };
        let one = sqlx::Error::Database(Box::new(one));
        assert!(is_unique_violation(&one) && violates(&one, "entries_pkey"));
        let other = told(INTERNAL, "cache lookup failed for relation 102008");
        assert!(!is_unique_violation(&other) && !violates(&other, "cache"));
    }

    #[test]
    fn refused_credentials_are_told_apart_from_a_database_that_is_away() {
        for code in ["28P01", "28000"] {
            assert!(matches!(Error::from(told(code, "")), Error::Refused(_)), "{code}");
        }
        // Too many connections, starting up, shutting down, and a standby.
        for code in ["53300", "57P03", "57P01", "25006"] {
            assert!(matches!(Error::from(told(code, "")), Error::Unavailable(_)), "{code}");
        }
        assert!(matches!(Error::from(told(DISK_FULL, "")), Error::Full(_)));
        let connecting = told(INTERNAL, "could not write init file");
        assert!(matches!(Error::from(connecting), Error::Full(_)));
    }

    #[test]
    fn a_database_that_answers_is_busy_and_not_away() {
        // A process without a probe takes its database to be up.
        assert!(matches!(Error::from(sqlx::Error::PoolTimedOut), Error::Busy));
        let canceled = told(CANCELED, "canceling statement due to statement timeout");
        assert!(matches!(Error::from(canceled), Error::Busy));
        up::set(false);
        assert!(matches!(Error::from(sqlx::Error::PoolTimedOut), Error::Unavailable(_)));
    }

    #[test]
    fn a_node_that_is_lost_makes_the_database_unavailable() {
        for message in [
            "connection to the remote node croupier@10.0.0.7:5432 failed with the following error: \
             server closed the connection unexpectedly",
            "could not connect to any active placements",
            "failure on connection marked as essential: 10.0.0.7:5432",
        ] {
            let error = || told(INTERNAL, message);
            assert!(matches!(Error::from(error()), Error::Unavailable(_)), "{message}");
            // The node may have committed before it was lost.
            assert!(matches!(Error::of_write(error()), Error::Unknown(_)), "{message}");
        }
        let fault = told(INTERNAL, "could not create distributed plan");
        assert!(matches!(Error::from(fault), Error::Fault(_)));
    }
}
