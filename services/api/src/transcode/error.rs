//! The edge's own refusals, and how any refusal looks to a caller of each protocol.

use std::collections::HashMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use http::StatusCode;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde_json::{Map, Value, json};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt, pb};

use super::json;
use crate::meter;

/// Who speaks in an ErrorInfo of ours.
pub const DOMAIN: &str = "croupier";

/// Why the edge refuses a call before, or instead of, the service's own answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The body is no JSON text. Metadata: `line`, `column`. The client mends its JSON.
    MalformedJson,
    /// A field of the JSON or the query string is none of the request's. Metadata: `field`. The
    /// client spells it as the contract does.
    UnknownField,
    /// A value does not fit its field. Metadata: `field`, `expected`. The client sends a value of
    /// that type.
    WrongType,
    /// A field, or a oneof, is given twice. Metadata: `field` where one can be named. The client
    /// gives it once.
    DuplicateField,
    /// The bytes are no protobuf message of this method, or no frame. The client encodes by the
    /// current contract.
    MalformedMessage,
    /// A header of the protocol cannot be read. Metadata: `header`. The client mends the header.
    MalformedHeader,
    /// The message is longer than is accepted. Metadata: `bytes_max`. The client sends less.
    MessageTooLarge,
    /// No method answers at this path. The client reads the contract for the right one.
    UnknownRoute,
    /// The path answers to other HTTP verbs. Metadata: `allow`; also the header `Allow`. The client
    /// uses one of those.
    WrongMethod,
    /// The body is of a type, or compressed in a way, that the method does not read. Metadata:
    /// `accepts`. The client sends such a body.
    UnsupportedMediaType,
    /// The deadline passed before the answer; whether a write happened is unknown. The client sends
    /// the same request, with the same `request_id`, again.
    DeadlineExceeded,
    /// The answer could not be expressed. Our fault; the client may report it.
    Internal,
}

impl Reason {
    /// Every reason; each stands in the contract too.
    #[cfg(test)]
    pub const ALL: [Self; 12] = [
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
        Self::DeadlineExceeded,
        Self::Internal,
    ];

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
            Self::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Self::Internal => "INTERNAL",
        }
    }

    /// Unknown routes are `UNIMPLEMENTED`, as in gRPC: `NOT_FOUND` is said of resources only.
    pub const fn code(self) -> Code {
        match self {
            Self::MessageTooLarge => Code::ResourceExhausted,
            Self::UnknownRoute | Self::WrongMethod | Self::UnsupportedMediaType => {
                Code::Unimplemented
            }
            Self::DeadlineExceeded => Code::DeadlineExceeded,
            Self::Internal => Code::Internal,
            _ => Code::InvalidArgument,
        }
    }

    /// The refusal for this reason, with the facts that a program needs as `metadata`.
    pub fn status<const N: usize>(
        self,
        message: impl Into<String>,
        metadata: [(&str, String); N],
    ) -> Status {
        meter::refused(DOMAIN, self.as_str());
        let facts: HashMap<_, _> =
            metadata.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let mut details = ErrorDetails::with_error_info(self.as_str(), DOMAIN, facts.clone());
        let message = message.into();
        if let Some(field) = facts.get("field") {
            details.add_bad_request_violation(field, &message);
        }
        Status::with_error_details(self.code(), message, details)
    }
}

/// The HTTP status of a refusal: by its code, but where HTTP has a word of its own for one of our
/// reasons, that word.
pub fn http_status(status: &Status) -> StatusCode {
    match status
        .get_details_error_info()
        .filter(|info| info.domain == DOMAIN)
        .as_ref()
        .map(|info| info.reason.as_str())
    {
        Some("UNKNOWN_ROUTE") => StatusCode::NOT_FOUND,
        Some("WRONG_METHOD") => StatusCode::METHOD_NOT_ALLOWED,
        Some("UNSUPPORTED_MEDIA_TYPE") => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Some("MESSAGE_TOO_LARGE") => StatusCode::PAYLOAD_TOO_LARGE,
        _ => http_status_of_code(status.code()),
    }
}

/// A fact in the metadata of a refusal of the edge's own, if it is for this reason.
pub fn fact(status: &Status, reason: Reason, name: &str) -> Option<String> {
    let info = status
        .get_details_error_info()
        .filter(|info| info.domain == DOMAIN && info.reason == reason.as_str())?;
    info.metadata.get(name).cloned()
}

fn http_status_of_code(code: Code) -> StatusCode {
    match code {
        Code::Ok => StatusCode::OK,
        Code::Cancelled => StatusCode::from_u16(499).expect("499 is a status"),
        Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => {
            StatusCode::BAD_REQUEST
        }
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::PermissionDenied => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::AlreadyExists | Code::Aborted => StatusCode::CONFLICT,
        Code::ResourceExhausted => StatusCode::TOO_MANY_REQUESTS,
        Code::Unknown | Code::Internal | Code::DataLoss => StatusCode::INTERNAL_SERVER_ERROR,
        Code::Unimplemented => StatusCode::NOT_IMPLEMENTED,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
    }
}

/// `NOT_FOUND`: a code's name in google.rpc and, in lower case, in Connect.
pub fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

/// Seconds, rounded up, after which the same call may be tried again, where the refusal says so.
pub fn retry_after_seconds(status: &Status) -> Option<u64> {
    let delay = status.get_details_retry_info()?.retry_delay?;
    Some(delay.as_secs() + u64::from(delay.subsec_nanos() > 0))
}

