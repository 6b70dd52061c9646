use std::{collections::BTreeMap, time::Duration};

use games::{Game, Refused};
use modules::{
    Compiled, Limits, LoadError, Module,
    compiling::{CompileError, Compiler},
};
use table::{ChaCha, Entry, Seat, Small, Table};

use crate::built;

/// One instance, so that all matches share it.
fn misbehaving() -> Module {
    built::module("misbehaving", Limits { instances: 1, ..Limits::default() })
}

fn chance() -> ChaCha {
    ChaCha::of([5; 32], 1)
}

fn opened(game: &dyn Game, seats: u8) -> Table {
    let options = game.check_options(&BTreeMap::new(), seats).expect("the defaults fit");
    game.open(seats, &options, &[], &mut chance()).expect("it opens").0
}

fn on_turn(table: &Table) -> Seat {
    table.live().next().expect("a seat is asked").seat
}

fn fault(number: u8) -> [u8; 3] {
    [0x98, 0x06, number]
}

fn act(game: &dyn Game, table: &Table, action: &[u8]) -> Result<(Table, Entry), Refused> {
    game.play(table, on_turn(table), action, &mut chance())
}

fn sentence(game: &dyn Game, table: &Table, number: u8) -> String {
    match act(game, table, &fault(number)) {
        Err(Refused::Faulty { message, .. }) => message,
        other => panic!("{number}: {:?}", other.map(|it| it.1)),
    }
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_fault_is_a_refusal_of_its_own_kind_and_every_match_goes_on() {
    let game = misbehaving();
    let (bad, neighbour) = (opened(&game, 2), opened(&game, 2));
    let faults = [
        (1, "it computed longer than a call may"),
        (2, "it used more memory than a module may"),
        (3, "it trapped: panicked at"),
        (4, "it used more stack than a call may"),
        (5, "it made more random choices than an entry may, or one that is none"),
        (6, "its entry cannot be: it has more events, prompts or choices than an entry can have"),
        (7, "it made more random choices than an entry may, or one that is none"),
        (9, "its entry cannot be: it follows the end of the match"),
        (99, "it trapped: panicked at"),
        (50, "it computed longer than a call may"),
    ];
    let legal = game.legal(&neighbour, on_turn(&neighbour)).expect("it lists")[0].action.clone();
    let expected = act(&game, &neighbour, &legal).expect("it is legal").1;
    for (number, reason) in faults {
        let sentence = sentence(&game, &bad, number);
        let begins = format!("the module of mountebank failed: {reason}");
        assert!(sentence.starts_with(&begins), "{number}: {sentence}");
        assert!(sentence.len() < 3_000, "{number}: {} bytes", sentence.len());
        // The other match, and this one, are played on in a new instance.
        for table in [&neighbour, &bad] {
            assert_eq!(act(&game, table, &legal).expect("it is legal").1, expected, "{number}");
        }
    }
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_list_that_is_too_long_is_refused() {
    let game = misbehaving();
    let mut table = opened(&game, 3);
    while u8::from(on_turn(&table)) != 2 {
        let legal = game.legal(&table, on_turn(&table)).expect("it lists");
        table = act(&game, &table, &legal[0].action).expect("it is legal").0;
    }
    let listed = game.legal(&table, Seat::nth(2).expect("a seat"));
    let Err(Refused::Faulty { message: sentence, .. }) = listed else { panic!("{listed:?}") };
    assert!(sentence.ends_with("its answer is too large"), "{sentence}");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_full_instance_begins_anew_and_no_match_notices() {
    let limits = Limits { instances: 1, tables: 3, ..Limits::default() };
    let game = built::module("mountebank", limits);
    let tables: Vec<Table> = (0..20).map(|_| opened(&game, 2)).collect();
    let legal = game.legal(&tables[0], on_turn(&tables[0])).expect("it lists")[0].action.clone();
    let entries = |table: &Table| act(&game, table, &legal).expect("it is legal").1.encode();
    let first = entries(&tables[0]);
    for _ in 0..3 {
        assert!(tables.iter().all(|table| entries(table) == first));
    }
}

// === Bytes that are no module ===

fn compile(module: &[u8]) -> Result<Compiled, CompileError> {
    built::compiler().compile(module)
}

fn load(module: &[u8]) -> String {
    let compiled = compile(module).expect("it is WebAssembly");
    match Module::load(&compiled, Limits::default()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("it is no game"),
    }
}

const HEADER: &[u8] = b"\0asm\x01\0\0\0";

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn what_is_no_module_is_refused_with_one_sentence() {
    let refused = |module: &[u8]| match compile(module) {
        Err(CompileError::Refused(said)) => said,
        other => panic!("{:?}", other.map(|_| ())),
    };
    for garbage in [&b""[..], b"not a module", &[HEADER, &[1, 200]].concat()] {
        let said = refused(garbage);
        assert!(!said.is_empty() && said.lines().count() <= 3, "{said}");
    }
    let large = vec![0; (8 << 20) + 1];
    assert!(matches!(compile(&large), Err(CompileError::TooLarge(_))));
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_module_without_the_exports_or_with_other_imports_is_refused() {
    assert_eq!(load(HEADER), "the module does not export memory");
    // (type (func)) (import "env" "now" (func (type 0)))
    let types = [1, 4, 1, 0x60, 0, 0];
    let import = [2, 11, 1, 3, b'e', b'n', b'v', 3, b'n', b'o', b'w', 0, 0];
    assert_eq!(load(&[HEADER, &types, &import].concat()), "the module imports what no host has");
}

/// What fills memory is charged for its length: counted as one step for each operation, this call
/// would take days.
#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_loop_that_fills_memory_computes_too_long() {
    // `allocate` gives 1024, `free` does nothing, and `call` fills 32 MB with zeros, for ever.
    let types = [1, 17, 3, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 1, 0x7f, 0];
    let types = [&types[..], &[0x60, 3, 0x7f, 0x7f, 0x7f, 1, 0x7e]].concat();
    let functions = [3, 4, 3, 0, 1, 2];
    let memory = [5, 4, 1, 0, 0x80, 0x08];
    let mut exports = vec![4];
    let exported: [(&str, u8, u8); 4] = [
        ("memory", 2, 0),
        ("croupier_allocate", 0, 0),
        ("croupier_free", 0, 1),
        ("croupier_call", 0, 2),
    ];
    for (name, kind, index) in exported {
        exports.push(name.len() as u8);
        exports.extend_from_slice(name.as_bytes());
        exports.extend_from_slice(&[kind, index]);
    }
    let exports = [&[7, exports.len() as u8][..], &exports].concat();
    let fill = [0, 0x03, 0x40, 0x41, 0, 0x41, 0, 0x41, 0x80, 0x80, 0x80, 0x10, 0xfc, 11, 0];
    let call = [&fill[..], &[0x0c, 0, 0x0b, 0x00, 0x0b]].concat();
    let bodies = [&[0, 0x41, 0x80, 0x08, 0x0b][..], &[0, 0x0b], &call];
    let mut code = vec![3];
    for body in bodies {
        code.push(body.len() as u8);
        code.extend_from_slice(body);
    }
    let code = [&[10, code.len() as u8][..], &code].concat();
    let module = [HEADER, &types, &functions, &memory, &exports, &code].concat();
    let said = load(&module);
    assert!(said.ends_with("it computed longer than a call may"), "{said}");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_compiler_that_takes_too_long_is_killed() {
    let compiler = Compiler { patience: Duration::ZERO, ..built::compiler() };
    let compiled = compiler.compile(&built::wasm("rigs"));
    assert!(matches!(compiled, Err(CompileError::TooLong(_))));
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn altered_code_of_another_engine_is_not_loaded() {
    let loaded = Module::load(&Compiled::trust(b"no code".to_vec()), Limits::default());
    assert!(matches!(loaded.err(), Some(LoadError::OtherEngine(_))));
}

/// A compiled game is the same bytes each time, so that it may be kept by the hash of its module.
#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn compiling_is_deterministic() {
    let wasm = built::wasm("mountebank");
    let (one, other) = (compile(&wasm).expect("it compiles"), compile(&wasm).expect("it compiles"));
    assert!(one.bytes() == other.bytes());
    assert!(one.bytes().len() > wasm.len() / 2);
}
