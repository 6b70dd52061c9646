//! Quiet hours of a browser: by the clocks of a time zone, which may be changed meanwhile.

use std::sync::LazyLock;

use deliveries::PushRow;
use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use time::OffsetDateTime;

const DAY_MINUTES: i16 = 24 * 60;

/// The longest quiet hours, so that each day has hours in which turns are told.
const QUIET_MINUTES_MAX: i16 = 20 * 60;

/// The zones that come with the release: all processes of a release know the same ones, also on
/// machines that have none.
static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// Hours of each day in which a browser is told nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuietHours {
    zone: TimeZone,
    name: String,
    start: i16,
    end: i16,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuietHoursError {
    #[error("there is no such time zone: write a name of the IANA, such as Europe/Berlin")]
    Zone,
    #[error("it is not a minute of the day, 0 to 1439")]
    Start,
    #[error("it is not a minute of the day, 0 to 1439")]
    End,
    #[error("quiet hours take from one minute to 20 hours")]
    Length,
}

impl QuietHours {
    /// From one minute of the day until another one, which may be of the next day.
    pub fn new(zone: &str, start: i32, end: i32) -> Result<QuietHours, QuietHoursError> {
        let zone = ZONES.get(zone).map_err(|_| QuietHoursError::Zone)?;
        let name = zone.iana_name().ok_or(QuietHoursError::Zone)?.to_owned();
        let minute = |minute: i32| {
            let is_of_day = (0..DAY_MINUTES.into()).contains(&minute);
            i16::try_from(minute).ok().filter(|_| is_of_day)
        };
        let start = minute(start).ok_or(QuietHoursError::Start)?;
        let end = minute(end).ok_or(QuietHoursError::End)?;
        if !(1..=QUIET_MINUTES_MAX).contains(&(end - start).rem_euclid(DAY_MINUTES)) {
            return Err(QuietHoursError::Length);
        }
        Ok(QuietHours { zone, name, start, end })
    }

    /// The quiet hours of a browser. Those of a zone that only a later release knows are none.
    pub(crate) fn of(row: &PushRow) -> Option<QuietHours> {
        let (start, end) = (row.quiet_start?, row.quiet_end?);
        QuietHours::new(row.quiet_zone.as_deref()?, start.into(), end.into()).ok()
    }

    /// The time zone, as the IANA writes it.
    pub fn zone(&self) -> &str {
        &self.name
    }

    /// The minutes of the day at which they start and end.
    pub fn minutes(&self) -> (i16, i16) {
        (self.start, self.end)
    }

    /// When they end, if it is within them. They are over as soon as no clock of the zone shows a
    /// time within them, also where clocks are put forward or back.
    pub fn until(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        let from = Timestamp::from_second(now.unix_timestamp()).ok()?;
        let mut at = from;
        while let Some(rest_s) = self.rest_s(at) {
            let end = at.as_second() + rest_s;
            let change = self.zone.following(at).next().map(|it| it.timestamp());
            at = match change.filter(|it| it.as_second() <= end) {
                Some(change) => change,
                None => Timestamp::from_second(end).ok()?,
            };
        }
        let end = OffsetDateTime::from_unix_timestamp(at.as_second()).ok()?;
        (at > from).then_some(end)
    }

