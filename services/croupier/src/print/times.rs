//! Times as commands print them.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A time in RFC 3339, to the second; empty if there is none.
pub fn time_of(time: Option<&prost_types::Timestamp>) -> String {
    let time = time.and_then(|time| OffsetDateTime::from_unix_timestamp(time.seconds).ok());
    time.and_then(|time| time.format(&Rfc3339).ok()).unwrap_or_default()
}
