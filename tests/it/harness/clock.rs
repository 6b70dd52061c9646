//! The time of day, which tests share with the servers on this machine.

use time::OffsetDateTime;

#[expect(clippy::disallowed_methods, reason = "the servers have the same clock")]
pub fn now() -> OffsetDateTime {
    OffsetDateTime::now_utc()
}
