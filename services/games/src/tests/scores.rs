//! Scores say why: their parts add up.

use std::collections::BTreeSet;

use table::{Small, invariants::chance};

use super::games;

/// Matches of random play for each game and number of seats.
const MATCHES: u64 = 6;

#[test]
fn the_parts_of_a_score_add_up_to_it() {
    for game in games() {
        let mut told = BTreeSet::new();
        for seats in game.seats() {
            for seed in 0..MATCHES {
                let options = game.check_options(&Default::default(), seats).expect("they fit");
                let played = game.playout(seats, &options, &chance(seed));
                let table = &played.steps.last().expect("a match has actions").after;
                assert!(table.ended(), "{}, {seats} seats, seed {seed}", game.name());
                for seat in table.seats() {
                    let parts = table.score_parts().iter().filter(|part| part.seat == seat);
                    let sum: i32 = parts.map(|part| part.points).sum();
                    let score = table.scores()[seat.index()];
                    assert_eq!(sum, score, "{}, seed {seed}: {:?}", game.name(), table);
                }
                let parts = table.score_parts().iter();
                told.extend(parts.map(|it| game.layout().announcement_name(it.announcement)));
            }
        }
        // Each part that the layout declares occurs in one of these matches.
        let layout = game.layout();
        let declared = layout.announcements().iter().filter(|it| layout.is_score_part(it.id));
        let missing: Vec<&str> = declared
            .map(|it| it.name.as_str())
            .filter(|name| !told.contains(name))
            // A bonus in a colour that few matches complete.
            .filter(|name| !name.contains('/'))
            .collect();
        assert!(missing.is_empty() && !told.is_empty(), "{}: {missing:?}", game.name());
    }
}
