//! The time that all processes share: that of the database.
//!
//! A process asks the database for its time twice a second, with its [`probe`](crate::probe), and
//! counts on from the answer with its monotonic clock. The machine's time of day decides nothing:
//! it is compared, and a difference is logged and measured.
//!
//! The time is *known* while answers arrive and agree with each other. If they do not, the
//! database's clock was set, another server answers, or this machine was suspended. Nothing may be
//! decided on time until the answers have agreed for a while.
//!
//! See `docs/decisions/0057-time-is-the-databases.md`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use metrics::{counter, gauge};
use sqlx::Row;
use sqlx::postgres::{PgExecutor, PgRow};
use time::{Duration, OffsetDateTime};

/// A gauge: by how many seconds this machine's clock is ahead of the database's.
pub const AHEAD: &str = "croupier_clock_ahead_seconds";
/// A counter: how often a clock was set, by `clock`: the machine's or the database's.
pub const STEPS: &str = "croupier_clock_steps_total";
/// A gauge: whether the shared time is known, 1 or 0.
pub const KNOWN: &str = "croupier_clock_known";

/// By how much a clock must move at once to count as set.
const STEP_MIN: Duration = Duration::SECOND;
/// How far this machine's clock may be off before it is reported.
const AHEAD_MAX: Duration = Duration::seconds(2);
/// How long answers must agree after a step before the time is known.
const SETTLE: Duration = Duration::seconds(2);
/// How long an answer counts: longer than the pause between two, so that one may be lost.
pub(crate) const FRESH: Duration = Duration::seconds(2);
/// How many steps are remembered. The clocks are watched more often than that many can happen.
const STEPS_KEPT: usize = 16;
/// How inexact a time may be and still be known.
const ERROR_MAX: Duration = Duration::SECOND;
/// How much an estimate loses in exactness, in seconds per second. Quartz is a tenth of it.
const DRIFT_MAX: f64 = 1e-3;

/// An accelerated clock, to simulate a month in minutes.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedTime {
    /// When the accelerated clock agreed with the database's. All processes of an installation must
    /// use the same origin.
    pub origin: OffsetDateTime,
    /// How many seconds pass in each second of the database.
    pub rate: u32,
}

/// The shared time, as a process knows it. Cheap to clone.
#[derive(Clone)]
pub struct Clock(Arc<Inner>);

struct Inner {
    simulated: Option<SimulatedTime>,
    state: Mutex<State>,
}

/// The shared time at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// In whole microseconds, as the log stores times.
    pub time: OffsetDateTime,
    /// By how much `time` may be ahead.
    pub error: Duration,
    /// How often the time was seen to step before this reading.
    pub steps: u64,
    /// The time of the database itself, and when this process read it.
    database: OffsetDateTime,
    at: Instant,
}

/// The database's answer to the question for its time.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub asked: Instant,
    pub answered: Instant,
    pub time: OffsetDateTime,
    /// This machine's time of day at `answered`.
    pub machine: OffsetDateTime,
}

/// A step of the shared time, as this process saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    /// Counted from 1.
    number: u64,
    /// By how much the time went forward; negative if it went back.
    by: Duration,
}

#[derive(Default)]
struct State {
    estimate: Option<Estimate>,
    last: Option<Answer>,
    /// The last few.
    steps: VecDeque<Step>,
    /// When the last answer came that did not agree with those before it.
    unsettled: Option<Instant>,
    /// Set if a use of the time failed, until the next answer.
    is_doubted: bool,
    /// Whether the machine's clock was reported as off.
    is_reported: bool,
}

/// The bounds of the database's time at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Estimate {
    at: Instant,
    earliest: OffsetDateTime,
    latest: OffsetDateTime,
}

impl Clock {
    /// Until the first answer, it shows the machine's time.
    pub fn new(simulated: Option<SimulatedTime>) -> Clock {
        Clock(Arc::new(Inner { simulated, state: Mutex::default() }))
    }

