use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use games::{Game, action_as_struct, action_from_struct, find};
use modules::{Limits, Module};
use table::{MatchChance, Seat, Table, Viewer, invariants::key};

use crate::built;

/// Prints what an action costs natively and by a module: the median of each, on one thread.
#[test]
#[ignore = "measures; run it by hand in a release build"]
fn an_action_by_a_module_and_natively() {
    for name in ["mountebank", "grifters", "you-dirty-rat", "among-thieves", "rigs"] {
        let native = find(name).expect("a built-in game");
        let code = built::compiled(name);
        let begun = Instant::now();
        let module = Module::load(&code, Limits::default()).expect("it loads");
        let loaded = begun.elapsed();
        let (ours, theirs) = (costs(native), costs(&module));
        let kib = |bytes: usize| bytes / 1024;
        println!(
            "{name}: {:?} KiB of WebAssembly, {} of code, loads in {loaded:?}, linear memory {}",
            kib(built::wasm(name).len()),
            kib(code.bytes().len()),
            kib(module.memory_bytes()),
        );
        for ((what, ours), (_, theirs)) in ours.iter().zip(&theirs) {
            println!("  {what}: natively {ours:?}, by the module {theirs:?}");
        }
    }
}

fn costs(game: &dyn Game) -> [(&'static str, Duration); 6] {
    let (mut acts, mut parses, mut lists, mut restores) =
        <(Vec<_>, Vec<_>, Vec<_>, Vec<_>)>::default();
    let (mut reads, mut writes) = <(Vec<_>, Vec<_>)>::default();
    let native = find(game.name()).expect("a built-in game");
    let seats = *game.seats().start();
    let options = native.check_options(&BTreeMap::new(), seats).expect("the defaults fit");
    for seed in 0..40 {
        let chance = MatchChance::new(&[9; 16], &key(seed), &[]);
        // The same actions for both, from native play.
        let played = native.playout(seats, &options, &chance);
        let mut table = game.open(seats, &options, &[], &mut chance.after(0)).expect("it opens").0;
        let mut choices = u64::from(table.choices());
        for step in played.steps {
            let begun = Instant::now();
            let seen = table.seen_by(Viewer::Seat(step.seat));
            let legal = game.legal(&seen, step.seat).expect("it lists");
            lists.push(begun.elapsed());
            drop(legal);
            let begun = Instant::now();
            let form = action_as_struct(game, &step.action);
            writes.push(begun.elapsed());
            let begun = Instant::now();
            drop(action_from_struct(game, &form));
            reads.push(begun.elapsed());
            let begun = Instant::now();
            let action = game.parse(&step.action).expect("it is an action");
            parses.push(begun.elapsed());
            let begun = Instant::now();
            let made = action.play(&table, step.seat, &mut chance.after(choices));
            acts.push(begun.elapsed());
            let (after, entry) = made.expect("it is legal");
            choices += entry.choices.len() as u64;
            if seed % 8 == 0 {
                let fresh = Table::decode(&table.encode(), game.layout(), seats).expect("a table");
                let begun = Instant::now();
                drop(action.play(&fresh, step.seat, &mut chance.after(choices)));
                restores.push(begun.elapsed());
            }
            table = after;
        }
    }
    [
        ("an action", median(acts)),
        ("its parsing", median(parses)),
        ("the form of clients, read", median(reads)),
        ("the form of clients, written", median(writes)),
        ("a list", median(lists)),
        ("an action on a table that must be restored", median(restores)),
    ]
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Prints the memory of many live matches: of the host's tables and of the instances.
#[test]
#[ignore = "measures; run it by hand in a release build"]
fn ten_thousand_matches_at_once() {
    const MATCHES: u64 = 10_000;
    for name in ["mountebank", "rigs"] {
        let module = built::module(name, Limits::default());
        let seats = *module.seats().start();
        let options = module.check_options(&BTreeMap::new(), seats).expect("the defaults fit");
        let begun = Instant::now();
        let tables: Vec<Table> = (0..MATCHES)
            .map(|seed| {
                let chance = MatchChance::new(&[9; 16], &key(seed), &[]);
                module.open(seats, &options, &[], &mut chance.after(0)).expect("it opens").0
            })
            .collect();
        let opened = begun.elapsed();
        let begun = Instant::now();
        for (seed, table) in (0..).zip(&tables) {
            let seat: Seat = table.live().next().expect("a seat is asked").seat;
            let action = module.legal(table, seat).expect("it lists")[0].action.clone();
            let chance = MatchChance::new(&[9; 16], &key(seed), &[]);
            let played =
                module.play(table, seat, &action, &mut chance.after(table.choices().into()));
            drop(played.expect("it is legal"));
        }
        println!(
            "{name}: {MATCHES} matches opened in {opened:?}, an action in each in {:?}; linear \
             memory {} KiB, of which a match takes {} KiB",
            begun.elapsed(),
            module.memory_bytes() / 1024,
            module.memory_bytes() / 1024 / MATCHES as usize
        );
    }
}
