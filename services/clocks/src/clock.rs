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
    /// How long outages of the service paused the match.
    excused: Duration,
    /// `None` if nothing can be taken back.
    undoable: Option<Undoable>,
}

/// The clock of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What was left of its bank when the clock last stopped.
    pub bank: Duration,
    /// When the match began to wait for the seat; `None` if it does not wait for it.
    pub running_since: Option<OffsetDateTime>,
    /// Time added for the current decision.
    extra: Duration,
    /// How much of the time for this decision and of the added time was used before
    /// `running_since`.
    spent: Duration,
    /// Consecutive timeouts.
    pub timeouts: u32,
}

/// The clocks before an action that its seat may take back.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Undoable {
    seat: Seat,
    /// When it acted.
    at: OffsetDateTime,
    /// By seat.
    before: Vec<Clock>,
}

/// A decision that a seat must make.
struct Decision {
    /// Whether it was already open before the entry.
    goes_on: bool,
    /// Whether it can be made now: the match is not paused, and no interrupt comes first.
    is_live: bool,
}

impl Clocks {
    /// The clocks before the deal of a match with these options; `None` if it has no time control.
    pub fn of(options: &BTreeMap<String, String>, seats: u8) -> Option<Clocks> {
        TimeControl::of(options).map(|control| Clocks::new(control, seats))
    }

    /// The clocks before the deal.
    pub fn new(control: TimeControl, seats: u8) -> Clocks {
        let clock = Clock {
            bank: Duration::from_secs(control.bank_s.into()),
            running_since: None,
            extra: Duration::ZERO,
            spent: Duration::ZERO,
            timeouts: 0,
        };
        let seats = vec![clock; seats.into()];
        Clocks { control, seats, excused: Duration::ZERO, undoable: None }
    }

    /// Applies an entry that was recorded at this time and led to this table.
    ///
    /// A clock that stops before its seat has decided later continues with the time that was left:
    /// after a pause, after an interrupt, and after the action that stopped it is taken back.
    pub fn apply(&mut self, entry: &Entry, at: OffsetDateTime, after: &Table) {
        self.excuse(entry);
        let undone = self.undoable(entry, at, after);
        for (nth, clock) in self.seats.iter_mut().enumerate() {
            let Some(seat) = Seat::nth(nth) else { continue };
            let decision = Decision::of(seat, after);
            let mut goes_on = decision.as_ref().is_some_and(|it| it.goes_on);
            if let Some(undone) = &undone
                && (undone.seat == seat || !goes_on)
            {
                *clock = undone.clock(seat, at);
                goes_on = decision.is_some();
            }
            let runs = decision.is_some_and(|it| it.is_live);
            if let Some(since) = clock.running_since.filter(|_| !goes_on || !runs) {
                clock.stop(at - since, &self.control);
                if !goes_on && entry.seat == Some(seat) {
                    clock.credit(entry, &self.control);
                }
            }
            if !goes_on {
                (clock.extra, clock.spent) = (Duration::ZERO, Duration::ZERO);
            }
            if runs {
                clock.running_since.get_or_insert(at);
            }
        }
    }

    /// Saves the clocks before an action, and returns those that an entry restores.
    fn undoable(&mut self, entry: &Entry, at: OffsetDateTime, after: &Table) -> Option<Undoable> {
        if entry.is_aside() {
            return None;
        }
        let before = self.undoable.take();
        if entry.verb == table::TAKE_BACK {
            return before;
        }
        let seat = entry.seat.filter(|_| !after.ended());
        self.undoable = seat.map(|seat| Undoable { seat, at, before: self.seats.clone() });
        None
    }

    /// Adds the time that an entry gives for required decisions.
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
        // Taking back an action later charges the time in between, but not an outage.
        if let Some(Undoable { seat, before, .. }) = &mut self.undoable
            && let Some(clock) = before.get_mut(seat.index())
        {
            clock.extra += longest;
        }
    }

    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// By seat.
    pub fn seats(&self) -> &[Clock] {
        &self.seats
    }

    /// How long outages of the service paused the match.
    pub fn excused(&self) -> Duration {
        self.excused
    }

    /// When the time of a seat runs out; `None` while its clock is stopped.
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

