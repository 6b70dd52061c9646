//! The current time. Everything in this crate that needs the time of day gets it here.

use std::sync::OnceLock;

use time::{Duration, OffsetDateTime};

/// An accelerated clock, to simulate a month in minutes.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedTime {
    /// When the accelerated clock agreed with the machine's. All processes of an installation must
    /// use the same origin.
    pub origin: OffsetDateTime,
    /// How many seconds pass in each second of the machine.
    pub rate: u32,
}

static SIMULATED: OnceLock<SimulatedTime> = OnceLock::new();

/// Runs this process on an accelerated clock. Call it before anything asks for the time.
pub fn simulate_time(simulated: SimulatedTime) {
    SIMULATED.set(simulated).expect("it is set once");
}

/// The current time, truncated to microseconds, as the log stores it.
pub(crate) fn now() -> OffsetDateTime {
    let mut now = OffsetDateTime::now_utc();
    if let Some(simulated) = SIMULATED.get() {
        now = simulated.origin + (now - simulated.origin) * simulated.rate;
    }
    now.replace_microsecond(now.microsecond()).expect("microseconds of the same second")
}

/// The duration on the current clock of a duration on the machine's.
pub(crate) fn of_machine(time: Duration) -> Duration {
    time * SIMULATED.get().map_or(1, |simulated| simulated.rate)
}
