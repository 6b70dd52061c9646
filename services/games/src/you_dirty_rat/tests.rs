//! The examples, the options and the rulings that only You Dirty Rat has. The rules that it shares
//! are tested with the engine.

use table::Origin;

use super::{
    YouDirtyRat,
    rules::{DECK_END, LAYOUT},
};
use crate::hideout::{
    tests::{check, opened},
    vocabulary::{DeckEnd, Mark},
};

// === Commit a heist ===

/// §5.2
#[test]
fn a_heist_of_three_smarts_is_committed_by_three_cards_of_smarts() {
    check::<YouDirtyRat>(
        "hand/0: mastermind/1 fall-guy/1 analyst/1; deck: hacker/1 thug/1",
        "job blue-1 mastermind/1 fall-guy/1 analyst/1",
        "first-night/0: mastermind/1 fall-guy/1 analyst/1; completed-jobs/0: blue-1; turn: 1; announced: job",
    );
}

/// §1.3, §1.8, §1.9
#[test]
fn the_five_printed_heists() {
    let holds = |scene: &str, heist: &str, then: &str| {
        let team = scene.split([':', ';']).nth(1).expect("the hand comes first").trim();
        check::<YouDirtyRat>(scene, &format!("job {heist} {team}"), then);
    };
    let smarts = "hand/0: mastermind/1 fixer/1 forger/1; deck: thug/1 thug/2";
    holds(smarts, "blue-1", "asked: turn; turn: 1; completed-jobs/0: blue-1");
    holds("hand/0: mastermind/1 fixer/1 forger/1; deck: thug/1", "blue-1", "hand/0: thug/1");
    holds("hand/0: thief/1 hacker/1 burglar/1", "green-1", "stash/0: 3; coffers: 17");
    holds("hand/0: pickpocket/1 thug/1 thug/2", "red-1", "stash/0: 3; coffers: 17");
    let two = "hand/0: thief/1 hacker/1 thug/1; stash/1: 5";
    holds(two, "yellow-1", "stash/0: 2; stash/1: 3; coffers: 20");
    let four = "hand/0: mastermind/1 fixer/1 thug/1; seats: 4; stash/1: 5; stash/2: 5; stash/3: 0";
    holds(four, "purple-1", "stash/0: 2; stash/1: 4; stash/2: 4; stash/3: 0");
}

// === End of the game ===

/// §9.6
#[test]
fn the_option_deck_end_ends_the_game_with_the_last_card() {
    let deck_end = |given: &[(&str, &str)]| {
        let (table, _) = opened::<YouDirtyRat>(3, given, 1).expect("the options fit");
        table.get::<DeckEnd>(Mark::DeckEnd)
    };
    assert_eq!(deck_end(&[]), Some(DeckEnd::NothingToDraw));
    assert_eq!(deck_end(&[(DECK_END, "deck-empty")]), Some(DeckEnd::DeckEmpty));
    let scene = "deck-end: deck-empty; hand/0: recruiter/1; discard: burglar/1; stash/0: 1";
    check::<YouDirtyRat>(
        &format!("{scene}; deck: hacker/1 thug/1"),
        "caper recruiter/1",
        "winners: 0; hand/0: hacker/1 thug/1; discard: burglar/1",
    );
    check::<YouDirtyRat>(
        &format!("{scene}; deck: hacker/1 thug/1 thug/2"),
        "caper recruiter/1",
        "turn: 1; winners:",
    );
    // The cards drawn to choose from are not kept.
    check::<YouDirtyRat>(
        "deck-end: deck-empty; hand/0: mastermind/1; deck: hacker/1 thug/1 thug/2; stash/0: 1",
        "caper mastermind/1",
        "winners: 0; asked:; hand/0:",
    );
}

/// §9.5
#[test]
fn a_missing_draw_ends_the_game_at_once() {
    check::<YouDirtyRat>(
        "hand/0: recruiter/1; deck: hacker/1; refresh-area/0: thug/1; stash/0: 1",
        "caper recruiter/1",
        "winners: 0; hand/0: hacker/1; refresh-area/0: thug/1; announced: caper deck-out stash-holds stash-holds",
    );
    check::<YouDirtyRat>(
        "hand/0: analyst/1; deck: hacker/1; stash/0: 1",
        "caper analyst/1",
        "winners: 0; scores: 1 0; coffers: 20",
    );
}

// === The catalogue ===

#[test]
fn printed_rows_are_marked_printed() {
    let printed: Vec<&str> = LAYOUT
        .pieces()
        .iter()
        .filter(|row| row.origin == Origin::Printed)
        .map(|row| row.name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '/'))
        .collect();
    let people = ["femme-fatale", "femme-fatale", "femme-fatale", "thug", "thug", "thug"];
    let heists = [
        "weapon-unveiled",
        "art-display-stolen",
        "supermarket-robbery",
        "bank-teller-stick-up",
        "muggings-begin",
    ];
    assert_eq!(printed, [&people[..], &heists[..]].concat());
}

/// §1.3
#[test]
fn every_heist_names_the_origin_of_its_colour_number_and_players() {
    let heists: Vec<_> = LAYOUT.pieces()[60..].iter().collect();
    assert_eq!(heists.len(), 20);
    for row in heists {
        for facet in ["colour", "number", "players"] {
            assert!(row.origin_of(facet) == Some(Origin::Design), "{} {facet}", row.name);
        }
    }
}
