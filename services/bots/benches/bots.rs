//! The speed of bots, on one thread: `cargo bench -p bots`.
//!
//! Each line is for one match of a game with the most seats. Items are imagined tables, or
//! iterations of a search.

use std::hint::black_box;

use bots::Iterations;
use divan::{Bencher, counter::ItemsCount};
use games::{GAMES, Game, Playout, WithRules, with_rules};
use table::{
    ChaCha, Observation, Rules, Small, Table,
    invariants::{chance, key},
};

fn main() {
    divan::main();
}

fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|game| game.name())
}

const SEED: u64 = 7;

/// The acting seat's observation at every position of one random match.
fn observations(game: &'static dyn Game) -> Vec<Observation> {
    let seats = *game.seats().end();
    let options = game.check_options(&Default::default(), seats).expect("the defaults fit");
    let Playout { opening, steps } = game.playout(seats, &options, &chance(SEED));
    let mut every = Observation::each(game.layout(), seats);
    every.iter_mut().for_each(|it| it.hear(&opening.1));
    let mut known = Vec::new();
    for step in steps {
        known.push(every[step.seat.index()].clone());
        every.iter_mut().for_each(|it| it.hear(&step.entry));
    }
    known
}

struct Imagining<'a>(&'a [Observation]);

impl WithRules for Imagining<'_> {
    type Output = Vec<Table>;

    fn run<G: Rules>(self) -> Vec<Table> {
        let mut random = ChaCha::of(key(SEED), 1);
        self.0.iter().map(|it| it.imagine::<G>(&mut random)).collect()
    }
}

/// A whole table that the seat cannot tell from the real one, at every position of a match.
#[divan::bench(args = names())]
fn imagine(bencher: Bencher, name: &str) {
    let game = games::find(name).expect("the registry has it");
    let known = observations(game);
    bencher.counter(ItemsCount::new(known.len())).bench_local(|| {
        black_box(with_rules(game, Imagining(&known)));
    });
}

const ITERATIONS: u32 = 100;

/// A search in the middle of a match.
#[divan::bench(args = names(), sample_count = 20)]
fn search(bencher: Bencher, name: &str) {
    let game = games::find(name).expect("the registry has it");
    let known = observations(game);
    let known = &known[known.len() / 2];
    let level = bots::find(game, "search").expect("the registry has it");
    bencher.counter(ItemsCount::new(ITERATIONS)).bench_local(|| {
        let mut random = ChaCha::of(key(SEED), 1);
        black_box(level.choose(game, known, &mut Iterations(ITERATIONS), &mut random))
    });
}
