//! Parts of pages that are made here.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ring::digest::{SHA256, digest};

/// A text in an element.
pub(super) fn text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A text in an element or in the value of an attribute.
pub(super) fn attribute(value: &str) -> String {
    text(value).replace('"', "&quot;").replace('\'', "&#39;")
}

/// The source by which a Content-Security-Policy allows this script or style.
pub(super) fn source(content: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(digest(&SHA256, content.as_bytes())))
}
