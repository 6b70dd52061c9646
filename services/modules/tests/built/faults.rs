use std::collections::BTreeMap;

use games::{Game, Refused};
use modules::{Limits, Module};
use table::{ActionFilter, ChaCha, Entry, Seat, Table};

use crate::built;

/// One instance, so that all matches share it.
const LIMITS: fn() -> Limits = || Limits { instances: 1, ..Limits::default() };

/// What the process may ever have in memory: twice the largest instance, and what the tests take.
const PEAK_KIB_MAX: u64 = 256 << 10;

fn chance() -> ChaCha {
    ChaCha::of([5; 32], 1)
}

fn opened(game: &dyn Game) -> Table {
    let options = game.check_options(&BTreeMap::new(), 2).expect("the defaults fit");
    game.open(2, &options, &[], &mut chance()).expect("it opens").0
}

fn on_turn(table: &Table) -> Seat {
    table.live().next().expect("a seat is asked").seat
}

/// Takes pebbles, or asks for the fault of this number.
fn take(number: u8) -> [u8; 4] {
    [0x0a, 2, 8, number]
}

fn act(game: &dyn Game, table: &Table, action: &[u8]) -> Result<(Table, Entry), Refused> {
    game.play(table, on_turn(table), action, &mut chance())
}

/// Why the module failed.
fn reason<T>(failed: Result<T, Refused>) -> String {
    match failed {
        Err(Refused::Faulty { message: sentence, .. }) => {
            let reason = sentence.strip_prefix("the module of pebbles failed: ");
            reason.unwrap_or_else(|| panic!("{sentence}")).to_owned()
        }
        Err(other) => panic!("not a fault of the module: {other:?}"),
        Ok(_) => panic!("it was accepted"),
    }
}

fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux tells it");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// Checks one fault: the refusal, and that its match and another one are played on.
fn check(number: u8, expected: &str) {
    let game = built::faults(LIMITS());
    let (bad, neighbour) = (opened(&game), opened(&game));
    let next = act(&game, &neighbour, &take(1)).expect("it is legal").1;
    for _ in 0..2 {
        let reason = reason(act(&game, &bad, &take(number)));
        assert!(reason.starts_with(expected), "{number}: {reason}");
        assert!(reason.len() < 1_200, "{number}: {} bytes", reason.len());
        for table in [&neighbour, &bad] {
            assert_eq!(act(&game, table, &take(1)).expect("it is legal").1, next, "{number}");
        }
    }
    assert!(game.memory_bytes() <= LIMITS().memory_bytes);
    let peak = peak_kib();
    assert!(peak < PEAK_KIB_MAX, "{number}: {peak} KiB");
}

const TOO_LONG: &str = "it computed longer than a call may";
const BAD_CHOICE: &str = "it made more random choices than an entry may, or one that is none";

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn an_endless_loop_ends() {
    check(10, TOO_LONG);
    // Also where there is no table yet.
    check(60, TOO_LONG);
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn memory_is_bounded() {
    check(11, "it used more memory than a module may");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_trap_says_what_was_logged_last() {
    check(12, "it trapped: it was meant to");
    check(16, "it trapped: wasm trap: out of bounds memory access");
    check(17, "it trapped: ");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn the_stack_is_bounded() {
    check(13, "it used more stack than a call may");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn chance_is_bounded() {
    check(14, BAD_CHOICE);
    check(15, BAD_CHOICE);
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn an_answer_that_lies_about_its_size_or_place_is_not_read() {
    check(20, "its answer is too large");
    check(21, "its answer lies outside of its memory");
    check(24, "its answer is no message of the contract");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn an_answer_of_garbage_is_refused() {
    check(22, "its answer is no message of the contract");
    check(23, "its answer lacks the outcome");
    check(52, "its answer names the reason \"BECAUSE\", which its description does not");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn an_entry_of_another_action_is_refused() {
    check(30, "its entry is not of this action: the seat differs");
    check(31, "its entry is not of this action: the verb differs");
    check(32, "its entry is not of this action: the action differs");
    check(33, "its entry is not of this action: the version of rules differs");
    check(34, "its entry is not of this action: the list of choices differs");
    check(35, "its entry is not of this action: the kind of events differs");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn an_entry_that_cannot_be_is_refused() {
    check(40, "its entry cannot be: ");
    check(41, "its entry cannot be: ");
    check(42, "its entry cannot be read: ");
    check(43, "its entry cannot be read: ");
    check(44, "its entry cannot be: it follows the end of the match");
    check(45, "its entry cannot be: only the house records such an event");
    check(46, "its entry cannot be: a prompt that it keeps open was not open before");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_table_of_another_match_is_not_taken_for_a_new_one() {
    check(50, "its answer names a table that is not new");
    check(51, "its answer names a table that is not new");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_table_that_differs_from_that_of_the_host_is_noticed() {
    let game = built::faults(Limits { compare_every: 2, ..LIMITS() });
    let table = opened(&game);
    let second = act(&game, &table, &take(1));
    assert_eq!(reason(second), "its table differs from that of the host");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_list_is_bounded_and_names_verbs_of_the_description() {
    let game = built::faults(LIMITS());
    let table = opened(&game);
    let list = |verb: &str| {
        let filter = ActionFilter { verb: Some(verb.to_owned()), ..ActionFilter::default() };
        game.list(&table, on_turn(&table), &filter)
    };
    assert_eq!(list("take").expect("it lists").len(), 3);
    assert_eq!(reason(list("ever!")), "its answer is too large");
    let undescribed = "its answer names the verb \"giving\", which its description does not";
    assert_eq!(reason(list("others")), undescribed);
    assert_eq!(list("take").expect("it lists").len(), 3);
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_buffer_outside_of_the_memory_is_not_written() {
    let game: Module = built::faults(LIMITS());
    let table = opened(&game);
    // An unknown field of 9,000 bytes.
    let long = [&take(1)[..], &[0x7a, 0xa8, 0x46], &[0; 9_000]].concat();
    assert_eq!(reason(act(&game, &table, &long)), "its answer lies outside of its memory");
    act(&game, &table, &take(1)).expect("it is legal");
}
