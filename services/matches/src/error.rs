//! Errors of the use cases. The `api` crate maps each to a status code and a reason.

use std::time::Duration;

use event_log::ColdError;
use positions::{Bookmark, Position};
use rows::MatchId;
use table::Seat;
use time::OffsetDateTime;

use crate::quiet::QuietHoursError;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field of the request, in the contract's spelling, has an invalid value.
    #[error("{rule}")]
    Invalid { field: &'static str, rule: String },
    /// An item of a list of the request, counted from 0, has an invalid value.
    #[error("{rule}")]
    InvalidItem { field: &'static str, index: usize, rule: String },
    /// Texts are checked where their field is known; this catches what slipped through.
    #[error("a text contains the character U+0000, which is not allowed")]
    ZeroCharacter,
    #[error("there is no game {0:?}")]
    UnknownGame(String),
    #[error("the rules of this game are the module {module}, which cannot be used here now")]
    ModuleUnavailable { module: String },
    /// The message names the module's game, and says what it did.
    #[error("{message}")]
    ModuleFailed { game: &'static str, fault: &'static str, message: String },
    /// A file is not installed as a game, and the message says why.
    #[error("{message}")]
    ModuleRefused { fault: &'static str, message: String },
    #[error("{0} is the name of a game of this program")]
    GameNameTaken(String),
    #[error("no module of a game {0:?} is offered")]
    GameNotOffered(String),
    #[error("this needs a key of an operator")]
    OperatorOnly,
    #[error("{0}")]
    UnknownOption(String),
    #[error("{0}")]
    InvalidTimeControl(String),
    #[error("{rule}")]
    InvalidTag { field: &'static str, rule: String },
    #[error("a match has at most {} tags", rows::TAGS_MAX)]
    TooManyTags,
    #[error("the acting seat is missing")]
    SeatMissing,
    #[error("{0}")]
    MalformedAction(String),

    #[error("the database went back: what came after {} is no longer in the record", still(*.position))]
    RecordWentBack {
        /// The last position that is still in the record, if the error is about one match.
        position: Option<Position>,
        /// Where a stream of many matches is still in the record.
        resume: Option<Box<Bookmark>>,
    },
    #[error("the match's record was altered at position {}", position.0)]
    RecordAltered { position: Position },
    #[error(
        "a receipt was signed for entry {} with another digest, so the record was changed since; \
         no second one is signed",
        position.0
    )]
    ReceiptContradicts { position: Position },
    #[error("there is no such subscription")]
    NoSuchSubscription,
    #[error("there is no such browser of the player")]
    NoSuchPushSubscription,
    #[error("a subscription of this name exists, with another filter")]
    SubscriptionExists,

    #[error("the service sends this subscription to an endpoint, so nobody else consumes it")]
    SubscriptionPushed,
    #[error("the service does not send this subscription to an endpoint")]
    SubscriptionNotPushed,
    #[error("{error}")]
    WebhookUrlRefused { field: &'static str, error: webhooks::EndpointError },
    #[error(transparent)]
    QuietHours(#[from] QuietHoursError),
    #[error("{error}")]
    WebhookSecretInvalid { field: &'static str, error: webhooks::SecretError },
    #[error(
        "{} secrets of this subscription have not expired: wait for one",
        deliveries::SECRETS_MAX
    )]
    TooManySecrets,

    #[error("the API key or the token was revoked")]
    RightEnded,
    #[error("these credentials are not for that seat")]
    NotYourSeat,
    #[error("this call requires a platform's API key")]
    PlatformOnly,
    #[error("this call requires an invitation")]
    InvitationOnly,
    #[error("these credentials are not for that player")]
    OtherPlayer,

    #[error("there is no such match")]
    NoSuchMatch,
    #[error("the match has no entry at this position")]
    NoSuchEntry,
    #[error("this entry was recorded before entries had digests")]
    NoDigest,
    #[error("there is no platform {0:?}")]
    NoSuchPlatform(String),
    #[error("there is a platform {0:?} already")]
    PlatformExists(String),
    #[error("the platform has no API key {0:?}")]
    NoSuchApiKey(String),
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
    /// A match that a device is said to have dealt.
    #[error("{reason}")]
    RecordNotProven { field: String, reason: String },
    #[error("a match of this seed was given already, by another player or with other actions")]
    MatchExists,
    #[error("the match has not started: it has open seats")]
    NotStarted,
    #[error("the match has no open seat, so it has started or is about to")]
    Started,
    #[error("the match that this request created was deleted")]
    Deleted,
    /// Retention removed everything but the result.
    #[error("only the result of this match is kept")]
    HistoryNotKept,
    #[error("the match has not ended, so it is not told in full")]
    NotEnded,
    /// `from` is the time of the reveal; `None` if the match is never revealed.
    #[error("the match has ended, but it is not revealed{}", from.map(|from| format!(" before {from}")).unwrap_or_default())]
    NotRevealed { from: Option<OffsetDateTime> },
    /// The work of an agent is not due: another process did it, or it is too early.
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
    #[error("there is no bot `{bot}`; the bots are: {levels}")]
    UnknownBot { field: &'static str, index: Option<usize>, bot: String, levels: String },
    #[error("a bot has seat {seat}, and nobody acts for it")]
    BotSeat { seat: Seat },
    #[error("people play at other seats, so nothing is suggested")]
    SuggestionsAgainstPeople,
    #[error("this request would create a match with another commitment")]
    CommitmentMismatch,
    /// Refused by the rules of a game, or by those of every game.
    #[error("{message}")]
    Refused {
        /// The game whose rules refused; `None` if every game would have refused.
        game: Option<&'static str>,
        reason: &'static str,
        message: String,
        facts: Vec<(&'static str, String)>,
    },
    /// `position` is the entry that cannot be read; `None` if the match's game is unknown.
    #[error("this release of the service cannot read the match{}", position.map(|it| format!(": entry {}", it.0)).unwrap_or_default())]
    MatchUnreadable { position: Option<Position>, source: Box<dyn std::error::Error + Send + Sync> },
    /// `expected` is the position that the request expects.
    #[error("{}", moved(*.position, *.expected))]
    PositionMoved { position: Position, expected: Position },
    /// `prompt` is the position that opened the seat's prompt; `None` if it has none to answer.
    #[error("the seat {}", prompt.map_or("has no prompt now".to_owned(), |it| format!("has another prompt now: that of position {}", it.0)))]
    PromptMoved { prompt: Option<Position> },
    #[error("this request id was used for another request")]
    RequestIdReused,

    /// A rate limit of the platform or the seat was exceeded.
    #[error("{limit} is {value}, and more was asked; nothing was done")]
    RateLimitExceeded { limit: &'static str, value: u32, delay: Duration },
    /// A limit on what the platform or the seat may use at once was exceeded.
    #[error("{limit} is {value}, and all of it is in use; nothing was done")]
    QuotaExceeded { limit: &'static str, value: u32, delay: Duration },
    #[error("the service is overloaded; nothing was done")]
    Overloaded,
    #[error("the database has no space left; {}", outcome(*.unknown))]
    DatabaseFull { unknown: bool },
    #[error("the database cannot be reached; {}", outcome(*.unknown))]
    DatabaseUnavailable { unknown: bool },
    /// A node of a database of several does not answer, and the call needs all of them.
    #[error(
        "a part of the database cannot be reached, and this call needs all of it; nothing was done"
    )]
    DatabaseIncomplete,
    /// The process waits until the database's clock and its own have agreed for a moment.
    #[error("the time of the database is not known at the moment; nothing was done")]
    TimeUnknown,
    #[error("the match is archived, and this process was given no archive")]
    ArchiveNotGiven,
    #[error("the match is archived, and the archive cannot be reached")]
    ArchiveUnavailable,
    /// The object of an archived match is missing, or differs from what was stored.
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

/// Why a match cannot follow another one as requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeriesError {
    #[error("the match to follow has not ended")]
    NotEnded,
    #[error("another match follows that one already")]
    Followed { next: MatchId },
    #[error("seat {winner} of the match to follow has won the series")]
    Decided { winner: Seat },
    #[error("a match has the game, the number of seats and the players of the one that it follows")]
    Mismatch { field: &'static str },
}

/// Why a seek cannot be created or deleted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeekError {
    #[error("there is no such seek")]
    NotFound,
    #[error("the player has a seek for this game already")]
    Exists,
    #[error("the player was seated in a match")]
    Seated { match_id: MatchId },
}

impl From<database::Error> for Error {
    fn from(error: database::Error) -> Error {
        match error {
            database::Error::Busy => Error::Overloaded,
            database::Error::Unavailable(_)
            | database::Error::TimedOut
            | database::Error::Refused(_) => Error::DatabaseUnavailable { unknown: false },
            database::Error::Unknown(_) => Error::DatabaseUnavailable { unknown: true },
            database::Error::Full(_) => Error::DatabaseFull { unknown: false },
            database::Error::InvalidText(_) => Error::ZeroCharacter,
            database::Error::Gone(_) => Error::NoSuchMatch,
            database::Error::Fault(_) => Error::Internal(error.into()),
        }
    }
}

impl From<event_log::Error> for Error {
    fn from(error: event_log::Error) -> Error {
        match error {
            event_log::Error::Database(error) => error.into(),
            event_log::Error::Cold(error) => error.into(),
        }
    }
}

impl From<ColdError> for Error {
    fn from(error: ColdError) -> Error {
        match error {
            ColdError::NotGiven => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "an archived match was wanted"
                );
                Error::ArchiveNotGiven
            }
            ColdError::Unavailable(_) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "an archived match was wanted"
                );
                Error::ArchiveUnavailable
            }
            ColdError::Damaged { stream, .. } => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    match.id = %stream.0,
                    "an archived match cannot be read"
                );
                Error::ArchiveDamaged
            }
        }
    }
}