    /// The current time, as exactly as this process knows it.
    pub fn now(&self) -> OffsetDateTime {
        self.estimate().time
    }

    /// The current time, if it is known. Whatever is decided on time is decided on this.
    pub fn reading(&self) -> Option<Reading> {
        let now = Instant::now();
        let state = self.state();
        state.is_known(now).then(|| self.read(&state, now))
    }

    /// The current time, whether or not it is known.
    pub fn estimate(&self) -> Reading {
        self.read(&self.state(), Instant::now())
    }

    /// The shortest step forward after the first `number` steps. The steps before the last few are
    /// forgotten.
    pub fn shortest_step_forward(&self, number: u64) -> Option<Duration> {
        let state = self.state();
        let since = state.steps.iter().filter(|it| it.number > number && it.by.is_positive());
        since.map(|it| it.by).min()
    }

    /// The duration on this clock of a duration on the machine's.
    pub fn of_machine(&self, time: Duration) -> Duration {
        time * self.0.simulated.map_or(1, |simulated| simulated.rate)
    }

    /// Lets the time be unknown until the database is asked again: it disagreed with this process.
    pub fn doubt(&self) {
        self.state().is_doubted = true;
        gauge!(KNOWN).set(0.0);
    }

    /// Asks the database for its time, and sets this clock by it.
    pub async fn ask(&self, database: impl PgExecutor<'_>) -> Result<OffsetDateTime, sqlx::Error> {
        let asked = Instant::now();
        let question = sqlx::raw_sql(sqlx::AssertSqlSafe(format!("select {MICROS}")));
        let row = question.fetch_one(database).await?;
        self.heard(asked, &row, 0)
    }

    /// Takes an answer of the database: [`MICROS`] is in this column.
    pub(crate) fn heard(
        &self,
        asked: Instant,
        row: &PgRow,
        column: usize,
    ) -> Result<OffsetDateTime, sqlx::Error> {
        let micros: i64 = row.try_get(column)?;
        let time = OffsetDateTime::UNIX_EPOCH + Duration::microseconds(micros);
        #[expect(clippy::disallowed_methods, reason = "it is compared with the database's")]
        let machine = OffsetDateTime::now_utc();
        self.observe(Answer { asked, answered: Instant::now(), time, machine });
        Ok(time)
    }

    /// Takes an answer of the database.
    pub fn observe(&self, answer: Answer) {
        let mut state = self.state();
        let noticed = state.observe(answer);
        let is_known = state.is_known(answer.answered);
        drop(state);
        noticed.tell();
        gauge!(KNOWN).set(f64::from(u8::from(is_known)));
    }

    /// Notes that the database did not answer.
    pub(crate) fn heard_nothing(&self) {
        if !self.state().is_known(Instant::now()) {
            gauge!(KNOWN).set(0.0);
        }
    }

    fn read(&self, state: &State, at: Instant) -> Reading {
        let (database, error) = match &state.estimate {
            Some(estimate) => estimate.at(at).middle(),
            #[expect(clippy::disallowed_methods, reason = "nothing else is known yet")]
            None => (OffsetDateTime::now_utc(), Duration::MAX),
        };
        let time = match self.0.simulated {
            Some(it) => it.origin + (database - it.origin) * it.rate,
            None => database,
        };
        let time = time.replace_microsecond(time.microsecond()).expect("it is of the same second");
        let error = self.of_machine(error.min(Duration::hours(1)));
        Reading { time, error, steps: state.last_step(), database, at }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().expect("no holder of this lock panics")
    }
}

/// An expression: the database's time in microseconds. `now()` would be when its transaction began.
pub(crate) const MICROS: &str = "(extract(epoch from clock_timestamp()) * 1000000)::int8";

impl Reading {
    /// Whether this time has come for certain.
    pub fn is_past(&self, time: OffsetDateTime) -> bool {
        time <= self.time - self.error
    }

