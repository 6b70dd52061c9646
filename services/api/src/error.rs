//! Errors as clients receive them: a status code, a message, and details for programs.
//!
//! `errors.proto` lists every reason with its cause and what the client does.

#![deny(clippy::wildcard_enum_match_arm)]

#[cfg(test)]
mod catalogue;
mod reasons;

use std::collections::HashMap;
use std::time::Duration;

use matches::{Error, SeekError, SeriesError};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::domain::DOMAIN;
use crate::meter;
use crate::names::{game_name, match_name};
use crate::v1::Reason;

/// How long clients wait when the service stops. Another process may be ready at once.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// The longest delay of a client that was turned away under overload. A refusal costs the service
/// half as much as an action, so retries must be spread out.
const RETRY_OVERLOADED_DELAY: Duration = Duration::from_millis(500);

/// How long clients wait for an unavailable database: about the time that one takes to start.
const RETRY_DATABASE_DELAY: Duration = Duration::from_secs(1);

/// A status with one of the service's own reasons.
pub(crate) fn status(code: Code, reason: Reason, message: impl Into<String>) -> Status {
    with_facts(code, DOMAIN.name, name(reason), message, HashMap::new(), None)
}

/// The value of this field, spelled as in the contract, is not valid.
pub(crate) fn invalid(field: &str, message: impl Into<String>) -> Status {
    of_field(Reason::InvalidRequest, field, message)
}

/// As [`invalid`], with a reason of its own.
pub(crate) fn of_field(reason: Reason, field: &str, message: impl Into<String>) -> Status {
    let facts = HashMap::from([("field".to_owned(), field.to_owned())]);
    with_facts(Code::InvalidArgument, DOMAIN.name, name(reason), message, facts, None)
}

/// The reason as it stands in an `ErrorInfo`.
fn name(reason: Reason) -> &'static str {
    reason.as_str_name().strip_prefix("REASON_").expect("the contract prefixes its reasons")
}

fn with_facts(
    code: Code,
    domain: &str,
    reason: &'static str,
    message: impl Into<String>,
    facts: HashMap<String, String>,
    retry: Option<Duration>,
) -> Status {
    meter::refused(domain, reason);
    if domain == DOMAIN.name {
        reasons::check(reason, code, &facts);
    }
    let message = message.into();
    let field = facts.get("field").cloned();
    let mut details = ErrorDetails::with_error_info(reason, domain, facts);
    if let Some(field) = field {
        details.add_bad_request_violation(field, &message);
    }
    if let Some(delay) = retry {
        details.set_retry_info(Some(delay));
    }
    Status::with_error_details(code, message, details)
}

