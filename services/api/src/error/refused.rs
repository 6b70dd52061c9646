//! A refusal with one of the service's own reasons, as the contract announces it.

use std::collections::HashMap;
use std::time::Duration;

use contract::reasons::{self, Announced};
use contract::v1::Reason;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

use super::domain::DOMAIN;
use crate::meter;

/// A refusal in the making. [`Refused::status`] completes it.
pub(crate) struct Refused {
    announced: &'static Announced,
    code: Code,
    message: String,
    facts: HashMap<String, String>,
    retry: Option<Duration>,
}

impl Refused {
    /// A refusal with the code with which the reason usually comes.
    pub fn new(reason: Reason, message: impl Into<String>) -> Refused {
        let announced = reasons::announced(reason);
        let (code, message) = (announced.code(), message.into());
        Refused { announced, code, message, facts: HashMap::new(), retry: None }
    }

    /// The field whose value is wrong, spelled as in the contract.
    pub fn field(self, field: &str) -> Refused {
        Refused { code: Code::InvalidArgument, ..self.fact("field", field) }
    }

    pub fn fact(mut self, name: &str, value: impl ToString) -> Refused {
        self.facts.insert(name.to_owned(), value.to_string());
        self
    }

    /// A fact that is not known in every case.
    pub fn fact_if_known(self, name: &str, value: Option<impl ToString>) -> Refused {
        match value {
            Some(value) => self.fact(name, value),
            None => self,
        }
    }

    /// How long the client waits before it sends the same request again.
    pub fn retry_after(self, delay: Duration) -> Refused {
        Refused { retry: Some(delay), ..self }
    }

    /// The status, which is counted. Builds for development check that the contract announces it.
    pub fn status(self) -> Status {
        let Refused { announced, code, message, facts, retry } = self;
        if cfg!(debug_assertions) {
            let name = announced.name;
            assert!(announced.codes.contains(&code), "errors.proto announces no {code:?} {name}");
            let unknown = facts.keys().find(|fact| !announced.facts.contains(fact));
            assert_eq!(unknown, None, "errors.proto announces no such fact of {name}");
        }
        refuse(code, DOMAIN.name, announced.name, message, facts, retry)
    }
}

/// A refusal by the rules of a game, or of every game if `None`.
pub(super) fn by_rules(
    game: Option<String>,
    reason: &'static str,
    message: String,
    facts: HashMap<String, String>,
) -> Status {
    let domain = game.as_deref().unwrap_or(DOMAIN.name);
    if cfg!(debug_assertions) && game.is_none() {
        let announced = reasons::catalogue().iter().find(|it| it.name == reason);
        let announced = announced.unwrap_or_else(|| panic!("errors.proto lacks {reason}"));
        assert!(announced.codes.contains(&Code::FailedPrecondition), "{reason}");
        let unknown = facts.keys().find(|fact| !announced.facts.contains(fact));
        assert_eq!(unknown, None, "errors.proto announces no such fact of {reason}");
    }
    refuse(Code::FailedPrecondition, domain, reason, message, facts, None)
}

fn refuse(
    code: Code,
    domain: &str,
    reason: &'static str,
    message: String,
    facts: HashMap<String, String>,
    retry: Option<Duration>,
) -> Status {
    meter::refused(domain, reason);
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

/// A refusal without facts.
pub(crate) fn status(reason: Reason, message: impl Into<String>) -> Status {
    Refused::new(reason, message).status()
}

/// The value of this field, spelled as in the contract, is not valid.
pub(crate) fn invalid(field: &str, message: impl Into<String>) -> Status {
    of_field(Reason::InvalidRequest, field, message)
}

/// Like [`invalid`], with another reason.
pub(crate) fn of_field(reason: Reason, field: &str, message: impl Into<String>) -> Status {
    Refused::new(reason, message).field(field).status()
}

/// The refusal of an item of a list, such as `requests[3]`, from that of the item alone.
pub(crate) fn within(status: Status, item: &str) -> Status {
    let message = format!("{item}: {}", status.message());
    let mut details = status.get_error_details();
    if let Some(mut info) = details.error_info().cloned()
        && let Some(field) = info.metadata.get_mut("field")
    {
        *field = format!("{item}.{field}");
        details.set_bad_request(vec![FieldViolation::new(field.clone(), &message)]);
        details.set_error_info(info.reason, info.domain, info.metadata);
    }
    Status::with_error_details(status.code(), message, details)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_of_an_item_names_it() {
        let status = within(invalid("players[1]", "twice"), "requests[3]");
        assert_eq!(status.message(), "requests[3]: twice");
        let details = status.get_error_details();
        let info = details.error_info().expect("a reason");
        assert_eq!(
            (&*info.reason, &*info.metadata["field"]),
            ("INVALID_REQUEST", "requests[3].players[1]")
        );
        let violations = &details.bad_request().expect("a field").field_violations;
        assert_eq!(violations.len(), 1);
        assert_eq!(violations[0].field, "requests[3].players[1]");
    }

    #[test]
    fn the_contract_announces_what_a_table_refuses() {
        for (reason, facts) in table::common_reasons() {
            let found = reasons::catalogue().iter().find(|it| it.name == reason);
            let found = found.unwrap_or_else(|| panic!("errors.proto lacks {reason}"));
            assert_eq!(found.facts, facts, "{reason}");
        }
    }
}
