//! Commands that the clocks of a match permit: timeouts, and time given back after an outage.

use clocks::Clocks;
use store::Outage;
use table::Seat;
use time::OffsetDateTime;

use crate::error::Error;
use crate::live::Head;

/// Returns the clocks if the time of the seat has run out; fails otherwise.
pub(crate) fn check_due(head: &Head, seat: Seat, now: OffsetDateTime) -> Result<&Clocks, Error> {
    let clocks = head.clocks.as_deref().ok_or(Error::NotDue)?;
    let deadline = clocks.deadline(seat).ok_or(Error::NotDue)?;
    if now < deadline { Err(Error::NotDue) } else { Ok(clocks) }
}

/// The time to decide that each seat lost in an outage, in milliseconds. Fails if no seat lost any.
pub(crate) fn time_lost(head: &Head, outage: Outage) -> Result<Vec<(Seat, u32)>, Error> {
    let clocks = head.clocks.as_deref().ok_or(Error::NotDue)?;
    let table = head.table.as_deref().ok_or(Error::NotDue)?;
    let lost = |seat: Seat| {
        let since = clocks.seats().get(usize::from(u8::from(seat)))?.running_since?;
        let lost = outage.end_time - outage.begin_time.max(since);
        let ms = u32::try_from(lost.whole_milliseconds()).ok().filter(|ms| *ms > 0)?;
        Some((seat, ms))
    };
    let lost: Vec<_> = table.seats().filter_map(lost).collect();
    if lost.is_empty() { Err(Error::NotDue) } else { Ok(lost) }
}
