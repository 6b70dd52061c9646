//! The way through gRPC: reading what came over HTTP, calling the service in this process, handing
//! back what it said.

use std::time::Duration;

use bytes::Bytes;
use http::{Extensions, HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::time::timeout;
use tonic::body::Body;
use tonic::metadata::MetadataMap;
use tonic::{Code, Request, Response, Status, Streaming};

use super::contract::Procedure;
use super::error::{self, Reason};
use super::{Grpc, Shared, header_text};
use crate::codec::{Raw, too_large};
use crate::deadline::GRPC_TIMEOUT;

/// What an HTTP request says besides its message; the service sees it as metadata.
pub struct Head {
    pub headers: HeaderMap,
    pub extensions: Extensions,
}

/// Headers that speak of the HTTP message they came with, and would be untrue of the gRPC call.
const OF_HTTP_ONLY: [header::HeaderName; 15] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::CONNECTION,
    header::CONTENT_ENCODING,
    header::CONTENT_LENGTH,
    header::HOST,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    header::HeaderName::from_static("connect-accept-encoding"),
    header::HeaderName::from_static("connect-content-encoding"),
    header::HeaderName::from_static("connect-protocol-version"),
    header::HeaderName::from_static("connect-timeout-ms"),
    header::HeaderName::from_static("grpc-accept-encoding"),
    header::HeaderName::from_static("grpc-encoding"),
    header::HeaderName::from_static("last-event-id"),
];

impl Head {
    fn into_request(mut self, message: Bytes) -> Request<Bytes> {
        OF_HTTP_ONLY.iter().for_each(|name| drop(self.headers.remove(name)));
        Request::from_parts(MetadataMap::from_headers(self.headers), self.extensions, message)
    }

    /// Sets how long the service may take, in place of what the caller said by `Grpc-Timeout`.
    pub fn set_timeout_ms(&mut self, ms: u64) {
        // gRPC writes at most eight digits.
        let text = if ms < 100_000_000 {
            format!("{ms}m")
        } else {
            format!("{}S", (ms / 1000).min(99_999_999))
        };
        self.headers.insert(
            GRPC_TIMEOUT,
            HeaderValue::try_from(text).expect("digits and a letter are a header value"),
        );
    }
}

/// Calls a method that answers once.
pub async fn unary(
    grpc: impl Grpc,
    procedure: &Procedure,
    head: Head,
    message: Bytes,
) -> Result<Response<Bytes>, Status> {
    let mut client = client(grpc).await;
    client.unary(head.into_request(message), procedure.path.clone(), Raw).await
}

/// Calls a method that answers with a stream.
pub async fn stream(
    grpc: impl Grpc,
    procedure: &Procedure,
    head: Head,
    message: Bytes,
) -> Result<Response<Streaming<Bytes>>, Status> {
    let mut client = client(grpc).await;
    client.server_streaming(head.into_request(message), procedure.path.clone(), Raw).await
}

async fn client<S: Grpc>(grpc: S) -> tonic::client::Grpc<S> {
    let mut client = tonic::client::Grpc::new(grpc).max_decoding_message_size(usize::MAX);
    let Ok(()) = client.ready().await;
    client
}

/// How long a request's body may take to arrive; no call waits for one that trickles in for ever.
const ARRIVAL_MAX: Duration = Duration::from_secs(30);

/// The whole body, if it is no longer than a message may be.
pub async fn read_body(shared: &Shared, headers: &HeaderMap, body: Body) -> Result<Bytes, Status> {
    let bytes_max = shared.options.message_bytes_max;
    let announced = header_text(headers, header::CONTENT_LENGTH.as_str())
        .and_then(|length| length.parse::<usize>().ok());
    if announced.is_some_and(|bytes| bytes > bytes_max) {
        return Err(too_large(bytes_max));
    }
    match timeout(ARRIVAL_MAX, Limited::new(body, bytes_max).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(bytes_max)),
        Ok(Err(error)) => Err(Status::cancelled(format!("the request broke off: {error}"))),
        Err(_elapsed) => Err(Reason::DeadlineExceeded
            .status("the request did not arrive in time, and nothing was done", [])),
    }
}

/// What the service said besides its answer, as HTTP headers; without gRPC's own.
pub fn response_headers(metadata: MetadataMap) -> HeaderMap {
    let mut headers = metadata.into_headers();
    let own: Vec<_> = headers.keys().filter(|name| is_grpcs_own(name)).cloned().collect();
    own.iter().for_each(|name| drop(headers.remove(name)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers
}

pub fn is_grpcs_own(name: &header::HeaderName) -> bool {
    name.as_str().starts_with("grpc-")
        || *name == header::CONTENT_TYPE
        || *name == header::CONTENT_LENGTH
}

pub fn response(
    status: StatusCode,
    content_type: &'static str,
    headers: HeaderMap,
    body: impl Into<Bytes>,
) -> http::Response<Body> {
    streamed(status, content_type, headers, Body::new(http_body_util::Full::new(body.into())))
}

pub fn streamed(
    status: StatusCode,
    content_type: &'static str,
    headers: HeaderMap,
    body: Body,
) -> http::Response<Body> {
    let mut response = http::Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// A refusal as HTTP; `body` is how the caller's protocol words it.
pub fn refusal(status: &Status, body: &serde_json::Value) -> http::Response<Body> {
    let mut headers = response_headers(status.metadata().clone());
    if let Some(seconds) = error::retry_after_seconds(status) {
        headers.insert(header::RETRY_AFTER, seconds.into());
    }
    if status.code() == Code::Unauthenticated {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(verbs) = error::fact(status, Reason::WrongMethod, "allow")
        .and_then(|verbs| HeaderValue::try_from(verbs).ok())
    {
        headers.insert(header::ALLOW, verbs);
    }
    response(error::http_status(status), "application/json", headers, body.to_string())
}
