//! The errors of use cases as statuses: a table, with the reason of each.

#![deny(clippy::wildcard_enum_match_arm)]

use std::time::Duration;

use contract::names::{game_name, match_name};
use contract::v1::Reason;
use matches::{Error, QuietHoursError, SeekError, SeriesError};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tonic::Status;
use tonic_types::StatusExt;

use super::chain::chain;
use super::refused::{Refused, by_rules, invalid, of_field};

/// The retry delay while the service stops. Another process may be ready at once.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// The longest retry delay under overload. A refusal costs the service half as much as an action,
/// so retries must be spread out.
const RETRY_OVERLOADED_DELAY: Duration = Duration::from_millis(500);

/// The retry delay while a node of the database is away that the call needs. Clients repeat calls
/// for a minute by themselves: with this delay they tell their caller at once.
const RETRY_NODE_DELAY: Duration = Duration::from_mins(1);

/// The retry delay while the database is unavailable: about the time in which one starts.
const RETRY_DATABASE_DELAY: Duration = Duration::from_secs(1);

/// The status of a failed use case.
#[expect(clippy::too_many_lines, reason = "a table, with a line or two for each error")]
pub(crate) fn of(error: Error) -> Status {
    let message = error.to_string();
    let refused = |reason| Refused::new(reason, message.clone());
    let plain = |reason| refused(reason).status();
    let again = |reason| refused(reason).retry_after(RETRY_DATABASE_DELAY).status();
    match error {
        Error::Invalid { field, rule: _ } => invalid(field, message),
        Error::InvalidItem { field, index, rule: _ } => invalid(&item(field, index), message),
        Error::ZeroCharacter => plain(Reason::InvalidRequest),
        Error::SeatMissing => invalid("seat", message),
        Error::UnknownGame(_) => of_field(Reason::UnknownGame, "game", message),
        Error::ModuleUnavailable { module } => {
            refused(Reason::ModuleUnavailable).fact("module", module).status()
        }
        Error::ModuleFailed { game, fault, message: _ } => {
            let game = game_name(game);
            refused(Reason::ModuleFailed).fact("fault", fault).fact("game", game).status()
        }
        Error::ModuleRefused { fault, message: _ } => {
            refused(Reason::ModuleRefused).fact("fault", fault).field("module").status()
        }
        Error::GameNameTaken(game) => {
            refused(Reason::GameNameTaken).fact("game", game_name(&game)).status()
        }
        Error::GameNotOffered(_) => plain(Reason::UnknownGame),
        Error::OperatorOnly => plain(Reason::OperatorOnly),
        Error::UnknownOption(_) => of_field(Reason::UnknownOption, "options", message),
        Error::UnknownBot { field, index, bot: _, levels: _ } => {
            let field = index.map_or_else(|| field.to_owned(), |index| item(field, index));
            of_field(Reason::UnknownBot, &field, message)
        }
        Error::InvalidTimeControl(_) => {
            of_field(Reason::InvalidTimeControl, "time_control", message)
        }
        Error::InvalidTag { field, rule: _ } => of_field(Reason::InvalidTag, field, message),
        Error::MalformedAction(_) => of_field(Reason::MalformedAction, "action", message),
        Error::RightEnded => plain(Reason::CredentialsRevoked),
        Error::NotYourSeat => plain(Reason::NotYourSeat),
        Error::PlatformOnly => plain(Reason::PlatformOnly),
        Error::InvitationOnly => plain(Reason::InvitationOnly),
        Error::OtherPlayer => plain(Reason::OtherPlayer),
        Error::NoSuchMatch => plain(Reason::MatchNotFound),
        Error::NoSuchEntry => plain(Reason::EntryNotFound),
        Error::NoSuchPlatform(_) => plain(Reason::PlatformNotFound),
        Error::PlatformExists(_) => plain(Reason::PlatformExists),
        Error::NoSuchApiKey(_) => plain(Reason::ApiKeyNotFound),
        Error::NoSuchPlayer => plain(Reason::PlayerNotFound),
        Error::NoSuchProjection(_) => plain(Reason::ProjectionNotFound),
        Error::PositionAhead { position } => {
            refused(Reason::PositionAhead).fact("position", position.0).status()
        }
        Error::TimeBeforeStart { start } => {
            refused(Reason::TimeBeforeStart).fact("start_time", rfc3339(start)).status()
        }
        Error::TimeAhead { .. } => plain(Reason::TimeAhead),
        Error::RecordWentBack { position, .. } => {
            let position = position.map(|it| it.0);
            refused(Reason::RecordWentBack).fact_if_known("position", position).status()
        }
        Error::RecordAltered { position } => {
            refused(Reason::RecordAltered).fact("position", position.0).status()
        }
        Error::ReceiptContradicts { position } => {
            refused(Reason::ReceiptContradicts).fact("position", position.0).status()
        }
        Error::NoDigest => plain(Reason::NoDigest),
        Error::NoSuchSubscription => plain(Reason::SubscriptionNotFound),
        Error::NoSuchPushSubscription => plain(Reason::PushSubscriptionNotFound),
        Error::SubscriptionExists => plain(Reason::SubscriptionExists),
        Error::SubscriptionPushed => plain(Reason::SubscriptionPushed),
        Error::SubscriptionNotPushed => plain(Reason::SubscriptionNotPushed),
        Error::WebhookUrlRefused { field, error: _ } => {
            of_field(Reason::WebhookUrlRefused, field, message)
        }
        Error::QuietHours(error) => of_quiet_hours(error),
        Error::WebhookSecretInvalid { field, error: _ } => {
            of_field(Reason::WebhookSecretInvalid, field, message)
        }
        Error::TooManySecrets => plain(Reason::TooManySecrets),
        Error::RecordNotProven { field, reason: _ } => {
            of_field(Reason::RecordNotProven, &field, message)
        }
        Error::MatchExists => plain(Reason::MatchExists),
        Error::NotStarted => plain(Reason::MatchNotStarted),
        Error::NotEnded => plain(Reason::MatchNotEnded),
        Error::Started => plain(Reason::MatchStarted),
        Error::Deleted => plain(Reason::MatchDeleted),
        Error::HistoryNotKept => plain(Reason::HistoryNotKept),
        Error::Series(error) => of_series(error),
        Error::Seek(error) => of_seek(error),
        Error::NotRevealed { from } => {
            let from = from.map(rfc3339);
            refused(Reason::NotRevealed).fact_if_known("reveal_time", from).status()
        }
        Error::TalkOff => plain(Reason::TalkOff),
        Error::PlayerErased => plain(Reason::PlayerErased),
        Error::TooManyAsides { most } => {
            refused(Reason::TooManyAsides).fact("asides_max", most).status()
        }
        Error::MatchFull => plain(Reason::MatchFull),
        Error::SeatTaken => plain(Reason::SeatTaken),
        Error::AlreadySeated { seat } => refused(Reason::AlreadySeated).fact("seat", seat).status(),
        Error::SuggestionsAgainstPeople => plain(Reason::SuggestionsAgainstPeople),
        Error::BotSeat { seat } => refused(Reason::BotSeat).fact("seat", seat).status(),
        Error::PlayerLeft => plain(Reason::PlayerLeft),
        Error::PlayerNotSeated => plain(Reason::PlayerNotSeated),
        Error::DisplayNameTaken => plain(Reason::DisplayNameTaken),
        Error::ContributionTooLate => plain(Reason::ContributionTooLate),
        Error::ContributionFixed => plain(Reason::ContributionFixed),
        Error::SeatNotTaken => plain(Reason::SeatNotTaken),
        Error::CommitmentMismatch => plain(Reason::CommitmentMismatch),
        Error::TooManyTags => plain(Reason::TooManyTags),
        Error::Refused { game, reason, facts, .. } => {
            let facts = facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect();
            by_rules(game.map(game_name), reason, message, facts)
        }
        Error::MatchUnreadable { position, source } => {
            tracing::debug!(error = chain(&*source), "a match cannot be read");
            let position = position.map(|it| it.0);
            let module = matches::module_of(&*source);
            let refused = refused(Reason::MatchUnreadable).fact_if_known("position", position);
            refused.fact_if_known("module", module).status()
        }
        Error::PositionMoved { position, expected: _ } => {
            refused(Reason::PositionMoved).fact("position", position.0).status()
        }
        Error::PromptMoved { prompt } => {
            let prompt = prompt.map(|it| it.0);
            refused(Reason::PromptMoved).fact_if_known("prompt", prompt).status()
        }
        Error::RequestIdReused => plain(Reason::RequestIdReused),
        Error::RateLimitExceeded { limit, value, delay } => {
            limited(refused(Reason::RateLimitExceeded), limit, value, delay)
        }
        Error::QuotaExceeded { limit, value, delay } => {
            limited(refused(Reason::QuotaExceeded), limit, value, database::jittered(delay))
        }
        Error::Overloaded => {
            let delay = database::jittered(RETRY_OVERLOADED_DELAY);
            refused(Reason::Overloaded).retry_after(delay).status()
        }
        Error::DatabaseFull { .. } => again(Reason::DatabaseFull),
        Error::DatabaseUnavailable { unknown } => again(unavailable(unknown)),
        Error::DatabaseIncomplete => {
            refused(Reason::DatabaseUnavailable).retry_after(RETRY_NODE_DELAY).status()
        }
        Error::TimeUnknown => again(Reason::DatabaseUnavailable),
        Error::ArchiveNotGiven => plain(Reason::ArchiveNotGiven),
        Error::ArchiveUnavailable => again(Reason::ArchiveUnavailable),
        Error::ArchiveDamaged => plain(Reason::ArchiveDamaged),
        Error::ProjectionBehind => again(Reason::ProjectionBehind),
        Error::SlowConsumer => plain(Reason::SlowConsumer),
        Error::ShuttingDown => refused(Reason::ShuttingDown).retry_after(RETRY_DELAY).status(),
        Error::NotDue => plain(Reason::Internal),
        Error::Internal(source) => {
            tracing::error!(error = chain(&*source), "a fault of the service");
            plain(Reason::Internal)
        }
    }
}

