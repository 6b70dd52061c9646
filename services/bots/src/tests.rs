//! Tests of every level in every game: matches end, choices are reproducible, and hidden pieces do
//! not matter.

use games::{GAMES, Game, Playout};
use table::{
    ChaCha, Entry, Event, Face, Layout, Observation, Piece, Seat, Small, Table, Viewer,
    invariants::{chance, key},
};

use crate::{Asked, Iterations, LEVELS, Level, find, suggest};

const ITERATIONS: u32 = 8;

/// A match among bots ends within this many actions.
const ACTIONS_MAX: usize = 3_000;

/// A match among heuristic bots ends within this many actions.
const HEURISTIC_ACTIONS_MAX: usize = 1_000;

fn seats(count: u8) -> impl Iterator<Item = Seat> {
    (0..usize::from(count)).filter_map(Seat::nth)
}

fn observations(game: &'static dyn Game, count: u8, opening: &Entry) -> Vec<Observation> {
    let mut observations = Observation::each(game.layout(), count);
    observations.iter_mut().for_each(|it| it.hear(opening));
    observations
}

fn random_match(game: &'static dyn Game, count: u8, seed: u64) -> Playout {
    let options = game.check_options(&Default::default(), count).expect("the defaults fit");
    game.playout(count, &options, &chance(seed))
}

/// Plays one match among bots. Returns the table at its end and how many actions it took.
fn play(game: &'static dyn Game, seated: &[Level], seed: u64) -> (Table, usize) {
    let count = seated.len() as u8;
    let options = game.check_options(&Default::default(), count).expect("the defaults fit");
    let opened = game.open(count, &options, &[], &mut chance(seed).after(0));
    let (mut table, opening) = opened.expect("native rules open every match");
    let mut known = observations(game, count, &opening);
    let mut random = ChaCha::of(key(seed), 1);
    for actions in 0..ACTIONS_MAX {
        if table.ended() {
            return (table, actions);
        }
        let asked = Asked::of(&table, |_| true);
        let chosen = asked.may.into_iter().chain(asked.must).find_map(|seat| {
            let (level, known) = (seated[seat.index()], &known[seat.index()]);
            let action = level.choose(game, known, &mut Iterations(ITERATIONS), &mut random);
            Some((seat, action.expect("native rules do not fail")?))
        });
        let (seat, action) = chosen.expect("a seat that must act does");
        let mut dice = chance(seed).after(table.choices().into());
        let played = game.play(&table, seat, &action, &mut dice);
        let (after, entry) = played.unwrap_or_else(|refused| panic!("{}: {refused}", game.name()));
        known.iter_mut().for_each(|it| it.hear(&entry));
        table = after;
    }
    panic!("{game:?}: no end after {ACTIONS_MAX} actions\n{table:?}");
}

#[test]
fn tables_of_bots_end() {
    for game in GAMES {
        for (seed, count) in game.seats().enumerate() {
            for &level in LEVELS {
                let seated = vec![level; count.into()];
                play(*game, &seated, seed as u64);
            }
            let seated = vec![named("heuristic"); count.into()];
            let actions = (0..3).map(|seed| play(*game, &seated, seed).1).max();
            assert!(actions <= Some(HEURISTIC_ACTIONS_MAX), "{game:?}, {count}: {actions:?}");
        }
    }
}

#[test]
fn the_same_knowledge_budget_and_chance_lead_to_the_same_action() {
    for game in GAMES {
        let (least, seed) = (*game.seats().start(), 3);
        let Playout { opening, steps } = random_match(*game, least, seed);
        let mut whole = observations(*game, least, &opening.1);
        let told = |entry: &Entry, seat| entry.seen_by(Viewer::Seat(seat), game.layout());
        let mut redacted = Observation::each(game.layout(), least);
        redacted.iter_mut().for_each(|it| it.hear(&told(&opening.1, it.seat())));
        for (nth, step) in steps.iter().enumerate() {
            for (one, other) in whole.iter_mut().zip(&mut redacted) {
                assert!(one == other, "{game:?}: an observation holds what its seat was not told");
                if nth % 7 == 0 {
                    let [one, other] = [one, other].map(|it| choices(*game, it, nth as u64));
                    assert_eq!(one, other);
                }
            }
            whole.iter_mut().for_each(|it| it.hear(&step.entry));
            redacted.iter_mut().for_each(|it| it.hear(&told(&step.entry, it.seat())));
        }
    }
}

/// The choice of each level.
fn choices(game: &'static dyn Game, known: &Observation, seed: u64) -> Vec<Option<bytes::Bytes>> {
    let choose = |level: &Level| {
        let mut random = ChaCha::of(key(seed), 2);
        let chosen = level.choose(game, known, &mut Iterations(ITERATIONS), &mut random);
        chosen.expect("native rules do not fail")
    };
    LEVELS.iter().map(choose).collect()
}

