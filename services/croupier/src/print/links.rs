//! Links that people open.

/// The link to the page that exchanges a code. Browsers do not send the part after `#` to any
/// server.
pub fn sign_in_link(address: &str, code: &str) -> String {
    format!("{}/#sign-in={code}", address.trim_end_matches('/'))
}
