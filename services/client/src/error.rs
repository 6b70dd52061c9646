use std::path::PathBuf;
use std::{fmt, io};

use contract::reasons::DOMAIN;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Why a call or its preparation failed, in words for the person at the terminal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0} is not an address such as http://127.0.0.1:7710")]
    Address(String),
    #[error("the certificates in {} cannot be read", path.display())]
    Ca { path: PathBuf, source: io::Error },
    #[error("TLS cannot be configured")]
    Tls(#[source] tonic::transport::Error),
    #[error("no service answers at {0}: start one with `croupier serve`")]
    Silent(String),
    #[error("no service answers at {address}")]
    Unreached { address: String, source: tonic::transport::Error },
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
    #[error("{0}")]
    Refused(Refusal),
    #[error("the service failed: {message} ({code:?})")]
    Failed { code: Code, message: String },
    #[error("the service's response lacks the requested resource")]
    Empty,
}

impl Error {
    /// With TLS the cause may be the certificate, so the error keeps it.
    pub(crate) fn of_connecting(address: &str, source: tonic::transport::Error) -> Error {
        let address = address.to_owned();
        match address.starts_with("https") {
            true => Error::Unreached { address, source },
            false => Error::Silent(address),
        }
    }

    /// Whether the service itself refused for this reason.
    pub fn is(&self, reason: &str) -> bool {
        matches!(self, Error::Refused(refusal) if refusal.domain == DOMAIN && refusal.reason == reason)
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

    pub(crate) fn of_status(status: &Status, address: &str) -> Error {
        if is_local(status) {
            return Error::Silent(address.to_owned());
        }
        let message = status.message().to_owned();
        if status.code() == Code::Unauthenticated {
            return Error::KeyRefused { address: address.to_owned(), message };
        }
        let Some(info) = status.get_details_error_info() else {
            return Error::Failed { code: status.code(), message };
        };
        let localized = status.get_details_localized_message();
        let message = localized.map_or(message, |localized| localized.message);
        let mut facts: Vec<_> = info.metadata.into_iter().collect();
        facts.sort();
        Error::Refused(Refusal { message, domain: info.domain, reason: info.reason, facts })
    }
}

/// A typed refusal: its domain, its reason and its facts.
#[derive(Debug)]
pub struct Refusal {
    pub message: String,
    pub domain: String,
    pub reason: String,
    pub facts: Vec<(String, String)>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} from {}", self.message, self.reason, self.domain)?;
        self.facts.iter().try_for_each(|(name, value)| write!(f, "; {name}: {value}"))?;
        write!(f, ")")
    }
}

/// Whether the transport on this side made the status. A status that the service sent has no
/// source, and one for an answer that cannot be decoded has a refusal of the codec.
pub(crate) fn is_local(status: &Status) -> bool {
    std::error::Error::source(status).is_some_and(|source| !source.is::<transcoder::Refusal>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic_types::ErrorDetails;

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
            Error::of_status(&status, "http://127.0.0.1:7710").to_string()
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