/// The status of a failed use case.
#[expect(clippy::too_many_lines, reason = "a table, with a line or two for each error")]
pub(crate) fn of(error: Error) -> Status {
    let message = error.to_string();
    let plain = |code, reason| status(code, reason, message.clone());
    let again = |code, reason| retry(code, reason, message.clone(), RETRY_DATABASE_DELAY);
    match error {
        Error::Invalid { field, rule: _ } => invalid(field, message),
        Error::ZeroCharacter => plain(Code::InvalidArgument, Reason::InvalidRequest),
        Error::SeatMissing => invalid("seat", message),
        Error::UnknownGame(_) => of_field(Reason::UnknownGame, "game", message),
        Error::UnknownOption(_) => of_field(Reason::UnknownOption, "options", message),
        Error::UnknownBot { field, bot: _ } => of_field(Reason::UnknownBot, field, message),
        Error::InvalidTimeControl(_) => {
            of_field(Reason::InvalidTimeControl, "time_control", message)
        }
        Error::InvalidTag { field, rule: _ } => of_field(Reason::InvalidTag, field, message),
        Error::MalformedAction(_) => of_field(Reason::MalformedAction, "action", message),
        Error::NotYourSeat => plain(Code::PermissionDenied, Reason::NotYourSeat),
        Error::PlatformOnly => plain(Code::PermissionDenied, Reason::PlatformOnly),
        Error::OtherPlayer => plain(Code::PermissionDenied, Reason::OtherPlayer),
        Error::NoSuchMatch => plain(Code::NotFound, Reason::MatchNotFound),
        Error::NoSuchEntry => plain(Code::NotFound, Reason::EntryNotFound),
        Error::NoSuchPlayer => plain(Code::NotFound, Reason::PlayerNotFound),
        Error::NoSuchProjection(_) => plain(Code::NotFound, Reason::ProjectionNotFound),
        Error::PositionAhead { position } => {
            at(Code::OutOfRange, Reason::PositionAhead, message, position)
        }
        Error::TimeBeforeStart { start } => {
            let start = Some(("start_time", rfc3339(start)));
            with_fact(Code::OutOfRange, Reason::TimeBeforeStart, message, start)
        }
        Error::TimeAhead { .. } => plain(Code::OutOfRange, Reason::TimeAhead),
        Error::RecordWentBack { position, .. } => {
            let position = position.map(|it| ("position", it.0.to_string()));
            with_fact(Code::DataLoss, Reason::RecordWentBack, message, position)
        }
        Error::RecordAltered { position } => {
            at(Code::DataLoss, Reason::RecordAltered, message, position)
        }
        Error::NoDigest => plain(Code::FailedPrecondition, Reason::NoDigest),
        Error::NoSuchSubscription => plain(Code::NotFound, Reason::SubscriptionNotFound),
        Error::SubscriptionExists => plain(Code::AlreadyExists, Reason::SubscriptionExists),
        Error::SubscriptionPushed => plain(Code::FailedPrecondition, Reason::SubscriptionPushed),
        Error::SubscriptionNotPushed => {
            plain(Code::FailedPrecondition, Reason::SubscriptionNotPushed)
        }
        Error::WebhookUrlRefused { field, error: _ } => {
            of_field(Reason::WebhookUrlRefused, field, message)
        }
        Error::WebhookSecretInvalid { field, error: _ } => {
            of_field(Reason::WebhookSecretInvalid, field, message)
        }
        Error::TooManySecrets => plain(Code::FailedPrecondition, Reason::TooManySecrets),
        Error::NotStarted => plain(Code::FailedPrecondition, Reason::MatchNotStarted),
        Error::NotEnded => plain(Code::FailedPrecondition, Reason::MatchNotEnded),
        Error::Started => plain(Code::FailedPrecondition, Reason::MatchStarted),
        Error::Deleted => plain(Code::FailedPrecondition, Reason::MatchDeleted),
        Error::HistoryNotKept => plain(Code::FailedPrecondition, Reason::HistoryNotKept),
        Error::Series(error) => of_series(error),
        Error::Seek(error) => of_seek(error),
        Error::NotRevealed { from } => {
            let from = from.map(|from| ("reveal_time", rfc3339(from)));
            with_fact(Code::FailedPrecondition, Reason::NotRevealed, message, from)
        }
        Error::TalkOff => plain(Code::FailedPrecondition, Reason::TalkOff),
        Error::PlayerErased => plain(Code::FailedPrecondition, Reason::PlayerErased),
        Error::TooManyAsides { most } => {
            let most = Some(("asides_max", most.to_string()));
            with_fact(Code::FailedPrecondition, Reason::TooManyAsides, message, most)
        }
        Error::MatchFull => plain(Code::FailedPrecondition, Reason::MatchFull),
        Error::SeatTaken => plain(Code::FailedPrecondition, Reason::SeatTaken),
        Error::AlreadySeated { seat } => {
            let seat = Some(("seat", seat.to_string()));
            with_fact(Code::FailedPrecondition, Reason::AlreadySeated, message, seat)
        }
        Error::BotSeat { seat } => {
            let seat = Some(("seat", seat.to_string()));
            with_fact(Code::FailedPrecondition, Reason::BotSeat, message, seat)
        }
        Error::PlayerLeft => plain(Code::FailedPrecondition, Reason::PlayerLeft),
        Error::PlayerNotSeated => plain(Code::FailedPrecondition, Reason::PlayerNotSeated),
        Error::DisplayNameTaken => plain(Code::FailedPrecondition, Reason::DisplayNameTaken),
        Error::ContributionTooLate => plain(Code::FailedPrecondition, Reason::ContributionTooLate),
        Error::ContributionFixed => plain(Code::FailedPrecondition, Reason::ContributionFixed),
        Error::SeatNotTaken => plain(Code::FailedPrecondition, Reason::SeatNotTaken),
        Error::CommitmentMismatch => plain(Code::FailedPrecondition, Reason::CommitmentMismatch),
        Error::TooManyTags => plain(Code::FailedPrecondition, Reason::TooManyTags),
        Error::Refused { game, reason, facts, .. } => {
            let domain = game.map_or(DOMAIN.name.to_owned(), game_name);
            let facts = facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect();
            with_facts(Code::FailedPrecondition, &domain, reason, message, facts, None)
        }
        Error::MatchUnreadable { position, source } => {
            tracing::debug!(error = chain(&*source), "a match cannot be read");
            let position = position.map(|it| ("position", it.0.to_string()));
            with_fact(Code::FailedPrecondition, Reason::MatchUnreadable, message, position)
        }
        Error::PositionMoved { position } => {
            at(Code::Aborted, Reason::PositionMoved, message, position)
        }
        Error::PromptMoved { prompt } => {
            let prompt = prompt.map(|it| ("prompt", it.0.to_string()));
            with_fact(Code::Aborted, Reason::PromptMoved, message, prompt)
        }
        Error::RequestIdReused => plain(Code::AlreadyExists, Reason::RequestIdReused),
        Error::RateLimitExceeded { limit, value, delay } => {
            limited(Reason::RateLimitExceeded, message, limit, value, delay)
        }
        Error::QuotaExceeded { limit, value, delay } => {
            let delay = store::jittered(delay);
            limited(Reason::QuotaExceeded, message, limit, value, delay)
        }
        Error::Overloaded => overloaded(message),
        Error::DatabaseFull { .. } => again(Code::ResourceExhausted, Reason::DatabaseFull),
        Error::DatabaseUnavailable { unknown } => again(Code::Unavailable, unavailable(unknown)),
        Error::ArchiveNotGiven => plain(Code::FailedPrecondition, Reason::ArchiveNotGiven),
        Error::ArchiveUnavailable => again(Code::Unavailable, Reason::ArchiveUnavailable),
        Error::ArchiveDamaged => plain(Code::DataLoss, Reason::ArchiveDamaged),
        Error::ProjectionBehind => again(Code::Unavailable, Reason::ProjectionBehind),
        Error::SlowConsumer => plain(Code::Aborted, Reason::SlowConsumer),
        Error::ShuttingDown => retry(Code::Unavailable, Reason::ShuttingDown, message, RETRY_DELAY),
        Error::NotDue => plain(Code::Internal, Reason::Internal),
        Error::Internal(source) => {
            tracing::error!(error = chain(&*source), "a fault of the service");
            plain(Code::Internal, Reason::Internal)
        }
    }
}

