//! Labels: what a player chooses from.

use std::collections::BTreeSet;

use table::{Prompt, Viewer};

use super::{games, narrator, playout};
use crate::Language;

/// Whether a test prints what it reads, for people.
fn prints() -> bool {
    std::env::var("CROUPIER_PRINT").is_ok_and(|it| it == "1")
}

/// The games that this is true of, whatever the position.
const EXACT: [&str; 2] = ["grifters", "you-dirty-rat"];

#[test]
fn every_legal_action_has_a_label_of_its_own() {
    let mut problems = Vec::new();
    for (game, language) in games().flat_map(|game| Language::ALL.map(|it| (game, it))) {
        if !EXACT.contains(&game.name()) {
            continue;
        }
        for (seats, seed) in game.seats().flat_map(|seats| (0..3).map(move |seed| (seats, seed))) {
            for (table, entry) in playout(game, seats, seed) {
                for Prompt { seat, .. } in table.prompts() {
                    let narrator = narrator(game, language, seats, Viewer::Seat(*seat));
                    if prints() && seed == 0 {
                        println!(
                            "{}",
                            narrator.entry(&entry.seen_by(Viewer::Seat(*seat), game.layout()))
                        );
                    }
                    let mut labels = BTreeSet::new();
                    for action in game.legal(&table, *seat) {
                        let label = narrator.label(action.verb, &action.action);
                        if prints() && seed == 0 {
                            println!("        {label}");
                        }
                        if !labels.insert(label.clone()) {
                            problems.push(format!("{}, {seats} seats: {label}", game.name()));
                        }
                    }
                }
            }
        }
    }
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
            "Das Team passt nicht zu Zölle abschöpfen (Grün 1): es fehlt Tempo und Tempo",
        ),
        (
            "NOT_A_CHOICE",
            vec![("choice", "hacker/1"), ("choices", "hacker/2 thug/3")],
            "That is not one of the choices: Hacker 2 and Thug 3",
            "Das steht nicht zur Wahl: Hacker 2 und Schläger 3",
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
