//! Links that people open.

/// Where the pages exchange a code. Browsers send no server what follows the `#`.
pub fn sign_in_link(address: &str, code: &str) -> String {
    format!("{}/#sign-in={code}", address.trim_end_matches('/'))
}
