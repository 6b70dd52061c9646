//! The speed of verifying every game: `cargo bench -p croupier-records`.
//!
//! Each line is the time for some matches with the most seats; items per second are entries, on one
//! thread.

use std::hint::black_box;

use divan::{Bencher, counter::ItemsCount};
use games::GAMES;
use records::{Block, Blocks, Chain, Creation, Digested, Known, verify_block, verify_rows};
use table::{Entry, Table, Viewer};

#[path = "../tests/verifying/common.rs"]
#[expect(dead_code, reason = "the tests use all of it")]
mod common;
use common::{Played, text_of};

fn main() {
    divan::main();
}

fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|game| game.name())
}

/// More entries than any match has.
const ENTRIES_MAX: usize = 2000;

fn matches(name: &str, count: u64) -> Vec<Played> {
    let game = games::find(name).expect("the registry has it");
    (0..count).map(|it| Played::new(game, *game.seats().end(), it, ENTRIES_MAX)).collect()
}

fn count(matches: &[Played]) -> ItemsCount {
    ItemsCount::new(matches.iter().map(|it| it.entries.len()).sum::<usize>())
}

/// Every entry decoded and applied to its table, and every digest computed and compared.
#[divan::bench(args = names())]
fn fold_and_digests(bencher: Bencher, name: &str) {
    let matches = matches(name, 4);
    bencher.counter(count(&matches)).bench(|| matches.iter().for_each(fold));
}

fn fold(it: &Played) {
    let layout = games::find(&it.row.game).expect("the registry has it").layout();
    let mut table = Table::new(layout, it.row.seats as u8, Viewer::House);
    let mut digests = Chain::new(Creation::from(&it.row), &it.seed);
    for recorded in &it.recorded {
        let entry = Entry::decode(&recorded.body, layout).expect("it was encoded");
        table.apply(&entry);
        let digest = digests.next(Digested::of(recorded, entry.seat.map(u8::from)));
        assert_eq!(recorded.digest, Some(digest));
    }
    black_box(table);
}

/// Everything, from the rows of a database.
#[divan::bench(args = names())]
fn rows(bencher: Bencher, name: &str) {
    let (matches, known) = (matches(name, 4), Known::default());
    bencher.counter(count(&matches)).bench(|| {
        for it in &matches {
            let outcome = verify_rows(&it.row, Some(it.seed), &it.recorded, &known);
            assert!(outcome.wrong.is_empty(), "{:?}", outcome.wrong);
        }
    });
}

/// Everything, from the lines of a file.
#[divan::bench(args = names())]
fn lines(bencher: Bencher, name: &str) {
    let (matches, known) = (matches(name, 4), Known::default());
    let text = text_of(matches.iter().flat_map(Played::lines).collect::<Vec<_>>().iter());
    let mut blocks = Blocks::new(text.as_bytes()).expect("a file of records");
    let blocks: Vec<Block> = std::iter::from_fn(|| blocks.read().expect("lines")).collect();
    bencher.counter(count(&matches)).bench(|| {
        for block in &blocks {
            assert!(verify_block(block, &known).wrong.is_empty());
        }
    });
}

/// A file with matches of all games, as `croupier verify` reads it.
#[divan::bench]
fn file(bencher: Bencher) {
    let matches: Vec<Played> = names().flat_map(|name| matches(name, 20)).collect();
    let text = text_of(matches.iter().flat_map(Played::lines).collect::<Vec<_>>().iter());
    let known = Known::default();
    bencher.counter(count(&matches)).bench(|| {
        let mut blocks = Blocks::new(text.as_bytes()).expect("a file of records");
        while let Some(block) = blocks.read().expect("lines") {
            assert!(verify_block(&block, &known).wrong.is_empty());
        }
    });
}
