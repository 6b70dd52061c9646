//! When a match that is over is told whole: the house's view of it, and its seed.

use time::{Duration, OffsetDateTime};

use crate::{Error, now};

/// A year: whoever wants a match closed for longer wants it closed for good.
pub(crate) const DELAY_MAX_S: u32 = 366 * 24 * 60 * 60;

/// A platform's choice for a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reveal {
    #[default]
    AtEnd,
    /// So many seconds after the end, at least one.
    After(u32),
    Never,
}

impl Reveal {
    /// As it is recorded; none is never.
    pub(crate) fn wait_s(self) -> Option<i64> {
        match self {
            Reveal::AtEnd => Some(0),
            Reveal::After(seconds) => Some(seconds.into()),
            Reveal::Never => None,
        }
    }

    pub(crate) fn recorded(wait_s: Option<i64>) -> Reveal {
        match wait_s {
            Some(0) => Reveal::AtEnd,
            Some(seconds) => Reveal::After(seconds.try_into().unwrap_or(u32::MAX)),
            None => Reveal::Never,
        }
    }

    pub(crate) fn is_in_bounds(self) -> bool {
        !matches!(self, Reveal::After(seconds) if !(1..=DELAY_MAX_S).contains(&seconds))
    }
}

/// Whether a match is revealed that ended at `end`, if it has.
pub(crate) fn check(wait_s: Option<i64>, end: Option<OffsetDateTime>) -> Result<(), Error> {
    let end = end.ok_or(Error::NotEnded)?;
    let from = wait_s.and_then(|wait_s| end.checked_add(Duration::seconds(wait_s)));
    match from {
        // At once, whatever the clocks of the process that recorded the end and of this one say.
        Some(_) if wait_s == Some(0) => Ok(()),
        Some(from) if from <= now() => Ok(()),
        from => Err(Error::NotRevealed { from }),
    }
}
