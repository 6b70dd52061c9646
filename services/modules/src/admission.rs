//! The admission of a module: its words, its table as drawn, and random matches for each number of
//! seats, bounded in time.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use games::Game;
use narration::{Language, Narrator, problems_of_words};
use table::{Entry, Table, Viewer, invariants::Played};

use crate::{
    Module,
    trial::{Failure, Reason, Stop, Trial},
};

/// How thorough an admission is.
#[derive(Clone, Copy, Debug)]
pub struct Admission {
    /// The matches for each number of seats.
    pub matches: u64,
    /// The only number of seats to play with, if not all.
    pub seats: Option<u8>,
    /// The seed of the first match; the others follow.
    pub seed: u64,
    /// The time for all matches. With less, there are fewer matches.
    pub time: Duration,
}

/// What was played, so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub matches: u64,
    pub of: u64,
    pub actions: u64,
}

/// What an admission found.
#[derive(Debug)]
pub struct Report {
    /// By number of seats: how many matches were played to their ends.
    pub matches: BTreeMap<u8, u64>,
    pub actions: u64,
    pub events: u64,
    /// Actions compared on two tables that a viewer cannot distinguish.
    pub compared: u64,
    /// Attempts at actions that were not legal, and were refused.
    pub refused: u64,
    /// The most steps that a call took.
    pub steps_max: u64,
    pub took: Duration,
    /// Why the module is not admitted.
    pub failure: Option<Box<Failure>>,
}

/// One in this many tables is drawn for each viewer in each language.
const DRAWN: u64 = 8;

/// Problems with words that a failure tells.
const PROBLEMS_MAX: usize = 20;

impl Admission {
    /// Tries a module. Keeps a copy of it for as long as the program runs, as its description is.
    pub fn run(&self, module: &Module, progress: &mut dyn FnMut(Progress)) -> Report {
        let begun = Instant::now();
        let seats = module.seats().filter(|it| self.seats.is_none_or(|only| *it == only));
        let game: &'static Module = Box::leak(Box::new(module.clone()));
        let mut trial = Trial::new(module);
        let mut report = Report {
            matches: seats.map(|it| (it, 0)).collect(),
            actions: 0,
            events: 0,
            compared: 0,
            refused: 0,
            steps_max: 0,
            took: Duration::ZERO,
            failure: words(game).err(),
        };
        if report.failure.is_none() {
            let played = self.play(game, &mut trial, &mut report, begun, progress);
            report.failure = played.err();
        }
        report.steps_max = trial.steps_max();
        report.took = begun.elapsed();
        report
    }

    /// Plays one match for each number of seats, then the next ones.
    fn play(
        &self,
        game: &'static Module,
        trial: &mut Trial,
        report: &mut Report,
        begun: Instant,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Box<Failure>> {
        let counts: Vec<u8> = report.matches.keys().copied().collect();
        let of = self.matches * counts.len() as u64;
        let mut drawing = Drawing::new(game);
        let mut done = Progress { matches: 0, of, actions: 0 };
        'all: for nth in 0..self.matches {
            for &count in &counts {
                let seed = self.seed.wrapping_add(nth);
                let mut watch = |table: &Table, entry: &Entry| {
                    if begun.elapsed() > self.time {
                        return ControlFlow::Break(Stop::Time);
                    }
                    done.actions += 1;
                    if done.actions.is_multiple_of(64) {
                        progress(done);
                    }
                    drawing.see(table, entry)
                };
                let Some(played) = trial.play(count, seed, &mut watch)? else { break 'all };
                report.add(count, &played);
                done.matches += 1;
                progress(done);
            }
        }
        let missing = report.matches.iter().find(|(_, matches)| **matches == 0);
        match missing.filter(|_| self.matches > 0) {
            None => Ok(()),
            Some((&seats, _)) => Err(Box::new(Failure {
                reason: Reason::TooSlow,
                seats,
                seed: self.seed,
                options: BTreeMap::new(),
                position: 0,
                detail: format!("no match of {seats} seats ended within {:?}", self.time),
                story: Vec::new(),
            })),
        }
    }
}

impl Report {
    fn add(&mut self, seats: u8, played: &Played) {
        *self.matches.entry(seats).or_default() += 1;
        self.actions += played.actions as u64;
        self.events += played.events as u64;
        self.compared += (played.swaps + played.amounts + played.counts) as u64;
        self.refused += played.refused as u64;
    }
}

fn words(game: &Module) -> Result<(), Box<Failure>> {
    let languages = Language::of_game(game);
    let mut problems = match languages.contains(&Language::ENGLISH) {
        true => problems_of_words(game, &languages),
        false => vec!["there are no words in English".to_owned()],
    };
    if problems.is_empty() {
        return Ok(());
    }
    let count = problems.len();
    problems.truncate(PROBLEMS_MAX);
    if count > PROBLEMS_MAX {
        problems.push(format!("and {} more", count - PROBLEMS_MAX));
    }
    Err(Box::new(Failure {
        reason: Reason::Words,
        seats: *game.seats().start(),
        seed: 0,
        options: BTreeMap::new(),
        position: 0,
        detail: problems.join("\n"),
        story: Vec::new(),
    }))
}

/// Draws tables, and tells entries, for each viewer in each language.
struct Drawing {
    game: &'static Module,
    languages: Vec<Language>,
    seen: u64,
}

impl Drawing {
    fn new(game: &'static Module) -> Drawing {
        Drawing { game, languages: Language::of_game(game), seen: 0 }
    }

    fn see(&mut self, table: &Table, entry: &Entry) -> ControlFlow<Stop> {
        let nth = self.seen;
        self.seen += 1;
        if !nth.is_multiple_of(DRAWN) {
            return ControlFlow::Continue(());
        }
        let seats = table.seat_count() as u8;
        for viewer in Viewer::guests(seats) {
            for &language in &self.languages {
                // Words or a layout that nobody thought of could make texts panic.
                let drawn =
                    catch_unwind(AssertUnwindSafe(|| self.draw(language, viewer, table, entry)));
                if let Err(panic) = drawn {
                    let said = panic.downcast_ref::<String>().cloned();
                    let said = said.or_else(|| panic.downcast_ref::<&str>().map(|it| (*it).into()));
                    let detail = format!(
                        "for {viewer:?} in {}: {}",
                        language.tag(),
                        said.unwrap_or_default()
                    );
                    return ControlFlow::Break(Stop::Failure(Reason::Drawing, detail));
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn draw(&self, language: Language, viewer: Viewer, table: &Table, entry: &Entry) {
        let names = vec![None; table.seat_count()];
        let reader = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::House | Viewer::Spectator => None,
        };
        let narrator = Narrator::new(self.game, language, &names, reader);
        let seen = table.seen_by(viewer);
        std::hint::black_box(narrator.entry(&entry.seen_by(viewer, table.layout())));
        std::hint::black_box(narrator.table(&seen));
        if let Some(seat) = reader
            && let Ok(legal) = self.game.legal(&seen, seat)
        {
            std::hint::black_box(narrator.labels(&seen, &legal));
        }
    }
}
