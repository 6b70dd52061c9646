//! Names, times and bytes in the form of a file's lines.

use rows::{MatchId, parse_match_name};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// The match with this resource name, which must be in canonical form.
pub(crate) fn match_id(name: &str) -> Result<MatchId, String> {
    parse_match_name(name).ok_or_else(|| format!("{name:?} is not the name of a match"))
}

/// A time to the microsecond, the precision that digests cover.
pub(crate) fn time(text: &str) -> Result<OffsetDateTime, String> {
    let time = OffsetDateTime::parse(text, &Rfc3339).ok();
    let time = time.filter(|time| time.nanosecond() % 1000 == 0);
    time.ok_or_else(|| format!("{text:?} is not a time to the microsecond"))
}

pub(crate) fn bytes<const N: usize>(text: &str) -> Result<[u8; N], String> {
    unhex(text)?.try_into().map_err(|_| format!("{text:?} does not have {N} bytes"))
}

/// The bytes behind hexadecimal digits.
pub fn unhex(text: &str) -> Result<Vec<u8>, String> {
    hex::decode(text).map_err(|_| format!("{text:?} is not hexadecimal"))
}

pub(crate) fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("times are of this era")
}
