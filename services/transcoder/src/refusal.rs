//! Refusals as data: a reason, a message, facts, and the domain of the reason.

use std::collections::HashMap;
use std::error::Error;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// The `domain` of every `google.rpc.ErrorInfo` made here.
#[derive(Clone, Copy, Debug)]
pub struct Domain {
    /// By convention the service's name, such as `library.example.com`.
    pub name: &'static str,
    /// Called for each refusal as it is made, with its reason, so that it can be counted.
    pub on_refusal: fn(reason: &'static str),
}

impl Domain {
    /// A domain whose refusals are not counted.
    pub const fn new(name: &'static str) -> Self {
        Self { name, on_refusal: |_| {} }
    }

    /// The status of the refusal. Counts it.
    pub fn refuse(self, refusal: Refusal) -> Status {
        let Refusal { reason, message, facts } = refusal;
        (self.on_refusal)(reason.as_str());
        let metadata: HashMap<_, _> =
            facts.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let mut details = ErrorDetails::with_error_info(reason.as_str(), self.name, metadata);
        if let Some((_, field)) = facts.iter().find(|(name, _)| *name == "field") {
            details.add_bad_request_violation(field, &message);
        }
        Status::with_error_details(reason.code(), message, details)
    }

    /// Refuses bytes that do not decode, which are the caller's mistake (`INVALID_ARGUMENT`,
    /// `MALFORMED_MESSAGE`): a codec knows no domain, and returns a status whose source is a
    /// [`DecodeError`](prost::DecodeError). Counts it. Any other status stays as it is.
    pub fn adopt(self, status: Status) -> Status {
        self.adopted(&status).unwrap_or(status)
    }

    /// Like [`adopt`](Self::adopt), but returns `None` for any other status.
    pub(crate) fn adopted(self, status: &Status) -> Option<Status> {
        status.source()?.downcast_ref::<prost::DecodeError>()?;
        Some(self.refuse(Reason::MalformedMessage.refusal(status.message(), [])))
    }
}

/// A refusal by this crate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The reason, for programs.
    pub reason: Reason,
    /// The message, for people.
    pub message: String,
    /// Facts for programs besides the reason; they become the metadata of the `ErrorInfo`.
    pub facts: Vec<(&'static str, String)>,
}

/// Why a call failed on its way: refused by this crate, or ended by the service with a status.
#[derive(Debug)]
pub enum Failure {
    Refused(Refusal),
    Ended(Status),
}

impl Failure {
    /// The status to send to the caller.
    pub fn status(self, domain: Domain) -> Status {
        match self {
            Self::Refused(refusal) => domain.refuse(refusal),
            Self::Ended(status) => status,
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        Self::Ended(status)
    }
}

/// Why a call is refused before it reaches the service, or in place of the service's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The body is not valid JSON. Facts: `line`, `column`. The client corrects its JSON.
    MalformedJson,
    /// The request has no such field. Facts: `field`. The client spells it as the contract does.
    UnknownField,
    /// A value does not fit its field. Facts: `field`, `expected`. The client sends a value of that
    /// type.
    WrongType,
    /// A field, or a oneof, is given twice. Facts: `field`. The client gives it once.
    DuplicateField,
    /// The bytes are not a protobuf message of this method, or not a valid frame. Facts:
    /// `parameter`, if the message is one of a URL. The client encodes by the current contract.
    MalformedMessage,
    /// A header of the protocol cannot be read. Facts: `header`. The client corrects the header.
    MalformedHeader,
    /// The message exceeds the limit. Facts: `bytes_max`. The client sends less.
    MessageTooLarge,
    /// No method is served at this path. The client looks up the right one in the contract.
    UnknownRoute,
    /// The path takes other HTTP verbs. Facts: `allow`; also sent as the header `Allow`. The client
    /// uses one of those.
    WrongMethod,
    /// The method does not read a body of this type or compression. Facts: `accepts`. The client
    /// sends an accepted body.
    UnsupportedMediaType,
    /// The socket has as many open calls as one may have. Facts: `calls_max`. The client waits
    /// until one has ended, or opens another socket.
    TooManyCalls,
    /// Pages of this origin may not open a socket.
    OriginRefused,
    /// The deadline passed before the answer; whether a write happened is unknown. The client
    /// repeats the request, if it is idempotent.
    DeadlineExceeded,
    /// The answer could not be expressed. This is a fault of the service.
    Internal,
}

impl Reason {
    /// Every reason, for contracts that list them.
    pub const ALL: [Self; 14] = [
        Self::MalformedJson,
        Self::UnknownField,
        Self::WrongType,
        Self::DuplicateField,
        Self::MalformedMessage,
        Self::MalformedHeader,
        Self::MessageTooLarge,
        Self::UnknownRoute,
        Self::WrongMethod,
        Self::UnsupportedMediaType,
        Self::TooManyCalls,
        Self::OriginRefused,
        Self::DeadlineExceeded,
        Self::Internal,
    ];

