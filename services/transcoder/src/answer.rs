//! HTTP headers and responses, as every protocol reads and builds them.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use http_body_util::Full;
use tonic::body::Body;
use tonic::metadata::MetadataMap;

/// The media type without its parameters, if there is one.
pub fn content_type(headers: &HeaderMap) -> Option<&str> {
    let text = header_text(headers, header::CONTENT_TYPE.as_str())?;
    Some(text.split(';').next().unwrap_or_default().trim())
}

/// A header's value, if it is visible ASCII.
pub fn header_text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// The service's metadata as HTTP headers, without those that belong to gRPC.
pub fn response_headers(metadata: MetadataMap) -> HeaderMap {
    let mut headers = metadata.into_headers();
    let own: Vec<_> = headers.keys().filter(|name| belongs_to_grpc(name)).cloned().collect();
    own.iter().for_each(|name| drop(headers.remove(name)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A service may answer in the caller's language.
    headers.append(header::VARY, HeaderValue::from_static("accept-language"));
    headers
}

/// Whether a header describes the gRPC message that it came with.
pub fn belongs_to_grpc(name: &header::HeaderName) -> bool {
    name.as_str().starts_with("grpc-")
        || *name == header::CONTENT_TYPE
        || *name == header::CONTENT_LENGTH
}

/// A response with a whole body.
pub fn response(
    status: StatusCode,
    content_type: &'static str,
    headers: HeaderMap,
    body: impl Into<Bytes>,
) -> Response<Body> {
    streamed(status, content_type, headers, Body::new(Full::new(body.into())))
}

/// A response whose body is still to come.
pub fn streamed(
    status: StatusCode,
    content_type: &'static str,
    headers: HeaderMap,
    body: Body,
) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
