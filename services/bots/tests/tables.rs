//! Whole matches between bots that look no further ahead.

use bots::{Iterations, Level};
use games::{GAMES, Game};
use table::{ChaCha, Chance, Observation, Seat, Seats, Small, Table, invariants};

/// A match that takes more actions does not end, for all that a platform knows.
const ACTIONS_MAX: usize = 1_000;

fn level(name: &str) -> Level {
    bots::find(name).expect("a level")
}

/// The final table of a match and the number of its actions. Each seat is told every entry. After
/// each, those that may act are asked once, and then those that must.
fn play(game: &dyn Game, seated: &[Level], seed: u64) -> (Table, usize) {
    let seats = seated.len() as u8;
    let options = game.check_options(&Default::default(), seats).expect("the defaults fit");
    let chance = invariants::chance(seed);
    let mut choices = ChaCha::of(invariants::key(seed), u64::MAX);
    let (mut table, opening) = game.open(seats, &options, &[], &mut chance.after(0));
    let mut observations: Vec<Observation> =
        table.seats().map(|seat| Observation::new(game.layout(), seats, seat)).collect();
    observations.iter_mut().for_each(|it| it.hear(&opening));
    for actions in 0..ACTIONS_MAX {
        if table.ended() {
            return (table, actions);
        }
        let (seat, action) = choose(game, &table, seated, &observations, &mut choices);
        let random = &mut chance.after(table.choices().into());
        let played = game.play(&table, seat, &action, random);
        let (after, entry) = played.expect("bots take legal actions");
        observations.iter_mut().for_each(|it| it.hear(&entry));
        table = after;
    }
    panic!("{}, {seats} seats, seed {seed}: {ACTIONS_MAX} actions and no end", game.name());
}

fn choose(
    game: &dyn Game,
    table: &Table,
    seated: &[Level],
    observations: &[Observation],
    chance: &mut dyn Chance,
) -> (Seat, bytes::Bytes) {
    let mut asked: Vec<(bool, Seat)> = table.live().map(|it| (it.must, it.seat)).collect();
    asked.sort_unstable();
    let mut actions = asked.into_iter().filter_map(|(_, seat)| {
        let (level, observation) = (seated[seat.index()], &observations[seat.index()]);
        let action = level.choose(game, observation, &mut Iterations(0), chance)?;
        Some((seat, action))
    });
    actions.next().expect("a seat that must act does")
}

#[test]
fn a_table_of_bots_that_look_no_further_ahead_ends() {
    for game in GAMES {
        for seats in game.seats() {
            let seated = vec![level("heuristic"); usize::from(seats)];
            let actions = (0..3).map(|seed| play(*game, &seated, seed).1).max();
            println!("{}, {seats} seats: {} actions at most", game.name(), actions.unwrap_or(0));
        }
    }
}

/// How many of so many matches a seat wins that looks at the table against others that do not. It
/// has every seat equally often.
fn wins(game: &dyn Game, matches: u64) -> usize {
    let seats = usize::from(*game.seats().start());
    let won = (0..matches).filter(|&seed| {
        let own = seed as usize % seats;
        let mut seated = vec![level("random"); seats];
        seated[own] = level("heuristic");
        let winners: Seats = play(game, &seated, seed).0.winners().expect("the match has ended");
        winners.iter().any(|seat| seat.index() == own)
    });
    won.count()
}

#[test]
fn a_bot_that_looks_at_the_table_beats_those_that_do_not() {
    for game in GAMES {
        let won = wins(*game, 30);
        println!("{}: {won} of 30", game.name());
        // Among Thieves has three seats.
        let least = if *game.seats().start() > 2 { 18 } else { 25 };
        assert!(won >= least, "{}: {won} of 30", game.name());
    }
}
