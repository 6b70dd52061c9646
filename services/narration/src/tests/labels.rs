//! What a seat may do, told so that it can choose.

use std::collections::BTreeMap;

use table::Viewer;

use super::{games, narrator, playout};
use crate::Language;

#[test]
fn no_two_actions_of_a_seat_have_the_same_label() {
    let mut problems = Vec::new();
    for (game, language) in games().flat_map(|game| Language::ALL.map(|it| (game, it))) {
        let seats = *game.seats().end();
        for (table, _) in playout(game, seats, 1).into_iter().step_by(3) {
            for seat in table.seats() {
                let narrator = narrator(game, language, seats, Viewer::Seat(seat));
                let mut labels: BTreeMap<String, Vec<u8>> = BTreeMap::new();
                for games::Legal { verb, action, .. } in game.legal(&table, seat) {
                    let label = narrator.label(verb, &action);
                    if let Some(other) = labels.insert(label.clone(), action.to_vec())
                        && other != action
                    {
                        problems.push(format!("{} {}: {label}", game.name(), language.tag()));
                    }
                }
            }
        }
    }
    problems.sort();
    problems.dedup();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
