//! The parts of a run, because speed may drop after minutes.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use croupier_client::Croupier;
use projector::Model;
use serde::Serialize;
use time::OffsetDateTime;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::clock::now;
use crate::record::Batch;
use crate::report::{per_second, rounded};
use crate::usage::{Count, Cpu, Programs};

/// A part of a run: a tenth, but no shorter than [`PART_MIN`].
#[derive(Serialize)]
pub(crate) struct Part {
    /// The end of the part, in seconds since the run began.
    pub(crate) until_s: f64,
    pub(crate) per_second: u64,
    pub(crate) cpu_us: Cpu,
    /// The memory of the service at the end of the part; null if the service does not run on this
    /// machine.
    pub(crate) service_memory_mb: Option<u64>,
    /// The entries that the projections lacked at the end of the part, by projection; empty if
    /// nothing is written.
    pub(crate) projections_behind: BTreeMap<&'static str, i64>,
    /// Entries per commit, on average; null if nothing was written.
    pub(crate) batch_entries: Option<f64>,
}

/// The maximum number of parts.
const PARTS: u32 = 10;
/// Shorter parts would show noise.
const PART_MIN: Duration = Duration::from_secs(2);
/// The timeout for reading the lag of a projection.
const LAG_WAIT: Duration = Duration::from_secs(1);

/// The state at a moment of the run.
struct Sample {
    at: Instant,
    time: OffsetDateTime,
    done: u64,
    used: Count,
    projections_behind: BTreeMap<&'static str, i64>,
}

/// Drives a run of this length, and takes samples in the meantime. `done` counts the measured
/// items. The lag of projections is read if there is a client for it.
pub(crate) async fn sampled<T>(
    programs: &Programs,
    length: Duration,
    done: impl Fn() -> u64,
    client: Option<&Croupier>,
    run: impl Future<Output = T>,
) -> (T, Samples) {
    let parts = (length.as_secs_f64() / PART_MIN.as_secs_f64()) as u32;
    let part = length / parts.clamp(1, PARTS);
    let ended = CancellationToken::new();
    let running = async {
        let outcome = run.await;
        ended.cancel();
        outcome
    };
    let sampling = async {
        let mut samples = vec![Sample::take(programs, done(), None).await];
        let mut due = tokio::time::Instant::now();
        while !ended.is_cancelled() {
            due += part;
            let _ = tokio::time::timeout_at(due, ended.cancelled()).await;
            samples.push(Sample::take(programs, done(), client).await);
        }
        samples
    };
    let (outcome, mut samples) = tokio::join!(running, sampling);
    // The last two samples are close together if the run took as long as planned.
    if let [_, .., before, last] = &samples[..]
        && last.at - before.at < PART_MIN / 2
    {
        samples.remove(samples.len() - 2);
    }
    (outcome, Samples(samples))
}

impl Sample {
    async fn take(programs: &Programs, done: u64, client: Option<&Croupier>) -> Sample {
        let (at, time, used) = (Instant::now(), now(), programs.count());
        let mut projections_behind = BTreeMap::new();
        if let Some(client) = client {
            for name in Model::ALL.map(Model::name) {
                let asked =
                    timeout(LAG_WAIT, client.history().projection(name).into_future()).await;
                let lag = asked.ok().and_then(Result::ok).map(|it| it.lag);
                projections_behind.extend(lag.map(|lag| (name, lag.into())));
            }
        }
        Sample { at, time, done, used, projections_behind }
    }
}

/// The samples of a run that has ended.
pub(crate) struct Samples(Vec<Sample>);

impl Samples {
    /// How long the run took.
    pub(crate) fn took(&self) -> Duration {
        self.last().at - self.first().at
    }

    /// The CPU time of the whole run, per item.
    pub(crate) fn cpu(&self, items: u64) -> Cpu {
        self.last().used.cpu_since(&self.first().used, items)
    }

    /// The service's memory before and after the run, in bytes.
    pub(crate) fn memory(&self) -> Option<(u64, u64)> {
        self.first().used.memory.zip(self.last().used.memory)
    }

    /// When the run began, on the clock of entries.
    pub(crate) fn began_time(&self) -> OffsetDateTime {
        self.first().time
    }

    /// The parts, given the commits of the run.
    pub(crate) fn parts(&self, batches: &[Batch]) -> Vec<Part> {
        let began = self.first().at;
        let part = |pair: &[Sample]| {
            let (before, after) = (&pair[0], &pair[1]);
            let done = after.done - before.done;
            let within = before.time..after.time;
            let batches = batches.iter().filter(|it| within.contains(&it.create_time));
            let sizes: Vec<u64> = batches.map(|it| it.entries).collect();
            let mean = sizes.iter().sum::<u64>() as f64 / sizes.len() as f64;
            Part {
                until_s: rounded((after.at - began).as_secs_f64()),
                per_second: per_second(done, after.at - before.at),
                cpu_us: after.used.cpu_since(&before.used, done),
                service_memory_mb: after.used.memory.map(|bytes| bytes >> 20),
                projections_behind: after.projections_behind.clone(),
                batch_entries: (!sizes.is_empty()).then(|| rounded(mean)),
            }
        };
        self.0.windows(2).map(part).collect()
    }

    fn first(&self) -> &Sample {
        self.0.first().expect("a run begins with a sample")
    }

    fn last(&self) -> &Sample {
        self.0.last().expect("a run begins with a sample")
    }
}

/// The parts as a table, if there are several.
pub(crate) fn lines(parts: &[Part]) -> Vec<String> {
    if parts.len() < 2 {
        return Vec::new();
    }
    let us = |it: Option<f64>| it.map_or("-".to_owned(), |it| format!("{it:.1}"));
    let heads =
        ["until", "per second", "service", "Postgres", "clients us", "memory", "behind", "batch"];
    let row = |columns: [String; 8]| {
        let [first, rest @ ..] = columns;
        let rest = rest.iter().map(|it| format!("{it:>11}")).collect::<String>();
        format!("  {first:>7}{rest}")
    };
    let head = row(heads.map(str::to_owned));
    let lines = parts.iter().map(|it| {
        row([
            format!("{:.0} s", it.until_s),
            it.per_second.to_string(),
            us(it.cpu_us.service),
            us(it.cpu_us.postgres),
            format!("{:.1}", it.cpu_us.clients),
            it.service_memory_mb.map_or("-".to_owned(), |it| format!("{it} MB")),
            it.projections_behind.values().max().map_or("-".to_owned(), i64::to_string),
            us(it.batch_entries),
        ])
    });
    std::iter::once(head).chain(lines).collect()
}
