//! What a campaign has done so far, for those who wait and for those who read afterwards.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde_json::json;

use super::history::Outcome;
use super::plan::{Fault, Plan};

pub struct Tally {
    began: Instant,
    counts: Mutex<BTreeMap<Cow<'static, str>, usize>>,
    faults: Mutex<BTreeMap<Fault, usize>>,
    operations: AtomicUsize,
    /// What is wrong.
    pub findings: Mutex<Vec<String>>,
}

impl Tally {
    pub fn new() -> Tally {
        let (counts, faults) = (Mutex::default(), Mutex::default());
        let (operations, findings) = (AtomicUsize::new(0), Mutex::default());
        Tally { began: Instant::now(), counts, faults, operations, findings }
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

    /// Notes it, once.
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

    /// A line for those who wait.
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

    /// For people.
    pub fn report(&self, plan: &Plan) -> String {
        let line = |name: &str, count: &usize| format!("  {count:9}  {name}\n");
        let counts = self.counts.lock().expect("nobody panics holding it");
        let findings = self.findings.lock().expect("nobody panics holding it");
        format!(
            "{} operations in {:.0} s\n{}faults\n{}{}\n",
            self.operations(),
            self.elapsed().as_secs_f64(),
            counts.iter().map(|(name, count)| line(name, count)).collect::<String>(),
            self.faults().iter().map(|(name, count)| line(name, count)).collect::<String>(),
            match findings.len() {
                0 => "nothing was wrong".to_owned(),
                wrong => format!("{wrong} things were wrong, as said above: {}", plan.command()),
            },
        )
    }

    /// The same, for programs.
    pub fn json(&self, plan: &Plan) -> serde_json::Value {
        let counts = self.counts.lock().expect("nobody panics holding it").clone();
        json!({
            "seed": plan.seed,
            "seconds": self.elapsed().as_secs_f64(),
            "operations": self.operations(),
            "processes": plan.processes,
            "counts": counts,
            "faults": self.faults(),
            "findings": *self.findings.lock().expect("nobody panics holding it"),
            "command": plan.command(),
        })
    }
}
