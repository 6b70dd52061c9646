//! When an ended match is revealed: the house's view of it, and its seed.

use time::{Duration, OffsetDateTime};

use crate::{Error, now};

/// A year. A platform that wants a longer delay can choose never.
pub(crate) const DELAY_MAX_S: u32 = 366 * 24 * 60 * 60;

/// A platform's choice for a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reveal {
    #[default]
    AtEnd,
    /// This many seconds after the end, at least one.
    After(u32),
    Never,
}

impl Reveal {
    /// The stored form; none is never.
    pub(crate) fn wait_s(self) -> Option<i64> {
        match self {
            Reveal::AtEnd => Some(0),
            Reveal::After(seconds) => Some(seconds.into()),
            Reveal::Never => None,
        }
    }

    pub(crate) fn from_wait_s(wait_s: Option<i64>) -> Reveal {
        match wait_s {
            Some(0) => Reveal::AtEnd,
            Some(seconds) => Reveal::After(seconds.try_into().unwrap_or(u32::MAX)),
            None => Reveal::Never,
        }
    }

    pub(crate) fn is_in_bounds(self) -> bool {
        match self {
            Reveal::AtEnd | Reveal::Never => true,
            Reveal::After(seconds) => (1..=DELAY_MAX_S).contains(&seconds),
        }
    }
}

/// Fails unless a match that ended at `end` is revealed by now.
pub(crate) fn check(wait_s: Option<i64>, end: Option<OffsetDateTime>) -> Result<(), Error> {
    let end = end.ok_or(Error::NotEnded)?;
    let from = wait_s.and_then(|wait_s| end.checked_add(Duration::seconds(wait_s)));
    match from {
        // Without a delay, clocks do not matter: this process's may be behind the recording one's.
        Some(_) if wait_s == Some(0) => Ok(()),
        Some(from) if from <= now() => Ok(()),
        from => Err(Error::NotRevealed { from }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_revealed_its_delay_after_its_end() {
        let ago = |seconds| Some(now() - Duration::seconds(seconds));
        assert!(matches!(check(Some(0), None), Err(Error::NotEnded)));
        assert!(check(Some(0), ago(0)).is_ok());
        assert!(check(Some(0), ago(-60)).is_ok(), "the recording process's clock is ahead");
        assert!(check(Some(60), ago(61)).is_ok());
        let from = ago(30).map(|end| end + Duration::seconds(60));
        let refused = check(Some(60), from.map(|from| from - Duration::seconds(60)));
        assert!(matches!(refused, Err(Error::NotRevealed { from: it }) if it == from));
        assert!(matches!(check(None, ago(61)), Err(Error::NotRevealed { from: None })));
    }

    #[test]
    fn the_stored_form_of_a_choice_is_read_back() {
        for reveal in [Reveal::AtEnd, Reveal::After(1), Reveal::After(DELAY_MAX_S), Reveal::Never] {
            assert_eq!(Reveal::from_wait_s(reveal.wait_s()), reveal);
            assert!(reveal.is_in_bounds());
        }
        assert!(!Reveal::After(0).is_in_bounds());
        assert!(!Reveal::After(DELAY_MAX_S + 1).is_in_bounds());
    }
}
