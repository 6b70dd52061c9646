use crate::GAMES;

/// Matches played for each game and number of seats.
const MATCHES: u64 = 120;

#[test]
fn every_game_keeps_the_laws_at_every_number_of_seats() {
    for game in GAMES {
        for seats in game.seats() {
            let (mut actions, mut refused, mut swaps, mut garbled, mut resigned) = (0, 0, 0, 0, 0);
            for seed in 0..MATCHES {
                let played =
                    game.check_invariants(seats, seed).unwrap_or_else(|broken| panic!("{broken}"));
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
            // A law that is never put to the test holds for nothing.
            let tried = [refused, swaps, garbled, resigned];
            assert!(tried.iter().all(|&times| times > 10), "{name}, {seats} seats: {tried:?}");
        }
    }
}
