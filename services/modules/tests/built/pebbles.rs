use std::collections::BTreeMap;

use games::{Game, Refused};
use modules::{Limits, Module};
use table::{ChaCha, MatchChance, Seat, Small, Table, invariants::key};

use crate::built;

fn pebbles() -> Module {
    built::pebbles(Limits { instances: 2, tables: 20, ..Limits::default() })
}

fn opened(game: &dyn Game, seed: u64) -> Table {
    let options = game.check_options(&BTreeMap::new(), 2).expect("the defaults fit");
    let chance = MatchChance::new(&[1; 16], &key(seed), &[]);
    game.open(2, &options, &[], &mut chance.after(0)).expect("it opens").0
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_module_in_c_is_played_to_the_end() {
    let game = pebbles();
    assert_eq!((game.name(), game.seats()), ("pebbles", 2..=2));
    let mut winners = [0; 2];
    for seed in 0..200 {
        let played = game.check_invariants(2, seed).expect("what is legal is accepted");
        assert!((4..=15).contains(&played.actions), "{played:?}");
        let options = game.check_options(&BTreeMap::new(), 2).expect("the defaults fit");
        let playout = game.playout(2, &options, &MatchChance::new(&[1; 16], &key(seed), &[]));
        let last = playout.steps.last().expect("somebody acts");
        let won = last.after.winners().expect("the match has ended");
        assert!(won.has(last.seat) && won.len() == 1);
        winners[last.seat.index()] += 1;
    }
    assert!(winners.iter().all(|it| *it > 20), "{winners:?}");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_module_in_c_refuses_resigns_and_is_restored() {
    let game = pebbles();
    let mut table = opened(&game, 7);
    let take = |pebbles: u8| [0x0a, 2, 8, pebbles];
    let mut chance = ChaCha::of([0; 32], 0);
    let malformed = game.parse(&take(4)).expect_err("three at most");
    assert_eq!(malformed, Refused::Malformed("a seat takes 1 to 3 pebbles".into()));
    // One by one, each time as after a restart.
    loop {
        let seat = table.live().next().expect("a seat is asked").seat;
        table = Table::decode(&table.encode(), game.layout(), 2).expect("it was encoded");
        if game.legal(&table, seat).expect("it lists").len() < 3 {
            break;
        }
        table = game.play(&table, seat, &take(1), &mut chance).expect("it is legal").0;
    }
    let seat = table.live().next().expect("a seat is asked").seat;
    let refused = game.play(&table, seat, &take(3), &mut chance).expect_err("two are left");
    assert_eq!(
        refused,
        Refused::Rules {
            reason: "HEAP_TOO_SMALL",
            message: "the heap has fewer pebbles".into(),
            facts: Vec::new(),
        }
    );
    let timed_out = game.time_out(&table, seat, false, &mut chance).expect("it is asked").1;
    assert_eq!((timed_out.seat, timed_out.events.len()), (Some(seat), 3));
    let (ended, _) = game.resign(&table, seat, &mut chance).expect("it may");
    let other = Seat::nth(1 - seat.index()).expect("a seat");
    assert!(ended.winners().is_some_and(|it| it.has(other) && !it.has(seat)));
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn matches_on_many_threads_are_played_as_on_one() {
    let game = pebbles();
    let play = |seed: u64| {
        let options = game.check_options(&BTreeMap::new(), 2).expect("the defaults fit");
        let playout = game.playout(2, &options, &MatchChance::new(&[1; 16], &key(seed), &[]));
        playout.steps.iter().map(|step| step.entry.encode()).collect::<Vec<_>>()
    };
    let alone: Vec<_> = (0..64).map(play).collect();
    let together: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..64).map(|seed| scope.spawn(move || play(seed))).collect();
        threads.into_iter().map(|it| it.join().expect("it does not panic")).collect()
    });
    assert!(together == alone);
}
