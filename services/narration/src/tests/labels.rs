//! Labels of legal actions and sentences of refusals, from which a player can choose.

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
                for games::Legal { verb, action, .. } in
                    game.legal(&table, seat).expect("native rules list")
                {
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

#[test]
fn a_refusal_names_cards_jobs_and_skills() {
    let refusals = [
        (
            "DECIDE_FIRST",
            vec![("asked", "choose/keep")],
            "You must first choose which of the drawn cards to keep",
            "Erst musst du eine der gezogenen Karten behalten",
        ),
        (
            "WRONG_TEAM",
            vec![("job", "skim-the-tolls"), ("missing", "speed speed"), ("spare", "")],
            "The team does not fit Skim the Tolls (green 1): it lacks speed and speed",
            "Das Team passt nicht zu „Zölle abschöpfen (Grün 1)“: es fehlt Tempo und Tempo",
        ),
        (
            "NOT_A_CHOICE",
            vec![("choice", "hacker/1"), ("choices", "hacker/2 thug/3")],
            "That is not one of the choices: Hacker 2 and Thug 3",
            "Das steht nicht zur Wahl: „Hacker 2“ und „Schläger 3“",
        ),
    ];
    let Some(game) = games().find(|it| it.name() == "grifters") else { return };
    for (reason, facts, english, german) in refusals {
        for (language, text) in Language::ALL.into_iter().zip([english, german]) {
            let narrator = narrator(game, language, 2, Viewer::Spectator);
            assert_eq!(narrator.refusal(reason, facts.iter().copied()).as_deref(), Some(text));
        }
    }
}
