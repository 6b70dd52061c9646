//! The example, the option and the rulings that only Grifters has. The rules that it shares are
//! tested with the engine.

use table::Origin;

use super::*;
use crate::hideout::{
    Place::{Box, Deck},
    cards::Person,
    tests::{check, opened},
};

// === Set-up ===

/// §2.7
#[test]
fn the_option_two_seat_deck_removes_one_card_of_each_type() {
    let thinned = [(TWO_SEAT_DECK, "one-of-each-removed")];
    let deck = |seats, given: &[(&str, &str)]| {
        let (table, _) = opened::<Grifters>(seats, given, 1).expect("the options fit");
        let boxed = Person::of_each_type().filter(|&card| table.lies(card, Box)).count();
        (table.count(Deck), boxed)
    };
    assert_eq!(deck(2, &[]), (42, 0));
    assert_eq!(deck(2, &thinned), (26, 16));
    // With more players nothing is removed.
    assert_eq!(deck(3, &thinned), (39, 0));
}

// === Complete a job ===

/// §5.1, §5.5
#[test]
fn the_example_of_the_rulebook_on_hack_credit_system() {
    assert_eq!(cards::CARDS.stacks[3].jobs[0].name, "hack-credit-system");
    let scene = "seats: 3; hand/0: con-man/1 thief/1 middle-man/1 hacker/1; stash/0: 3; stash/1: 5; \
                 stash/2: 5";
    let team = "job yellow-1 con-man/1 thief/1 middle-man/1";
    check::<Grifters>(
        scene,
        team,
        "asked: rob; first-night/0: thief/1 con-man/1 middle-man/1; stash/0: 3; coffers: 20; \
         jobs/yellow: yellow-1 yellow-2 yellow-3 yellow-4",
    );
    check::<Grifters>(
        scene,
        &format!("{team}, rob 1"),
        "stash/0: 5; stash/1: 3; stash/2: 5; completed-jobs/0: yellow-1; \
         jobs/yellow: yellow-2 yellow-3 yellow-4; hand/0: hacker/1; turn: 1",
    );
}

// === End of the game ===

/// §7.4, §9.4
#[test]
fn a_draw_takes_what_is_left_and_exhausted_piles_end_the_game_after_the_play() {
    check::<Grifters>(
        "hand/0: mastermind/1; deck: hacker/1 thug/1",
        "caper mastermind/1, keep thug/1",
        "hand/0: thug/1; discard: hacker/1; turn: 1",
    );
    // With nothing to discard, the only card drawn is kept and ends the game.
    check::<Grifters>(
        "hand/0: mastermind/1; deck: hacker/1; stash/0: 1",
        "caper mastermind/1",
        "hand/0: hacker/1; winners: 0; announced: caper deck-out",
    );
    check::<Grifters>(
        "hand/0: analyst/1; deck: hacker/1",
        "caper analyst/1",
        "hand/0: hacker/1; stash/0: 1; winners: 0",
    );
}

// === The catalogue ===

#[test]
fn printed_rows_are_marked_printed() {
    let rows = LAYOUT.pieces().iter();
    let printed = rows.filter(|row| row.origin == Origin::Printed).map(|row| row.name.as_str());
    assert_eq!(printed.collect::<Vec<_>>(), ["hack-credit-system"]);
    let named: Vec<&str> = LAYOUT
        .pieces()
        .iter()
        .filter(|row| row.facets.contains(&("name-origin", "printed".into())))
        .map(|row| row.name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '/'))
        .collect();
    for name in ["mastermind", "thief", "pickpocket", "con-man", "middle-man", "hack-credit-system"]
    {
        assert!(named.contains(&name), "{name}");
    }
    assert_eq!(named.len(), 12 + 3 + 3 + 1);
}
