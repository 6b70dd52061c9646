//! Labels: what a player chooses from.

use std::collections::BTreeSet;

use table::{Prompt, Viewer};

use super::{games, narrator, playout};
use crate::Language;

/// Whether a test prints what it reads, for people.
fn prints() -> bool {
    std::env::var("CROUPIER_PRINT").is_ok_and(|it| it == "1")
}

/// The games whose labels distinguish everything.
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
