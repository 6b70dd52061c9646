//! Failures of tools: a reason for programs, and what to do for models.

use croupier_client::{Code, Refusal};

use crate::text::{ANSWER_BYTES_MAX, fit};

/// Why a tool did nothing. Reasons are those of `docs/errors.md`, of the game, or of a tool.
#[derive(Debug)]
pub struct Failure {
    pub reason: String,
    pub message: String,
}

impl Failure {
    pub fn new(reason: &str, message: impl Into<String>) -> Failure {
        Failure { reason: reason.to_owned(), message: message.into() }
    }

    /// The text for the model.
    pub fn text(&self) -> String {
        let end = if self.message.ends_with(char::is_alphanumeric) { "." } else { "" };
        fit(&format!("error: {}\n{}{end}", self.reason, self.message), ANSWER_BYTES_MAX)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        let reason = match refusal.reason() {
            "" if refusal.is_unreached() => "SERVICE_UNREACHED",
            "" => code_name(refusal.code()),
            reason => reason,
        };
        let mut message = refusal.to_string();
        if let Some(retry_after) = refusal.retry_after() {
            message.push_str(&format!(". Try again in {} s", retry_after.as_secs().max(1)));
        }
        if refusal.code() == Code::Unauthenticated {
            message.push_str(". Only the person who set up this server can change its credentials");
        }
        Failure::new(reason, message)
    }
}

/// A code without a reason, which only parts below the service send.
fn code_name(code: Code) -> &'static str {
    match code {
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::NotFound => "NOT_FOUND",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::Unauthenticated => "UNAUTHENTICATED",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::Unavailable => "UNAVAILABLE",
        _ => "INTERNAL",
    }
}
