//! Drills: what an operator lives through, on real databases and with the real program. `make
//! drills` runs them one after the other and prints a line of JSON for each.
//!
//! A [`crowd`] plays while a database [fails over or is restored](failover), another
//! [release](releases) serves beside this one, a [neighbour](neighbours) misbehaves,
//! [a module](modules) fails in a hundred matches, or one of three machines [dies](availability).
//! [Clocks](clocks) are set wrong. The database is a [cluster](citus). Each [alert](alarms) fires.
//! Frauds of the [transparency log](log) are found.

mod alarms;
mod availability;
mod citus;
mod clocks;
mod crowd;
mod database;
mod failover;
mod leaving;
mod log;
mod machines;
mod modules;
mod month;
mod neighbours;
mod releases;
mod restore;

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value};

/// A drill under way. When it is dropped its line is written.
pub struct Drill {
    name: &'static str,
    began: Instant,
    figures: Map<String, Value>,
    skipped: Option<&'static str>,
    /// Whether a part of it cannot take place here; a figure says which.
    is_partial: bool,
}

impl Drill {
    pub fn begin(name: &'static str) -> Drill {
        Drill { name, began: Instant::now(), figures: Map::new(), skipped: None, is_partial: false }
    }

    pub fn figure(&mut self, name: &str, value: impl Into<Value>) {
        self.figures.insert(name.to_owned(), value.into());
    }

    /// It cannot take place here.
    pub fn skip(mut self, reason: &'static str) {
        self.skipped = Some(reason);
    }

    /// A part of it cannot take place here, as the figure `skipped` says.
    pub fn skip_in_part(&mut self) {
        self.is_partial = true;
    }
}

impl Drop for Drill {
    fn drop(&mut self) {
        let outcome = match (std::thread::panicking(), self.skipped) {
            (true, _) => "failed".to_owned(),
            (false, Some(reason)) => format!("skipped: {reason}"),
            (false, None) if self.is_partial => "passed but for what was skipped".to_owned(),
            (false, None) => "passed".to_owned(),
        };
        let line = serde_json::json!({
            "drill": self.name,
            "outcome": outcome,
            "figures": std::mem::take(&mut self.figures),
            "seconds": (self.began.elapsed().as_secs_f64() * 10.0).round() / 10.0,
        });
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("drills.jsonl");
        let lines = File::options().create(true).append(true).open(path);
        // Tests may be under way in other processes: one write is one line.
        let written = lines.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        if let Err(error) = written {
            eprintln!("the line of a drill could not be written: {error}");
        }
        eprintln!("{line}");
    }
}