    /// The reason as in an `ErrorInfo`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MalformedJson => "MALFORMED_JSON",
            Self::UnknownField => "UNKNOWN_FIELD",
            Self::WrongType => "WRONG_TYPE",
            Self::DuplicateField => "DUPLICATE_FIELD",
            Self::MalformedMessage => "MALFORMED_MESSAGE",
            Self::MalformedHeader => "MALFORMED_HEADER",
            Self::MessageTooLarge => "MESSAGE_TOO_LARGE",
            Self::UnknownRoute => "UNKNOWN_ROUTE",
            Self::WrongMethod => "WRONG_METHOD",
            Self::UnsupportedMediaType => "UNSUPPORTED_MEDIA_TYPE",
            Self::TooManyCalls => "TOO_MANY_CALLS",
            Self::OriginRefused => "ORIGIN_REFUSED",
            Self::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Self::Internal => "INTERNAL",
        }
    }

    /// Its gRPC code. Unknown routes are `UNIMPLEMENTED`, as in gRPC; `NOT_FOUND` is for resources
    /// only.
    pub const fn code(self) -> Code {
        match self {
            Self::MessageTooLarge | Self::TooManyCalls => Code::ResourceExhausted,
            Self::OriginRefused => Code::PermissionDenied,
            Self::UnknownRoute | Self::WrongMethod | Self::UnsupportedMediaType => {
                Code::Unimplemented
            }
            Self::DeadlineExceeded => Code::DeadlineExceeded,
            Self::Internal => Code::Internal,
            Self::MalformedJson
            | Self::UnknownField
            | Self::WrongType
            | Self::DuplicateField
            | Self::MalformedMessage
            | Self::MalformedHeader => Code::InvalidArgument,
        }
    }

    /// The names of the facts that may come with it.
    pub const fn facts(self) -> &'static [&'static str] {
        match self {
            Self::MalformedJson => &["line", "column"],
            Self::UnknownField | Self::DuplicateField => &["field"],
            Self::WrongType => &["field", "expected"],
            Self::MalformedHeader => &["header"],
            Self::MessageTooLarge => &["bytes_max"],
            Self::WrongMethod => &["allow"],
            Self::UnsupportedMediaType => &["accepts"],
            Self::MalformedMessage => &["parameter"],
            Self::TooManyCalls => &["calls_max"],
            Self::UnknownRoute | Self::OriginRefused | Self::DeadlineExceeded | Self::Internal => {
                &[]
            }
        }
    }

    /// A refusal for this reason.
    pub fn refusal<const N: usize>(
        self,
        message: impl Into<String>,
        facts: [(&'static str, String); N],
    ) -> Refusal {
        debug_assert!(facts.iter().all(|(name, _)| self.facts().contains(name)), "{facts:?}");
        Refusal { reason: self, message: message.into(), facts: facts.into() }
    }
}