    /// What the database's clock shows now, as the database or another process has just told.
    pub fn told(database: OffsetDateTime) -> Reading {
        let at = Instant::now();
        Reading { time: database, error: Duration::ZERO, steps: 0, database, at }
    }

    /// What the database's clock shows now, if this reading was right.
    pub fn of_database_now(&self) -> OffsetDateTime {
        self.database + self.at.elapsed()
    }
}

/// What an answer showed about the clocks.
#[derive(Debug, Default, PartialEq)]
struct Noticed {
    ahead: Duration,
    /// Whether to report that the machine's clock is off, or that it no longer is.
    is_off: Option<bool>,
    machine_step: Option<Duration>,
    step: Option<Duration>,
}

impl State {
    fn observe(&mut self, answer: Answer) -> Noticed {
        let found = Estimate::of(&answer);
        let mut noticed = Noticed::default();
        let (estimate, gap) = match self.estimate {
            Some(expected) => expected.at(answer.answered).join(found),
            None => (found, Duration::ZERO),
        };
        self.estimate = Some(estimate);
        self.is_doubted = false;
        if gap.abs() >= STEP_MIN {
            self.steps.push_back(Step { number: self.last_step() + 1, by: gap });
            self.steps.drain(..self.steps.len().saturating_sub(STEPS_KEPT));
            self.unsettled = Some(answer.answered);
            noticed.step = Some(gap);
        }
        let (time, error) = estimate.middle();
        noticed.ahead = answer.machine - time;
        let is_off = noticed.ahead.abs() > AHEAD_MAX + error;
        noticed.is_off = (is_off != self.is_reported).then_some(is_off);
        self.is_reported = is_off;
        noticed.machine_step = self.last.and_then(|last| {
            let passed = answer.answered.saturating_duration_since(last.answered);
            let step = answer.machine - last.machine - passed;
            (step.abs() >= STEP_MIN).then_some(step)
        });
        self.last = Some(answer);
        noticed
    }

    /// Its number; 0 if there was none.
    fn last_step(&self) -> u64 {
        self.steps.back().map_or(0, |it| it.number)
    }

    fn is_known(&self, now: Instant) -> bool {
        let Some((estimate, last)) = self.estimate.zip(self.last) else { return false };
        let is_fresh = now.saturating_duration_since(last.answered) <= FRESH;
        let since_step = self.unsettled.map(|at| now.saturating_duration_since(at));
        let is_settled = since_step.is_none_or(|it| it >= SETTLE);
        !self.is_doubted && is_fresh && is_settled && estimate.at(now).middle().1 <= ERROR_MAX
    }
}

impl Estimate {
    /// The database read its clock between the question and the answer.
    fn of(answer: &Answer) -> Estimate {
        let took = answer.answered.saturating_duration_since(answer.asked);
        Estimate { at: answer.answered, earliest: answer.time, latest: answer.time + took }
    }

    /// The same at a later instant: less exact, since clocks drift.
    fn at(self, at: Instant) -> Estimate {
        let passed = at.saturating_duration_since(self.at);
        let drift = passed.mul_f64(DRIFT_MAX);
        Estimate {
            at,
            earliest: self.earliest + (passed - drift),
            latest: self.latest + passed + drift,
        }
    }

    /// What both allow, or `found` if they exclude each other, and then by how much.
    fn join(self, found: Estimate) -> (Estimate, Duration) {
        if found.earliest > self.latest {
            (found, found.earliest - self.latest)
        } else if found.latest < self.earliest {
            (found, found.latest - self.earliest)
        } else {
            let earliest = self.earliest.max(found.earliest);
            (Estimate { earliest, latest: self.latest.min(found.latest), ..found }, Duration::ZERO)
        }
    }

    /// The middle, and how far it is from the bounds.
    fn middle(self) -> (OffsetDateTime, Duration) {
        let half = (self.latest - self.earliest) / 2;
        (self.earliest + half, half)
    }
}

