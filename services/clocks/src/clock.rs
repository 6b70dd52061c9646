//! The clocks of a match after its entries so far.

use std::collections::BTreeMap;
use std::time::Duration;

use table::{Entry, Event, Seat, Small, Table};
use time::OffsetDateTime;

use crate::{OnTimeout, TimeControl};

/// The clocks of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    control: TimeControl,
    seats: Vec<Clock>,
    /// For how long the match was paused because the service was away.
    excused: Duration,
}

/// The clock of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left of its bank, as of when it last stopped.
    pub bank: Duration,
    /// Since when the match waits for the seat; none if it does not.
    pub running_since: Option<OffsetDateTime>,
    /// What was added to the time for the decision that it has to make.
    extra: Duration,
    /// How often in a row its time ran out.
    pub timeouts: u32,
}

impl Clocks {
    /// The clocks before the deal of a match with these options; none if it has no time control.
    pub fn of(options: &BTreeMap<String, String>, seats: u8) -> Option<Clocks> {
        TimeControl::of(options).map(|control| Clocks::new(control, seats))
    }

    /// The clocks before the deal.
    pub fn new(control: TimeControl, seats: u8) -> Clocks {
        let bank = Duration::from_secs(control.bank_s.into());
        let clock = Clock { bank, running_since: None, extra: Duration::ZERO, timeouts: 0 };
        Clocks { control, seats: vec![clock; seats.into()], excused: Duration::ZERO }
    }

    /// Applies an entry that was recorded at this time and led to this table.
    pub fn apply(&mut self, entry: &Entry, at: OffsetDateTime, after: &Table) {
        self.excuse(entry);
        for (nth, clock) in self.seats.iter_mut().enumerate() {
            let Some(seat) = Seat::nth(nth) else { continue };
            let asked = after.live().find(|prompt| prompt.must && prompt.seat == seat);
            let is_over = after.ended() || after.resigned().has(seat);
            // In a pause, no clock runs.
            let asked = asked.filter(|_| !is_over && !after.is_paused());
            let goes_on = asked.is_some_and(|prompt| prompt.age > 0);
            if let Some(since) = clock.running_since.filter(|_| !goes_on) {
                clock.stop(at - since, &self.control);
                if entry.seat == Some(seat) {
                    clock.credit(entry, &self.control);
                }
            }
            // What was taken back earned nothing.
            if entry.verb == table::TAKE_BACK && entry.seat == Some(seat) {
                let increment = Duration::from_secs(self.control.increment_s.into());
                clock.bank = clock.bank.saturating_sub(increment);
            }
            if asked.is_none() {
                clock.running_since = None;
            } else if clock.running_since.is_none() {
                clock.running_since = Some(at);
            }
        }
    }

    /// Adds the time that an entry adds for decisions that have to be made.
    fn excuse(&mut self, entry: &Entry) {
        let mut longest = Duration::ZERO;
        for event in &entry.events {
            if let Event::TimeAdded { seat, ms } = *event
                && let Some(clock) = self.seats.get_mut(seat.index())
            {
                let time = Duration::from_millis(ms.into());
                clock.extra += time;
                longest = longest.max(time);
            }
        }
        self.excused += longest;
    }

    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// By seat.
    pub fn seats(&self) -> &[Clock] {
        &self.seats
    }

    /// For how long the match was paused because the service was away.
    pub fn excused(&self) -> Duration {
        self.excused
    }

    /// When the time of a seat runs out; none while its clock stands still.
    pub fn deadline(&self, seat: Seat) -> Option<OffsetDateTime> {
        self.seats.get(seat.index())?.deadline(&self.control)
    }

    /// The seat whose time runs out first, and when.
    pub fn next(&self) -> Option<(OffsetDateTime, Seat)> {
        let deadline =
            |(nth, clock): (usize, &Clock)| Some((clock.deadline(&self.control)?, Seat::nth(nth)?));
        self.seats.iter().enumerate().filter_map(deadline).min()
    }

    /// Whether the seat resigns if its time runs out now.
    pub fn resigns(&self, seat: Seat) -> bool {
        let TimeControl { on_timeout, resign_after, .. } = self.control;
        let before = self.seats.get(seat.index()).map_or(0, |clock| clock.timeouts);
        on_timeout == OnTimeout::Resign || (resign_after > 0 && before + 1 >= resign_after)
    }
}

impl Clock {
    /// What the seat still has if it is asked, or goes on thinking: the time for the decision
    /// first, then its bank.
    fn deadline(&self, control: &TimeControl) -> Option<OffsetDateTime> {
        Some(self.running_since? + control.per_decision() + self.extra + self.bank)
    }

    /// Charges a decision that took so long.
    fn stop(&mut self, took: time::Duration, control: &TimeControl) {
        let took = Duration::try_from(took).unwrap_or_default();
        let charged = took.saturating_sub(control.per_decision() + self.extra);
        self.bank = self.bank.saturating_sub(charged);
        (self.running_since, self.extra) = (None, Duration::ZERO);
    }

    /// Notes how the seat's decision ended.
    fn credit(&mut self, entry: &Entry, control: &TimeControl) {
        if entry.verb == table::TIMEOUT {
            self.timeouts += 1;
        } else {
            self.timeouts = 0;
            self.bank += Duration::from_secs(control.increment_s.into());
        }
    }
}

// === As it is stored ===

/// The bytes of a clock: its bank, when it began to run (0 if it does not), what was added, all in
/// microseconds, and its timeouts.
const CLOCK_BYTES: usize = 28;

impl Clocks {
    /// The state, without the time control.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = micros(self.excused).to_le_bytes().to_vec();
        for clock in &self.seats {
            let since = clock.running_since.map_or(0, |at| at.unix_timestamp_nanos() / 1_000);
            bytes.extend_from_slice(&micros(clock.bank).to_le_bytes());
            bytes.extend_from_slice(&(since as i64).to_le_bytes());
            bytes.extend_from_slice(&micros(clock.extra).to_le_bytes());
            bytes.extend_from_slice(&clock.timeouts.to_le_bytes());
        }
        bytes
    }

    /// The clocks of a match of this time control with this state.
    pub fn decode(bytes: &[u8], control: TimeControl, seats: u8) -> Option<Clocks> {
        let (excused, bytes) = bytes.split_first_chunk()?;
        let (clocks, rest) = bytes.as_chunks::<CLOCK_BYTES>();
        if !rest.is_empty() || clocks.len() != usize::from(seats) {
            return None;
        }
        let seats = clocks.iter().map(decode).collect::<Option<_>>()?;
        Some(Clocks {
            control,
            seats,
            excused: Duration::from_micros(u64::from_le_bytes(*excused)),
        })
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

fn decode(bytes: &[u8; CLOCK_BYTES]) -> Option<Clock> {
    let (bank, rest) = bytes.split_first_chunk()?;
    let (since, rest) = rest.split_first_chunk()?;
    let (extra, timeouts) = rest.split_first_chunk()?;
    let since = i128::from(i64::from_le_bytes(*since));
    let running_since = match since {
        0 => None,
        since => Some(OffsetDateTime::from_unix_timestamp_nanos(since * 1_000).ok()?),
    };
    Some(Clock {
        bank: Duration::from_micros(u64::from_le_bytes(*bank)),
        running_since,
        extra: Duration::from_micros(u64::from_le_bytes(*extra)),
        timeouts: u32::from_le_bytes(timeouts.try_into().ok()?),
    })
}
