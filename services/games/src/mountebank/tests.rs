//! The rules in the order of `docs/games/mountebank.md`, each test with its paragraphs.

use std::collections::BTreeSet;

use table::{
    BadOption, ChaCha, Dealer, Entry, Event, Face, Options, Piece, Reason as _, Rules, Seat, Set,
    Small, Table, Viewer, invariants,
};

use super::{
    Mountebank,
    actions::Action,
    cards::FACES,
    layout::{LAYOUT, name},
    turns::begin_turn,
    vocabulary::{Card, Coin::*, Decision::*, Place::*, Suit},
};
use crate::{
    first_seat,
    tests::scene::{Facts, Scene, act_by, lay_out, refusal},
};

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

fn open(seats: u8, first: Option<&str>, seed: u64) -> Result<(Table, Entry), BadOption> {
    let given = first.map(|value| (first_seat::NAME.to_string(), value.to_string()));
    let options = Options::of::<Mountebank>(&given.into_iter().collect(), seats)?;
    let mut chance = ChaCha::of(invariants::key(seed), 1);
    Ok(table::open::<Mountebank>(seats, &options, &[], &mut chance))
}

// === 1. Components ===

/// §1.1, §1.2
#[test]
fn the_decktet_without_the_excuse_shows_each_suit_on_thirteen_cards() {
    assert_eq!(Card::all().count(), 38);
    assert!(Suit::all().all(|suit| FACES.showing(suit).len() == 13));
    assert_eq!(FACES.aces.len(), 6);
    let suits = |card: Card| Suit::all().filter(|&suit| FACES.showing(suit).has(card)).count();
    let showing = |count| Card::all().filter(|&card| suits(card) == count).count();
    assert_eq!([showing(1), showing(2), showing(3)], [6, 24, 8]);
}

/// §1.2
#[test]
fn pawns_and_courts_are_ordinary_cards() {
    check("hand/0: harvest rite window", "con leaves harvest rite window", "winnings/0: 6");
}

/// §1.3
#[test]
fn every_crown_stays_at_its_place_for_the_whole_match() {
    let options = Options::of::<Mountebank>(&Default::default(), 3).expect("the defaults fit");
    let played = invariants::playout::<Mountebank>(3, &options, &invariants::chance(1));
    let tables = played.steps.iter().map(|step| &step.after).chain([&played.opening.0]);
    let crowns = ["huntress", "bard", "sea", "end", "calamity", "windfall"];
    for table in tables {
        let places = Suit::all().map(|suit| table.pieces::<Piece>(Crown(suit)).names(&LAYOUT));
        assert!(places.eq(crowns), "{table:?}");
    }
}

/// §1.4
#[test]
fn the_supply_never_runs_out() {
    check("hand/0: harvest rite window", "con leaves harvest rite window", "supply: -10");
    let scene = "crown/suns: 5000; winnings/1: 5000; hand/0: desert";
    check(scene, "con suns desert", "winnings/0: 5001; crown/wyrms: 1; supply: -10003");
}

/// §1.5
#[test]
fn a_hand_is_seen_by_its_seat_and_the_deck_by_nobody() {
    let scene = "hand/0: author; hand/1: desert; deck: cave; draft: pact; discard: mill; \
                 crown/suns: 2; winnings/1: 3";
    let (table, _) = lay_out::<Mountebank>(scene);
    for viewer in Viewer::guests(2) {
        let (view, other) = (table.seen_by(viewer), Seat::nth(1).expect("a seat"));
        let sees = |place| view.pieces::<Card>(place).names(&LAYOUT);
        let own = |seat, card| if viewer == Viewer::Seat(seat) { card } else { "" };
        assert_eq!(sees(Hand(Seat::default())), own(Seat::default(), "author"));
        assert_eq!(sees(Hand(other)), own(other, "desert"));
        assert_eq!([sees(Deck), sees(Draft), sees(Discard)], ["", "pact", "mill"]);
        assert_eq!((view.count(Deck), view.count(Hand(other))), (1, 1));
        let coins = (view.coins(Token, Crown(Suit::Suns)), view.coins(Token, Winnings(other)));
        assert_eq!(coins, (2, 3));
    }
}

