//! Totals of a process: the few metrics that operators see without a Prometheus.
//!
//! They are counted where everything is, by the macros of `metrics`. A Prometheus, if one is
//! served, receives all metrics; otherwise only these cost anything.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use agents::{DUE, LATE};
use api::meter::{REQUESTS, STREAMS_OPEN};
use matches::{ACTIONS_SHED, WEBHOOK_ATTEMPTS};
use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, Key, KeyName, Metadata, Recorder, SharedString,
    Unit,
};
use metrics_exporter_prometheus::PrometheusRecorder;

/// Cheap to clone.
#[derive(Clone, Default)]
pub struct Totals(Arc<Inner>);

#[derive(Default)]
struct Inner {
    calls: Arc<Sum>,
    refused: Arc<Sum>,
    failed: Arc<Sum>,
    shed: Arc<Sum>,
    webhooks_taken: Arc<Sum>,
    webhooks_failed: Arc<Sum>,
    streams: Arc<Level>,
    agents: Mutex<BTreeMap<String, Backlog>>,
}

/// What is due for an agent, and for how many seconds.
#[derive(Clone, Default)]
struct Backlog {
    due: Arc<Level>,
    late: Arc<Level>,
}

/// What was counted so far, and the levels now.
pub struct Told {
    /// Calls that ended well.
    pub calls: u64,
    pub refused: u64,
    pub failed: u64,
    pub shed: u64,
    pub webhooks_taken: u64,
    pub webhooks_failed: u64,
    pub streams: f64,
    /// What is due, and for how many seconds, by agent.
    pub agents: Vec<(String, f64, f64)>,
}

/// The codes of calls that failed by no fault of their callers.
const FAILURES: [&str; 5] =
    ["UNKNOWN", "DEADLINE_EXCEEDED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"];

impl Totals {
    /// Counts from now on.
    pub fn install(&self, prometheus: Option<PrometheusRecorder>) {
        let recorder = Counting { totals: self.clone(), prometheus };
        metrics::set_global_recorder(recorder).expect("no other recorder is installed");
    }

    pub fn told(&self) -> Told {
        let it = &*self.0;
        let agents = it.agents.lock().unwrap_or_else(PoisonError::into_inner);
        let agents = agents.iter().map(|(name, it)| (name.clone(), it.due.get(), it.late.get()));
        Told {
            calls: it.calls.get(),
            refused: it.refused.get(),
            failed: it.failed.get(),
            shed: it.shed.get(),
            webhooks_taken: it.webhooks_taken.get(),
            webhooks_failed: it.webhooks_failed.get(),
            streams: it.streams.get(),
            agents: agents.collect(),
        }
    }

    fn counter(&self, key: &Key) -> Option<Arc<Sum>> {
        let it = &self.0;
        let sum = match key.name() {
            REQUESTS => match label(key, "code")? {
                "OK" => &it.calls,
                code if FAILURES.contains(&code) => &it.failed,
                _ => &it.refused,
            },
            ACTIONS_SHED => &it.shed,
            WEBHOOK_ATTEMPTS => match label(key, "outcome")? {
                "taken" => &it.webhooks_taken,
                _ => &it.webhooks_failed,
            },
            _ => return None,
        };
        Some(sum.clone())
    }

    fn gauge(&self, key: &Key) -> Option<Arc<Level>> {
        let of_agent = || {
            let mut agents = self.0.agents.lock().unwrap_or_else(PoisonError::into_inner);
            let agent = agents.entry(label(key, "agent")?.to_owned()).or_default();
            Some(agent.clone())
        };
        match key.name() {
            STREAMS_OPEN => Some(self.0.streams.clone()),
            DUE => Some(of_agent()?.due),
            LATE => Some(of_agent()?.late),
            _ => None,
        }
    }
}

fn label<'a>(key: &'a Key, name: &str) -> Option<&'a str> {
    key.labels().find(|it| it.key() == name).map(metrics::Label::value)
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
        let theirs = self.prometheus.as_ref().map(|it| it.register_counter(key, metadata));
        match (self.totals.counter(key), theirs) {
            (None, theirs) => theirs.unwrap_or_else(Counter::noop),
            (Some(own), None) => Counter::from_arc(own),
            (Some(own), Some(theirs)) => Counter::from_arc(Arc::new(Both(own, theirs))),
        }
    }

    fn register_gauge(&self, key: &Key, metadata: &Metadata<'_>) -> Gauge {
        let theirs = self.prometheus.as_ref().map(|it| it.register_gauge(key, metadata));
        match (self.totals.gauge(key), theirs) {
            (None, theirs) => theirs.unwrap_or_else(Gauge::noop),
            (Some(own), None) => Gauge::from_arc(own),
            (Some(own), Some(theirs)) => Gauge::from_arc(Arc::new(Both(own, theirs))),
        }
    }

    fn register_histogram(&self, key: &Key, metadata: &Metadata<'_>) -> Histogram {
        let theirs = self.prometheus.as_ref().map(|it| it.register_histogram(key, metadata));
        theirs.unwrap_or_else(Histogram::noop)
    }
}

struct Both<Own, Theirs>(Own, Theirs);

/// A number that only grows.
#[derive(Default)]
struct Sum(AtomicU64);

/// A number of any size, as the bits of an `f64`.
#[derive(Default)]
struct Level(AtomicU64);

impl Sum {
    fn get(&self) -> u64 {
        self.0.load(Relaxed)
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

impl CounterFn for Both<Arc<Sum>, Counter> {
    fn increment(&self, value: u64) {
        CounterFn::increment(&self.0, value);
        self.1.increment(value);
    }

    fn absolute(&self, value: u64) {
        CounterFn::absolute(&self.0, value);
        self.1.absolute(value);
    }
}

impl GaugeFn for Both<Arc<Level>, Gauge> {
    fn increment(&self, value: f64) {
        GaugeFn::increment(&self.0, value);
        self.1.increment(value);
    }

    fn decrement(&self, value: f64) {
        GaugeFn::decrement(&self.0, value);
        self.1.decrement(value);
    }

    fn set(&self, value: f64) {
        GaugeFn::set(&self.0, value);
        self.1.set(value);
    }
}
