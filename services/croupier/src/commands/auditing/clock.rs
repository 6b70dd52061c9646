//! The time of the machine, for programs that are no processes of the service.

use std::time::{SystemTime, UNIX_EPOCH};

/// The time in seconds since 1970.
#[expect(clippy::disallowed_methods, reason = "whoever watches a service does not ask it the time")]
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs().cast_signed()
}
