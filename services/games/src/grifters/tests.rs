//! The example, the option and the rulings that only Grifters has. The rules that it shares are
//! tested with the engine.

use table::Origin;

use super::{
    Grifters,
    cards::CARDS,
    rules::{LAYOUT, TWO_SEAT_DECK},
};
use crate::hideout::{
    tests::{check, opened},
    vocabulary::{
        Person,
        Place::{Box, Deck},
    },
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
    assert_eq!(CARDS.stacks[3].jobs[0].name, "hack-credit-system");
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
fn a_draw_that_leaves_both_piles_empty_ends_the_game_at_once() {
    // The game ends before one of three cards is kept and the others are discarded.
    check::<Grifters>(
        "hand/0: mastermind/1; deck: hacker/1 thug/1 burglar/1; stash/0: 1",
        "caper mastermind/1",
        "asked:; winners: 0; discard:; cards drawn-cards/0: 3; announced: caper deck-out stash-holds stash-holds",
    );
    // The coin of the text is not stolen any more, nor is the refresh area taken.
    check::<Grifters>(
        "hand/0: analyst/1; deck: hacker/1; refresh-area/0: thug/1; stash/0: 1",
        "caper analyst/1",
        "winners: 0; stash/0: 1; coffers: 20; refresh-area/0: thug/1",
    );
    // The second of two draws makes a deck of the discards and takes the last card.
    check::<Grifters>(
        "hand/0: recruiter/1; deck: hacker/1; discard: thug/1; stash/0: 1",
        "caper recruiter/1",
        "winners: 0; hand/0: hacker/1 thug/1; announced: caper new-deck deck-out stash-holds stash-holds",
    );
    // A discard keeps the game going.
    check::<Grifters>(
        "hand/0: recruiter/1; deck: hacker/1 burglar/1; discard: thug/1",
        "caper recruiter/1",
        "turn: 1; winners:; deck:; discard: thug/1",
    );
    // Piles that are not drawn from end nothing.
    check::<Grifters>(
        "hand/0: recruiter/1 thief/1; deck: hacker/1; discard: thug/1",
        "caper thief/1",
        "turn: 1; winners:",
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
        .filter(|row| row.title_origin == Origin::Printed)
        .map(|row| row.name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '/'))
        .collect();
    for name in ["mastermind", "thief", "pickpocket", "con-man", "middle-man", "hack-credit-system"]
    {
        assert!(named.contains(&name), "{name}");
    }
    assert_eq!(named.len(), 12 + 3 + 3 + 1);
}

/// §1.3
#[test]
fn every_job_names_the_origin_of_its_colour_number_and_players() {
    let origins = |name: &str| {
        let row = LAYOUT.pieces().iter().find(|row| row.name == name).expect("it is a job");
        ["colour", "number", "players"]
            .map(|facet| row.origin_of(facet).expect("every job has this facet"))
    };
    // Printed name, team and reward; its stack and its place there are inferred.
    assert_eq!(origins("hack-credit-system"), [Origin::Design; 3]);
    assert_eq!(
        origins("kidnap-weapon-experts"),
        [Origin::Design, Origin::Design, Origin::PublicFact]
    );
    assert_eq!(origins("own-the-precinct"), [Origin::Design; 3]);
}
