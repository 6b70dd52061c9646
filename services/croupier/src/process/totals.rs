//! Totals of a process: the few metrics that operators see without a Prometheus.
//!
//! They are counted where everything is, by the macros of `metrics`. A Prometheus, if one is
//! served, receives all metrics; otherwise only these cost anything.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agents::{DUE, LATE};
use api::meter::{CONNECTIONS_OPEN, REQUESTS, STREAMS_OPEN};
use database::NODE_UP;
use database::clock::{AHEAD, KNOWN};
use matches::{ACTIONS_SHED, WEBHOOK_ATTEMPTS};
use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, Key, KeyName, Metadata, Recorder, SharedString,
    Unit,
};
use metrics_exporter_prometheus::PrometheusRecorder;
use transparency::meter::WITNESS_UP;

use crate::process::alerts::ALERTS;
use crate::process::told::{Happened, Levels, Told, label};

/// The gauges that are kept, each by its first label.
const LEVELS: [&str; 8] =
    [STREAMS_OPEN, CONNECTIONS_OPEN, DUE, LATE, AHEAD, KNOWN, NODE_UP, WITNESS_UP];

/// Cheap to clone.
#[derive(Clone, Default)]
pub struct Totals(Arc<Inner>);

#[derive(Default)]
struct Inner {
    calls: Arc<Sum>,
    refused: Arc<Sum>,
    failed: Arc<Sum>,
    shed: Arc<Sum>,
    webhooks_taken: Arc<Occurrences>,
    webhooks_failed: Arc<Occurrences>,
    /// By alert.
    occurrences: [Arc<Occurrences>; ALERTS.len()],
    levels: Mutex<Levels<Arc<Level>>>,
}

/// The codes of calls that failed by no fault of their callers.
const FAILURES: [&str; 5] =
    ["UNKNOWN", "DEADLINE_EXCEEDED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"];

/// How long a webhook that failed is told to fail: attempts pause for up to three hours.
const WEBHOOK_PAUSE: Duration = Duration::from_secs(4 * 3600);

impl Totals {
    /// Counts from now on.
    pub fn install(&self, prometheus: Option<PrometheusRecorder>) {
        let recorder = Counting { totals: self.clone(), prometheus };
        metrics::set_global_recorder(recorder).expect("no other recorder is installed");
    }

    pub fn told(&self) -> Told {
        let it = &*self.0;
        let levels = it.levels.lock().unwrap_or_else(PoisonError::into_inner);
        let (taken, failed) = (it.webhooks_taken.happened(), it.webhooks_failed.happened());
        let is_recent = failed.last.is_some_and(|last| last.elapsed() < WEBHOOK_PAUSE);
        Told {
            calls: it.calls.get(),
            refused: it.refused.get(),
            failed: it.failed.get(),
            shed: it.shed.get(),
            webhooks_taken: taken.count,
            webhooks_failed: failed.count,
            webhooks_fail: is_recent && taken.last < failed.last,
            happened: it.occurrences.iter().map(|it| it.happened()).collect(),
            levels: levels.iter().map(|(key, it)| (key.clone(), it.get())).collect(),
        }
    }

    /// The totals and alerts that a series counts for.
    pub fn counters(&self, key: &Key) -> Vec<Counter> {
        let it = &self.0;
        let of_sum = |it: &Arc<Sum>| Some(Counter::from_arc(it.clone()));
        let of_occurrences = |it: &Arc<Occurrences>| Some(Counter::from_arc(it.clone()));
        let total = match (key.name(), label(key, "code"), label(key, "outcome")) {
            (REQUESTS, Some("OK"), _) => of_sum(&it.calls),
            (REQUESTS, Some(code), _) if FAILURES.contains(&code) => of_sum(&it.failed),
            (REQUESTS, Some(_), _) => of_sum(&it.refused),
            (ACTIONS_SHED, ..) => of_sum(&it.shed),
            (WEBHOOK_ATTEMPTS, _, Some("taken")) => of_occurrences(&it.webhooks_taken),
            (WEBHOOK_ATTEMPTS, _, Some(_)) => of_occurrences(&it.webhooks_failed),
            _ => None,
        };
        let alerts = ALERTS.iter().zip(&it.occurrences).filter(|(alert, _)| alert.counts(key));
        total.into_iter().chain(alerts.filter_map(|(_, it)| of_occurrences(it))).collect()
    }

    fn gauge(&self, key: &Key) -> Option<Gauge> {
        let name = *LEVELS.iter().find(|name| **name == key.name())?;
        let label = key.labels().next().map(|it| it.value().to_owned()).unwrap_or_default();
        let mut levels = self.0.levels.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Gauge::from_arc(levels.entry((name, label)).or_default().clone()))
    }
}