/// The module that a match cannot be read without, if that is the cause.
pub fn module_of<'c>(
    cause: &'c (dyn std::error::Error + Send + Sync + 'static),
) -> Option<&'c str> {
    cause.downcast_ref::<rows::NoModule>().map(|it| &*it.module)
}

impl From<rows::Error> for Error {
    fn from(error: rows::Error) -> Error {
        match error {
            rows::Error::HistoryNotKept => Error::HistoryNotKept,
            rows::Error::Altered { position } => Error::RecordAltered { position },
            rows::Error::Unreadable { position, source } => {
                Error::MatchUnreadable { position, source }
            }
        }
    }
}

impl Error {
    pub(crate) fn invalid(field: &'static str, rule: impl Into<String>) -> Error {
        Error::Invalid { field, rule: rule.into() }
    }

    /// The error of a field, about an item of the list in it.
    pub(crate) fn at(self, index: usize) -> Error {
        match self {
            Error::Invalid { field, rule } => Error::InvalidItem { field, index, rule },
            Error::UnknownBot { field, bot, levels, .. } => {
                Error::UnknownBot { field, index: Some(index), bot, levels }
            }
            other => other,
        }
    }

    /// The error of a call that has already written: it must not claim that nothing was done.
    pub(crate) fn after_write(self) -> Error {
        let may_promise = matches!(
            self,
            Error::Overloaded
                | Error::ShuttingDown
                | Error::DatabaseUnavailable { .. }
                | Error::DatabaseFull { .. }
                | Error::TimeUnknown
        );
        if may_promise { Error::DatabaseUnavailable { unknown: true } } else { self }
    }
}

impl From<event_log::AppendError> for Error {
    fn from(error: event_log::AppendError) -> Error {
        match error {
            event_log::AppendError::Busy => Error::Overloaded,
            event_log::AppendError::Unknown => Error::DatabaseUnavailable { unknown: true },
            event_log::AppendError::Full => Error::DatabaseFull { unknown: true },
            event_log::AppendError::Closed => Error::ShuttingDown,
            event_log::AppendError::Invalid | event_log::AppendError::Refused => {
                Error::Internal(error.into())
            }
        }
    }
}

impl From<projector::Error> for Error {
    fn from(error: projector::Error) -> Error {
        match error {
            projector::Error::Database(error) => error.into(),
            projector::Error::Log(error) => error.into(),
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

fn moved(position: Position, expected: Position) -> String {
    let (position, expected) = (position.0, expected.0);
    match expected > position {
        true => format!("the match is at position {position} and has not reached {expected}"),
        false => format!("the match has moved past position {expected}, to position {position}"),
    }
}