    /// The seconds from a time within them until their end, while no clock is changed.
    fn rest_s(&self, at: Timestamp) -> Option<i64> {
        let clock = self.zone.to_datetime(at).time();
        let minute = i16::from(clock.hour()) * 60 + i16::from(clock.minute());
        let length = (self.end - self.start).rem_euclid(DAY_MINUTES);
        let passed = (minute - self.start).rem_euclid(DAY_MINUTES);
        let rest = i64::from(length - passed) * 60 - i64::from(clock.second());
        (passed < length).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use time::format_description::well_known::Rfc3339;

    use super::*;

    #[track_caller]
    fn check(zone: &str, (start, end): (i32, i32), now: &str, until: &str) {
        let quiet = QuietHours::new(zone, start, end).expect("quiet hours");
        let now = OffsetDateTime::parse(now, &Rfc3339).expect("a time");
        let found = quiet.until(now).map(|it| it.format(&Rfc3339).expect("a time"));
        assert_eq!(found.as_deref().unwrap_or("-"), until, "{quiet:?} at {now}");
    }

    const NIGHT: (i32, i32) = (22 * 60, 7 * 60);

    #[test]
    fn they_last_from_their_first_minute_to_the_one_before_their_end() {
        check("UTC", (60, 120), "2026-11-27T00:59:59Z", "-");
        check("UTC", (60, 120), "2026-11-27T01:00:00Z", "2026-11-27T02:00:00Z");
        check("UTC", (60, 120), "2026-11-27T01:59:59.9Z", "2026-11-27T02:00:00Z");
        check("UTC", (60, 120), "2026-11-27T02:00:00Z", "-");
        check("UTC", (0, 1), "2026-11-27T00:00:59Z", "2026-11-27T00:01:00Z");
        check("UTC", (1439, 0), "2026-11-27T23:59:00Z", "2026-11-28T00:00:00Z");
    }

    #[test]
    fn a_night_begins_on_the_day_before() {
        check("Europe/Berlin", NIGHT, "2026-11-27T20:59:59Z", "-");
        check("Europe/Berlin", NIGHT, "2026-11-27T21:00:00Z", "2026-11-28T06:00:00Z");
        check("Europe/Berlin", NIGHT, "2026-11-28T03:00:00Z", "2026-11-28T06:00:00Z");
        check("Europe/Berlin", NIGHT, "2026-11-28T06:00:00Z", "-");
        // The same moment elsewhere.
        check("America/New_York", NIGHT, "2026-11-28T03:00:00Z", "2026-11-28T12:00:00Z");
        check("Asia/Kathmandu", NIGHT, "2026-11-28T01:14:00Z", "2026-11-28T01:15:00Z");
        check("Pacific/Kiritimati", NIGHT, "2026-12-31T16:30:00Z", "2026-12-31T17:00:00Z");
    }

    #[test]
    fn they_follow_clocks_that_are_put_forward_and_back() {
        check("Europe/Berlin", NIGHT, "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z");
        check("Europe/Berlin", NIGHT, "2026-10-24T22:00:00Z", "2026-10-25T06:00:00Z");
        // At 02:00 it is 03:00: the time at which they would end does not come.
        check("Europe/Berlin", (60, 150), "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z");
        check("Europe/Berlin", (125, 150), "2026-03-29T00:59:00Z", "-");
        check("Europe/Berlin", (125, 150), "2026-03-29T01:00:00Z", "-");
        // At 03:00 it is 02:00: a time within them comes twice.
        check("Europe/Berlin", (125, 150), "2026-10-25T00:10:00Z", "2026-10-25T00:30:00Z");
        check("Europe/Berlin", (125, 150), "2026-10-25T01:10:00Z", "2026-10-25T01:30:00Z");
        check("Europe/Berlin", (60, 180), "2026-10-25T00:10:00Z", "2026-10-25T02:00:00Z");
        // By half an hour.
        check("Australia/Lord_Howe", (0, 125), "2026-10-03T15:00:00Z", "2026-10-03T15:30:00Z");
    }

    #[test]
    fn they_are_of_a_known_zone_and_leave_hours_of_each_day() {
        let new = |zone: &str, start, end| QuietHours::new(zone, start, end).map(|it| it.name);
        assert_eq!(new("europe/berlin", 0, 60).as_deref(), Ok("Europe/Berlin"));
        assert_eq!(new("UTC", 0, 20 * 60).as_deref(), Ok("UTC"));
        assert_eq!(new("UTC", 12 * 60, 8 * 60).as_deref(), Ok("UTC"));
        for zone in ["", "Europe/Nowhere", "CET+1", "../etc/passwd", "+02:00", &"a".repeat(9999)] {
            assert_eq!(new(zone, 0, 60), Err(QuietHoursError::Zone), "{zone:.20}");
        }
        assert_eq!(new("UTC", -1, 60), Err(QuietHoursError::Start));
        assert_eq!(new("UTC", 0, 1440), Err(QuietHoursError::End));
        assert_eq!(new("UTC", 60, 60), Err(QuietHoursError::Length));
        assert_eq!(new("UTC", 0, 20 * 60 + 1), Err(QuietHoursError::Length));
    }
}
