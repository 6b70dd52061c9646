//! The cost of texts on one thread: `cargo bench -p narration`.
//!
//! Each line is the time for one random match with the most seats, told to its first seat. Items
//! per second are entries, or the items that the line's name says.

use std::hint::black_box;

use divan::{Bencher, counter::ItemsCount};
use games::{GAMES, Game, Playout};
use narration::{Language, Narrator, Titles};
use table::{ActionFilter, Entry, Seat, Small, Table, Viewer, invariants::chance};

fn main() {
    divan::main();
}

const SEED: u64 = 7;

const NAMES: [&str; 8] = ["Ada", "Bruno", "Cleo", "Dario", "Elif", "Farid", "Greta", "Hugo"];

/// A game and a language.
fn cases() -> Vec<(&'static str, &'static str)> {
    let tags = |game: &dyn Game| Language::of_game(game).into_iter().map(Language::tag);
    GAMES.iter().flat_map(|game| tags(*game).map(|tag| (game.name(), tag))).collect()
}

struct Case {
    game: &'static dyn Game,
    language: Language,
    names: Vec<Option<&'static str>>,
    playout: Playout,
}

/// The first seat.
fn reader() -> Seat {
    Seat::nth(0).expect("every table has it")
}

impl Case {
    fn of((name, tag): (&str, &str)) -> Case {
        let game = games::find(name).expect("the registry has it");
        let seats = *game.seats().end();
        let options = game.check_options(&Default::default(), seats).expect("the defaults fit");
        let playout = game.playout(seats, &options, &chance(SEED));
        let names = NAMES[..seats.into()].iter().map(|it| Some(*it)).collect();
        let language = Language::of(tag).expect("it is one of its tags");
        Case { game, language, names, playout }
    }

    fn narrator(&self) -> Narrator {
        Narrator::new(self.game, self.language, &self.names, Some(reader()))
    }

    fn entries(&self) -> Vec<Entry> {
        let steps = self.playout.steps.iter().map(|step| &step.entry);
        let entries = std::iter::once(&self.playout.opening.1).chain(steps);
        let viewer = Viewer::Seat(reader());
        entries.map(|entry| entry.seen_by(viewer, self.game.layout())).collect()
    }

    fn tables(&self) -> Vec<Table> {
        let steps = self.playout.steps.iter().step_by(16);
        steps.map(|step| step.after.seen_by(Viewer::Seat(reader()))).collect()
    }
}

/// A narrator for one match and one reader, made once for a call.
#[divan::bench(args = cases())]
fn narrator(bencher: Bencher, case: (&str, &str)) {
    let case = Case::of(case);
    bencher.counter(ItemsCount::new(1_usize)).bench(|| black_box(case.narrator()));
}

/// Every entry of a match, with its prompts.
#[divan::bench(args = cases())]
fn entries(bencher: Bencher, case: (&str, &str)) {
    let case = Case::of(case);
    let (narrator, entries) = (case.narrator(), case.entries());
    bencher.counter(ItemsCount::new(entries.len())).bench(|| {
        for entry in &entries {
            black_box(narrator.entry(entry));
            entry.prompts.iter().for_each(|prompt| drop(black_box(narrator.prompt(prompt))));
        }
    });
}

/// Every legal action of the seat that acts, at every sixteenth position of a match.
#[divan::bench(args = cases())]
fn labels(bencher: Bencher, case: (&str, &str)) {
    let case = Case::of(case);
    let narrator = case.narrator();
    let asked = case.playout.steps.iter().step_by(16);
    let legal = asked.flat_map(|step| {
        let seen = step.before.seen_by(Viewer::Seat(step.seat));
        let listed = case.game.list(&seen, step.seat, &ActionFilter::default());
        listed.expect("native rules list")
    });
    let legal: Vec<_> = legal.collect();
    bencher.counter(ItemsCount::new(legal.len())).bench(|| {
        legal.iter().for_each(|it| drop(black_box(narrator.label(it.verb, &it.action))));
    });
}

/// The drawn table of every sixteenth position of a match.
#[divan::bench(args = cases())]
fn tables(bencher: Bencher, case: (&str, &str)) {
    let case = Case::of(case);
    let (narrator, tables) = (case.narrator(), case.tables());
    bencher.counter(ItemsCount::new(tables.len())).bench(|| {
        tables.iter().for_each(|table| drop(black_box(narrator.table(table))));
    });
}

/// The titles of all pieces of a game.
#[divan::bench(args = cases())]
fn pieces(bencher: Bencher, case: (&str, &str)) {
    let case = Case::of(case);
    let titles = Titles::of(case.game, case.language);
    let pieces = case.game.layout().pieces();
    bencher.counter(ItemsCount::new(pieces.len())).bench(|| {
        pieces.iter().for_each(|piece| drop(black_box(titles.piece(piece))));
    });
}
