//! `croupier game check`: the admission of a module.

use std::collections::BTreeMap;
use std::time::Duration;

use games::Game;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use modules::Module;
use modules::admission::{Admission, Report};
use modules::trial::Failure as Fault;
use serde::Serialize;

use super::module_file::ModuleFile;
use crate::commands::arguments::check_seats;
use crate::failure::Failure;
use crate::print;

/// Check whether a module can be admitted, without a service
///
/// Plays random matches for each number of seats and checks every invariant: for example, that
/// nobody learns what is hidden, that the same request has the same answer, and that every text is
/// there. A failure names the seed and the position, and tells the last entries of its match.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    file: ModuleFile,
    /// Only matches with this number of seats
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// The number of matches for each number of seats
    #[arg(long, value_name = "M", default_value_t = 50)]
    matches: u64,
    /// The seed of the first match
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// The seconds for all matches; with less, fewer are played
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time_s: u64,
    /// Print the outcome as a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Outcome {
    file: String,
    /// Null if the file is no module.
    game: Option<&'static str>,
    admitted: bool,
    rules: u32,
    /// The levels of bots that it names.
    levels: Vec<&'static str>,
    /// By number of seats: how many matches were played to their ends.
    matches: BTreeMap<u8, u64>,
    actions: u64,
    events: u64,
    /// Actions compared on two tables that a viewer cannot distinguish.
    compared: u64,
    /// Attempts at actions that were not legal, and were refused.
    refused: u64,
    /// The most steps that a call took, and how many it may take.
    steps_max: u64,
    steps_allowed: u64,
    took_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Found>,
}

/// Why a module is not admitted.
#[derive(Serialize)]
struct Found {
    reason: &'static str,
    /// What should hold, and does not.
    rule: &'static str,
    seats: u8,
    seed: u64,
    options: BTreeMap<String, String>,
    /// The position of the last entry; 0 if there is none.
    position: usize,
    detail: String,
    story: Vec<String>,
}

/// The reason for a file that is no module of a game.
const NO_MODULE: &str = "NO_MODULE";

pub fn run(args: &Args) -> Result<(), Failure> {
    let file = args.file.path.display().to_string();
    let outcome = match args.file.load() {
        Ok(module) => args.check(file, &module)?,
        Err(failure @ (Failure::Module(_) | Failure::Load(_))) => {
            if !args.json {
                return Err(failure);
            }
            Outcome::of_no_module(file, api::error_chain(&failure))
        }
        Err(failure) => return Err(failure),
    };
    if args.json {
        print::line(&serde_json::to_string(&outcome).expect("an outcome has a JSON form"))?;
    } else {
        outcome.lines().iter().try_for_each(|line| print::line(line))?;
    }
    match &outcome.failure {
        None => Ok(()),
        Some(found) => {
            Err(Failure::Negative(format!("{} is not admitted: {}", outcome.file, found.reason)))
        }
    }
}

impl Args {
    fn check(&self, file: String, module: &Module) -> Result<Outcome, Failure> {
        if let Some(seats) = self.seats {
            let (min, max) = module.seats().into_inner();
            check_seats(module.name(), min.into()..=max.into(), seats.into())?;
        }
        let admission = Admission {
            matches: self.matches,
            seats: self.seats,
            seed: self.seed,
            time: Duration::from_secs(self.time_s),
        };
        Ok(Outcome::of(file, module, try_out(module, &admission)))
    }
}

/// Runs the trial of a module, and shows how far it is.
pub fn try_out(module: &Module, admission: &Admission) -> Report {
    let bar = progress_bar();
    let report =
        admission.run(module, &mut |it| show_progress(&bar, it.matches, it.of, it.actions));
    bar.finish_and_clear();
    report
}

/// How far a trial is, on standard error, and only if that is a terminal.
pub fn progress_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} matches, {msg}");
    ProgressBar::new(0).with_style(style.expect("the template is valid"))
}

pub fn show_progress(bar: &ProgressBar, matches: u64, of: u64, actions: u64) {
    bar.set_length(of);
    bar.set_position(matches);
    bar.set_message(format!("{} actions", HumanCount(actions)));
}

impl Outcome {
    fn of(file: String, module: &Module, report: Report) -> Outcome {
        Outcome {
            file,
            game: Some(module.name()),
            admitted: report.failure.is_none(),
            rules: module.rules_version(),
            levels: module.own_levels().to_vec(),
            matches: report.matches,
            actions: report.actions,
            events: report.events,
            compared: report.compared,
            refused: report.refused,
            steps_max: report.steps_max,
            steps_allowed: module.limits().fuel,
            took_ms: report.took.as_millis() as u64,
            failure: report.failure.map(|it| Found::of(*it)),
        }
    }

    fn of_no_module(file: String, detail: String) -> Outcome {
        Outcome {
            file,
            game: None,
            admitted: false,
            rules: 0,
            levels: Vec::new(),
            matches: BTreeMap::new(),
            actions: 0,
            events: 0,
            compared: 0,
            refused: 0,
            steps_max: 0,
            steps_allowed: 0,
            took_ms: 0,
            failure: Some(Found {
                reason: NO_MODULE,
                rule: "the file is a module of a game",
                seats: 0,
                seed: 0,
                options: BTreeMap::new(),
                position: 0,
                detail,
                story: Vec::new(),
            }),
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut lines =
            vec![format!("{}: {}, rules {}", self.file, self.game.unwrap_or_default(), self.rules)];
        let played = self.matches.iter().map(|(seats, matches)| format!("{matches} of {seats}"));
        lines.push(format!(
            "Matches by number of seats: {}; {} actions, {} events in {:.1} s.",
            played.collect::<Vec<_>>().join(", "),
            HumanCount(self.actions),
            HumanCount(self.events),
            self.took_ms as f64 / 1000.0
        ));
        lines.push(format!(
            "Entries compared with something hidden changed: {}. Illegal actions refused: {}.",
            HumanCount(self.compared),
            HumanCount(self.refused)
        ));
        lines.push(format!(
            "The longest call took {} of {} steps.",
            HumanCount(self.steps_max),
            HumanCount(self.steps_allowed)
        ));
        let levels = self.levels.join(", ");
        lines.push(match &*levels {
            "" => "It names no levels of bots, which take any legal action.".to_owned(),
            levels => format!("Its bots: {levels}."),
        });
        match &self.failure {
            None => lines.push("It can be admitted.".to_owned()),
            Some(found) => lines.extend(found.lines(&self.file)),
        }
        lines
    }
}

impl Found {
    fn of(it: Fault) -> Found {
        Found {
            reason: it.reason.name(),
            rule: it.reason.sentence(),
            seats: it.seats,
            seed: it.seed,
            options: it.options,
            position: it.position,
            detail: it.detail,
            story: it.story,
        }
    }

    fn lines(&self, file: &str) -> Vec<String> {
        let Found { reason, rule, seats, seed, options, position, detail, story } = self;
        let mut lines = vec![format!("It cannot be admitted: {reason}. The rule: {rule}.")];
        lines.push(print::wrap("  ", detail));
        if *position > 0 {
            let options = options.iter().map(|(name, value)| format!("{name}={value}"));
            let options = options.collect::<Vec<_>>().join(", ");
            lines.push(format!(
                "A match of {seats} seats with seed {seed}, at position {position} ({options}):"
            ));
            lines.extend(story.iter().map(|it| print::wrap("  ", it)));
            lines.push(format!(
                "Reproduce it with: croupier game check {file} --seats {seats} --matches 1 --seed \
                 {seed}"
            ));
        }
        lines
    }
}