// === 2. Set-up ===

/// §2.1
#[test]
fn a_match_has_two_to_four_seats() {
    for seats in [1, 5] {
        assert_eq!(open(seats, None, 0), Err(BadOption::Seats { seats, least: 2, most: 4 }));
    }
    assert!((2..=4).all(|seats| open(seats, None, 0).is_ok()));
}

/// §2.2, §2.3
#[test]
fn the_opening_deals_five_to_each_hand_and_three_to_the_draft_area() {
    for (seats, deck) in [(2, 25), (3, 20), (4, 15)] {
        let (table, _) = open(seats, None, 1).expect("the defaults fit");
        assert_eq!((table.count(Deck), table.count(Draft), table.count(Discard)), (deck, 3, 0));
        assert!(table.seats().all(|seat| table.count(Hand(seat)) == 5));
        let mut tokens: Vec<i32> =
            Suit::all().map(|suit| table.coins(Token, Crown(suit))).collect();
        tokens.sort_unstable();
        assert_eq!(tokens, [1, 1, 2, 2, 3, 3]);
        assert_eq!(table.decision(table.turn()), Some(Turn));
    }
}

/// §2.2, §2.3
#[test]
fn tokens_and_cards_are_dealt_at_random() {
    let opened = |seed| open(2, None, seed).expect("the defaults fit").0;
    let on_moons: BTreeSet<i32> =
        (0..40).map(|seed| opened(seed).coins(Token, Crown(Suit::Moons))).collect();
    assert_eq!(on_moons, [1, 2, 3].into());
    let hands = (0..60).map(|seed| opened(seed).pieces::<Card>(Hand(Seat::default())));
    assert_eq!(hands.fold(Set::EMPTY, |all, hand| all.or(&hand)).len(), 38);
}

/// §2.4
#[test]
fn the_first_seat_is_random_or_chosen() {
    let first = |value, seats, seed| open(seats, value, seed).map(|it| u8::from(it.0.turn()));
    assert!((0..20).all(|seed| first(Some("2"), 3, seed) == Ok(2)));
    let random: BTreeSet<u8> =
        (0..40).map(|seed| first(None, 4, seed).expect("the defaults fit")).collect();
    assert_eq!(random.len(), 4);
    let beyond = BadOption::NotWithSeats { name: "first-seat", value: "3", seats: 3 };
    assert_eq!(first(Some("3"), 3, 0), Err(beyond));
    let allowed = ["random", "0", "1", "2", "3"].as_slice();
    let strange = BadOption::NotAllowed { name: "first-seat", value: "me".into(), allowed };
    assert_eq!(first(Some("me"), 3, 0), Err(strange));
}

// === 3. Turn ===

/// §3.1
#[test]
fn a_turn_is_a_scheme_or_a_con_and_passes_to_the_next_seat() {
    let scene = "seats: 3; hand/1: author; hand/2: desert; deck: cave pact mill; draft: sailor";
    check(scene, "draw, draw", "turn: 1; asked: 1 turn");
    check(&format!("{scene}; turn: 1"), "con moons author", "turn: 2; asked: 2 turn");
    check(&format!("{scene}; turn: 2"), "con suns desert", "turn: 0; asked: 0 turn");
    check(scene, "1 draw", "refused: not-asked");
}

const DECK: &str = "deck: author desert origin journey";

/// §3.2
#[test]
fn a_scheme_under_way_is_finished_first() {
    check(&format!("{DECK}; hand/0: cave"), "draw, con waves cave", "refused: scheming; turn: 0");
    check(&format!("{DECK}; hand/0: cave"), "draw, pass", "refused: must-play; turn: 0");
}

