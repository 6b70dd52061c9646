//! The time of day of the machine that measures.

use time::OffsetDateTime;

#[expect(clippy::disallowed_methods, reason = "what is measured is timed by this machine")]
pub(crate) fn now() -> OffsetDateTime {
    OffsetDateTime::now_utc()
}