/// Renders refusals; knows the message types that may be among their details.
pub struct Renderer {
    pools: [DescriptorPool; 2],
}

impl Renderer {
    /// Details are google.rpc's own, or messages of `pool`.
    pub fn new(pool: DescriptorPool) -> Self {
        let standard = DescriptorPool::decode(pb::FILE_DESCRIPTOR_SET)
            .expect("tonic-types carries a sound descriptor set");
        Self { pools: [standard, pool] }
    }

    /// `{"error": {"code": 404, "status": "NOT_FOUND", "message": …, "details": […]}}`
    pub fn rest(&self, status: &Status) -> Value {
        let details: Vec<Value> =
            details(status).iter().map(|detail| self.detail(detail)).collect();
        json!({ "error": {
            "code": http_status(status).as_u16(),
            "status": code_name(status.code()),
            "message": status.message(),
            "details": details,
        }})
    }

    /// `{"code": "not_found", "message": …, "details": [{"type": …, "value": base64, "debug":
    /// {…}}]}`
    pub fn connect(&self, status: &Status) -> Value {
        // Connect spells this one code the American way.
        let code = match status.code() {
            Code::Cancelled => "canceled".to_owned(),
            code => code_name(code).to_lowercase(),
        };
        let details: Vec<Value> = details(status)
            .iter()
            .map(|detail| {
                let mut rendered = json!({ "type": type_name(detail), "value": BASE64_STANDARD_NO_PAD.encode(&detail.value) });
                if let Some(debug) = self.decoded(detail) {
                    rendered["debug"] = debug;
                }
                rendered
            })
            .collect();
        json!({ "code": code, "message": status.message(), "details": details })
    }

    fn detail(&self, detail: &prost_types::Any) -> Value {
        let mut rendered = Map::from_iter([("@type".to_owned(), json!(detail.type_url))]);
        match self.decoded(detail) {
            Some(Value::Object(fields)) => rendered.extend(fields),
            _ => {
                drop(rendered.insert(
                    "value".to_owned(),
                    json!(BASE64_STANDARD_NO_PAD.encode(&detail.value)),
                ))
            }
        }
        Value::Object(rendered)
    }

    fn decoded(&self, detail: &prost_types::Any) -> Option<Value> {
        let descriptor =
            self.pools.iter().find_map(|pool| pool.get_message_by_name(type_name(detail)))?;
        let message = DynamicMessage::decode(descriptor, detail.value.as_slice()).ok()?;
        json::to_value(&message).ok()
    }
}

fn details(status: &Status) -> Vec<prost_types::Any> {
    pb::Status::decode(status.details()).map(|status| status.details).unwrap_or_default()
}

fn type_name(detail: &prost_types::Any) -> &str {
    detail.type_url.rsplit('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn renderer() -> Renderer {
        Renderer::new(DescriptorPool::new())
    }

    #[test]
    fn a_refusal_of_the_edge_names_its_reason_and_facts() {
        let status =
            Reason::UnknownField.status("no field \"sead\"", [("field", "sead".to_owned())]);
        assert_eq!(
            renderer().rest(&status),
            json!({ "error": {
                "code": 400,
                "status": "INVALID_ARGUMENT",
                "message": "no field \"sead\"",
                "details": [
                    {
                        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                        "reason": "UNKNOWN_FIELD",
                        "domain": "croupier",
                        "metadata": { "field": "sead" },
                    },
                    {
                        "@type": "type.googleapis.com/google.rpc.BadRequest",
                        "fieldViolations": [{ "field": "sead", "description": "no field \"sead\"", "reason": "" }],
                    },
                ],
            }})
        );
    }

    #[test]
    fn http_has_its_own_words_for_some_reasons() {
        let status = |reason: Reason| http_status(&reason.status("", [])).as_u16();
        assert_eq!(status(Reason::UnknownRoute), 404);
        assert_eq!(status(Reason::WrongMethod), 405);
        assert_eq!(status(Reason::MessageTooLarge), 413);
        assert_eq!(status(Reason::UnsupportedMediaType), 415);
        assert_eq!(status(Reason::DeadlineExceeded), 504);
        assert_eq!(http_status(&Status::resource_exhausted("slow down")).as_u16(), 429);
    }

    #[test]
    fn a_detail_of_an_unknown_type_keeps_its_bytes() {
        let detail =
            prost_types::Any { type_url: "type.googleapis.com/a.B".to_owned(), value: vec![1, 2] };
        assert_eq!(
            renderer().detail(&detail),
            json!({ "@type": "type.googleapis.com/a.B", "value": "AQI" })
        );
    }

    #[test]
    fn connect_carries_details_as_bytes_and_as_text() {
        let details = ErrorDetails::with_retry_info(Some(Duration::from_millis(1500)));
        let status = Status::with_error_details(Code::ResourceExhausted, "slow down", details);
        assert_eq!(
            renderer().connect(&status),
            json!({ "code": "resource_exhausted", "message": "slow down", "details": [
                { "type": "google.rpc.RetryInfo", "value": "CggIARCAyrXuAQ", "debug": { "retryDelay": "1.500s" } },
            ]})
        );
        assert_eq!(retry_after_seconds(&status), Some(2));
        assert_eq!(renderer().connect(&Status::cancelled(""))["code"], "canceled");
    }
}