/// §3.3
#[test]
fn a_seat_passes_only_when_it_can_do_nothing_else() {
    check("turns-left: 2", "pass", "turn: 1; turns-left: 1");
    check("turns-left: 2; hand/0: cave", "pass", "refused: must-play");
    check("turns-left: 2; draft: cave", "pass", "refused: must-play");
    check("deck: cave", "pass", "refused: must-play");
}

// === 4. Scheme ===

/// §4.1
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

/// §4.2
#[test]
fn nothing_is_drawn_from_an_empty_deck() {
    check("draft: cave pact; turns-left: 2", "draw", "refused: deck-empty");
}

/// §4.3
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
    check("deck: cave; draft: pact", "take mill", "refused: not-in-draft");
    check(
        "draft: cave pact; turns-left: 2",
        "take cave",
        "hand/0: cave; draft: pact; asked: second-card",
    );
}

/// §4.4
#[test]
fn with_six_in_hand_only_one_card_is_added() {
    let six = "hand/0: author desert origin journey painter savage";
    check(&format!("{six}; deck: cave pact"), "draw", "turn: 1; asked: turn");
    check(&format!("{six}; deck: cave pact; draft: mill"), "take mill", "turn: 1");
}

/// §4.4
#[test]
fn no_seat_schemes_with_seven_in_hand() {
    let seven =
        "hand/0: author desert origin journey painter savage mountain; deck: cave; draft: mill";
    check(seven, "draw", "refused: hand-full");
    check(seven, "take mill", "refused: hand-full");
    check(seven, "con moons author", "turn: 1");
}

/// §4.5
#[test]
fn a_scheme_ends_when_no_card_is_left() {
    check("draft: cave; turns-left: 2", "take cave", "hand/0: cave; draft:; turn: 1");
    check("turns-left: 2; hand/0: cave", "draw", "refused: deck-empty");
    check("turns-left: 2; hand/0: cave", "take mill", "refused: not-in-draft");
}

// === 5. Run a con ===

/// §5.5, §5.7, §5.8: the example of the rulebook.
#[test]
fn example_a_con_of_wyrms() {
    check(
        "hand/0: battle betrayal desert ace-of-knots mill; crown/wyrms: 2; crown/suns: 1",
        "con wyrms battle betrayal desert ace-of-knots",
        "winnings/0: 11; crown/wyrms: 0; crown/suns: 4; crown/knots: 0; hand/0: mill; \
         discard: ace-of-knots desert battle betrayal; turn: 1; announced: con/wyrms",
    );
}

/// §5.1
#[test]
fn a_con_discards_cards_of_the_hand() {
    check("hand/0: author consul", "con moons author", "discard: author; hand/0: consul");
    check("hand/0: author", "con moons author journey", "refused: not-in-hand; hand/0: author");
}

/// §5.2
#[test]
fn the_cards_of_a_con_share_a_suit() {
    check("hand/0: author desert", "con moons author desert", "refused: no-common-suit");
    check("hand/0: author", "con waves author", "refused: no-common-suit; hand/0: author");
}

/// §5.2
#[test]
fn if_several_suits_are_common_the_player_names_one() {
    let hand = "hand/0: battle betrayal; crown/wyrms: 1; crown/knots: 3";
    check(hand, "con wyrms battle betrayal", "winnings/0: 5; crown/wyrms: 0; crown/knots: 3");
    check(hand, "con knots battle betrayal", "winnings/0: 7; crown/wyrms: 1; crown/knots: 0");
}

/// §5.3
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

/// §5.4
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

/// §5.5
#[test]
fn a_con_is_worth_primary_times_secondary() {
    check("hand/0: author consul", "con moons author consul", "winnings/0: 4");
    check("hand/0: author consul journey", "con moons author consul journey", "winnings/0: 6");
}

