//! The progress and the report of a campaign.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;

use super::history::Outcome;
use super::plan::{Fault, Plan};

pub struct Tally {
    began: Instant,
    counts: Mutex<BTreeMap<Cow<'static, str>, usize>>,
    faults: Mutex<BTreeMap<Fault, usize>>,
    rushes: Mutex<Vec<Rush>>,
    operations: AtomicUsize,
    /// What is wrong.
    pub findings: Mutex<Vec<String>>,
}

/// The figures of a rush.
#[derive(Serialize)]
pub struct Rush {
    /// The overloaded process.
    pub process: String,
    /// Whether the database failed meanwhile, so that the figures mean little.
    pub was_troubled: bool,
    /// Accepted actions per second, just before and during the rush.
    pub answered_calm_per_s: f64,
    pub answered_per_s: f64,
    pub refused: u64,
    /// The latency of refusals.
    pub refused_p50_ms: f64,
    pub refused_p99_ms: f64,
    pub memory_before_mib: u64,
    pub memory_after_mib: u64,
}

impl fmt::Display for Rush {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let troubled = if self.was_troubled { ", the database in trouble" } else { "" };
        write!(
            out,
            "  process {}{troubled}: {:.0} actions/s accepted, {:.0} before; {} refused, in {:.1} ms (half), {:.1} ms (all but \
             1 %); {} MiB of memory, {} before",
            self.process,
            self.answered_per_s,
            self.answered_calm_per_s,
            self.refused,
            self.refused_p50_ms,
            self.refused_p99_ms,
            self.memory_after_mib,
            self.memory_before_mib,
        )
    }
}

impl Tally {
    pub fn new() -> Tally {
        let (counts, faults, rushes) = (Mutex::default(), Mutex::default(), Mutex::default());
        let (operations, findings) = (AtomicUsize::new(0), Mutex::default());
        Tally { began: Instant::now(), counts, faults, rushes, operations, findings }
    }

    pub fn count(&self, what: impl Into<Cow<'static, str>>) {
        self.add(what, 1);
    }

    pub fn add(&self, what: impl Into<Cow<'static, str>>, more: usize) {
        let mut counts = self.counts.lock().expect("nobody panics holding it");
        *counts.entry(what.into()).or_default() += more;
    }

    /// Keeps the largest.
    pub fn at_most(&self, what: &'static str, value: usize) {
        let mut counts = self.counts.lock().expect("nobody panics holding it");
        let most = counts.entry(what.into()).or_default();
        *most = value.max(*most);
    }

    pub fn struck(&self, fault: Fault) {
        *self.faults.lock().expect("nobody panics holding it").entry(fault).or_default() += 1;
    }

    pub fn rushed(&self, rush: Rush) {
        self.rushes.lock().expect("nobody panics holding it").push(rush);
    }

    pub fn operation(&self, what: &'static str) {
        self.operations.fetch_add(1, Relaxed);
        self.count(what);
    }

    pub fn submitted(&self, outcome: Outcome) {
        self.operation("submitted");
        self.count(match outcome {
            Outcome::At(_) => "told where it stands",
            Outcome::Moved(_) => "told that the match moved",
            Outcome::Refused => "refused by the rules",
            Outcome::Nothing => "told that nothing was done",
            Outcome::Unknown => "outcome unknown",
        });
    }

    pub fn operations(&self) -> usize {
        self.operations.load(Relaxed)
    }

    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Notes a finding, once.
    pub fn wrong(&self, finding: String) {
        let mut findings = self.findings.lock().expect("nobody panics holding it");
        if !findings.contains(&finding) {
            eprintln!("WRONG: {finding}");
            findings.push(finding);
        }
    }

    pub fn counted(&self, what: &'static str) -> usize {
        self.counts.lock().expect("nobody panics holding it").get(what).copied().unwrap_or(0)
    }

    pub fn faults(&self) -> BTreeMap<&'static str, usize> {
        let faults = self.faults.lock().expect("nobody panics holding it");
        faults.iter().map(|(fault, count)| (fault.name(), *count)).collect()
    }

    /// A line of progress.
    pub fn progress(&self) -> String {
        let seconds = self.elapsed().as_secs_f64();
        let operations = self.operations();
        format!(
            "{seconds:5.0} s  {operations:7} operations, {:5.0}/s  {:3} matches  {:3} faults  {:4} outcomes unknown",
            operations as f64 / seconds,
            self.counted("matches checked"),
            self.faults().values().sum::<usize>(),
            self.counted("outcome unknown"),
        )
    }

    /// The report for people.
    pub fn report(&self, plan: &Plan) -> String {
        let line = |name: &str, count: &usize| format!("  {count:9}  {name}\n");
        let counts = self.counts.lock().expect("nobody panics holding it");
        let rushes = self.rushes.lock().expect("nobody panics holding it");
        let findings = self.findings.lock().expect("nobody panics holding it");
        format!(
            "{} operations in {:.0} s\n{}faults\n{}rushes\n{}{}\n",
            self.operations(),
            self.elapsed().as_secs_f64(),
            counts.iter().map(|(name, count)| line(name, count)).collect::<String>(),
            self.faults().iter().map(|(name, count)| line(name, count)).collect::<String>(),
            rushes.iter().map(|rush| format!("{rush}\n")).collect::<String>(),
            match findings.len() {
                0 => "nothing was wrong".to_owned(),
                wrong => format!("{wrong} findings, listed above; repeat with: {}", plan.command()),
            },
        )
    }

    /// The report for programs.
    pub fn json(&self, plan: &Plan) -> serde_json::Value {
        let counts = self.counts.lock().expect("nobody panics holding it").clone();
        json!({
            "seed": plan.seed,
            "seconds": self.elapsed().as_secs_f64(),
            "operations": self.operations(),
            "processes": plan.processes,
            "counts": counts,
            "faults": self.faults(),
            "rushes": *self.rushes.lock().expect("nobody panics holding it"),
            "findings": *self.findings.lock().expect("nobody panics holding it"),
            "command": plan.command(),
        })
    }
}
