//! The outcome of an arena.

use bots::Level;
use serde::Serialize;

use super::counts::{Counts, interval};
use super::playing::Thinking;
use crate::report::rounded;

/// The strength and speed of each level.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    #[serde(flatten)]
    pub result: Outplayed,
    pub speed: Speed,
}

/// The part that does not depend on the machine, unless a clock limited the bots.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outplayed {
    pub game: &'static str,
    pub seats: u8,
    pub seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
    /// Matches that were played to their ends. All figures are of these.
    pub matches: usize,
    /// Matches that were given up after `actions_max` actions.
    pub given_up: usize,
    pub actions_max: usize,
    /// Matches that ended with a panic of a game or a bot.
    pub failed: usize,
    /// The first failures, each with the data to reproduce it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
    /// Actions of a match; `None` if no match was played to its end.
    pub actions: Option<Lengths>,
    /// In the order in which they were named.
    pub levels: Vec<LevelResult>,
    pub lineups: Vec<LineupResult>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lengths {
    pub mean: f64,
    pub min: usize,
    pub median: usize,
    pub max: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelResult {
    pub level: &'static str,
    #[serde(flatten)]
    pub wins: Wins,
    /// The ratings of all levels average 0.
    pub elo: f64,
    /// Half of the 95 % interval of `elo`.
    pub elo_margin: f64,
    pub mean_points: f64,
    /// How often a bot of the level was asked.
    pub decisions: u64,
    /// Actions of the level that the rules refused; the house answered instead.
    pub refused: u64,
}

/// The results of a level, counting each seat that it had in each match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Wins {
    /// Seats in matches.
    pub seats: usize,
    /// A win that several seats share counts as a share for each.
    pub wins: f64,
    /// In percent of the seats.
    pub first_percent: f64,
    /// The 95 % interval of `first_percent`.
    pub first_percent_interval: (f64, f64),
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineupResult {
    pub levels: Vec<&'static str>,
    pub matches: usize,
    pub given_up: usize,
    pub results: Vec<LineupLevel>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineupLevel {
    pub level: &'static str,
    #[serde(flatten)]
    pub wins: Wins,
}

/// The part that depends on the machine.
#[derive(Clone, Debug, Serialize)]
pub struct Speed {
    pub seconds: f64,
    pub threads: usize,
    pub actions_per_second: f64,
    /// By level: how many decisions per second a dedicated thread makes, and how long it thinks
    /// about each.
    pub levels: Vec<LevelSpeed>,
}

#[derive(Clone, Debug, Serialize)]
pub struct LevelSpeed {
    pub level: &'static str,
    pub decisions_per_second: f64,
    pub mean_thinking_ms: f64,
}

impl Wins {
    pub(super) fn of(counts: &Counts) -> Wins {
        let percent = |share: f64| rounded(100.0 * share);
        let (low, high) = interval(counts.wins, counts.seats as f64);
        Wins {
            seats: counts.seats,
            wins: (counts.wins * 100.0).round() / 100.0,
            first_percent: percent(counts.wins / counts.seats.max(1) as f64),
            first_percent_interval: (percent(low), percent(high)),
        }
    }
}

impl Lengths {
    pub(super) fn of(mut lengths: Vec<usize>) -> Option<Lengths> {
        lengths.sort_unstable();
        let (&min, &max) = (lengths.first()?, lengths.last()?);
        let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
        Some(Lengths { mean: rounded(mean), min, median: lengths[(lengths.len() - 1) / 2], max })
    }
}

impl LevelSpeed {
    pub(super) fn of((level, counts): (&Level, &Counts)) -> LevelSpeed {
        let Thinking { decisions, time, .. } = counts.thinking;
        let seconds = time.as_secs_f64();
        let each = seconds / decisions.max(1) as f64;
        LevelSpeed {
            level: level.name,
            decisions_per_second: rounded(decisions as f64 / seconds.max(f64::MIN_POSITIVE)),
            mean_thinking_ms: (each * 1e6).round() / 1e3,
        }
    }
}
