//! `croupier bench`: how fast the service is, measured where it runs.

mod actions;
mod drive;
mod export;
mod plan;
mod queries;
mod reads;
mod record;
mod usage;
mod watchers;
mod wire;

use std::time::Duration;

use clap::Subcommand;
use hdrhistogram::Histogram;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::client::{Failure, Service};
use crate::threads;

/// Measure, and print an object of JSON
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Actions(actions::Args),
    Reads(reads::Args),
    Watchers(watchers::Args),
    Queries(queries::Args),
    Export(export::Args),
}

pub fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let runtime = threads::runtime()?;
    match args.what {
        What::Actions(args) => runtime.block_on(actions::run(args, service)),
        What::Reads(args) => runtime.block_on(reads::run(args, service)),
        What::Watchers(args) => runtime.block_on(watchers::run(args, service)),
        What::Queries(args) => runtime.block_on(queries::run(args, service)),
        What::Export(args) => runtime.block_on(export::run(args)),
    }
}

// === What measurements have in common ===

#[derive(Clone, Copy, Serialize)]
pub struct Percentiles {
    p50: f64,
    p90: f64,
    p99: f64,
    p999: f64,
    max: f64,
}

/// The same to two digits, where there are many.
fn rough_histogram() -> Histogram<u64> {
    Histogram::new_with_max(60_000_000, 2).expect("the bounds are sound")
}

/// Of microseconds up to a minute, to three digits; or of as many of anything else.
fn histogram() -> Histogram<u64> {
    Histogram::new_with_max(60_000_000, 3).expect("the bounds are sound")
}

impl Percentiles {
    /// Of microseconds, in milliseconds.
    fn of(us: &Histogram<u64>) -> Percentiles {
        let at = |share: f64| us.value_at_quantile(share) as f64 / 1e3;
        Percentiles { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: at(1.0) }
    }
}

/// Each one's share, in microseconds to one digit.
fn each(used: Duration, count: u64) -> f64 {
    (used.as_secs_f64() * 1e7 / count.max(1) as f64).round() / 10.0
}

fn bar(template: &str, length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is sound");
    ProgressBar::new(length).with_style(style)
}
