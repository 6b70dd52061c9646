//! The speed of every game on one thread: `cargo bench -p croupier-games`.
//!
//! Each line is the time for one match with the most seats. Items per second are actions; in `fold`
//! and `redact` they are events, in `encode` and `decode` entries.

use std::{hint::black_box, sync::Arc};

use divan::{Bencher, counter::ItemsCount};
use games::{GAMES, Playout};
use table::{
    ChaCha, Entry, Event, Table, Viewer,
    invariants::{chance, key},
};

fn main() {
    divan::main();
}

fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|game| game.name())
}

/// The maximum number of seats of a game, and one random match with as many.
fn record(name: &str) -> (u8, Playout) {
    let game = games::find(name).expect("the registry has it");
    let seats = *game.seats().end();
    let options = game.check_options(&Default::default(), seats).expect("the defaults fit");
    (seats, game.playout(seats, &options, &chance(SEED)))
}

const SEED: u64 = 7;

/// Matches played in place for one measurement, because they differ.
const IN_PLACE: u64 = 16;

fn entries(playout: &Playout) -> Vec<&Entry> {
    [&playout.opening.1].into_iter().chain(playout.steps.iter().map(|step| &step.entry)).collect()
}

fn count<T>(it: impl IntoIterator<Item = T>) -> ItemsCount {
    ItemsCount::new(it.into_iter().count())
}

/// A copy of every table of a match.
#[divan::bench(args = names())]
fn clone(bencher: Bencher, name: &str) {
    let (_, playout) = record(name);
    bencher.counter(count(&playout.steps)).bench(|| {
        playout.steps.iter().for_each(|step| drop(black_box(step.before.clone())));
    });
}

/// Every action of a match: its message is parsed and played on a copy of the table.
#[divan::bench(args = names())]
fn play(bencher: Bencher, name: &str) {
    let game = games::find(name).expect("the registry has it");
    let (_, playout) = record(name);
    bencher.counter(count(&playout.steps)).bench(|| {
        for (n, step) in playout.steps.iter().enumerate() {
            let mut chance = ChaCha::of(key(SEED), n as u64 + 2);
            black_box(game.play(&step.before, step.seat, &step.action, &mut chance)).ok();
        }
    });
}

/// Every action of a match as the service accepts it: parsed, played, and its entry encoded.
#[divan::bench(args = names())]
fn accept(bencher: Bencher, name: &str) {
    let game = games::find(name).expect("the registry listed it");
    let (_, playout) = record(name);
    let opened = Arc::new(playout.opening.0.clone());
    let chance = chance(SEED);
    bencher.counter(count(&playout.steps)).bench(|| {
        let mut table = opened.clone();
        for step in &playout.steps {
            let mut chance = chance.after(table.choices().into());
            let action = game.parse(&step.action).expect("a recorded action parses");
            let played = action.play(&table, step.seat, &mut chance);
            let (after, entry) = played.expect("a recorded action is legal");
            black_box(entry.encode());
            table = Arc::new(after);
        }
        table
    });
}

/// A whole random match: legal actions are listed and one is played, until the end.
#[divan::bench(args = names())]
fn playout(bencher: Bencher, name: &str) {
    let game = games::find(name).expect("the registry has it");
    let (seats, playout) = record(name);
    let options = game.check_options(&Default::default(), seats).expect("the defaults fit");
    bencher
        .counter(count(&playout.steps))
        .bench(|| drop(black_box(game.playout(seats, &options, &chance(SEED)))));
}

/// Some random matches in place and without a record, as a search plays them: an action is drawn
/// and played, until the end.
#[divan::bench(args = names())]
fn playout_in_place(bencher: Bencher, name: &str) {
    let game = games::find(name).expect("the registry has it");
    let (_, playout) = record(name);
    let play = |number| {
        let mut table = playout.opening.0.clone();
        game.playout_in_place(&mut table, &mut ChaCha::of(key(SEED), number))
    };
    let play_all = || (0..IN_PLACE).map(play).sum::<usize>();
    bencher.counter(ItemsCount::new(play_all())).bench(play_all);
}

/// A whole random match, with every invariant checked after every entry.
#[divan::bench(args = names())]
fn invariants(bencher: Bencher, name: &str) {
    let game = games::find(name).expect("the registry has it");
    let seats = *game.seats().end();
    let actions = game.check_invariants(seats, SEED + 1).expect("the invariants hold").actions;
    bencher
        .counter(ItemsCount::new(actions))
        .bench(|| black_box(game.check_invariants(seats, SEED + 1)).is_ok());
}

/// All entries of a match applied to its table.
#[divan::bench(args = names())]
fn fold(bencher: Bencher, name: &str) {
    let (seats, playout) = record(name);
    let log = entries(&playout);
    bencher.counter(count(log.iter().flat_map(|entry| &entry.events))).bench(|| {
        let mut table = Table::new(playout.opening.0.layout(), seats, Viewer::House);
        log.iter().for_each(|entry| table.apply(entry));
        table
    });
}

/// Every event of a match, redacted for a spectator.
#[divan::bench(args = names())]
fn redact(bencher: Bencher, name: &str) {
    let (_, playout) = record(name);
    let layout = playout.opening.0.layout();
    let events: Vec<&Event> = entries(&playout).iter().flat_map(|entry| &entry.events).collect();
    bencher.counter(count(&events)).bench(|| {
        events.iter().for_each(|event| drop(black_box(event.seen_by(Viewer::Spectator, layout))));
    });
}

/// Every table of a match, redacted for a spectator.
#[divan::bench(args = names())]
fn view(bencher: Bencher, name: &str) {
    let (_, playout) = record(name);
    bencher.counter(count(&playout.steps)).bench(|| {
        playout
            .steps
            .iter()
            .for_each(|step| drop(black_box(step.after.seen_by(Viewer::Spectator))));
    });
}

/// Every entry of a match, encoded for storage.
#[divan::bench(args = names())]
fn encode(bencher: Bencher, name: &str) {
    let (_, playout) = record(name);
    let log = entries(&playout);
    bencher
        .counter(count(&log))
        .bench(|| log.iter().for_each(|entry| drop(black_box(entry.encode()))));
}

/// Every entry of a match, decoded from storage.
#[divan::bench(args = names())]
fn decode(bencher: Bencher, name: &str) {
    let (_, playout) = record(name);
    let layout = playout.opening.0.layout();
    let log: Vec<_> = entries(&playout).iter().map(|entry| entry.encode()).collect();
    bencher.counter(count(&log)).bench(|| {
        log.iter().for_each(|bytes| drop(black_box(Entry::decode(bytes, layout))));
    });
}