impl Undoable {
    /// The clock as it was before the action. The seat that takes it back is charged for the time
    /// since then; the other seats are not.
    fn clock(&self, seat: Seat, at: OffsetDateTime) -> Clock {
        let before = self.before[seat.index()];
        let between = if seat == self.seat { time::Duration::ZERO } else { at - self.at };
        Clock { running_since: before.running_since.map(|since| since + between), ..before }
    }
}

impl Decision {
    fn of(seat: Seat, table: &Table) -> Option<Decision> {
        // The match waits for no seat that has resigned.
        if table.ended() || table.resigned().has(seat) {
            return None;
        }
        let live = table.live().find(|prompt| prompt.must && prompt.seat == seat);
        let mut open = table.prompts().iter().rev();
        let prompt = live.or_else(|| open.find(|prompt| prompt.must && prompt.seat == seat))?;
        Some(Decision { goes_on: prompt.age > 0, is_live: live.is_some() && !table.is_paused() })
    }
}

impl Clock {
    /// When the seat's time runs out: the time per decision is used first, then the bank.
    fn deadline(&self, control: &TimeControl) -> Option<OffsetDateTime> {
        Some(self.running_since? + self.allowance(control) + self.bank)
    }

    /// The time per decision that was left when the clock started.
    fn allowance(&self, control: &TimeControl) -> Duration {
        (control.per_decision() + self.extra).saturating_sub(self.spent)
    }

    /// Stops the clock and charges the time that it ran.
    fn stop(&mut self, took: time::Duration, control: &TimeControl) {
        let took = Duration::try_from(took).unwrap_or_default();
        let allowance = self.allowance(control);
        self.bank = self.bank.saturating_sub(took.saturating_sub(allowance));
        self.spent += took.min(allowance);
        self.running_since = None;
    }

    /// Applies the outcome of the seat's decision: an increment or a timeout.
    fn credit(&mut self, entry: &Entry, control: &TimeControl) {
        if entry.verb == table::TIMEOUT {
            self.timeouts += 1;
        } else {
            self.timeouts = 0;
            self.bank += Duration::from_secs(control.increment_s.into());
        }
    }
}

// === Stored form ===

/// The size of a clock in bytes: its bank, when it began to run (0 if it is stopped), the added
/// time, all in microseconds, and its timeouts.
const CLOCK_BYTES: usize = 28;

/// The size in bytes of the time spent on a decision, in microseconds.
const SPENT_BYTES: usize = 8;

impl Clocks {
    /// The public part of the clocks, without the time control. Zero spent time is left out, so
    /// that the bytes equal those of releases that did not record it.
    pub fn encode_told(&self) -> Vec<u8> {
        let mut bytes = micros(self.excused).to_le_bytes().to_vec();
        encode(&self.seats, &mut bytes);
        if self.seats.iter().any(|clock| clock.spent > Duration::ZERO) {
            encode_spent(&self.seats, &mut bytes);
        }
        bytes
    }

    /// The clocks that [`encode_told`](Clocks::encode_told) wrote. No entry can be applied to them.
    pub fn decode_told(bytes: &[u8], control: TimeControl, seats: u8) -> Option<Clocks> {
        let (clocks, rest) = decode_with_excused(bytes, control, seats)?;
        if rest.is_empty() {
            return Some(clocks);
        }
        let (clocks, rest) = clocks.decode_spent(rest)?;
        rest.is_empty().then_some(clocks)
    }

