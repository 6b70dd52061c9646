//! One file, and the responses that carry it.

use std::io::Write;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use tokio::sync::OnceCell;

use crate::headers::{self, Options, value};

pub(crate) struct File {
    bytes: Bytes,
    /// The headers, without those of compression.
    headers: HeaderMap,
    /// The file as Brotli, if it was built with the pages.
    brotli: Option<Bytes>,
    /// The file as gzip, created on the first request for it; `None` if compression saves
    /// nothing.
    gzip: OnceCell<Option<Bytes>>,
}

/// Below this, compressing costs more than it saves.
const COMPRESSED_BYTES_MIN: usize = 1024;

impl File {
    pub(crate) fn new(
        path: &str,
        bytes: &Bytes,
        brotli: Option<&Bytes>,
        options: &Options,
    ) -> File {
        let mut headers = headers::of(path, options);
        // A weak tag, since the sent bytes differ by compression.
        let tag = format!("W/\"{}\"", &blake3::hash(bytes).to_hex()[..16]);
        headers.insert(header::ETAG, value(&tag));
        let is_text = headers::is_text(&headers);
        let is_compressed = is_text && bytes.len() >= COMPRESSED_BYTES_MIN;
        let gzip = if is_compressed { OnceCell::new() } else { OnceCell::new_with(Some(None)) };
        if is_compressed {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        let brotli = brotli.filter(|_| is_compressed).cloned();
        File { bytes: bytes.clone(), headers, brotli, gzip }
    }

    pub(crate) async fn answer(&self, request: &HeaderMap) -> Response {
        if names(request, &self.headers[header::ETAG]) {
            let mut headers = self.headers.clone();
            headers.remove(header::CONTENT_TYPE);
            return response(StatusCode::NOT_MODIFIED, headers, Body::empty());
        }
        let mut headers = self.headers.clone();
        let bytes = match self.compressed(request).await {
            Some((coding, bytes)) => {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
                bytes
            }
            None => self.bytes.clone(),
        };
        response(StatusCode::OK, headers, bytes.into())
    }

    /// The smallest form that the request accepts, with the name of its coding.
    async fn compressed(&self, request: &HeaderMap) -> Option<(&'static str, Bytes)> {
        if let Some(brotli) = self.brotli.as_ref().filter(|_| accepts(request, "br")) {
            return Some(("br", brotli.clone()));
        }
        if !accepts(request, "gzip") {
            return None;
        }
        Some(("gzip", self.gzip().await?))
    }

    /// Compresses the file once, on a thread for blocking work.
    async fn gzip(&self) -> Option<Bytes> {
        let compress = async || {
            let bytes = self.bytes.clone();
            tokio::task::spawn_blocking(move || gzip(&bytes)).await.ok().flatten()
        };
        self.gzip.get_or_init(compress).await.clone()
    }
}

fn gzip(bytes: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    let compressed = encoder.finish().ok()?;
    (compressed.len() < bytes.len()).then(|| compressed.into())
}

fn response(status: StatusCode, headers: HeaderMap, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// Whether `If-None-Match` names the tag. The comparison is the weak one of RFC 9110.
fn names(request: &HeaderMap, tag: &HeaderValue) -> bool {
    let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let tag = tag.to_str().map(strong).unwrap_or_default();
    items(request, &header::IF_NONE_MATCH).any(|one| one == "*" || strong(one) == tag)
}

/// Whether `Accept-Encoding` has this coding, or anything, with a quality above zero.
fn accepts(request: &HeaderMap, coding: &str) -> bool {
    let quality = |coding: &str| {
        let mut found = items(request, &header::ACCEPT_ENCODING).filter_map(|item| {
            let (name, quality) = item.split_once(';').unwrap_or((item, "q=1"));
            let quality = quality.trim().trim_start_matches("q=").parse::<f32>();
            name.trim().eq_ignore_ascii_case(coding).then(|| quality.unwrap_or(0.0))
        });
        found.next()
    };
    quality(coding).or_else(|| quality("*")).is_some_and(|quality| quality > 0.0)
}

/// The members of a header that is a list.
fn items<'h>(request: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h str> {
    let values = request.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}
