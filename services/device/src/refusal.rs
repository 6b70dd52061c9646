//! Why a call was refused, in the form in which the protocol Connect writes it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use games::Refused;
use prost::Message;
use serde_json::json;
use tonic_types::pb::{ErrorInfo, LocalizedMessage};

/// A refusal: a reason for programs, a sentence, and the facts.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The status code, as Connect spells it.
    pub code: &'static str,
    pub reason: String,
    /// `croupier`, or the game whose rules refused.
    pub domain: String,
    pub message: String,
    pub facts: Vec<(String, String)>,
    /// The sentence in the reader's language, with that language.
    pub told: Option<Box<(&'static str, String)>>,
}

impl Refusal {
    pub fn new(code: &'static str, reason: &str, message: impl Into<String>) -> Refusal {
        Refusal {
            code,
            reason: reason.to_owned(),
            domain: contract::reasons::DOMAIN.to_owned(),
            message: message.into(),
            facts: Vec::new(),
            told: None,
        }
    }

    pub fn invalid(field: &str, message: impl Into<String>) -> Refusal {
        let facts = vec![("field".to_owned(), field.to_owned())];
        Refusal { facts, ..Refusal::new("invalid_argument", "INVALID_REQUEST", message) }
    }

    pub fn not_found() -> Refusal {
        Refusal::new("not_found", "MATCH_NOT_FOUND", "the match is not on this device")
    }

    /// The refusal of an action by the rules of a game.
    pub fn of_rules(game: &str, refused: Refused) -> Refusal {
        let by = |domain: String, reason: &str, message, facts: Vec<(&'static str, String)>| {
            let facts = facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect();
            Refusal { domain, facts, ..Refusal::new("failed_precondition", reason, message) }
        };
        match refused {
            Refused::Malformed(message) => {
                Refusal::new("invalid_argument", "MALFORMED_ACTION", message)
            }
            Refused::Table { reason, message, facts } => {
                by(contract::reasons::DOMAIN.to_owned(), reason, message, facts)
            }
            Refused::Rules { reason, message, facts } => {
                by(contract::names::game_name(game), reason, message, facts)
            }
            Refused::Faulty { message, .. } => Refusal::new("internal", "INTERNAL", message),
        }
    }

    /// As the error of an answer in Connect.
    pub fn to_json(&self) -> Vec<u8> {
        let info = ErrorInfo {
            reason: self.reason.clone(),
            domain: self.domain.clone(),
            metadata: self.facts.iter().cloned().collect(),
        };
        let detail = |name: &str, message: Vec<u8>| json!({ "type": name, "value": BASE64_STANDARD.encode(message) });
        let mut details = vec![detail("google.rpc.ErrorInfo", info.encode_to_vec())];
        if let Some((locale, message)) = self.told.as_deref() {
            let told = LocalizedMessage { locale: (*locale).to_owned(), message: message.clone() };
            details.push(detail("google.rpc.LocalizedMessage", told.encode_to_vec()));
        }
        let error = json!({ "code": self.code, "message": self.message, "details": details });
        error.to_string().into_bytes()
    }
}