/// §5.6
#[test]
fn a_lone_ace_scores_nothing_but_takes_the_crown() {
    check(
        "hand/0: ace-of-suns; crown/suns: 3",
        "con suns ace-of-suns",
        "winnings/0: 3; crown/suns: 0",
    );
}

/// §5.7
#[test]
fn the_crown_of_the_primary_suit_is_emptied() {
    check(
        "hand/0: battle betrayal; crown/wyrms: 7; crown/knots: 2",
        "con wyrms battle betrayal",
        "winnings/0: 11; crown/wyrms: 0; crown/knots: 2",
    );
}

/// §5.8
#[test]
fn one_card_is_a_con_and_orphans_both_its_suits() {
    check(
        "hand/0: author; crown/moons: 3; crown/knots: 2",
        "con moons author",
        "winnings/0: 4; crown/moons: 1; crown/knots: 3",
    );
}

/// §5.8
#[test]
fn a_suit_on_exactly_one_card_is_orphaned() {
    check(
        "hand/0: author journey",
        "con moons author journey",
        "winnings/0: 2; crown/moons: 0; crown/knots: 1; crown/waves: 1",
    );
    check("hand/0: battle betrayal", "con wyrms battle betrayal", "crown/wyrms: 0; crown/knots: 0");
}

// === 6. End ===

/// §6.1
#[test]
fn a_replacement_can_empty_the_deck_in_the_middle_of_a_scheme() {
    let scene = "deck: cave; draft: pact";
    check(scene, "take pact", "turns-left: 3; asked: second-card; announced: last-turns");
    check(scene, "take pact, take cave", "turns-left: 2");
}

/// §6.2
#[test]
fn with_more_than_two_seats_the_discards_make_a_second_deck_once() {
    let scene = "seats: 3; deck: cave; discard: pact mill; draft: author";
    check(
        scene,
        "draw",
        "reshuffled: 1; turns-left: 0; deck: mill pact; discard:; asked: second-card; \
         announced: new-deck",
    );
    check(scene, "draw, draw", "turn: 1; discard:; reshuffled: 1");
    check(
        "seats: 3; deck: cave; discard: pact; draft: author",
        "take author",
        "draft: cave; deck: pact; reshuffled: 1; asked: second-card",
    );
}

/// §6.3
#[test]
fn without_discards_there_is_no_second_deck() {
    check(
        "seats: 3; deck: cave; draft: author",
        "draw",
        "reshuffled: 0; turns-left: 4; asked: second-card; announced: last-turns",
    );
}

/// §6.4
#[test]
fn after_the_deck_runs_out_each_seat_has_one_more_turn() {
    let scene = "deck: cave; draft: pact; hand/0: author; hand/1: desert";
    check(scene, "draw, take pact", "turns-left: 2; turn: 1");
    check(scene, "draw, take pact, con suns desert", "turns-left: 1; turn: 0");
    // Seat 0 emptied the deck and has the last turn.
    check(
        scene,
        "draw, take pact, con suns desert, con moons author",
        "turns-left: 0; winnings/0: 1; winnings/1: 1; winners: 0 1; asked:",
    );
}

/// §6.4
#[test]
fn with_two_seats_or_for_the_second_time_the_discards_stay() {
    check(
        "deck: cave; discard: pact mill; draft: author",
        "draw",
        "turns-left: 3; discard: mill pact; deck:",
    );
    let second = "seats: 4; deck: cave; discard: pact mill; reshuffled: 1; hand/0: author";
    check(second, "draw", "turns-left: 4; deck:; discard: mill pact; turn: 1");
}

/// §6.5
#[test]
fn crowns_and_hands_count_for_nothing() {
    check(
        "turns-left: 1; hand/0: author desert; hand/1: mill cave; crown/suns: 9; winnings/1: 5",
        "con moons author",
        "scores: 1 5; winners: 1; crown/suns: 9; hand/1: cave mill",
    );
}

