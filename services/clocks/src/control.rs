//! Time controls: how long the seats of a match may take.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// How long each seat may take. All times are in whole seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The time of a seat for the whole match, used once `per_decision_s` is over.
    pub bank_s: u32,
    /// The time that the bank gains with each decision that the seat makes itself.
    pub increment_s: u32,
    /// The time for each decision before the bank is used.
    pub per_decision_s: u32,
    pub on_timeout: OnTimeout,
    /// The number of consecutive timeouts after which a seat resigns; 0 for never.
    pub resign_after: u32,
}

/// The consequence when the time of a seat has run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnTimeout {
    /// The house makes this one decision for the seat.
    Answer,
    /// The seat resigns.
    Resign,
}

/// The named time controls, one line each.
pub const PRESETS: &[(&str, TimeControl)] = &[
    ("blitz", TimeControl { bank_s: 120, increment_s: 5, ..answering(10, 3) }),
    ("live", TimeControl { bank_s: 600, increment_s: 10, ..answering(30, 3) }),
    ("daily", answering(86_400, 2)),
];

/// The names of all presets, for a sentence.
pub fn preset_names() -> String {
    PRESETS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

const fn answering(per_decision_s: u32, resign_after: u32) -> TimeControl {
    let on_timeout = OnTimeout::Answer;
    TimeControl { bank_s: 0, increment_s: 0, per_decision_s, on_timeout, resign_after }
}

/// The maximum of each time, a year: longer than any match needs, and sums do not overflow.
const LONGEST_S: u32 = 366 * 86_400;

/// The maximum of `resign_after`: without one, a seat that never answers would keep its match for
/// good.
const IN_A_ROW_MAX: u32 = 1_000;

/// Why a time control is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTimeControl {
    #[error("there is no time control {0:?}; the presets are: {names}", names = preset_names())]
    NoSuchPreset(String),
    #[error("{field} is at most {most}{unit}")]
    TooMuch { field: &'static str, most: u32, unit: &'static str },
    #[error("a seat needs some time: set bank or per_decision")]
    NoTime,
    #[error(
        "a seat whose bank is used up would never have time to decide again: set per_decision, or \
         let it resign on timeout"
    )]
    NoTimeLeft,
}

impl TimeControl {
    pub fn named(preset: &str) -> Result<TimeControl, BadTimeControl> {
        let found = PRESETS.iter().find(|(name, _)| *name == preset);
        let found = found.map(|(_, control)| *control);
        found.ok_or_else(|| BadTimeControl::NoSuchPreset(preset.to_owned()))
    }

    /// Its name, if it equals a preset.
    pub fn preset(&self) -> Option<&'static str> {
        PRESETS.iter().find(|(_, control)| control == self).map(|(name, _)| *name)
    }

    /// Fails if the time control is not valid.
    pub fn check(self) -> Result<TimeControl, BadTimeControl> {
        let times = [
            ("bank", self.bank_s, LONGEST_S, "s"),
            ("increment", self.increment_s, LONGEST_S, "s"),
            ("per_decision", self.per_decision_s, LONGEST_S, "s"),
            ("resign_after", self.resign_after, IN_A_ROW_MAX, ""),
        ];
        if let Some((field, _, most, unit)) = times.into_iter().find(|it| it.1 > it.2) {
            return Err(BadTimeControl::TooMuch { field, most, unit });
        }
        match (self.bank_s, self.per_decision_s, self.on_timeout) {
            (0, 0, _) => Err(BadTimeControl::NoTime),
            (_, 0, OnTimeout::Answer) => Err(BadTimeControl::NoTimeLeft),
            _ => Ok(self),
        }
    }

    pub(crate) fn per_decision(&self) -> Duration {
        Duration::from_secs(self.per_decision_s.into())
    }
}

/// How fast a match with some time control is: players' results are compared within a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockClass {
    /// Without clocks.
    Untimed,
    Blitz,
    Live,
    Daily,
}

/// The decisions of a seat in a match of usual length, by which time controls are compared.
const DECISIONS_USUAL: u64 = 40;

/// The most time that a seat of a blitz match has for these decisions, and of a live match.
const BLITZ_MAX_S: u64 = 20 * 60;
const LIVE_MAX_S: u64 = 4 * 60 * 60;

impl ClockClass {
    pub const ALL: [ClockClass; 4] =
        [ClockClass::Untimed, ClockClass::Blitz, ClockClass::Live, ClockClass::Daily];

    /// The class of a time control: by the time that a seat has for forty decisions.
    pub fn of(control: Option<TimeControl>) -> ClockClass {
        let Some(control) = control else { return ClockClass::Untimed };
        let each = u64::from(control.increment_s) + u64::from(control.per_decision_s);
        match u64::from(control.bank_s) + DECISIONS_USUAL * each {
            time_s if time_s <= BLITZ_MAX_S => ClockClass::Blitz,
            time_s if time_s <= LIVE_MAX_S => ClockClass::Live,
            _ => ClockClass::Daily,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            ClockClass::Untimed => "untimed",
            ClockClass::Blitz => "blitz",
            ClockClass::Live => "live",
            ClockClass::Daily => "daily",
        }
    }

