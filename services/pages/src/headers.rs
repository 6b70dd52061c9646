//! The headers of a file: its type, its caching, and its policy in browsers.

use http::{HeaderMap, HeaderName, HeaderValue, header};
use mime_guess::mime;

/// What pages of other origins may do with a site. By default they can neither frame it nor load
/// files from it.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The origins, such as `https://play.example`, whose pages may frame the pages.
    pub frame_origins: Vec<String>,
    /// The paths of the files that pages of any origin may load, such as `components.js`.
    pub shared: Vec<String>,
}

/// A file with a hash of its content in its name never changes.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";

/// Pages name files that a later release does not have, so browsers must revalidate them each time.
const ASK_FIRST: &str = "no-cache";

const FOR_A_WHILE: &str = "public, max-age=300";

const PERMISSIONS: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// The headers of the file at this path.
pub(crate) fn of(path: &str, options: &Options) -> HeaderMap {
    let content_type = mime_guess::from_path(path).first_or_octet_stream();
    let is_page = content_type == mime::TEXT_HTML;
    let caching = match is_page {
        true => ASK_FIRST,
        false if has_hash(path) => FOR_GOOD,
        false => FOR_A_WHILE,
    };
    let is_shared = options.shared.iter().any(|it| it == path);
    let resource_policy = if is_shared { "cross-origin" } else { "same-origin" };
    let content_type = match content_type.type_() {
        mime::TEXT => format!("{content_type}; charset=utf-8"),
        _ => content_type.to_string(),
    };
    let fixed = |text: &'static str| HeaderValue::from_static(text);
    let mut headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, value(&content_type)),
        (header::CACHE_CONTROL, fixed(caching)),
        (header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
        (header::REFERRER_POLICY, fixed("no-referrer")),
        (HeaderName::from_static("cross-origin-resource-policy"), fixed(resource_policy)),
    ]);
    if is_shared {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, fixed("*"));
    }
    if is_page {
        headers.insert(header::CONTENT_SECURITY_POLICY, value(&policy(&options.frame_origins)));
        headers.insert(HeaderName::from_static("permissions-policy"), fixed(PERMISSIONS));
    }
    headers
}

/// A page may load and call only its own origin.
fn policy(frame_origins: &[String]) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
         img-src 'self' data:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; {}",
        framed_by(frame_origins)
    )
}

/// The part of a policy that says which origins may frame a page.
pub fn framed_by(frame_origins: &[String]) -> String {
    let origins = match frame_origins {
        [] => "'none'".to_owned(),
        origins => origins.join(" "),
    };
    format!("frame-ancestors {origins}")
}

pub(crate) fn is_text(headers: &HeaderMap) -> bool {
    let content_type = headers[header::CONTENT_TYPE].as_bytes();
    let others: [&[u8]; 3] = [b"application/json", b"image/svg+xml", b"application/wasm"];
    content_type.starts_with(b"text/") || others.contains(&content_type)
}

/// Whether the file's name ends with a hash as bundlers write it: `app-KZHREY6S.js`.
fn has_hash(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let hash = stem.rsplit_once('-').map(|(_, hash)| hash);
    let is_base32 = |it: u8| it.is_ascii_uppercase() || (b'2'..=b'7').contains(&it);
    hash.is_some_and(|hash| hash.len() == 8 && hash.bytes().all(is_base32))
}

/// A header value that this crate has made.
pub(crate) fn value(text: &str) -> HeaderValue {
    HeaderValue::try_from(text).expect("it is visible ASCII")
}
