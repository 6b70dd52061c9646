//! What time it is. Nothing else in this crate asks the machine for the time of day.

use std::sync::OnceLock;

use time::{Duration, OffsetDateTime};

/// A time of day that passes faster than the machine's, to try in minutes what takes a month.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedTime {
    /// When both were the same. All processes of an installation need the same.
    pub origin: OffsetDateTime,
    /// How many seconds pass in each.
    pub rate: u32,
}

static SIMULATED: OnceLock<SimulatedTime> = OnceLock::new();

/// Lets this process live in a simulated time, from before it asks for the time first.
pub fn simulate_time(simulated: SimulatedTime) {
    SIMULATED.set(simulated).expect("it is set once");
}

/// The current time, in microseconds, as the log stores it.
pub(crate) fn now() -> OffsetDateTime {
    let mut now = OffsetDateTime::now_utc();
    if let Some(simulated) = SIMULATED.get() {
        now = simulated.origin + (now - simulated.origin) * simulated.rate;
    }
    now.replace_microsecond(now.microsecond()).expect("microseconds of the same second")
}

/// As much of the day as passes in this time of the machine.
pub(crate) fn of_machine(time: Duration) -> Duration {
    time * SIMULATED.get().map_or(1, |simulated| simulated.rate)
}
