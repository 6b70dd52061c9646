//! How calls fail.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use contract::reasons::DOMAIN;
use tonic::{Code, Status, TimeoutExpired};
use tonic_types::StatusExt;

/// Reasons for which a call had no effect, though its code alone would leave that open.
const NOTHING_DONE: [&str; 5] = [
    "OVERLOADED",
    "DATABASE_UNAVAILABLE",
    "RATE_LIMIT_EXCEEDED",
    "TOO_MANY_INVALID_CREDENTIALS",
    "PROJECTION_BEHIND",
];

/// The one error of every call: the service refused, or could not be reached.
///
/// `docs/errors.md` of the service lists every reason, with what to do about it. `Display` is a
/// sentence for people, in the language of the client.
#[derive(Clone)]
pub struct Refusal(Box<Told>);

#[derive(Clone)]
struct Told {
    code: Code,
    message: String,
    reason: String,
    domain: String,
    facts: BTreeMap<String, String>,
    field: Option<String>,
    retry_after: Option<Duration>,
    /// The status of the connection, if no service answered.
    unreached: Option<Status>,
}

impl Refusal {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Refusal {
        Refusal(Box::new(Told {
            code,
            message: message.into(),
            reason: String::new(),
            domain: String::new(),
            facts: BTreeMap::new(),
            field: None,
            retry_after: None,
            unreached: None,
        }))
    }

    /// The answer lacks what the contract promises.
    pub(crate) fn incomplete() -> Refusal {
        Refusal::new(Code::Internal, "the answer lacks what the contract promises")
    }

    /// What was received after this position is no longer in the record.
    pub(crate) fn went_back(position: i32) -> Refusal {
        let message = "the database lost entries that were received";
        let mut told = Refusal::new(Code::DataLoss, message);
        told.0.reason = "RECORD_WENT_BACK".to_owned();
        told.0.domain = DOMAIN.to_owned();
        told.0.facts.insert("position".to_owned(), position.to_string());
        told
    }

    /// The status code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Why, in words: for players in the language of the client, without one for developers.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Why, for programs: one of `Reason` without its prefix, such as `POSITION_MOVED`, or a reason
    /// of the game, such as `NOT_IN_HAND`. Empty if the service did not answer.
    pub fn reason(&self) -> &str {
        &self.0.reason
    }

    /// Who refused: `croupier`, or the game by whose rules, as `games/{game}`.
    pub fn domain(&self) -> &str {
        &self.0.domain
    }

    /// The facts behind the refusal, by name.
    pub fn facts(&self) -> &BTreeMap<String, String> {
        &self.0.facts
    }

    /// A fact behind the refusal, such as the current `position`.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.0.facts.get(name).map(String::as_str)
    }

    /// The field of the request that is wrong, spelled as in the contract, if one is.
    pub fn field(&self) -> Option<&str> {
        self.0.field.as_deref()
    }

    /// How long the service asks to wait before the next attempt.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Whether the service refused for this reason of its own, such as `MATCH_NOT_STARTED`.
    pub fn is(&self, reason: &str) -> bool {
        self.0.domain == DOMAIN && self.0.reason == reason
    }

    /// Whether the rules of the game refused the action. Nothing was recorded.
    pub fn is_by_rules(&self) -> bool {
        self.0.domain.starts_with("games/")
    }

    /// Whether no service answered: the connection failed.
    pub fn is_unreached(&self) -> bool {
        self.0.unreached.is_some()
    }

    /// Whether the same call may succeed later. A call that changes something may be repeated only
    /// with its request id; this package does that by itself.
    pub fn is_retryable(&self) -> bool {
        matches!(self.0.code, Code::Unavailable | Code::DeadlineExceeded)
            || self.is_unreached()
            || self.0.retry_after.is_some()
            || ["DATABASE_FULL", "SLOW_CONSUMER"].iter().any(|it| self.is(it))
    }

    /// Whether the call may have had its effect nevertheless.
    pub fn outcome_unknown(&self) -> bool {
        if NOTHING_DONE.contains(&&*self.0.reason) {
            return false;
        }
        let is_open = matches!(
            self.0.code,
            Code::Unavailable
                | Code::DeadlineExceeded
                | Code::Cancelled
                | Code::Internal
                | Code::Unknown
        );
        is_open || self.is_unreached() || self.is("DATABASE_FULL")
    }
}

