use bots::{Iterations, LEVELS, Suggestion, suggest};
use games::{GAMES, Game};
use modules::{Limits, Module};
use table::{
    ChaCha, Chance, Observation, Small,
    invariants::{chance, key},
};

use crate::built;
use crate::trial::cheating;

/// Positions of each game, unless `POSITIONS` says otherwise.
const POSITIONS: usize = 40;

/// A bot in a service has some hundreds.
const ITERATIONS: u32 = 40;

fn chosen(
    game: &dyn Game,
    level: &str,
    known: &Observation,
    seed: u64,
) -> (Option<bytes::Bytes>, usize) {
    let level = bots::find(game, level).expect("it is a level");
    // What was drawn is the same as well.
    let mut random = ChaCha::of(key(seed), 4);
    let choice = level.choose(game, known, &mut Iterations(ITERATIONS), &mut random);
    (choice.expect("it chooses"), random.below(usize::MAX >> 33))
}

fn advised(game: &dyn Game, known: &Observation, seed: u64) -> Vec<Suggestion> {
    let mut random = ChaCha::of(key(seed), 5);
    let mut budget = Iterations(ITERATIONS);
    suggest(game, known, &mut budget, &mut random).expect("it has opinions")
}

#[derive(Debug, Default)]
struct Compared {
    positions: usize,
    choices: usize,
    acted: usize,
    advice: usize,
}

/// Positions of random matches, from what each seat was told.
fn compare(native: &'static dyn Game, module: &Module, most: usize) -> Compared {
    let mut compared = Compared::default();
    for seed in 0.. {
        let counts: Vec<u8> = native.seats().collect();
        let count = counts[seed as usize % counts.len()];
        let options = native.check_options(&Default::default(), count).expect("the defaults fit");
        let played = native.playout(count, &options, &chance(seed));
        let mut known = Observation::each(native.layout(), count);
        let mut known_to_module = Observation::each(module.layout(), count);
        for it in known.iter_mut().chain(&mut known_to_module) {
            it.hear(&played.opening.1);
        }
        let spread = played.steps.len() / 8 + 1;
        for (nth, step) in played.steps.iter().enumerate() {
            if nth % spread == seed as usize % spread {
                let seat = step.seat.index();
                let (ours, theirs) = (&known[seat], &known_to_module[seat]);
                compared.positions += 1;
                for level in LEVELS {
                    let expected = chosen(native, level.name, ours, nth as u64);
                    let given = chosen(module, level.name, theirs, nth as u64);
                    let name = native.name();
                    assert_eq!(given, expected, "{name}, {}, {seed}, {nth}", level.name);
                    compared.choices += 1;
                    compared.acted += usize::from(given.0.is_some());
                }
                let expected = advised(native, ours, nth as u64);
                assert_eq!(advised(module, theirs, nth as u64), expected);
                compared.advice += usize::from(expected.len() > 1);
                if compared.positions == most {
                    return compared;
                }
            }
            for it in known.iter_mut().chain(&mut known_to_module) {
                it.hear(&step.entry);
            }
        }
    }
    unreachable!("there are seeds enough")
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn every_game_as_a_module_chooses_as_natively() {
    let most = std::env::var("POSITIONS").map(|it| it.parse().expect("a number of positions"));
    let most: usize = most.unwrap_or(POSITIONS);
    std::thread::scope(|scope| {
        for &native in GAMES {
            scope.spawn(move || {
                // Forty iterations of R.I.G.S. can take more steps than a choice in a service may.
                let limits = Limits { fuel_of_choice: 1 << 40, ..Limits::default() };
                let module = built::module(native.name(), limits);
                assert_eq!(module.own_levels(), ["random", "heuristic", "search"]);
                let compared = compare(native, &module, most);
                println!("{}: {compared:?}, 0 differing", native.name());
                assert!(compared.acted > 0 && compared.advice > 0, "{compared:?}");
                assert!(!module.is_suspect());
            });
        }
    });
}

/// A bot that draws upon what it remembers, such as what another seat was told, has nothing to
/// remember.
#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_choice_remembers_nothing_of_others() {
    let module = cheating(23);
    let options = module.check_options(&Default::default(), 2).expect("the defaults fit");
    let played = module.playout(2, &options, &chance(0));
    let mut known = Observation::each(module.layout(), 2);
    known.iter_mut().for_each(|it| it.hear(&played.opening.1));
    let seat = played.steps[0].seat.index();
    let level = module.own_levels()[0];
    let first = chosen(&module, level, &known[seat], 7);
    assert!(first.0.is_some());
    for _ in 0..8 {
        assert_eq!(chosen(&module, level, &known[seat], 7), first);
    }
}