    /// The whole state, without the time control.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = micros(self.excused).to_le_bytes().to_vec();
        encode(&self.seats, &mut bytes);
        encode_spent(&self.seats, &mut bytes);
        if let Some(Undoable { seat, at, before }) = &self.undoable {
            bytes.push(u8::from(*seat));
            bytes.extend_from_slice(&stamp(Some(*at)).to_le_bytes());
            encode(before, &mut bytes);
            encode_spent(before, &mut bytes);
        }
        bytes
    }

    /// The clocks of a match with this time control and this state; `None` if an older release
    /// wrote less.
    pub fn decode(bytes: &[u8], control: TimeControl, seats: u8) -> Option<Clocks> {
        let (clocks, rest) = decode_with_excused(bytes, control, seats)?;
        let (mut clocks, rest) = clocks.decode_spent(rest)?;
        if let Some((&seat, rest)) = rest.split_first() {
            let (at, rest) = rest.split_first_chunk()?;
            let (mut before, rest) = decode(rest, seats)?;
            let rest = decode_spent(&mut before, rest)?;
            let seat = Seat::nth(seat.into()).filter(|it| it.index() < before.len())?;
            let at = time_of(i64::from_le_bytes(*at))??;
            clocks.undoable = rest.is_empty().then_some(Undoable { seat, at, before });
            clocks.undoable.as_ref()?;
        }
        Some(clocks)
    }

    fn decode_spent(mut self, bytes: &[u8]) -> Option<(Clocks, &[u8])> {
        let rest = decode_spent(&mut self.seats, bytes)?;
        Some((self, rest))
    }
}

fn encode(clocks: &[Clock], bytes: &mut Vec<u8>) {
    for clock in clocks {
        bytes.extend_from_slice(&micros(clock.bank).to_le_bytes());
        bytes.extend_from_slice(&stamp(clock.running_since).to_le_bytes());
        bytes.extend_from_slice(&micros(clock.extra).to_le_bytes());
        bytes.extend_from_slice(&clock.timeouts.to_le_bytes());
    }
}

fn encode_spent(clocks: &[Clock], bytes: &mut Vec<u8>) {
    bytes.extend(clocks.iter().flat_map(|clock| micros(clock.spent).to_le_bytes()));
}

fn decode_with_excused(bytes: &[u8], control: TimeControl, seats: u8) -> Option<(Clocks, &[u8])> {
    let (excused, bytes) = bytes.split_first_chunk()?;
    let excused = Duration::from_micros(u64::from_le_bytes(*excused));
    let (seats, rest) = decode(bytes, seats)?;
    Some((Clocks { control, seats, excused, undoable: None }, rest))
}

/// Reads the clocks of all seats, and returns the bytes that follow.
fn decode(bytes: &[u8], seats: u8) -> Option<(Vec<Clock>, &[u8])> {
    let (bytes, rest) = bytes.split_at_checked(usize::from(seats) * CLOCK_BYTES)?;
    let (clocks, _) = bytes.as_chunks();
    Some((clocks.iter().map(decode_clock).collect::<Option<_>>()?, rest))
}

fn decode_clock(bytes: &[u8; CLOCK_BYTES]) -> Option<Clock> {
    let (bank, rest) = bytes.split_first_chunk()?;
    let (since, rest) = rest.split_first_chunk()?;
    let (extra, timeouts) = rest.split_first_chunk()?;
    Some(Clock {
        bank: Duration::from_micros(u64::from_le_bytes(*bank)),
        running_since: time_of(i64::from_le_bytes(*since))?,
        extra: Duration::from_micros(u64::from_le_bytes(*extra)),
        spent: Duration::ZERO,
        timeouts: u32::from_le_bytes(timeouts.try_into().ok()?),
    })
}

/// Adds the spent time to the clocks, and returns the bytes that follow.
fn decode_spent<'a>(clocks: &mut [Clock], bytes: &'a [u8]) -> Option<&'a [u8]> {
    let (bytes, rest) = bytes.split_at_checked(clocks.len() * SPENT_BYTES)?;
    for (clock, spent) in clocks.iter_mut().zip(bytes.as_chunks().0) {
        clock.spent = Duration::from_micros(u64::from_le_bytes(*spent));
    }
    Some(rest)
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// In microseconds; 0 for none.
fn stamp(at: Option<OffsetDateTime>) -> i64 {
    at.map_or(0, |at| (at.unix_timestamp_nanos() / 1_000) as i64)
}

/// `None` if it is not a time.
fn time_of(stamp: i64) -> Option<Option<OffsetDateTime>> {
    match i128::from(stamp) {
        0 => Some(None),
        stamp => OffsetDateTime::from_unix_timestamp_nanos(stamp * 1_000).ok().map(Some),
    }
}