/// Counts totals, and everything for a Prometheus if there is one.
struct Counting {
    totals: Totals,
    prometheus: Option<PrometheusRecorder>,
}

impl Recorder for Counting {
    fn describe_counter(&self, key: KeyName, unit: Option<Unit>, text: SharedString) {
        if let Some(it) = &self.prometheus {
            it.describe_counter(key, unit, text);
        }
    }

    fn describe_gauge(&self, key: KeyName, unit: Option<Unit>, text: SharedString) {
        if let Some(it) = &self.prometheus {
            it.describe_gauge(key, unit, text);
        }
    }

    fn describe_histogram(&self, key: KeyName, unit: Option<Unit>, text: SharedString) {
        if let Some(it) = &self.prometheus {
            it.describe_histogram(key, unit, text);
        }
    }

    fn register_counter(&self, key: &Key, metadata: &Metadata<'_>) -> Counter {
        let mut all = self.totals.counters(key);
        all.extend(self.prometheus.as_ref().map(|it| it.register_counter(key, metadata)));
        match all.len() {
            0 => Counter::noop(),
            1 => all.remove(0),
            _ => Counter::from_arc(Arc::new(All(all))),
        }
    }

    fn register_gauge(&self, key: &Key, metadata: &Metadata<'_>) -> Gauge {
        let theirs = self.prometheus.as_ref().map(|it| it.register_gauge(key, metadata));
        match (self.totals.gauge(key), theirs) {
            (Some(own), Some(theirs)) => Gauge::from_arc(Arc::new(All(vec![own, theirs]))),
            (own, theirs) => own.or(theirs).unwrap_or_else(Gauge::noop),
        }
    }

    fn register_histogram(&self, key: &Key, metadata: &Metadata<'_>) -> Histogram {
        let theirs = self.prometheus.as_ref().map(|it| it.register_histogram(key, metadata));
        theirs.unwrap_or_else(Histogram::noop)
    }
}

struct All<T>(Vec<T>);

/// A number that only grows.
#[derive(Default)]
struct Sum(AtomicU64);

/// A number that grows rarely, and when it last did.
#[derive(Default)]
struct Occurrences {
    count: AtomicU64,
    /// In milliseconds since `START`; 0 if it never did.
    last_ms: AtomicU64,
}

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// A number of any size, as the bits of an `f64`.
#[derive(Default)]
struct Level(AtomicU64);

impl Sum {
    fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

impl Occurrences {
    fn happened(&self) -> Happened {
        let last_ms = Some(self.last_ms.load(Relaxed)).filter(|ms| *ms > 0);
        let last = last_ms.map(|ms| *START + Duration::from_millis(ms));
        Happened { count: self.count.load(Relaxed), last }
    }
}

impl Level {
    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Relaxed))
    }

    fn change(&self, change: impl Fn(f64) -> f64) {
        let bits = |it| Some(change(f64::from_bits(it)).to_bits());
        let _ = self.0.fetch_update(Relaxed, Relaxed, bits);
    }
}

impl CounterFn for Sum {
    fn increment(&self, value: u64) {
        self.0.fetch_add(value, Relaxed);
    }

    fn absolute(&self, value: u64) {
        self.0.fetch_max(value, Relaxed);
    }
}

impl GaugeFn for Level {
    fn increment(&self, value: f64) {
        self.change(|it| it + value);
    }

    fn decrement(&self, value: f64) {
        self.change(|it| it - value);
    }

    fn set(&self, value: f64) {
        self.0.store(value.to_bits(), Relaxed);
    }
}

impl CounterFn for Occurrences {
    fn increment(&self, value: u64) {
        // Counters are created by an increment of 0.
        if value > 0 {
            self.count.fetch_add(value, Relaxed);
            self.last_ms.fetch_max((START.elapsed().as_millis() as u64).max(1), Relaxed);
        }
    }

    fn absolute(&self, value: u64) {
        self.increment(value.saturating_sub(self.count.load(Relaxed)));
    }
}

impl CounterFn for All<Counter> {
    fn increment(&self, value: u64) {
        self.0.iter().for_each(|it| it.increment(value));
    }

    fn absolute(&self, value: u64) {
        self.0.iter().for_each(|it| it.absolute(value));
    }
}

impl GaugeFn for All<Gauge> {
    fn increment(&self, value: f64) {
        self.0.iter().for_each(|it| it.increment(value));
    }

    fn decrement(&self, value: f64) {
        self.0.iter().for_each(|it| it.decrement(value));
    }

    fn set(&self, value: f64) {
        self.0.iter().for_each(|it| it.set(value));
    }
}