/// §6.6
#[test]
fn the_highest_score_wins_and_ties_are_shared() {
    let scene = "turns-left: 1; hand/0: author; winnings/0: 4; winnings/1: 5";
    check(scene, "con moons author", "winners: 0 1");
    check(&format!("{scene}; crown/moons: 1"), "con moons author", "winners: 0");
    check("turns-left: 1; hand/0: author; winnings/1: 9", "con moons author", "winners: 1");
}

// === 7. The service's additions ===

/// §7.1
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

/// §7.2, §7.4
#[test]
fn the_house_plays_for_a_seat_that_resigned() {
    let scene = "seats: 3; turn: 1; hand/0: battle betrayal soldier watchman; \
                 deck: cave pact mill; draft: sailor market";
    check(scene, "2 resign", "turn: 1; asked: 1 turn; winners:");
    check(scene, "0 resign, 1 draw, 1 draw", "turn: 2; asked: 2 turn");
    check(&format!("{scene}; turn: 0"), "0 resign", "turn: 1; asked: 1 turn");
    // It draws while it can. Where only the draft is left, each card is picked equally often.
    let from_deck = |name: &str| name != "sailor" && name != "market";
    let taken = |scene: &str, seed| {
        let (table, _) = lay_out::<Mountebank>(scene);
        let mut chance = ChaCha::of(invariants::key(seed), 2);
        let (_, entry) = act_by::<Mountebank>(&table, "0 resign", &mut chance).expect("it may");
        let moved = entry.events.iter().find_map(|event| match *event {
            Event::Moved { what: Face::Up(piece), .. } => Some(LAYOUT.piece_name(piece)),
            _ => None,
        });
        moved.expect("the house takes a card")
    };
    let turn = format!("{scene}; turn: 0");
    assert!((0..30).all(|seed| from_deck(taken(&turn, seed))));
    let bare = "seats: 3; draft: sailor market; deck:";
    let sailors = (0..300).filter(|&seed| taken(bare, seed) == "sailor").count();
    assert!((110..190).contains(&sailors), "{sailors} of 300");
}

/// §7.3
#[test]
fn a_seat_that_resigned_keeps_its_points_and_cannot_win() {
    let scene = "seats: 3; turns-left: 2; turn: 1; hand/1: author; hand/2: mill; winnings/2: 99; \
                 winnings/0: 1";
    // The last turn is its own, played by the house.
    check(
        scene,
        "2 resign, 1 con moons author",
        "scores: 1 1 100; winners: 0 1; discard: author mill",
    );
    check("winnings/0: 7", "0 resign", "winners: 1; scores: 0 0; asked:");
}

// === Series ===

/// §8.1
#[test]
fn the_winner_of_a_match_begins_the_next() {
    let game = crate::find("mountebank").expect("a game");
    let given = [("first-seat".to_owned(), "0".to_owned())].into();
    let next = |scene: &str, act| {
        let (table, _) = lay_out::<Mountebank>(scene);
        let mut chance = ChaCha::of(invariants::key(0), 2);
        let (ended, _) = act_by::<Mountebank>(&table, act, &mut chance).expect("it may");
        assert!(ended.ended());
        let swapped = |seat: Seat| Seat::nth(1 - usize::from(u8::from(seat))).expect("a seat");
        let options = game.options_of_next(&given, &ended, &swapped);
        game.check_options(&options, 2).expect("they fit").get("first-seat")
    };
    let scene = "turns-left: 1; turn: 0; hand/0: author";
    assert_eq!(next(scene, "0 con moons author"), "1", "the seat that has the winner now");
    assert_eq!(next(&format!("{scene}; winnings/1: 1"), "0 con moons author"), "random", "a tie");
    assert_eq!(next("turn: 0", "0 resign"), "0");
}

/// §8.2: `matches` counts the wins.
#[test]
fn two_seats_play_the_best_of_three() {
    assert_eq!([2, 3, 4].map(Mountebank::best_of), [Some(3), None, None]);
}

