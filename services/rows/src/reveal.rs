//! The reveal of a match after its end: from then on, everyone may have the house's view and the
//! seed.

use time::{Duration, OffsetDateTime};

/// The maximum delay, a year. A platform that needs a longer one can choose [`Reveal::Never`].
pub const DELAY_MAX_S: u32 = 366 * 24 * 60 * 60;

/// When a match is revealed, as its platform chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reveal {
    #[default]
    AtEnd,
    /// This many seconds after the end, at least one.
    After(u32),
    Never,
}

impl Reveal {
    /// The stored form; `None` means never.
    pub fn wait_s(self) -> Option<i64> {
        match self {
            Reveal::AtEnd => Some(0),
            Reveal::After(seconds) => Some(seconds.into()),
            Reveal::Never => None,
        }
    }

    pub fn from_wait_s(wait_s: Option<i64>) -> Reveal {
        match wait_s {
            Some(0) => Reveal::AtEnd,
            Some(seconds) => Reveal::After(seconds.try_into().unwrap_or(u32::MAX)),
            None => Reveal::Never,
        }
    }

    pub fn is_in_bounds(self) -> bool {
        match self {
            Reveal::AtEnd | Reveal::Never => true,
            Reveal::After(seconds) => (1..=DELAY_MAX_S).contains(&seconds),
        }
    }
}

/// When a match that ended at `end` is revealed; `None` if never, or if the time cannot be
/// represented.
pub fn reveal_time(wait_s: Option<i64>, end: OffsetDateTime) -> Option<OffsetDateTime> {
    wait_s.and_then(|wait_s| end.checked_add(Duration::seconds(wait_s)))
}

/// Whether a match that ended at `end` is revealed at this time.
pub fn is_revealed(wait_s: Option<i64>, end: OffsetDateTime, now: OffsetDateTime) -> bool {
    // Without a delay, the current time is ignored: the clock of this process may be behind that of
    // the process that recorded the end.
    wait_s == Some(0) || reveal_time(wait_s, end).is_some_and(|from| from <= now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_revealed_its_delay_after_its_end() {
        let end = OffsetDateTime::UNIX_EPOCH;
        let at = |seconds| end + Duration::seconds(seconds);
        assert!(is_revealed(Some(0), end, end));
        assert!(is_revealed(Some(0), end, at(-60)), "the recording process's clock is ahead");
        assert!(is_revealed(Some(60), end, at(60)) && !is_revealed(Some(60), end, at(59)));
        assert_eq!(reveal_time(Some(60), end), Some(at(60)));
        assert!(!is_revealed(None, end, at(1 << 30)));
        assert_eq!((reveal_time(None, end), reveal_time(Some(i64::MAX), end)), (None, None));
    }

    #[test]
    fn the_stored_form_of_a_choice_is_read_back() {
        for reveal in [Reveal::AtEnd, Reveal::After(1), Reveal::After(DELAY_MAX_S), Reveal::Never] {
            assert_eq!(Reveal::from_wait_s(reveal.wait_s()), reveal);
            assert!(reveal.is_in_bounds());
        }
        assert_eq!(DELAY_MAX_S, 31_622_400, "a leap year");
        assert!(!Reveal::After(0).is_in_bounds());
        assert!(!Reveal::After(DELAY_MAX_S + 1).is_in_bounds());
    }
}
