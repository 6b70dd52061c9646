//! What a service costs that nobody calls.

use std::time::Duration;

use serde::Serialize;
use store::Store;

use crate::report::{Error, Report, rounded};
use crate::service::Service;
use crate::usage::Programs;

/// Wait until the service rests, and measure what it and its Postgres take while nobody calls
///
/// Prints a JSON object.
#[derive(clap::Args)]
pub struct Args {
    /// How long to wait first, in seconds: a service rests half a minute after the last call
    #[arg(long, value_name = "S", default_value_t = 75, value_parser = clap::value_parser!(u32).range(0..=3600))]
    after_s: u32,
    /// How long to measure, in seconds
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=86400))]
    seconds: u32,
}

#[derive(Serialize)]
struct Outcome {
    seconds: u32,
    /// Of one processor; null for a program that does not run on this machine.
    service_cpu_percent: Option<f64>,
    postgres_cpu_percent: Option<f64>,
    service_memory_mb: Option<f64>,
}

/// The programs to measure.
pub struct Idle(Programs);

impl Idle {
    /// Finds the programs. The store may be closed afterwards, so that it costs nothing itself.
    pub async fn find(service: &Service, store: &Store) -> Result<Idle, Error> {
        Ok(Idle(Programs::find(std::slice::from_ref(service), store).await?))
    }

    pub async fn run(&self, args: &Args) -> Report {
        tokio::time::sleep(Duration::from_secs(args.after_s.into())).await;
        let before = self.0.count();
        tokio::time::sleep(Duration::from_secs(args.seconds.into())).await;
        let after = self.0.count();
        let used_us = after.cpu_since(&before, args.seconds.into());
        // A core has a million microseconds a second.
        let percent = |us: f64| (us / 100.0).round() / 100.0;
        Report::json(&Outcome {
            seconds: args.seconds,
            service_cpu_percent: used_us.service.map(percent),
            postgres_cpu_percent: used_us.postgres.map(percent),
            service_memory_mb: after.memory.map(|bytes| rounded(bytes as f64 / 1e6)),
        })
    }
}
