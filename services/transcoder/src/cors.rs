//! CORS: the web pages that may call from a browser.

use std::time::Duration;

use crate::request_id::REQUEST_ID;
use http::{HeaderName, HeaderValue, Method, header};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

/// Lets pages of these origins (`https://play.example`; `*` for any) call every protocol from a
/// browser.
///
/// Browser credentials are never allowed: callers send their token in a header, so a page cannot
/// act in the name of its visitor.
pub fn cors(origins: &[String]) -> CorsLayer {
    let origin = if origins.iter().any(|origin| origin == "*") {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(origins.iter().filter_map(|origin| HeaderValue::try_from(origin).ok()))
    };
    CorsLayer::new()
        .allow_origin(origin)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED)
        .max_age(PREFLIGHT_AGE)
}

/// Headers that gRPC-Web, Connect and REST clients read.
const EXPOSED: [HeaderName; 6] = [
    HeaderName::from_static("grpc-status"),
    HeaderName::from_static("grpc-message"),
    HeaderName::from_static("grpc-status-details-bin"),
    header::RETRY_AFTER,
    header::ALLOW,
    REQUEST_ID,
];

/// The longest time for which browsers cache the answer to a preflight.
const PREFLIGHT_AGE: Duration = Duration::from_secs(7200);
