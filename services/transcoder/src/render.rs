//! Statuses as each protocol sends them: HTTP statuses and headers, REST errors, Connect errors.

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use http::{HeaderValue, Response, StatusCode, header};
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde_json::{Map, Value, json};
use tonic::body::Body;
use tonic::{Code, Status};
use tonic_types::{ErrorInfo, StatusExt, pb};

use crate::answer::{response, response_headers};
use crate::json;
use crate::refusal::{Domain, Reason};

/// Renders statuses. It knows the message types that may occur among their details.
pub struct Renderer {
    domain: Domain,
    pools: [DescriptorPool; 2],
}

impl Renderer {
    /// Details are messages of google.rpc or of `pool`.
    pub fn new(pool: DescriptorPool, domain: Domain) -> Self {
        let standard = DescriptorPool::decode(pb::FILE_DESCRIPTOR_SET)
            .expect("tonic-types carries a valid descriptor set");
        Self { domain, pools: [standard, pool] }
    }

    /// The HTTP response for a status; `body` is its form in the caller's protocol.
    pub fn response(&self, status: &Status, body: &Value) -> Response<Body> {
        let mut headers = response_headers(status.metadata().clone());
        if let Some(seconds) = retry_after_seconds(status) {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if status.code() == Code::Unauthenticated {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        let own = self.own(status).filter(|info| info.reason == Reason::WrongMethod.as_str());
        let allow = own.and_then(|info| HeaderValue::try_from(info.metadata.get("allow")?).ok());
        if let Some(verbs) = allow {
            headers.insert(header::ALLOW, verbs);
        }
        response(self.http_status(status), "application/json", headers, body.to_string())
    }

    /// The HTTP status: by the gRPC code, except for those refusals of this crate that have an HTTP
    /// status of their own.
    pub fn http_status(&self, status: &Status) -> StatusCode {
        let own = self.own(status);
        http_status(status.code(), own.as_ref().map(|info| info.reason.as_str()))
    }

    fn own(&self, status: &Status) -> Option<ErrorInfo> {
        status.get_details_error_info().filter(|info| info.domain == self.domain.name)
    }

    /// `{"error": {"code": 404, "status": "NOT_FOUND", "message": …, "details": […]}}`
    pub fn rest(&self, status: &Status) -> Value {
        let details: Vec<Value> =
            details(status).iter().map(|detail| self.detail(detail)).collect();
        json!({ "error": {
            "code": self.http_status(status).as_u16(),
            "status": code_name(status.code()),
            "message": status.message(),
            "details": details,
        }})
    }

    /// `{"code": "not_found", "message": …, "details": [{"type": …, "value": base64, "debug":
    /// {…}}]}`
    pub fn connect(&self, status: &Status) -> Value {
        // Connect spells this code with one l.
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

/// The HTTP status of a gRPC code, and of a reason in the domain of the transcoder, if it has one.
pub fn http_status(code: Code, own_reason: Option<&str>) -> StatusCode {
    match own_reason {
        Some("UNKNOWN_ROUTE") => StatusCode::NOT_FOUND,
        Some("WRONG_METHOD") => StatusCode::METHOD_NOT_ALLOWED,
        Some("UNSUPPORTED_MEDIA_TYPE") => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Some("MESSAGE_TOO_LARGE") => StatusCode::PAYLOAD_TOO_LARGE,
        _ => http_status_of_code(code),
    }
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

/// A code's name in google.rpc, such as `NOT_FOUND`; in lower case, its name in Connect.
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

/// The seconds, rounded up, after which the call may be repeated, if the status names a delay.
pub fn retry_after_seconds(status: &Status) -> Option<u64> {
    let delay = status.get_details_retry_info()?.retry_delay?;
    Some(delay.as_secs() + u64::from(delay.subsec_nanos() > 0))
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

    use tonic_types::ErrorDetails;

    use super::*;
    use crate::refusal::Refusal;

    fn renderer() -> Renderer {
        Renderer::new(DescriptorPool::new(), Domain::new("toy"))
    }

    fn refuse(refusal: Refusal) -> Status {
        Domain::new("toy").refuse(refusal)
    }

    #[test]
    fn a_refusal_of_this_crate_names_its_reason_and_facts() {
        let status = refuse(
            Reason::UnknownField.refusal("no field \"sead\"", [("field", "sead".to_owned())]),
        );
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
                        "domain": "toy",
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
    fn some_reasons_have_an_http_status_of_their_own() {
        let http_status = |status: &Status| renderer().http_status(status).as_u16();
        let status = |reason: Reason| http_status(&refuse(reason.refusal("", [])));
        assert_eq!(status(Reason::UnknownRoute), 404);
        assert_eq!(status(Reason::WrongMethod), 405);
        assert_eq!(status(Reason::MessageTooLarge), 413);
        assert_eq!(status(Reason::UnsupportedMediaType), 415);
        assert_eq!(status(Reason::DeadlineExceeded), 504);
        assert_eq!(http_status(&Status::resource_exhausted("slow down")), 429);
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
    fn a_connect_error_carries_details_as_bytes_and_as_json() {
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
