//! What can be wrong with a request, or with us. The edge gives each its code and reason.

use store::Position;
use time::OffsetDateTime;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Invalid(String),
    #[error("there is no game {0:?}")]
    UnknownGame(String),
    #[error("{0}")]
    UnknownOption(String),
    #[error("{0}")]
    InvalidTag(String),
    #[error("a match has {} tags at most", store::TAGS_MAX)]
    TooManyTags,
    #[error("say which seat acts")]
    SeatMissing,
    #[error("{0}")]
    MalformedAction(String),

    #[error("the record ends before this cursor")]
    CursorAhead,
    #[error("there is no such subscription")]
    NoSuchSubscription,
    #[error("there is another subscription of this name")]
    SubscriptionExists,

    #[error("these credentials are not that seat's")]
    NotYourSeat,
    #[error("this takes a platform's API key")]
    PlatformOnly,

    #[error("there is no such match")]
    NoSuchMatch,
    #[error("the match has no entry there")]
    NoSuchEntry,
    #[error("nobody of this name has taken a seat")]
    NoSuchPlayer,
    #[error("there is no projection {0:?}")]
    NoSuchProjection(String),
    #[error("the match is at position {}", position.0)]
    PositionAhead { position: Position },
    #[error("the match began at {start}")]
    TimeBeforeStart { start: OffsetDateTime },
    #[error("that time has not come: it is {now}")]
    TimeAhead { now: OffsetDateTime },

    #[error("the match has not started: seats are open")]
    NotStarted,
    #[error("the house's eyes open when the match has ended")]
    NotEnded,
    /// The time from which it is; none if it never is.
    #[error("the match is over, but it is not revealed{}", from.map(|from| format!(" before {from}")).unwrap_or_default())]
    NotRevealed { from: Option<OffsetDateTime> },
    #[error("every seat is taken")]
    MatchFull,
    #[error("somebody else sits there")]
    SeatTaken,
    /// The rules speak, or the table does for every game.
    #[error("{message}")]
    Refused {
        /// The game that refused; none where any game would.
        game: Option<&'static str>,
        reason: &'static str,
        message: String,
        facts: Vec<(&'static str, String)>,
    },
    #[error("the match has moved to position {}", position.0)]
    PositionMoved { position: Position },
    #[error("this request id was used for something else")]
    RequestIdReused,

    #[error("more is offered than can be recorded; nothing was done")]
    Overloaded,
    #[error("the database has no space left; {}", outcome(*.unknown))]
    DatabaseFull { unknown: bool },
    #[error("the record cannot be reached; {}", outcome(*.unknown))]
    DatabaseUnavailable { unknown: bool },
    #[error("what is asked is not up to what was seen yet")]
    ProjectionBehind,
    #[error("what the stream sent was not taken in time; resume from the cursor")]
    SlowConsumer,
    #[error("the service is stopping; resume from the last position")]
    ShuttingDown,
    #[error("a fault of the service")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Error {
        match error {
            store::Error::Busy => Error::Overloaded,
            store::Error::Unavailable(_) | store::Error::Silent => {
                Error::DatabaseUnavailable { unknown: false }
            }
            store::Error::Full(_) => Error::DatabaseFull { unknown: false },
            store::Error::NoText(_) => {
                Error::Invalid("a text has the character U+0000 in it, which none may".to_owned())
            }
            store::Error::Fault(_) | store::Error::Migrate(_) => Error::Internal(error.into()),
        }
    }
}

impl From<store::AppendError> for Error {
    fn from(error: store::AppendError) -> Error {
        match error {
            store::AppendError::Busy => Error::Overloaded,
            store::AppendError::Unknown => Error::DatabaseUnavailable { unknown: true },
            store::AppendError::Full => Error::DatabaseFull { unknown: true },
            store::AppendError::Closed => Error::ShuttingDown,
            store::AppendError::Unfit => Error::Internal(error.into()),
        }
    }
}

impl From<projector::Error> for Error {
    fn from(error: projector::Error) -> Error {
        match error {
            projector::Error::Store(error) => error.into(),
            other => Error::Internal(other.into()),
        }
    }
}

fn outcome(unknown: bool) -> &'static str {
    if unknown {
        "the outcome is unknown: send the same request again, with the same request_id"
    } else {
        "nothing was done: send the same request again"
    }
}