// === Refusals ===

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

/// §7.4
#[test]
fn the_house_draws_for_a_seat_that_is_away_or_runs_the_smallest_con() {
    let answer = |scene: &str, acts: &str| {
        let table = crate::tests::scene::run::<Mountebank>(scene, acts).table;
        Mountebank::passive(&table, Seat::default())
    };
    let con = |names: &str, primary| {
        let cards = names.split(' ').map(card).collect();
        Some(Action::Con { cards, primary })
    };
    let some = "hand/0: harvest rite window; draft: pact; deck: cave desert author";
    assert_eq!(answer(some, ""), Some(Action::Draw));
    assert_eq!(answer(some, "draw"), Some(Action::Draw));
    // Only the draft is left: chance takes a card of it.
    assert_eq!(answer("draft: pact cave desert; deck:", ""), None);
    assert_eq!(answer("draft: pact cave desert; deck:", "take pact"), None);
    // A con of an ace alone is worth nothing; its Crown holds what the seat would win.
    let aces: Vec<Card> = FACES.aces.iter().collect();
    let full = format!(
        "hand/0: harvest rite window author desert {} {}; deck: pact",
        name(aces[0]),
        name(aces[1])
    );
    let suit = |ace: Card| Suit::all().find(|&it| FACES.showing(it).has(ace)).expect("a suit");
    let crown = |ace: Card| format!("crown/{}", <&str>::from(suit(ace)));
    assert_eq!(
        answer(&format!("{full}; {}: 3", crown(aces[0])), ""),
        con(name(aces[1]), suit(aces[1]))
    );
    assert_eq!(
        answer(&format!("{full}; {}: 3", crown(aces[1])), ""),
        con(name(aces[0]), suit(aces[0]))
    );
    assert_eq!(answer("hand/0:; draft:; deck:", ""), Some(Action::Pass));
}

// === Opinion ===

/// The legal action of seat 0 that appeals most.
fn favourite(scene: &str) -> Action {
    crate::tests::scene::favourite::<Mountebank>(scene, "")
}

/// §5.5, §5.7
#[test]
fn a_player_runs_the_con_that_pays_most() {
    let wyrms = "battle betrayal soldier desert darkness cave ace-of-knots";
    let scene = format!("hand/0: {wyrms}; crown/wyrms: 3; draft: pact; deck: mill");
    assert_eq!(favourite(&scene), Mountebank::action(&format!("con wyrms {wyrms}")));
    // Of two cons that are worth the same, the one whose Crown has tokens.
    let last = "turns-left: 2; hand/0: author; draft: pact; deck:";
    let con = |suit: &str| Mountebank::action(&format!("con {suit} author"));
    assert_eq!(favourite(&format!("{last}; crown/knots: 3")), con("knots"));
    assert_eq!(favourite(&format!("{last}; crown/moons: 3")), con("moons"));
}

/// §4.1
#[test]
fn a_player_takes_the_card_that_fits_the_hand() {
    let scene = "hand/0: battle betrayal; draft: pact mill soldier; deck: author";
    assert_eq!(favourite(scene), Mountebank::action("take soldier"));
}

/// §6.5
#[test]
fn a_hand_is_worth_something_while_its_seat_has_a_turn() {
    let worth = |scene: &str, seat: usize| {
        let (table, _) = lay_out::<Mountebank>(scene);
        Mountebank::worth(&table, Seat::nth(seat).expect("a seat"))
    };
    assert_eq!([0, 1].map(|seat| worth("hand/0: battle betrayal soldier", seat)), [6, 0]);
    assert_eq!(worth("hand/1: author; winnings/1: 2; crown/moons: 3", 1), 5);
    // The turn under way is the last one.
    let scene = "turn: 1; turns-left: 1; hand/0: battle betrayal soldier";
    assert_eq!(worth(scene, 0), 0);
}