    pub fn named(name: &str) -> Option<ClockClass> {
        ClockClass::ALL.into_iter().find(|it| it.name() == name)
    }
}

// === Recorded form ===

/// The option in which a match keeps its time control. It is not an option of any game, and no rule
/// reads it; it is kept there because options are recorded, exported and covered by digests.
const OPTION: &str = table::TIME_CONTROL;

impl TimeControl {
    /// The time control of a match with these options; `None` if it has no clocks.
    pub fn of(options: &BTreeMap<String, String>) -> Option<TimeControl> {
        let text = options.get(OPTION)?;
        let mut parts = text.split(' ');
        let mut number = || parts.next()?.parse().ok();
        let [bank_s, increment_s, per_decision_s] = [number()?, number()?, number()?];
        let resign_after = number()?;
        let on_timeout = match parts.next()? {
            "answer" => OnTimeout::Answer,
            "resign" => OnTimeout::Resign,
            _ => return None,
        };
        Some(TimeControl { bank_s, increment_s, per_decision_s, on_timeout, resign_after })
    }

    /// Removes it from the options of a match; clients see the options without it.
    pub fn take_from(options: &mut BTreeMap<String, String>) -> Option<TimeControl> {
        let control = TimeControl::of(options);
        options.remove(OPTION);
        control
    }

    /// Adds it to the options of a match.
    pub fn add_to(self, options: &mut BTreeMap<String, String>) {
        options.insert(OPTION.to_owned(), self.to_string());
    }
}

/// The recorded form, which [`TimeControl::of`] reads.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TimeControl { bank_s, increment_s, per_decision_s, on_timeout, resign_after } = self;
        let on_timeout = match on_timeout {
            OnTimeout::Answer => "answer",
            OnTimeout::Resign => "resign",
        };
        write!(f, "{bank_s} {increment_s} {per_decision_s} {resign_after} {on_timeout}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_can_be_played_by_and_keep_their_names() {
        for &(name, control) in PRESETS {
            assert_eq!(control.check(), Ok(control), "{name}");
            assert_eq!((TimeControl::named(name), control.preset()), (Ok(control), Some(name)));
        }
        // Platforms choose by the name alone.
        let presets = PRESETS.iter().map(|(name, control)| format!("{name}: {control}"));
        assert_eq!(
            presets.collect::<Vec<_>>(),
            ["blitz: 120 5 10 3 answer", "live: 600 10 30 3 answer", "daily: 0 0 86400 2 answer"]
        );
        let unknown = TimeControl::named("eternal").expect_err("it is no preset").to_string();
        let text = "there is no time control \"eternal\"; the presets are: blitz, live, daily";
        assert_eq!(unknown, text);
    }

    #[test]
    fn each_preset_is_of_the_class_of_its_name() {
        assert_eq!(ClockClass::of(None), ClockClass::Untimed);
        for (name, control) in PRESETS {
            assert_eq!(ClockClass::of(Some(*control)).name(), *name);
            assert_eq!(ClockClass::named(name), Some(ClockClass::of(Some(*control))));
        }
        let bank = |bank_s| TimeControl { bank_s, ..answering(0, 0) };
        let class = |bank_s| ClockClass::of(Some(bank(bank_s)));
        assert_eq!([1200, 1201].map(class), [ClockClass::Blitz, ClockClass::Live]);
        assert_eq!([14_400, 14_401].map(class), [ClockClass::Live, ClockClass::Daily]);
    }

    #[test]
    fn what_is_recorded_is_read_back() {
        let other = TimeControl {
            bank_s: 1,
            increment_s: 2,
            per_decision_s: 3,
            on_timeout: OnTimeout::Resign,
            resign_after: 4,
        };
        for control in PRESETS.iter().map(|it| it.1).chain([other]) {
            let mut options = BTreeMap::new();
            assert_eq!(TimeControl::of(&options), None);
            control.add_to(&mut options);
            assert_eq!(TimeControl::of(&options), Some(control));
        }
    }

    #[test]
    fn impossible_time_controls_are_refused() {
        let none = TimeControl { bank_s: 0, ..answering(0, 0) };
        assert_eq!(none.check(), Err(BadTimeControl::NoTime));
        let dry = TimeControl { bank_s: 60, ..none };
        assert_eq!(dry.check(), Err(BadTimeControl::NoTimeLeft));
        let sudden = TimeControl { on_timeout: OnTimeout::Resign, ..dry };
        assert_eq!(sudden.check(), Ok(sudden));
        let (bank_s, resign_after) = (366 * 24 * 60 * 60, 1_000);
        let longest = TimeControl { bank_s, resign_after, ..sudden };
        assert_eq!(longest.check(), Ok(longest));
        for (field, control) in [
            ("bank", TimeControl { bank_s: u32::MAX, ..sudden }),
            ("increment", TimeControl { increment_s: u32::MAX, ..sudden }),
            ("per_decision", TimeControl { per_decision_s: u32::MAX, ..sudden }),
            ("resign_after", TimeControl { resign_after: u32::MAX, ..sudden }),
        ] {
            let refused = control.check();
            assert!(
                matches!(refused, Err(BadTimeControl::TooMuch { field: it, .. }) if it == field)
            );
        }
    }
}