fn unavailable(unknown: bool) -> Reason {
    if unknown { Reason::OutcomeUnknown } else { Reason::DatabaseUnavailable }
}

fn overloaded(message: String) -> Status {
    let delay = store::jittered(RETRY_OVERLOADED_DELAY);
    retry(Code::ResourceExhausted, Reason::Overloaded, message, delay)
}

/// The error that ends a resumable stream: its metadata holds the cursor to resume after.
pub(crate) fn resumable(error: Error, cursor: String) -> Status {
    let status = of(error);
    let mut details = status.get_error_details();
    if let Some(mut info) = details.error_info().cloned() {
        info.metadata.insert("cursor".to_owned(), cursor);
        details.set_error_info(info.reason, info.domain, info.metadata);
    }
    Status::with_error_details(status.code(), status.message(), details)
}

fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("times are within RFC 3339")
}

fn at(code: Code, reason: Reason, message: String, position: matches::Position) -> Status {
    with_fact(code, reason, message, Some(("position", position.0.to_string())))
}

fn with_fact(code: Code, reason: Reason, message: String, fact: Option<(&str, String)>) -> Status {
    let facts = fact.map(|(name, fact)| (name.to_owned(), fact)).into_iter().collect();
    with_facts(code, DOMAIN.name, name(reason), message, facts, None)
}

/// The refusal of a match that would follow another one.
fn of_series(error: SeriesError) -> Status {
    let (reason, fact) = match error {
        SeriesError::Mismatch { field } => {
            return of_field(Reason::SeriesMismatch, field, error.to_string());
        }
        SeriesError::NotEnded => (Reason::MatchNotEnded, None),
        SeriesError::Followed { next } => (Reason::MatchFollowed, Some(("next", match_name(next)))),
        SeriesError::Decided { winner } => {
            (Reason::SeriesDecided, Some(("winner", winner.to_string())))
        }
    };
    let facts = fact.into_iter().map(|(key, fact)| (key.to_owned(), fact)).collect();
    let (code, message) = (Code::FailedPrecondition, error.to_string());
    with_facts(code, DOMAIN.name, name(reason), message, facts, None)
}

fn of_seek(error: SeekError) -> Status {
    let message = error.to_string();
    match error {
        SeekError::NotFound => status(Code::NotFound, Reason::SeekNotFound, message),
        SeekError::Exists => status(Code::AlreadyExists, Reason::SeekExists, message),
        SeekError::Seated { match_id } => {
            let fact = Some(("match", match_name(match_id)));
            with_fact(Code::FailedPrecondition, Reason::SeekSeated, message, fact)
        }
    }
}

/// The refusal of an address that tried too many credentials.
pub(crate) fn too_many_invalid_credentials(delay: Duration) -> Status {
    let message = "too many calls from this address had credentials that are not known";
    let reason = Reason::TooManyInvalidCredentials;
    retry(Code::ResourceExhausted, reason, message.to_owned(), delay)
}

/// A refusal because a limit is used up, named as `croupier platform limits` does.
fn limited(reason: Reason, message: String, limit: &str, value: u32, delay: Duration) -> Status {
    let facts = [("limit".to_owned(), limit.to_owned()), ("value".to_owned(), value.to_string())];
    let code = Code::ResourceExhausted;
    with_facts(code, DOMAIN.name, name(reason), message, facts.into(), Some(delay))
}

fn retry(code: Code, reason: Reason, message: String, delay: Duration) -> Status {
    with_facts(code, DOMAIN.name, name(reason), message, HashMap::new(), Some(delay))
}

/// An error and its sources, separated by colons.
pub fn chain(error: &dyn std::error::Error) -> String {
    let errors = std::iter::successors(Some(error), |&error| error.source());
    errors.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contract_has_every_reason_of_the_transcoder() {
        for reason in transcoder::Reason::ALL {
            let name = format!("REASON_{}", reason.as_str());
            assert!(Reason::from_str_name(&name).is_some(), "errors.proto lacks {name}");
        }
    }

    #[test]
    fn the_contract_has_every_reason_of_a_table() {
        for (reason, _) in table::common_reasons() {
            let name = format!("REASON_{reason}");
            assert!(Reason::from_str_name(&name).is_some(), "errors.proto lacks {name}");
        }
    }
}
