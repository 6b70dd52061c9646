//! Durations as people write them.

/// The seconds of a duration such as `90s`, `12h` or `1d 12h`; `None` if they are not whole. A
/// number needs a unit: with a bare `30`, an operator who deletes matches may mean days, and the
/// program seconds.
pub fn seconds(text: &str) -> Option<u64> {
    let duration = humantime::parse_duration(text).ok()?;
    (duration.subsec_nanos() == 0).then_some(duration.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_a_unit_and_whole_seconds() {
        for (text, is) in [("90s", 90), ("15m", 900), ("12h", 43_200), ("1d 12h", 129_600)] {
            assert_eq!(seconds(text), Some(is), "{text}");
        }
        for wrong in ["", "90", "h", "-1d", "+1d", "1:30", "0.5s", "soon", "é"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
