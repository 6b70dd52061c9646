//! The rules, a line each, in the rulebook's order.

use table::{ChaCha, invariants};

use super::*;
use crate::tests::scene::{Facts, Scene, refusal};

/// Cards that a scene does not name are out of play.
impl Scene for Mountebank {
    const SEATS_USUAL: u8 = 2;

    fn prepare(d: &mut Dealer, _: Facts) {
        Card::all().for_each(|card| d.put(card, Supply));
    }

    fn begin(d: &mut Dealer, scene: Facts) {
        begin_turn(d, scene.turn());
    }

    fn action(text: &str) -> Action {
        let cards = |names: &str| names.split(' ').map(card).collect();
        match text.split_once(' ') {
            None if text == "draw" => Action::Draw,
            None if text == "pass" => Action::Pass,
            Some(("take", name)) => Action::Take { card: card(name) },
            Some(("con", rest)) => {
                let (suit, names) = rest.split_once(' ').expect("a suit, then cards");
                let primary = Suit::all().find(|&it| <&str>::from(it) == suit).expect("a suit");
                Action::Con { cards: cards(names), primary }
            }
            _ => panic!("{text} is no action"),
        }
    }
}

fn card(name: &str) -> Card {
    LAYOUT.named(name).unwrap_or_else(|| panic!("no card {name}"))
}

#[track_caller]
fn check(scene: &str, acts: &str, outcome: &str) {
    crate::tests::scene::check::<Mountebank>(scene, acts, outcome);
}

// === Set-up ===

#[test]
fn the_opening_deals_five_to_each_hand_and_three_to_the_draft_area() {
    for (seats, deck) in [(2, 25), (3, 20), (4, 15)] {
        let options =
            Options::of::<Mountebank>(&Default::default(), seats).expect("the defaults fit");
        let (table, _) = table::open::<Mountebank>(seats, &options, &mut ChaCha::of([1; 32], 1));
        assert_eq!((table.count(Deck), table.count(Draft), table.count(Discard)), (deck, 3, 0));
        assert!(table.seats().all(|seat| table.count(Hand(seat)) == 5));
        let mut tokens: Vec<i32> =
            Suit::all().map(|suit| table.coins(Token, Crown(suit))).collect();
        tokens.sort_unstable();
        assert_eq!(tokens, [1, 1, 2, 2, 3, 3]);
        assert_eq!(table.decision(table.turn()), Some(Turn));
    }
}

#[test]
fn who_goes_first_is_random_or_chosen() {
    let first = |value: Option<&str>, seats: u8, seed: u64| {
        let given = value.map(|value| ("first-seat".to_string(), value.to_string()));
        let options = Options::of::<Mountebank>(&given.into_iter().collect(), seats)?;
        let (table, _) =
            table::open::<Mountebank>(seats, &options, &mut ChaCha::of(invariants::key(seed), 1));
        Ok(u8::from(table.turn()))
    };
    assert!((0..20).all(|seed| first(Some("2"), 3, seed) == Ok(2)));
    let random: std::collections::BTreeSet<u8> =
        (0..40).map(|seed| first(None, 4, seed).expect("the defaults fit")).collect();
    assert_eq!(random.len(), 4);
    let beyond = BadOption::NotWithSeats { name: "first-seat", value: "3", seats: 3 };
    assert_eq!(first(Some("3"), 3, 0), Err(beyond));
    let values = ["random", "0", "1", "2", "3"].as_slice();
    let strange = BadOption::NotAllowed { name: "first-seat", value: "me".into(), allowed: values };
    assert_eq!(first(Some("me"), 3, 0), Err(strange));
    assert_eq!(first(None, 5, 0), Err(BadOption::Seats { seats: 5, least: 2, most: 4 }));
}

#[test]
fn the_decktet_without_the_excuse_shows_each_suit_on_thirteen_cards() {
    assert_eq!(Card::all().count(), 38);
    assert!(Suit::all().all(|suit| FACES.showing(suit).len() == 13));
    assert_eq!(FACES.aces.len(), 6);
}

// === Scheme ===

const DECK: &str = "deck: author desert origin journey";

#[test]
fn a_scheme_adds_two_cards() {
    check(&format!("{DECK}; draft: cave"), "draw", "turn: 0; asked: second-card");
    check(
        "deck: author desert; draft: cave pact",
        "draw, draw",
        "hand/0: author desert; turn: 1; asked: turn",
    );
    check("deck: author; draft: cave pact", "take cave, take pact", "hand/0: cave pact; turn: 1");
    check("deck: author; draft: cave pact", "draw, take pact", "hand/0: author pact; turn: 1");
}

#[test]
fn a_card_taken_from_the_draft_area_is_replaced_at_once() {
    check(
        "deck: author; draft: cave pact mill",
        "take cave",
        "draft: author mill pact; deck:; hand/0: cave",
    );
    check(
        "deck: author; draft: cave",
        "take cave, take author",
        "hand/0: author cave; draft:; turn: 1",
    );
}