/// Two matches that differ only in pieces that a seat was never shown.
#[test]
fn in_two_worlds_that_a_seat_cannot_tell_apart_its_bot_acts_alike() {
    let mut compared = 0;
    for game in GAMES {
        for seed in 0..4 {
            let count = *game.seats().start();
            let Playout { opening, steps } = random_match(*game, count, seed);
            let entries: Vec<&Entry> =
                [&opening.1].into_iter().chain(steps.iter().map(|it| &it.entry)).collect();
            let entries = &entries[..entries.len() / 2];
            for seat in seats(count) {
                let Some(pair) = hidden_pair(game.layout(), entries, seat, &steps[0].before) else {
                    continue;
                };
                let [mut here, mut there] =
                    [0, 1].map(|_| Observation::new(game.layout(), count, seat));
                for entry in entries {
                    here.hear(entry);
                    there.hear(&swapped(entry, pair));
                }
                let [one, other] = [&here, &there].map(|it| {
                    let mut random = ChaCha::of(key(seed), 3);
                    suggest(*game, it, &mut Iterations(ITERATIONS), &mut random)
                });
                assert_eq!(one, other, "{game:?}, seat {seat}");
                let [here, there] = [here, there].map(|it| choices(*game, &it, seed));
                assert_eq!(here, there, "{game:?}, seat {seat}");
                compared += usize::from(here.iter().any(Option::is_some));
            }
        }
    }
    assert!(compared > 10, "only {compared} decisions were compared");
}

/// Two pieces that other seats moved and this seat saw neither of.
fn hidden_pair(
    layout: &'static Layout,
    entries: &[&Entry],
    seat: Seat,
    dealt: &Table,
) -> Option<(Piece, Piece)> {
    let moved = entries.iter().flat_map(|it| &it.events).filter_map(up);
    let told: Vec<Entry> =
        entries.iter().map(|it| it.seen_by(Viewer::Seat(seat), layout)).collect();
    let seen: Vec<Piece> = told.iter().flat_map(|it| &it.events).filter_map(up).collect();
    let sees = |piece: &Piece| dealt.seen_by(Viewer::Seat(seat)).at(*piece).is_some();
    let mut hidden: Vec<Piece> = moved.filter(|it| !seen.contains(it) && !sees(it)).collect();
    hidden.sort_unstable();
    hidden.dedup();
    let alike = |p: &Piece| hidden.iter().find(|q| *q != p && layout.alike(*p, **q)).copied();
    hidden.iter().find_map(|p| Some((*p, alike(p)?)))
}

fn up(event: &Event) -> Option<Piece> {
    if let Event::Moved { what: Face::Up(piece), .. } | Event::Shown { what: Face::Up(piece), .. } =
        event
    {
        Some(*piece)
    } else {
        None
    }
}

/// The same entry with the two pieces exchanged.
fn swapped(entry: &Entry, (p, q): (Piece, Piece)) -> Entry {
    let mut entry = entry.clone();
    for event in &mut entry.events {
        if let Event::Moved { what: Face::Up(piece), .. }
        | Event::Shown { what: Face::Up(piece), .. } = event
        {
            *piece = match *piece {
                it if it == p => q,
                it if it == q => p,
                it => it,
            };
        }
    }
    entry
}

fn named(name: &str) -> Level {
    *LEVELS.iter().find(|it| it.name == name).expect("it is a level")
}

/// How many of `matches` a bot wins against random opponents. It has every seat equally often.
fn wins_against_chance(game: &'static dyn Game, level: &str, matches: u64) -> usize {
    let seats = usize::from(*game.seats().start());
    let won = (0..matches).filter(|&seed| {
        let own = seed as usize % seats;
        let mut seated = vec![named("random"); seats];
        seated[own] = named(level);
        let (table, _) = play(game, &seated, seed);
        table.winners().is_some_and(|it| it.has(Seat::nth(own).expect("it is a seat")))
    });
    won.count()
}

#[test]
fn a_bot_that_looks_at_the_table_beats_those_that_do_not() {
    for game in GAMES {
        let won = wins_against_chance(*game, "heuristic", 30);
        println!("{game:?}: {won} of 30");
        // Among Thieves has three seats.
        let least = if *game.seats().start() > 2 { 18 } else { 25 };
        assert!(won >= least, "{game:?}: {won} of 30");
    }
}

#[test]
fn thinking_ahead_beats_chance() {
    let game = games::find("mountebank").expect("the registry has it");
    let won = wins_against_chance(game, "search", 10);
    assert!(won >= 9, "{won} of 10");
}

#[test]
fn levels_have_names_of_their_own() {
    for &game in GAMES {
        for level in LEVELS {
            assert_eq!(find(game, level.name), Some(*level));
        }
        assert_eq!(find(game, "grandmaster"), None);
    }
}
