//! Failures in words for the person at the terminal.

use std::io;
use std::path::PathBuf;

use croupier_client::{Code, ConnectError, Refusal};

/// Why a call or its preparation failed, in words for the person at the terminal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the certificates in {} cannot be read", path.display())]
    Ca { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Connect(ConnectError),
    #[error("no service answers at {0}: start one with `croupier serve`")]
    Silent(String),
    #[error(
        "there is no API key in {}: name one with --key or CROUPIER_KEY, or the service's data folder with --data",
        path.display()
    )]
    NoKey { path: PathBuf, source: io::Error },
    #[error("the API key is invalid: it is not ASCII")]
    Key,
    #[error("the service at {address} refuses this API key: {message}")]
    KeyRefused { address: String, message: String },
    #[error("the service at {0} publishes no keys")]
    NoKeys(String),
    #[error("there is no game `{game}`; the games are: {}", known.join(", "))]
    UnknownGame { game: String, known: Vec<String> },
    #[error(
        "`{text}` is not the name of a match: write at least {characters_min} characters of its id"
    )]
    ShortMatchId { text: String, characters_min: usize },
    #[error("`{text}` could be {one} or {other}: write more of its id")]
    AmbiguousMatchId { text: String, one: String, other: String },
    #[error("no recent match has an id that starts with `{0}`")]
    UnknownMatchId(String),
    #[error("there is no match {0}")]
    UnknownMatch(String),
    #[error("no player named {} has taken a seat", .0.trim_start_matches("players/"))]
    UnknownPlayer(String),
    #[error("this is not an action: {0}")]
    Action(String),
    #[error("{}", described(.0))]
    Refused(Refusal),
    #[error("the service failed: {message} ({code:?})")]
    Failed { code: Code, message: String },
    #[error("the service's response lacks the requested resource")]
    Empty,
}

impl Error {
    /// With TLS the cause may be the certificate, so the error keeps it.
    pub fn of_connecting(error: ConnectError) -> Error {
        match error {
            ConnectError::Unreached { address, .. } if !address.starts_with("https") => {
                Error::Silent(address)
            }
            error => Error::Connect(error),
        }
    }

    /// Whether the service itself refused for this reason.
    pub fn is(&self, reason: &str) -> bool {
        matches!(self, Error::Refused(refusal) if refusal.is(reason))
    }

    /// Whether the command line is at fault.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Error::Key
                | Error::Action(_)
                | Error::UnknownGame { .. }
                | Error::ShortMatchId { .. }
                | Error::AmbiguousMatchId { .. }
        )
    }

    /// The error for an unknown game.
    pub fn unknown_game(game: &str, known: impl IntoIterator<Item = impl Into<String>>) -> Error {
        let known = known.into_iter().map(Into::into).collect();
        Error::UnknownGame { game: game.to_owned(), known }
    }

    pub fn of_refusal(refusal: Refusal, address: &str) -> Error {
        let address = address.to_owned();
        let code = refusal.code();
        let is_late = code == Code::DeadlineExceeded && refusal.reason().is_empty();
        if refusal.is_unreached() || is_late {
            return Error::Silent(address);
        }
        let message = refusal.message().to_owned();
        if code == Code::Unauthenticated {
            return Error::KeyRefused { address, message };
        }
        match refusal.reason() {
            "" => Error::Failed { code, message },
            _ => Error::Refused(refusal),
        }
    }
}

/// A typed refusal: its sentence, its reason, its domain and its facts.
fn described(refusal: &Refusal) -> String {
    let facts = refusal.facts().iter().map(|(name, value)| format!("; {name}: {value}"));
    let facts: String = facts.collect();
    let (message, reason, domain) = (refusal.message(), refusal.reason(), refusal.domain());
    format!("{message} ({reason} from {domain}{facts})")
}

#[cfg(test)]
mod tests {
    use tonic::Status;
    use tonic_types::{ErrorDetails, StatusExt};

    use super::*;

    #[test]
    fn a_refusal_shows_its_reason_and_its_facts() {
        let details = || {
            ErrorDetails::with_error_info(
                "NOT_IN_HAND",
                "games/mountebank",
                [("card".to_owned(), "journey".to_owned())],
            )
        };
        let shown = |details| {
            let message = "those cards are not in your hand";
            let status = Status::with_error_details(Code::FailedPrecondition, message, details);
            Error::of_refusal(status.into(), "http://127.0.0.1:7710").to_string()
        };
        assert_eq!(
            shown(details()),
            "those cards are not in your hand (NOT_IN_HAND from games/mountebank; card: journey)"
        );
        let mut localized = details();
        localized.set_localized_message("de", "Diese Karten hast du nicht auf der Hand.");
        assert!(shown(localized).starts_with("Diese Karten hast du nicht auf der Hand. (NOT_IN_"));
    }
}
