//! Answers that are the same for everyone, or for all callers of a platform, which caches may keep:
//! entity tags and compression.
//!
//! See `docs/decisions/0045-caching-only-public-answers.md`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use tonic::body::Body;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::Predicate;

use crate::answer;

/// A unary method whose answer depends only on the request and on whose credentials it has, if any,
/// not on recorded data. A GET for it may be answered by a cache: by one that many callers share
/// only if it has no credentials.
#[derive(Clone, Copy, Debug)]
pub struct Cached {
    /// The full name of the method.
    pub method: &'static str,
    /// How long a cache may answer without asking again.
    pub max_age: Duration,
}

/// Whose caches may keep an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeper {
    /// Any cache, for every caller.
    Anyone,
    /// The cache of a caller without credentials, or any other one.
    Public,
    /// The cache of the caller with these credentials.
    Caller,
}

impl Keeper {
    /// Who may keep the answer to a request with these headers, if it depends on credentials.
    pub fn of(request: &HeaderMap) -> Keeper {
        match request.contains_key(header::AUTHORIZATION) {
            true => Keeper::Caller,
            false => Keeper::Public,
        }
    }
}

/// An answer that caches may keep. It has no body if the client already has it, by the
/// `If-None-Match` of the request.
pub fn response(
    keeper: Keeper,
    known: Option<&HeaderValue>,
    max_age: Duration,
    content_type: &'static str,
    mut headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let tag = entity_tag(&body);
    let is_known = known.is_some_and(|known| names(known, &tag));
    let scope = if keeper == Keeper::Caller { OF_CALLER } else { OF_ANYONE };
    let control = format!("{scope}{}", max_age.as_secs());
    let value = |text: String| HeaderValue::try_from(text).expect("it is visible ASCII");
    headers.insert(header::CACHE_CONTROL, value(control));
    headers.insert(header::ETAG, value(tag));
    let vary = match keeper {
        Keeper::Anyone => "accept-encoding, accept-language",
        Keeper::Public | Keeper::Caller => "accept-encoding, accept-language, authorization",
    };
    headers.insert(header::VARY, HeaderValue::from_static(vary));
    if is_known {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.headers_mut() = headers;
        return response;
    }
    answer::response(StatusCode::OK, content_type, headers, body)
}

/// How the scope and the age of an answer begin in `cache-control`.
const OF_ANYONE: &str = "public, max-age=";
const OF_CALLER: &str = "private, max-age=";

/// Compresses answers that caches may keep. Streams must not wait for a block to fill, and an
/// answer with secrets beside text of the caller's choice would disclose them by its size.
pub fn compression() -> CompressionLayer<IsPublic> {
    CompressionLayer::new().compress_when(IsPublic)
}

#[derive(Clone, Copy)]
pub struct IsPublic;

/// Below this, compressing costs more than it saves.
const COMPRESSED_BYTES_MIN: u64 = 1024;

impl Predicate for IsPublic {
    fn should_compress<B: http_body::Body>(&self, response: &Response<B>) -> bool {
        let control = response.headers().get(header::CACHE_CONTROL);
        let is_kept = |it: &HeaderValue| {
            it.as_bytes().starts_with(b"public") || it.as_bytes().starts_with(OF_CALLER.as_bytes())
        };
        control.is_some_and(is_kept)
            && response.body().size_hint().exact().is_some_and(|size| size >= COMPRESSED_BYTES_MIN)
    }
}

/// A weak tag: the bytes that are sent differ by compression.
fn entity_tag(body: &Bytes) -> String {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    format!("W/\"{:016x}\"", hasher.finish())
}

/// Whether `If-None-Match` names the tag. The comparison is the weak one of RFC 9110.
fn names(known: &HeaderValue, tag: &str) -> bool {
    let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    known.to_str().is_ok_and(|known| {
        known.trim() == "*" || known.split(',').any(|one| strong(one) == strong(tag))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(known: Option<&str>) -> Response<Body> {
        let known = known.map(|it| HeaderValue::try_from(it).expect("visible"));
        let (age, body) = (Duration::from_secs(60), Bytes::from_static(b"{}"));
        response(Keeper::Anyone, known.as_ref(), age, "application/json", HeaderMap::new(), body)
    }

    #[test]
    fn an_answer_to_credentials_is_for_no_shared_cache() {
        let mut request = HeaderMap::new();
        let headers = |request: &HeaderMap| {
            let (age, headers) = (Duration::from_secs(60), HeaderMap::new());
            let keeper = Keeper::of(request);
            let answer = response(keeper, None, age, "application/json", headers, Bytes::new());
            ["cache-control", "vary"].map(|name| answer.headers()[name].clone())
        };
        let [control, vary] = headers(&request);
        assert_eq!(control, "public, max-age=60");
        assert_eq!(vary, "accept-encoding, accept-language, authorization");
        request.insert("authorization", HeaderValue::from_static("Bearer x"));
        assert_eq!(headers(&request), [HeaderValue::from_static("private, max-age=60"), vary]);
    }

    #[test]
    fn a_known_answer_is_not_sent_again() {
        let first = answered(None);
        assert_eq!(first.status(), 200);
        assert_eq!(first.headers()["cache-control"], "public, max-age=60");
        let tag = first.headers()["etag"].to_str().expect("visible");
        let strong = tag.trim_start_matches("W/");
        for known in [tag, strong, "*", &format!("\"other\", {tag}")] {
            let again = answered(Some(known));
            assert_eq!(again.status(), 304, "{known}");
            assert_eq!(again.headers()["etag"], tag);
            assert!(!again.headers().contains_key("content-type"));
        }
        assert_eq!(answered(Some("\"other\"")).status(), 200);
    }
}
