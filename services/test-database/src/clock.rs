//! The time of day, which tests share with the server on this machine.

use time::OffsetDateTime;

#[expect(clippy::disallowed_methods, reason = "the server has the same clock")]
pub fn now() -> OffsetDateTime {
    OffsetDateTime::now_utc()
}