#[test]
fn with_six_in_hand_only_one_card_is_added() {
    let six = "hand/0: author desert origin journey painter savage";
    check(&format!("{six}; deck: cave pact"), "draw", "turn: 1; asked: turn");
    check(&format!("{six}; deck: cave pact; draft: mill"), "take mill", "turn: 1");
}

#[test]
fn nobody_schemes_with_seven_in_hand() {
    let seven =
        "hand/0: author desert origin journey painter savage mountain; deck: cave; draft: mill";
    check(seven, "draw", "refused: hand-full");
    check(seven, "take mill", "refused: hand-full");
    check(seven, "con moons author", "turn: 1");
}

#[test]
fn a_scheme_takes_what_there_is() {
    check("draft: cave pact; turns-left: 2", "draw", "refused: deck-empty");
    check(
        "draft: cave pact; turns-left: 2",
        "take cave",
        "hand/0: cave; draft: pact; asked: second-card",
    );
    check("draft: cave; turns-left: 2", "take cave", "hand/0: cave; draft:; turn: 1");
    check("deck: cave; draft: pact", "take mill", "refused: not-in-draft");
}

#[test]
fn a_scheme_under_way_is_finished_first() {
    check(&format!("{DECK}; hand/0: cave"), "draw, con waves cave", "refused: scheming; turn: 0");
    check(&format!("{DECK}; hand/0: cave"), "draw, pass", "refused: must-play; turn: 0");
}

#[test]
fn a_seat_passes_only_when_it_can_do_nothing_else() {
    check("turns-left: 2", "pass", "turn: 1; turns-left: 1");
    check("turns-left: 2; hand/0: cave", "pass", "refused: must-play");
    check("turns-left: 2; draft: cave", "pass", "refused: must-play");
    check("deck: cave", "pass", "refused: must-play");
}

// === Run a con ===

#[test]
fn the_example_of_the_rulebook() {
    check(
        "hand/0: battle betrayal desert ace-of-knots mill; crown/wyrms: 2; crown/suns: 1",
        "con wyrms battle betrayal desert ace-of-knots",
        "winnings/0: 11; crown/wyrms: 0; crown/suns: 4; crown/knots: 0; hand/0: mill; \
         discard: ace-of-knots desert battle betrayal; turn: 1",
    );
}

#[test]
fn a_con_is_worth_primary_times_secondary() {
    check("hand/0: author consul", "con moons author consul", "winnings/0: 4");
    check("hand/0: author consul journey", "con moons author consul journey", "winnings/0: 6");
}

#[test]
fn the_cards_of_a_con_share_a_suit() {
    check("hand/0: author desert", "con moons author desert", "refused: no-common-suit");
    check("hand/0: author", "con waves author", "refused: no-common-suit; hand/0: author");
    check("hand/0: author", "con moons author journey", "refused: not-in-hand");
}

#[test]
fn if_several_suits_are_common_the_player_names_one() {
    let hand = "hand/0: battle betrayal; crown/wyrms: 1; crown/knots: 3";
    check(hand, "con wyrms battle betrayal", "winnings/0: 5; crown/wyrms: 0; crown/knots: 3");
    check(hand, "con knots battle betrayal", "winnings/0: 7; crown/wyrms: 1; crown/knots: 0");
}

#[test]
fn pawns_and_courts_are_ordinary_cards() {
    check("hand/0: harvest rite window", "con leaves harvest rite window", "winnings/0: 6");
}

#[test]
fn aces_are_added_without_matching() {
    check(
        "hand/0: author ace-of-wyrms",
        "con moons author ace-of-wyrms",
        "winnings/0: 1; crown/wyrms: 1",
    );
    check(
        "hand/0: author ace-of-knots",
        "con moons author ace-of-knots",
        "winnings/0: 2; crown/knots: 0",
    );
    check(
        "hand/0: author ace-of-moons",
        "con moons author ace-of-moons",
        "winnings/0: 2; crown/moons: 0",
    );
}

#[test]
fn aces_alone_are_a_con_of_any_of_their_suits() {
    let hand = "hand/0: ace-of-suns ace-of-waves; crown/suns: 3; crown/waves: 2";
    check(
        hand,
        "con suns ace-of-suns ace-of-waves",
        "winnings/0: 4; crown/suns: 1; crown/waves: 3",
    );
    check(
        hand,
        "con waves ace-of-suns ace-of-waves",
        "winnings/0: 3; crown/suns: 4; crown/waves: 1",
    );
    check(hand, "con moons ace-of-suns ace-of-waves", "refused: no-common-suit");
}

#[test]
fn a_lone_ace_scores_nothing_but_takes_the_crown() {
    check(
        "hand/0: ace-of-suns; crown/suns: 3",
        "con suns ace-of-suns",
        "winnings/0: 3; crown/suns: 0",
    );
}

#[test]
fn one_card_is_a_con_and_orphans_both_its_suits() {
    check(
        "hand/0: author; crown/moons: 3; crown/knots: 2",
        "con moons author",
        "winnings/0: 4; crown/moons: 1; crown/knots: 3",
    );
}