impl Noticed {
    fn tell(&self) {
        let seconds = |time: Duration| (time.as_seconds_f64() * 1e3).round() / 1e3;
        gauge!(AHEAD).set(self.ahead.as_seconds_f64());
        if let Some(step) = self.machine_step {
            counter!(STEPS, "clock" => "machine").increment(1);
            tracing::warn!(
                step_s = seconds(step),
                "the clock of this machine was set by {} s; deadlines follow the database's clock",
                seconds(step)
            );
        }
        if let Some(step) = self.step {
            counter!(STEPS, "clock" => "database").increment(1);
            tracing::error!(
                step_s = seconds(step),
                "the clock of the database moved by {} s at once, as this process sees it: it was \
                 set, another server answers, or this machine was suspended. Nothing is decided on \
                 time for two seconds, and time that no process watched is given back",
                seconds(step)
            );
        }
        match self.is_off {
            Some(true) => tracing::error!(
                ahead_s = seconds(self.ahead),
                "the clock of this machine is {} s ahead of the database's: synchronize both; \
                 deadlines follow the database's",
                seconds(self.ahead)
            ),
            Some(false) => tracing::info!("the clock of this machine agrees with the database's"),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::SECOND;

    /// A database, and a machine that asks it.
    struct World {
        clock: Clock,
        /// The instant, and what the clocks show then.
        at: Instant,
        database: OffsetDateTime,
        machine: OffsetDateTime,
    }

    impl World {
        fn new() -> World {
            let start = OffsetDateTime::UNIX_EPOCH + Duration::days(20_000);
            let at = Instant::now();
            World { clock: Clock::new(None), at, database: start, machine: start }
        }

        fn pass(&mut self, time: Duration) {
            self.at += time.unsigned_abs();
            self.database += time;
            self.machine += time;
        }

        /// Asks, with a round trip of 10 ms in the middle of which the database reads its clock.
        fn ask(&mut self) -> Noticed {
            let (asked, half) = (self.at, Duration::milliseconds(5));
            self.pass(half);
            let time = self.database;
            self.pass(half);
            let answer = Answer { asked, answered: self.at, time, machine: self.machine };
            self.clock.state().observe(answer)
        }

        fn ask_for(&mut self, time: Duration) -> Vec<Noticed> {
            let mut noticed = Vec::new();
            for _ in 0..(time.whole_milliseconds() / 400) {
                self.pass(Duration::milliseconds(390));
                noticed.push(self.ask());
            }
            noticed
        }

        fn is_known(&self) -> bool {
            self.clock.state().is_known(self.at)
        }

        /// The error of the time that the process has.
        fn error(&self) -> Duration {
            let reading = self.clock.read(&self.clock.state(), self.at);
            assert!(
                (reading.time - self.database).abs() <= reading.error + Duration::MICROSECOND,
                "{reading:?} {}",
                self.database
            );
            reading.time - self.database
        }
    }

    #[test]
    fn the_time_is_known_while_the_database_answers() {
        let mut world = World::new();
        assert!(!world.is_known());
        world.ask();
        for _ in 0..100 {
            let noticed = world.ask_for(SECOND);
            assert!(noticed.iter().all(|it| it.step.is_none() && it.machine_step.is_none()));
            assert!(world.is_known());
            assert!(world.error().abs() < Duration::milliseconds(6), "{}", world.error());
        }
        world.pass(FRESH);
        assert!(world.is_known());
        world.pass(Duration::milliseconds(1));
        assert!(!world.is_known(), "no answer came");
        world.ask();
        assert!(world.is_known());
    }

    #[test]
    fn the_machines_time_of_day_changes_nothing_and_is_named() {
        for step in [Duration::DAY, -Duration::HOUR, 3 * SECOND] {
            let mut world = World::new();
            world.ask_for(3 * SECOND);
            world.machine += step;
            let noticed = world.ask();
            assert_eq!((noticed.machine_step, noticed.step), (Some(step), None));
            assert_eq!(noticed.is_off, Some(true));
            assert!((noticed.ahead - step).abs() < Duration::milliseconds(10));
            assert!(world.is_known() && world.error().abs() < Duration::milliseconds(6));
            let later = world.ask_for(10 * SECOND);
            assert!(later.iter().all(|it| it.is_off.is_none() && it.machine_step.is_none()));
            world.machine -= step;
            assert_eq!(world.ask().is_off, Some(false));
        }
        // It may have been wrong from the start.
        let mut world = World::new();
        world.machine += 60 * SECOND;
        assert_eq!(world.ask().is_off, Some(true));
        // A second is no reason to wake anyone.
        let mut world = World::new();
        world.machine -= SECOND;
        assert_eq!(world.ask().is_off, None);
    }

    #[test]
    fn a_drifting_clock_is_named_once_it_is_two_seconds_off() {
        let mut world = World::new();
        let mut named = 0;
        for n in 0..1_000 {
            world.machine += Duration::milliseconds(4);
            let noticed = world.ask_for(Duration::milliseconds(400)).remove(0);
            assert_eq!((noticed.step, noticed.machine_step), (None, None));
            if noticed.is_off == Some(true) {
                named = n;
            }
            assert!(n == 0 || world.is_known());
        }
        assert!((500..510).contains(&named), "{named}");
    }

    #[test]
    fn nothing_is_known_after_a_step_of_the_database_until_it_settles() {
        for step in [Duration::DAY, -Duration::HOUR, 5 * SECOND, -2 * SECOND] {
            let mut world = World::new();
            world.ask_for(3 * SECOND);
            world.database += step;
            let noticed = world.ask();
            let seen = noticed.step.expect("it is noticed by the first answer");
            assert!((seen - step).abs() < Duration::milliseconds(100), "{seen}");
            assert_eq!(world.clock.estimate().steps, 1);
            let forward = world.clock.shortest_step_forward(0);
            assert_eq!(forward, Some(seen).filter(|it| it.is_positive()));
            assert_eq!(world.clock.shortest_step_forward(1), None);
            assert!(!world.is_known() && world.error().abs() < Duration::milliseconds(6));
            world.ask_for(Duration::milliseconds(1_600));
            assert!(!world.is_known());
            world.ask_for(SECOND);
            assert!(world.is_known());
        }
    }

    #[test]
    fn a_suspended_machine_is_behind_and_never_ahead() {
        let mut world = World::new();
        world.ask_for(3 * SECOND);
        // Its monotonic clock stood still, and its time of day may have.
        world.database += Duration::DAY;
        assert!(world.clock.read(&world.clock.state(), world.at).time < world.database);
        assert!(world.ask().step.is_some());
        assert!(!world.is_known());
        world.ask_for(3 * SECOND);
        assert!(world.is_known() && world.error().abs() < Duration::milliseconds(6));
    }

    #[test]
    fn slow_answers_are_taken_for_what_they_tell() {
        let mut world = World::new();
        world.ask_for(3 * SECOND);
        for _ in 0..10 {
            let asked = world.at;
            world.pass(Duration::milliseconds(900));
            let time = world.database;
            world.pass(Duration::milliseconds(10));
            let answer = Answer { asked, answered: world.at, time, machine: world.machine };
            assert_eq!(world.clock.state().observe(answer).step, None);
            assert!(world.is_known());
            assert!(world.error().abs() < Duration::milliseconds(20), "{}", world.error());
        }
    }

    #[test]
    fn a_time_that_the_database_contradicts_is_unknown_until_it_answers() {
        let mut world = World::new();
        world.ask_for(3 * SECOND);
        world.clock.doubt();
        assert!(!world.is_known());
        world.ask();
        assert!(world.is_known());
    }
}
