//! Names, times and bytes in the form of a file's lines. Each value has one spelling.

use rows::{MatchId, parse_match_name};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::code::{Code, Problem};
use crate::plain::short;

/// The match with this resource name.
pub(crate) fn match_id(name: &str) -> Result<MatchId, Problem> {
    parse_match_name(name).ok_or_else(|| invalid(name, "the name of a match"))
}

/// A time from 1970 on, to the microsecond: the precision that digests cover.
pub(crate) fn time(text: &str) -> Result<OffsetDateTime, Problem> {
    let time = OffsetDateTime::parse(text, &Rfc3339).ok();
    let is_one = |it: &OffsetDateTime| {
        let is_utc = it.offset().is_utc() && rfc3339(*it) == text;
        is_utc && it.nanosecond().is_multiple_of(1000) && *it >= OffsetDateTime::UNIX_EPOCH
    };
    time.filter(is_one).ok_or_else(|| invalid(text, "a time in UTC to the microsecond"))
}

/// The bytes behind lower-case hexadecimal digits.
pub(crate) fn bytes<const N: usize>(text: &str) -> Result<[u8; N], Problem> {
    let bytes = lower_hex(text)?;
    bytes.try_into().map_err(|_| invalid(text, &format!("{N} bytes in hexadecimal")))
}

/// Like [`bytes`], of any length.
pub(crate) fn lower_hex(text: &str) -> Result<Vec<u8>, Problem> {
    let is_lower = !text.bytes().any(|it| it.is_ascii_uppercase());
    let bytes = hex::decode(text).ok().filter(|_| is_lower);
    bytes.ok_or_else(|| invalid(text, "in lower-case hexadecimal"))
}

/// The bytes behind hexadecimal digits that a person typed.
pub fn unhex(text: &str) -> Result<Vec<u8>, String> {
    hex::decode(text).map_err(|_| format!("{text:?} is not hexadecimal"))
}

pub(crate) fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("times are of this era")
}

fn invalid(text: &str, what: &str) -> Problem {
    Code::LineInvalid.because(format!("{:?} is not {what}", short(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_has_one_spelling() {
        let name = "matches/01928f3c-5a7e-7d10-8b2f-0c4d6e8f1a3b";
        assert!(match_id(name).is_ok());
        for other in [&name.to_uppercase(), &name[8..], &name.replace('-', "")] {
            assert!(match_id(other).is_err(), "{other}");
        }
        for right in
            ["1970-01-01T00:00:00Z", "2026-11-05T10:00:00.12Z", "9999-12-31T23:59:59.999999Z"]
        {
            assert_eq!(time(right).map(rfc3339).as_deref(), Ok(right));
        }
        for other in [
            "2026-11-05T10:00:00.120Z",
            "2026-11-05T10:00:00.1234567Z",
            "2026-11-05T10:00:00+00:00",
            "2026-11-05T12:00:00+02:00",
            "2026-11-05t10:00:00z",
            "2026-11-05 10:00:00Z",
            "2026-11-31T10:00:00Z",
            "2026-12-31T23:59:60Z",
            "1969-12-31T23:59:59Z",
            "",
        ] {
            assert!(time(other).is_err(), "{other}");
        }
        assert_eq!(bytes::<2>("00ff"), Ok([0, 255]));
        for other in ["00FF", "00f", "00ff00", "0x00", "zz00"] {
            assert!(bytes::<2>(other).is_err(), "{other}");
        }
    }
}