#[test]
fn a_suit_on_exactly_one_card_is_orphaned() {
    check(
        "hand/0: author journey",
        "con moons author journey",
        "winnings/0: 2; crown/moons: 0; crown/knots: 1; crown/waves: 1",
    );
    check("hand/0: battle betrayal", "con wyrms battle betrayal", "crown/wyrms: 0; crown/knots: 0");
}

// === Game end ===

#[test]
fn after_the_deck_runs_out_each_seat_has_one_more_turn() {
    let scene = "deck: cave; draft: pact; hand/0: author; hand/1: desert";
    check(scene, "draw, take pact", "turns-left: 2; turn: 1");
    check(scene, "draw, take pact, con suns desert", "turns-left: 1; turn: 0");
    // Seat 0 emptied the deck, and has its one more turn.
    check(
        scene,
        "draw, take pact, con suns desert, con moons author",
        "turns-left: 0; winnings/0: 1; winnings/1: 1; winners: 0 1; asked:",
    );
}

#[test]
fn a_replacement_empties_the_deck_too() {
    check("deck: cave; draft: pact", "take pact, take cave", "turns-left: 2");
}

#[test]
fn with_two_seats_the_discards_stay_where_they_are() {
    check(
        "deck: cave; discard: pact mill; draft: author",
        "draw",
        "turns-left: 3; discard: mill pact; deck:",
    );
}

#[test]
fn with_more_seats_the_discards_make_a_second_deck_once() {
    let scene = "seats: 3; deck: cave; discard: pact mill; draft: author";
    check(
        scene,
        "draw",
        "reshuffled: 1; turns-left: 0; deck: mill pact; discard:; asked: second-card",
    );
    check(scene, "draw, draw", "turn: 1; discard:; reshuffled: 1");
    let second = "seats: 4; deck: cave; discard: pact mill; reshuffled: 1; hand/0: author";
    check(second, "draw", "turns-left: 4; deck:; discard: mill pact; turn: 1");
}

#[test]
fn a_replacement_may_need_the_second_deck_in_the_middle_of_a_scheme() {
    check(
        "seats: 3; deck: cave; discard: pact; draft: author",
        "take author",
        "draft: cave; deck: pact; reshuffled: 1; asked: second-card",
    );
}

#[test]
fn without_discards_the_deck_has_run_out_for_good() {
    check(
        "seats: 3; deck: cave; draft: author",
        "draw",
        "reshuffled: 0; turns-left: 4; asked: second-card",
    );
}

#[test]
fn most_points_win_and_ties_are_shared() {
    let scene = "turns-left: 1; hand/0: author; winnings/0: 4; winnings/1: 5";
    check(scene, "con moons author", "winners: 0 1");
    check(&format!("{scene}; crown/moons: 1"), "con moons author", "winners: 0");
    check("turns-left: 1; hand/0: author; winnings/1: 9", "con moons author", "winners: 1");
}

// === Secrets and messages ===

#[test]
fn a_refusal_names_what_it_is_about() {
    let scene = "hand/0: author desert; draft: cave";
    let refusal = |act| {
        let refusal = refusal::<Mountebank>(scene, act);
        (refusal.to_string(), refusal.facts())
    };
    let (sentence, facts) = refusal("con moons author desert pact");
    assert_eq!(sentence, "not in your hand: pact");
    assert_eq!(facts, [("cards", "pact".to_string())]);
    let (_, facts) = refusal("con moons author desert");
    assert_eq!(facts, [("primary", "moons".to_string()), ("without", "desert".to_string())]);
}

#[test]
fn a_message_that_names_no_action_is_malformed() {
    let malformed = |message: &[u8]| Mountebank::parse(message).expect_err("it is malformed").0;
    let con = |cards: &[&str], primary: u8| {
        let cards: Vec<u8> = cards
            .iter()
            .flat_map(|name| [&[10, name.len() as u8], name.as_bytes()].concat())
            .collect();
        let con = [cards, vec![16, primary]].concat();
        [vec![26, con.len() as u8], con].concat()
    };
    assert_eq!(malformed(&[]), "an action is one of draw, take, con and pass");
    assert_eq!(malformed(&[18, 0]), "a card is missing");
    assert_eq!(malformed(&con(&["jack"], 1)), "there is no card \"jack\"");
    assert_eq!(malformed(&con(&["bard"], 1)), "there is no card \"bard\"");
    assert_eq!(malformed(&con(&["cave", "cave"], 3)), "cave is named twice");
    assert_eq!(malformed(&con(&["cave"], 0)), "the primary suit is missing");
    assert_eq!(malformed(&con(&["cave"], 9)), "the primary suit is missing");
    assert_eq!(malformed(&con(&[], 1)), "a con takes at least one card");
    assert!(malformed(&[255, 255]).contains("invalid"));
    assert_eq!(Mountebank::parse(&con(&["cave"], 3)), Ok(Mountebank::action("con waves cave")));
}
