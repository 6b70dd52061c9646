//! Links that people open.

/// The link to the page that exchanges a code. Browsers do not send the part after `#` to any
/// server.
pub fn sign_in_link(address: &str, code: &str) -> String {
    format!("{}/#sign-in={code}", address.trim_end_matches('/'))
}

/// The link to the page on which a guest accepts an invitation.
pub fn invitation_link(address: &str, token: &str) -> String {
    format!("{}/#invitation={token}", address.trim_end_matches('/'))
}