impl From<Status> for Refusal {
    fn from(status: Status) -> Refusal {
        let details = status.get_error_details();
        let localized = details.localized_message().map(|it| it.message.clone());
        let message = localized.unwrap_or_else(|| status.message().to_owned());
        let mut told = Refusal::new(status.code(), message);
        if let Some(info) = details.error_info() {
            told.0.reason.clone_from(&info.reason);
            told.0.domain.clone_from(&info.domain);
            told.0.facts.extend(info.metadata.clone());
        }
        let violation = details.bad_request().and_then(|it| it.field_violations.first());
        let violation = violation.map(|it| it.field.clone());
        told.0.field = told.0.facts.get("field").cloned().or(violation);
        told.0.retry_after = details.retry_info().and_then(|it| it.retry_delay);
        // The transport of this side made the status. One that the service sent has no source, and
        // one for an answer that does not decode has that error.
        if let Some(source) = status.source().filter(|it| !it.is::<prost::DecodeError>()) {
            if source.is::<TimeoutExpired>() {
                return Refusal::late();
            }
            told.0.unreached = Some(status);
        }
        told
    }
}

impl Refusal {
    /// The service did not answer in time.
    pub(crate) fn late() -> Refusal {
        Refusal::new(Code::DeadlineExceeded, "the service did not answer in time")
    }
}

/// An error within an answer, such as of an action of `Play`.
impl From<tonic_types::Status> for Refusal {
    fn from(error: tonic_types::Status) -> Refusal {
        let details = prost::Message::encode_to_vec(&error).into();
        Status::with_details(error.code.into(), error.message, details).into()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_unreached() {
            return f.write_str("the service cannot be reached");
        }
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Told { code, message, reason, domain, facts, .. } = &*self.0;
        write!(f, "{message:?} ({code:?} {reason} from {domain:?}; {facts:?})")
    }
}

impl Error for Refusal {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.unreached.as_ref().map(|status| status as &dyn Error)
    }
}

#[cfg(test)]
mod tests {
    use tonic_types::ErrorDetails;

    use super::*;

    fn refused(code: Code, domain: &str, reason: &str) -> Refusal {
        let facts = [("position".to_owned(), "3".to_owned())];
        let details = ErrorDetails::with_error_info(reason, domain, facts);
        Status::with_error_details(code, "somebody was faster", details).into()
    }

    #[test]
    fn a_refusal_has_its_reason_and_facts() {
        let refusal = refused(Code::Aborted, DOMAIN, "POSITION_MOVED");
        assert!(refusal.is("POSITION_MOVED") && !refusal.is_by_rules());
        assert_eq!((refusal.fact("position"), refusal.field()), (Some("3"), None));
        assert!(!refusal.is_retryable() && !refusal.outcome_unknown());
        let refusal = refused(Code::FailedPrecondition, "games/mountebank", "NOT_IN_HAND");
        assert!(refusal.is_by_rules() && !refusal.is("NOT_IN_HAND"));
    }

    #[test]
    fn the_sentence_for_players_is_preferred() {
        let mut details = ErrorDetails::new();
        details.set_localized_message("de", "Jemand war schneller.");
        let refusal: Refusal =
            Status::with_error_details(Code::Aborted, "somebody was faster", details).into();
        assert_eq!(refusal.to_string(), "Jemand war schneller.");
    }

    #[test]
    fn the_outcome_is_unknown_unless_the_service_says_that_it_did_nothing() {
        let lost = refused(Code::Unavailable, DOMAIN, "OUTCOME_UNKNOWN");
        assert!(lost.is_retryable() && lost.outcome_unknown());
        let busy = refused(Code::Unavailable, DOMAIN, "OVERLOADED");
        assert!(busy.is_retryable() && !busy.outcome_unknown());
    }
}