/// The path of an item of a list.
fn item(field: &str, index: usize) -> String {
    format!("{field}[{index}]")
}

fn unavailable(unknown: bool) -> Reason {
    if unknown { Reason::OutcomeUnknown } else { Reason::DatabaseUnavailable }
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

/// The refusal of a match that would follow another one.
fn of_series(error: SeriesError) -> Status {
    let refused = |reason| Refused::new(reason, error.to_string());
    match error {
        SeriesError::Mismatch { field } => refused(Reason::SeriesMismatch).field(field),
        SeriesError::NotEnded => refused(Reason::MatchNotEnded),
        SeriesError::Followed { next } => {
            refused(Reason::MatchFollowed).fact("next", match_name(next.0))
        }
        SeriesError::Decided { winner } => refused(Reason::SeriesDecided).fact("winner", winner),
    }
    .status()
}

fn of_quiet_hours(error: QuietHoursError) -> Status {
    let (reason, field) = match error {
        QuietHoursError::Zone => (Reason::TimeZoneUnknown, "time_zone"),
        QuietHoursError::Start => (Reason::QuietHoursInvalid, "start_minute"),
        QuietHoursError::End | QuietHoursError::Length => (Reason::QuietHoursInvalid, "end_minute"),
    };
    of_field(reason, &format!("quiet_hours.{field}"), error.to_string())
}

fn of_seek(error: SeekError) -> Status {
    let refused = |reason| Refused::new(reason, error.to_string());
    match error {
        SeekError::NotFound => refused(Reason::SeekNotFound),
        SeekError::Exists => refused(Reason::SeekExists),
        SeekError::Seated { match_id } => {
            refused(Reason::SeekSeated).fact("match", match_name(match_id.0))
        }
    }
    .status()
}

/// The refusal of an address that tried too many credentials.
pub(crate) fn too_many_invalid_credentials(delay: Duration) -> Status {
    let message = "too many calls from this address had credentials that are not known";
    Refused::new(Reason::TooManyInvalidCredentials, message).retry_after(delay).status()
}

/// A refusal because of an exhausted limit, named as in `croupier platform limits`.
fn limited(refused: Refused, limit: &str, value: u32, delay: Duration) -> Status {
    refused.fact("limit", limit).fact("value", value).retry_after(delay).status()
}
