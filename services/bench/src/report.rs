//! The report of a measurement, and summaries of times.

use std::time::Duration;

use croupier_client::{ConnectError, Refusal};
use hdrhistogram::Histogram;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

/// The outcome of a measurement.
pub struct Report {
    /// The lines to print, in order.
    pub lines: Vec<String>,
    /// The fault of the service that the measurement found, if any.
    pub fault: Option<&'static str>,
}

/// Why there is no outcome.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Connect(#[from] ConnectError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("there is no game `{game}`; the games are: {}", known.join(", "))]
    UnknownGame { game: String, known: Vec<String> },
    #[error(transparent)]
    Transfer(#[from] transfer::Error),
    #[error("the database query failed")]
    Database(#[from] database::Error),
    #[error("the database cannot be set up")]
    Schema(#[from] schema::Error),
    #[error("the record cannot be read")]
    Log(#[from] event_log::Error),
    #[error("a match cannot be read")]
    Matches(#[from] matches::Error),
    #[error("the database is not the one that the service uses")]
    OtherDatabase,
    #[error("the service returned an invalid match name: {0:?}")]
    MatchName(String),
    #[error("nobody has played this game yet: `croupier load` creates matches")]
    NoPlayers,
    #[error("{name} has {count} timeouts, where one is due")]
    Timeouts { name: String, count: usize },
    #[error(transparent)]
    Arena(#[from] crate::arena::ArenaError),
    #[error(transparent)]
    Transparency(#[from] ::transparency::Error),
    #[error("the log does not have the leaves")]
    NoLeaves,
    #[error("no messages can be received here")]
    Listen(#[source] std::io::Error),
    #[error("an entry cannot be recorded")]
    Append(#[from] event_log::AppendError),
}

impl Error {
    pub(crate) fn unknown_game(game: &str) -> Error {
        let known = games::GAMES.iter().map(|game| game.name().to_owned()).collect();
        Error::UnknownGame { game: game.to_owned(), known }
    }
}

impl Report {
    /// A report of one JSON object.
    pub(crate) fn json(outcome: &impl Serialize) -> Report {
        let line = serde_json::to_string(outcome).expect("an outcome has a JSON form");
        Report { lines: vec![line], fault: None }
    }
}

/// Milliseconds.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Percentiles {
    pub(crate) p50: f64,
    pub(crate) p90: f64,
    pub(crate) p99: f64,
    pub(crate) p999: f64,
    pub(crate) max: f64,
}

impl Percentiles {
    pub(crate) fn of_us(us: &Histogram<u64>) -> Percentiles {
        let at = |share: f64| us.value_at_quantile(share) as f64 / 1e3;
        Percentiles { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: at(1.0) }
    }
}

/// A histogram of microseconds up to a minute, or of counts in that range, to three digits.
pub(crate) fn histogram() -> Histogram<u64> {
    Histogram::new_with_max(60_000_000, 3).expect("the bounds are valid")
}

/// Like [`histogram`], to two digits, for large numbers of histograms.
pub(crate) fn rough_histogram() -> Histogram<u64> {
    Histogram::new_with_max(60_000_000, 2).expect("the bounds are valid")
}

/// The average per item, in microseconds to one digit.
pub(crate) fn per_item_us(used: Duration, items: u64) -> f64 {
    (used.as_secs_f64() * 1e7 / items.max(1) as f64).round() / 10.0
}

/// Rounds to one digit.
pub(crate) fn rounded(it: f64) -> f64 {
    (it * 10.0).round() / 10.0
}

/// The rate per second.
pub(crate) fn per_second(items: u64, time: Duration) -> u64 {
    (items as f64 / time.as_secs_f64()) as u64
}

/// A progress bar on standard error, shown only on a terminal.
pub(crate) fn progress(template: &str, length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    ProgressBar::new(length).with_style(style)
}

pub(crate) const CREATING: &str = "creating {pos} of {len} matches {wide_bar}";
