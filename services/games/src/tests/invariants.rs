use super::{games, variable};
use crate::Game;

/// Matches played for each game and number of seats, unless `CROUPIER_MATCHES` says otherwise.
const MATCHES: u64 = 120;

#[test]
fn every_game_keeps_the_invariants_at_every_number_of_seats() {
    let matches = variable("CROUPIER_MATCHES").map(|it| it.parse().expect("a number of matches"));
    std::thread::scope(|scope| {
        for game in games() {
            scope.spawn(move || {
                game.seats().for_each(|seats| {
                    play(game, seats, matches.unwrap_or(MATCHES));
                })
            });
        }
    });
}

fn play(game: &dyn Game, seats: u8, matches: u64) {
    let (mut actions, mut refused, mut swaps, mut garbled, mut resigned) = (0, 0, 0, 0, 0);
    for seed in 0..matches {
        let played = game.check_invariants(seats, seed).unwrap_or_else(|broken| panic!("{broken}"));
        actions += played.actions;
        refused += played.refused;
        swaps += played.swaps;
        garbled += played.garbled;
        resigned += played.resigned;
    }
    let name = game.name();
    println!(
        "{name}, {seats} seats: {actions} actions, {refused} refused, {swaps} swaps, \
         {garbled} garbled, {resigned} resigned"
    );
    // An invariant that was hardly checked proves nothing.
    let checked = [refused, swaps, garbled, resigned];
    let enough = matches < MATCHES || checked.iter().all(|&times| times > 10);
    assert!(enough, "{name}, {seats} seats: too few checks: {checked:?}");
}
