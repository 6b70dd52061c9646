//! Errors of the use cases. The `api` crate maps each to a status code and a reason.

use std::time::Duration;

use store::{Marks, Position};
use table::Seat;
use time::OffsetDateTime;

use crate::{SeekError, SeriesError};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The value of a field of the request, in the contract's spelling.
    #[error("{rule}")]
    Invalid { field: &'static str, rule: String },
    /// The last resort: a text is checked where its field is known.
    #[error("a text contains the character U+0000, which is not allowed")]
    ZeroCharacter,
    #[error("there is no game {0:?}")]
    UnknownGame(String),
    #[error("{0}")]
    UnknownOption(String),
    #[error("{0}")]
    InvalidTimeControl(String),
    #[error("{rule}")]
    InvalidTag { field: &'static str, rule: String },
    #[error("a match has at most {} tags", store::TAGS_MAX)]
    TooManyTags,
    #[error("the acting seat is missing")]
    SeatMissing,
    #[error("{0}")]
    MalformedAction(String),

    #[error("the database went back: what came after {} is no longer in the record", still(*.position))]
    RecordWentBack {
        /// The last position that still holds, if the error is about one match.
        position: Option<Position>,
        /// What still holds of a stream of many matches.
        marks: Option<Box<Marks>>,
    },
    #[error("the match's record was altered at position {}", position.0)]
    RecordAltered { position: Position },
    #[error("there is no such subscription")]
    NoSuchSubscription,
    #[error("a subscription of this name exists, with another filter")]
    SubscriptionExists,

    #[error("the service sends this subscription to an endpoint, so nobody else consumes it")]
    SubscriptionPushed,
    #[error("the service does not send this subscription to an endpoint")]
    SubscriptionNotPushed,
    #[error("{error}")]
    WebhookUrlRefused { field: &'static str, error: webhooks::EndpointError },
    #[error("{error}")]
    WebhookSecretInvalid { field: &'static str, error: webhooks::SecretError },
    #[error("{} secrets of this subscription have not expired: wait for one", store::SECRETS_MAX)]
    TooManySecrets,

    #[error("these credentials are not for that seat")]
    NotYourSeat,
    #[error("this call requires a platform's API key")]
    PlatformOnly,
    #[error("these credentials are not for that player")]
    OtherPlayer,

    #[error("there is no such match")]
    NoSuchMatch,
    #[error("the match has no entry at this position")]
    NoSuchEntry,
    #[error("this entry was recorded before entries had digests")]
    NoDigest,
    #[error("no player of this name has taken a seat")]
    NoSuchPlayer,
    #[error("there is no projection {0:?}")]
    NoSuchProjection(String),
    #[error("the match is at position {}", position.0)]
    PositionAhead { position: Position },
    #[error("the match began later, at {start}")]
    TimeBeforeStart { start: OffsetDateTime },
    #[error("that time is in the future: it is {now}")]
    TimeAhead { now: OffsetDateTime },

    #[error(transparent)]
    Series(#[from] SeriesError),
    #[error(transparent)]
    Seek(#[from] SeekError),
    #[error("the match has not started: it has open seats")]
    NotStarted,
    #[error("the match has no open seat, so it has started or is about to")]
    Started,
    #[error("the match that this request created was deleted")]
    Deleted,
    /// Retention has removed everything but the result.
    #[error("only the result of this match is kept")]
    HistoryNotKept,
    #[error("the match has not ended, so it is not told in full")]
    NotEnded,
    /// `from` is the time of the reveal; none if the match is never revealed.
    #[error("the match has ended, but it is not revealed{}", from.map(|from| format!(" before {from}")).unwrap_or_default())]
    NotRevealed { from: Option<OffsetDateTime> },
    /// Nothing of the kind is due: somebody else was first, or it is too early.
    #[error("nothing is due")]
    NotDue,
    #[error("the match was created without talk")]
    TalkOff,
    #[error("the player of the seat was erased")]
    PlayerErased,
    #[error(
        "a seat may talk and declare standing answers {most} times until a turn, phase or round begins"
    )]
    TooManyAsides { most: u8 },
    #[error("every seat is taken")]
    MatchFull,
    #[error("another player has this seat")]
    SeatTaken,
    #[error("the player sits at seat {seat} of the match")]
    AlreadySeated { seat: Seat },
    #[error("the player sat in the match before, and has left it")]
    PlayerLeft,
    #[error("the player has no seat in the match")]
    PlayerNotSeated,
    #[error("another player of the match has this name")]
    DisplayNameTaken,
    #[error("the match was dealt without this contribution")]
    ContributionTooLate,
    #[error("the seat has contributed something else already")]
    ContributionFixed,
    #[error("nobody has taken the seat yet")]
    SeatNotTaken,
    #[error("there is no bot `{bot}`; the bots are: {}", bots::names())]
    UnknownBot { field: &'static str, bot: String },
    #[error("a bot has seat {seat}, and nobody acts for it")]
    BotSeat { seat: Seat },
    #[error("this request would create a match with another commitment")]
    CommitmentMismatch,
    /// Refused by the rules of a game, or as in any game.
    #[error("{message}")]
    Refused {
        /// The game whose rules refused; none if any game would have.
        game: Option<&'static str>,
        reason: &'static str,
        message: String,
        facts: Vec<(&'static str, String)>,
    },
    /// The entry that cannot be read; none if the match's game is unknown.
    #[error("this release of the service cannot read the match{}", position.map(|it| format!(": entry {}", it.0)).unwrap_or_default())]
    MatchUnreadable { position: Option<Position>, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("the match has moved to position {}", position.0)]
    PositionMoved { position: Position },
    /// The position that opened the seat's prompt; none if it has no prompt that can be answered.
    #[error("the seat {}", prompt.map_or("has no prompt now".to_owned(), |it| format!("has another prompt now: that of position {}", it.0)))]
    PromptMoved { prompt: Option<Position> },
    #[error("this request id was used for another request")]
    RequestIdReused,

    /// More often than the platform or the seat may.
    #[error("{limit} is {value}, and more was asked; nothing was done")]
    RateLimitExceeded { limit: &'static str, value: u32, delay: Duration },
    /// More than the platform or the seat may have at once.
    #[error("{limit} is {value}, and all of it is in use; nothing was done")]
    QuotaExceeded { limit: &'static str, value: u32, delay: Duration },
    #[error("the service is overloaded; nothing was done")]
    Overloaded,
    #[error("the database has no space left; {}", outcome(*.unknown))]
    DatabaseFull { unknown: bool },
    #[error("the database cannot be reached; {}", outcome(*.unknown))]
    DatabaseUnavailable { unknown: bool },
    #[error("the match is archived, and this process was given no archive")]
    ArchiveNotGiven,
    #[error("the match is archived, and the archive cannot be reached")]
    ArchiveUnavailable,
    /// The object of an archived match is not what was stored, or is gone.
    #[error("what is archived of the match is damaged")]
    ArchiveDamaged,
    #[error("the read model does not include the consistency token yet")]
    ProjectionBehind,
    #[error("the client did not accept the stream's entries in time; resume from the cursor")]
    SlowConsumer,
    #[error("the service is stopping; resume from the last position")]
    ShuttingDown,
    #[error("internal error")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Error {
        match error {
            store::Error::Busy => Error::Overloaded,
            store::Error::Unavailable(_) | store::Error::TimedOut => {
                Error::DatabaseUnavailable { unknown: false }
            }
            store::Error::Unknown(_) => Error::DatabaseUnavailable { unknown: true },
            store::Error::Full(_) => Error::DatabaseFull { unknown: false },
            store::Error::InvalidText(_) => Error::ZeroCharacter,
            store::Error::MatchGone(_) => Error::NoSuchMatch,
            store::Error::ArchiveNotGiven => Error::ArchiveNotGiven,
            store::Error::ArchiveUnavailable(_) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "an archived match was wanted"
                );
                Error::ArchiveUnavailable
            }
            store::Error::ArchiveDamaged { match_id, .. } => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    match.id = %match_id.0,
                    "an archived match cannot be read"
                );
                Error::ArchiveDamaged
            }
            store::Error::Fault(_) | store::Error::Migrate(_) => Error::Internal(error.into()),
        }
    }
}

impl Error {
    pub(crate) fn invalid(field: &'static str, rule: impl Into<String>) -> Error {
        Error::Invalid { field, rule: rule.into() }
    }

    /// The error of a call that has written something: it must not promise that nothing was done.
    pub(crate) fn after_write(self) -> Error {
        let may_promise = matches!(
            self,
            Error::Overloaded
                | Error::ShuttingDown
                | Error::DatabaseUnavailable { .. }
                | Error::DatabaseFull { .. }
        );
        if may_promise { Error::DatabaseUnavailable { unknown: true } } else { self }
    }
}

impl From<store::AppendError> for Error {
    fn from(error: store::AppendError) -> Error {
        match error {
            store::AppendError::Busy => Error::Overloaded,
            store::AppendError::Unknown => Error::DatabaseUnavailable { unknown: true },
            store::AppendError::Full => Error::DatabaseFull { unknown: true },
            store::AppendError::Closed => Error::ShuttingDown,
            store::AppendError::Invalid => Error::Internal(error.into()),
        }
    }
}

impl From<projector::Error> for Error {
    fn from(error: projector::Error) -> Error {
        match error {
            projector::Error::Store(error) => error.into(),
            projector::Error::Unwritten { .. }
            | projector::Error::Superseded
            | projector::Error::TablesInUse => Error::Internal(error.into()),
        }
    }
}

fn still(position: Option<Position>) -> String {
    position.map_or_else(|| "this".to_owned(), |position| format!("position {}", position.0))
}

fn outcome(unknown: bool) -> &'static str {
    if unknown {
        "the outcome is unknown: send the same request again, with the same request_id"
    } else {
        "nothing was done: send the same request again"
    }
}
