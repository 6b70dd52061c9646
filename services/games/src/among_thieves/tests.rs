//! The rules, a line each, in the rulebook's order.

/// The fifth step of a turn.
mod event_cards;

use table::{ChaCha, Component, Entry, Event, PlaceId, Refused, Set, Viewer, invariants};

use super::*;
use crate::tests::scene::{self, Facts, Scene, act_by, read, seat, spaced, spaced_seats};

/// `millions: 4 3 2` is what each seat has in its stash, and `honor: 7 7 7` where it stands on the
/// track: at 7 where a scene does not say. Cards that a scene does not name are in the box, but a
/// deck that it does not name holds its Game End card.
impl Scene for AmongThieves {
    const SEATS_USUAL: u8 = 3;
    const OWN_FACTS: &[&str] = &["millions", "honor"];

    fn prepare(d: &mut Dealer, scene: Facts) {
        Card::all().filter(|card| !card.is_game_end()).for_each(|card| d.put(card, Box));
        EventCard::all().for_each(|event| d.put(event, Box));
        let amounts =
            |name| scene.get(name).unwrap_or("").split(' ').map_while(|it| it.parse().ok());
        for (seat, amount) in d.seats().zip(amounts("millions")) {
            d.pay(Million, Reserve, Stash(seat), amount);
        }
        let honor = amounts("honor").chain(std::iter::repeat(HONOR_AT_START));
        d.seats().zip(honor).for_each(|(seat, amount)| d.pay(Honor, Reserve, Track(seat), amount));
    }

    fn clear(d: &mut Dealer, place: PlaceId) {
        d.gather(place, Box);
    }

    fn begin(d: &mut Dealer, scene: Facts) {
        heist::begin_turn(d, scene.turn());
    }

    fn action(text: &str) -> Action {
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        match verb {
            "says" => Action::Say { to: None, text: rest.into() },
            "whispers" => {
                let (to, text) = rest.split_once(' ').expect("a seat, then a text");
                Action::Say { to: Some(seat(to)), text: text.into() }
            }
            "pays" => {
                let (to, millions) = rest.split_once(' ').expect("a seat, then an amount");
                Action::Pay { to: seat(to), millions: millions.parse().expect("an amount") }
            }
            "team" => Action::Assemble { team: rest.split(' ').map(seat).collect() },
            "robs" => {
                let corporation = Corporation::all().find(|&it| <&str>::from(it) == rest);
                Action::Blackmail { corporation: corporation.expect("a corporation") }
            }
            "h" => Action::Choose { honorable: true },
            "d" => Action::Choose { honorable: false },
            "favors" => Action::Favor { seat: seat(rest) },
            verb => panic!("{verb} is no action"),
        }
    }

    fn read(table: &Table, name: &str, _: &str) -> Option<String> {
        match name {
            "millions" => Some(spaced(table.seats().map(|seat| held(table, seat)))),
            "honor" => Some(spaced(table.seats().map(|seat| honor(table, seat)))),
            "eliminated" => {
                let eliminated = table.seats().filter(|&it| table.is_marked(Eliminated(it)));
                Some(spaced_seats(eliminated.collect()))
            }
            // Without the millions that lie there too.
            name if name.starts_with("stash/") => {
                let stash = LAYOUT.place_named(name).expect("a stash");
                Some(table.pieces::<Card>(stash).names(&LAYOUT))
            }
            _ => None,
        }
    }
}

#[track_caller]
fn check(scene: &str, acts: &str, outcome: &str) {
    scene::check::<AmongThieves>(scene, acts, outcome);
}

fn lay_out(scene: &str) -> Table {
    scene::lay_out::<AmongThieves>(scene).0
}

/// One act, with the chance of a seed.
fn act(table: &Table, act: &str, seed: u64) -> Result<(Table, Entry), Refused<Refusal>> {
    act_by::<AmongThieves>(table, act, &mut ChaCha::of(invariants::key(seed), 2))
}

/// What legal acts lead to, and the entry of the last.
fn done(table: &Table, acts: &str, seed: u64) -> (Table, Entry) {
    let mut steps = acts.split(", ");
    let first = steps.next().expect("an act");
    let first = act(table, first, seed).expect("it is legal");
    steps.fold(first, |(table, _), it| act(&table, it, seed).expect("it is legal"))
}

/// What the table shows of a fact.
fn shown(table: &Table, name: &str) -> String {
    read::<AmongThieves>(table, name, "")
}

/// The events of an entry as a viewer reads them.
fn narrated(entry: &Entry, viewer: Viewer) -> String {
    let entry = entry.seen_by(viewer, &LAYOUT);
    let sentences = entry.events.iter().map(|event| table::narration::sentence(event, &LAYOUT));
    sentences.collect::<Vec<_>>().join("\n")
}

/// A whole heist: seat 0 takes everyone in `choices` along to Corvid, and each chooses `h` or `d`.
#[track_caller]
fn heist(scene: &str, choices: &str, outcome: &str) {
    check(scene, &acts(choices), outcome);
}

fn acts(choices: &str) -> String {
    let choices: Vec<_> = choices.split_whitespace().map(|it| it.split_at(1)).collect();
    let team: Vec<&str> = choices.iter().map(|(seat, _)| *seat).collect();
    let chosen = choices.iter().map(|(seat, choice)| format!(", {seat} {choice}"));
    format!("0 team {}, 0 robs corvid{}", team.join(" "), chosen.collect::<String>())
}

fn open(seats: u8, first: &str, seed: u64) -> (Table, Entry) {
    let given = [("first-seat".to_string(), first.to_string())].into_iter().collect();
    let options = Options::of::<AmongThieves>(&given, seats).expect("the options fit");
    table::open::<AmongThieves>(seats, &options, &mut ChaCha::of(invariants::key(seed), 1))
}

// === The components ===

#[test]
fn there_are_as_many_cards_as_the_rulebook_counts() {
    let of = |corporation| Card::all().filter(move |card| card.corporation() == corporation);
    for corporation in Corporation::all() {
        assert_eq!(of(corporation).filter(|card| !card.is_game_end()).count(), 21);
        assert_eq!(of(corporation).filter(|card| card.is_game_end()).count(), 1);
    }
    assert_eq!(EventCard::all().count(), 29);
    assert_eq!(EventCard::all().filter(|event| event.is_for_seven()).count(), 6);
    let rows = LAYOUT.pieces();
    assert!(
        rows.iter()
            .all(|row| Disc::of(row.piece).is_some() == (row.origin == table::Origin::Printed))
    );
}

#[test]
fn every_corporation_has_five_cards_a_tier_for_few_players_and_seven_for_many() {
    for (tier, worth, worth_of_all) in [(1, 9, 12), (2, 17, 24), (3, 30, 41)] {
        let of_tier = |card: &Card| {
            card.corporation() == Corporation::Paragon
                && !card.is_game_end()
                && LAYOUT.pieces()[card.piece().index()].layer == tier
        };
        let cards = || Card::all().filter(of_tier);
        assert_eq!(cards().count(), 7);
        let few = cards().filter(|card| !card.is_for_seven());
        assert_eq!(few.map(Card::value).sum::<u32>(), worth);
        assert_eq!(cards().map(Card::value).sum::<u32>(), worth_of_all);
    }
}

// === Set-up ===

#[test]
fn three_to_six_players_leave_out_what_is_for_seven_or_more() {
    for (seats, deck, events, boxed) in [(3, 16, 23, 24), (6, 16, 23, 24), (7, 22, 29, 0)] {
        let (table, _) = open(seats, "random", 1);
        assert!(Corporation::all().all(|it| table.count(Deck(it)) == deck));
        assert_eq!((table.count(EventDeck), table.count(Box)), (events, boxed));
    }
}

#[test]
fn decks_are_drawn_tier_by_tier() {
    for seed in 0..20 {
        let mut chance = ChaCha::of(invariants::key(seed), 2);
        let mut d = Dealer::new(open(8, "random", seed).0, &mut chance);
        let tiers: Vec<u8> = std::iter::from_fn(|| d.draw(Deck(Corporation::Corvid), Discard))
            .map(|card| LAYOUT.pieces()[card.index()].layer)
            .collect();
        assert!(tiers.is_sorted() && tiers.len() == 22, "{tiers:?}");
    }
}

#[test]
fn the_heistmaster_starts_with_four_the_left_neighbor_with_three_and_others_with_two() {
    let (table, entry) = open(5, "3", 1);
    let millions: Vec<u32> = table.seats().map(|seat| held(&table, seat)).collect();
    assert_eq!(millions, [2, 2, 2, 4, 3]);
    assert!(table.seats().all(|seat| honor(&table, seat) == 7));
    assert_eq!((u8::from(table.turn()), shown(&table, "asked")), (3, "assemble".into()));
    // What everyone has at the start is no secret; what they have later is.
    let told = entry.seen_by(Viewer::Spectator, &LAYOUT);
    assert!(told.events.iter().all(|it| !matches!(it, Event::Paid { amount: None, .. })));
    assert_eq!(held(&table.seen_by(Viewer::Spectator), seat("3")), 0);
}

#[test]
fn who_goes_first_is_random_or_chosen() {
    let first = |seed| u8::from(open(8, "random", seed).0.turn());
    let firsts: std::collections::BTreeSet<u8> = (0..80).map(first).collect();
    assert_eq!(firsts.len(), 8);
    let given = [("first-seat".to_string(), "5".to_string())].into_iter().collect();
    let beyond = BadOption::NotWithSeats { name: "first-seat", value: "5", seats: 5 };
    assert_eq!(Options::of::<AmongThieves>(&given, 5), Err(beyond));
}

// === 1. The team, and deals ===

#[test]
fn half_of_the_players_rounded_up_go_on_the_heist() {
    for (seats, team) in
        [(3, "0 1"), (4, "2 3"), (5, "1 2 4"), (6, "0 1 5"), (7, "0 1 2 3"), (8, "4 5 6 7")]
    {
        let scene = format!("seats: {seats}");
        check(&scene, &format!("0 team {team}"), "asked: 0 blackmail; may:");
        check(&scene, "0 team 0", "refused: team-size");
        check(&scene, &format!("0 team {team} {}", if team.contains('0') { 4 } else { 0 }), {
            if seats == 3 { "refused: no-such-seat" } else { "refused: team-size" }
        });
    }
}

#[test]
fn the_heistmaster_may_stay_at_home() {
    check("", "0 team 1 2, 0 robs corvid", "asked: 1 choose, 2 choose; member/0: 0; member/1: 1");
}

/// The negotiation of the rulebook's example: seat 0 is Abby, seat 1 Bob, seat 2 Candi.
#[test]
fn example_negotiation() {
    let scene = "deck/paragon: paragon-3/5 paragon-2/3 paragon-5/16; millions: 4 3 2";
    let deals = "1 whispers 0 Two millions if you take me along, \
                 2 says Take me and I am honorable, 0 whispers 1 Make it three, 1 pays 0 3, \
                 0 says Candi it is, 0 team 0 2";
    check(scene, deals, "millions: 7 0 2; member/0: 1; member/1: 0; member/2: 1");
    // Candi is no more bound than Abby is.
    check(scene, &format!("{deals}, 0 robs paragon, 0 h, 2 d"), "honor: 8 7 6; refused:");
}

#[test]
fn anyone_pays_anyone_until_the_team_is_chosen() {
    let scene = "millions: 0 3 2";
    check(scene, "1 pays 2 3, 2 pays 0 5, 0 pays 1 1", "millions: 4 1 0");
    check(scene, "0 team 0 1, 1 pays 2 1", "refused: not-asked");
    check(scene, "0 team 0 1, 0 pays 2 1", "refused: not-now");
    check(scene, "0 team 0 1, 0 says Ha", "refused: not-now");
    check(scene, "0 team 0 1, 0 robs corvid, 1 pays 0 1", "refused: not-now");
}

#[test]
fn nobody_pays_more_than_they_have_or_nothing_or_nobody() {
    let scene = "millions: 0 3 2";
    check(scene, "1 pays 0 4", "refused: not-in-stash; millions: 0 3 2");
    check(scene, "1 pays 0 4294967295", "refused: not-in-stash");
    check(scene, "1 pays 0 0", "refused: nothing-paid");
    check(scene, "1 pays 1 1", "refused: yourself");
    check(scene, "1 pays 3 1", "refused: no-such-seat");
    check(scene, "1 whispers 1 Well done", "refused: yourself");
    check(scene, "1 whispers 7 Hello", "refused: no-such-seat");
}

#[test]
fn words_are_plain_and_bounded() {
    check("", &format!("1 says {}", "a".repeat(500)), "refused:");
    check("", &format!("1 says {}", "a".repeat(501)), "refused: text-too-long");
    check("", "1 says \u{1b}[2J", "refused: text-not-plain");
    check("", "1 whispers 0  ", "refused: text-blank");
    check("", "1 says one\ntwo <b>three</b>", "refused:");
}

#[test]
fn a_seat_that_resigned_makes_no_deals() {
    let (table, _) = done(&lay_out("millions: 0 3 0"), "2 resign", 0);
    for it in ["1 pays 2 1", "1 whispers 2 Come back"] {
        let refused = act(&table, it, 3).expect_err("nobody is there");
        let facts = vec![("seat", "2".to_string())];
        assert_eq!((refused.reason(), refused.facts()), ("HAS_RESIGNED", facts));
    }
    // The house takes the turn of a seat that resigned, and gives away nothing of it.
    let (table, entry) = done(&lay_out("millions: 9 1 1"), "0 resign", 0);
    assert_eq!(shown(&table, "millions"), "9 1 1");
    assert!(!entry.events.iter().any(|event| matches!(event, Event::Said { .. })));
    assert!(table.get::<Corporation>(Target).is_some());
}

#[test]
fn only_the_two_learn_how_much_is_paid_and_what_is_said_between_them() {
    let table = lay_out("seats: 4; millions: 0 9");
    let told =
        |it: &str, viewer| act(&table, it, 2).expect("it is legal").1.seen_by(viewer, &LAYOUT);
    let others = [Viewer::Seat(seat("0")), Viewer::Seat(seat("3")), Viewer::Spectator];
    let two = [Viewer::Seat(seat("1")), Viewer::Seat(seat("2"))];
    let pairs = [
        ("1 pays 2 1", "1 pays 2 9"),
        ("1 whispers 2 Yes", "1 whispers 2 No, and do not ask me again before the next heist"),
    ];
    for (one, other) in pairs {
        assert!(others.iter().all(|&viewer| told(one, viewer) == told(other, viewer)), "{one}");
        assert!(two.iter().all(|&viewer| told(one, viewer) != told(other, viewer)), "{one}");
    }
    // Not even to whom it was said.
    assert_eq!(told("1 whispers 2 Yes", others[1]), told("1 whispers 0 Yes", others[1]));
    assert_ne!(told("1 says Yes", Viewer::Spectator), told("1 says No", Viewer::Spectator));
}

// === 2. The corporation ===

#[test]
fn the_heistmaster_takes_what_lies_on_the_deck_and_the_others_get_two_each() {
    let scene = "pot/corvid: 6; pot/lefleur: 2; millions: 1";
    let then = "millions: 7 0 0; pot/corvid: 0; pot/lefleur: 4; pot/paragon: 2";
    check(scene, "0 team 1 2, 0 robs corvid", then);
    check(scene, "0 robs corvid", "refused: not-now");
    check(scene, "1 robs corvid", "refused: not-now");
}

// === 3. The choice ===

const TWO_CARDS: &str = "deck/corvid: corvid-3/5 corvid-2/3 corvid-5/16";

/// Seats 0 and 1 go on a heist.
const ASKED: &str = "0 team 0 1, 0 robs corvid";

#[test]
fn all_choices_are_revealed_at_once() {
    let then = "asked: 0 choose; may: 1 reconsider; revealed/1:; palm/1: dishonorable/1";
    check(TWO_CARDS, &format!("{ASKED}, 1 d"), then);
    check(TWO_CARDS, &format!("{ASKED}, 1 d, 0 h"), "turn: 1; palm/0:; palm/1:; honor: 8 6 7");
    check(TWO_CARDS, &format!("{ASKED}, 2 d"), "refused: not-asked");
}

#[test]
fn a_choice_is_changed_until_the_last_one_is_in() {
    let then = "palm/1: honorable/1; may: 1 reconsider; asked: 0 choose";
    check(TWO_CARDS, &format!("{ASKED}, 1 d, 1 h"), then);
    check(TWO_CARDS, &format!("{ASKED}, 1 d, 1 d, 1 h, 0 h"), "honor: 7 7 7; turn: 1");
    check(TWO_CARDS, &format!("{ASKED}, 1 d, 0 h, 1 h"), "refused: not-now");
}

/// All that the others know of a heist under way, after each act: entries, views, sizes.
fn known_to_others(start: &Table, acts: &str, choosers: &[&str]) -> Vec<(Bytes, String)> {
    let choosers: Vec<Viewer> = choosers.iter().map(|it| Viewer::Seat(seat(it))).collect();
    let others = || Viewer::guests(5).filter(|viewer| !choosers.contains(viewer));
    let (mut table, mut known) = (start.clone(), Vec::new());
    for it in acts.split(", ") {
        let (after, entry) = act(&table, it, 5).expect("it is legal");
        known.extend(others().map(|viewer| {
            (entry.seen_by(viewer, &LAYOUT).encode(), format!("{:?}", after.seen_by(viewer)))
        }));
        table = after;
    }
    known
}

/// Whatever is chosen, in whatever order, and whether a choice is changed or made again.
#[test]
fn nobody_tells_a_choice_from_another_until_all_have_chosen() {
    let start = lay_out("seats: 5; deck/corvid: corvid-3/5 corvid-2/3 corvid-3/9 corvid-5/16");
    for [first, second, third] in [["1", "1", "2"], ["2", "1", "1"], ["2", "1", "2"]] {
        let known = |bits: u32| {
            let choice = |n: u32| if bits >> n & 1 == 0 { "h" } else { "d" };
            let [a, b, c] = [0, 1, 2].map(choice);
            let acts = format!("{first} {a}, {second} {b}, {third} {c}");
            let acts = format!("0 team 1 2 3, 0 robs corvid, {acts}");
            known_to_others(&start, &acts, &["1", "2"])
        };
        assert!((1..8).all(|bits| known(bits) == known(0)), "{first} {second} {third}");
    }
}

#[test]
fn each_choice_is_as_open_as_the_other_while_it_may_be_changed() {
    let (table, _) = done(&lay_out(TWO_CARDS), &format!("{ASKED}, 1 d"), 2);
    let [chosen, not_chosen] = ["1", "0"].map(|it| AmongThieves::legal(&table, seat(it)));
    assert_eq!(chosen, not_chosen);
}

// === 4. The payout ===

#[test]
fn the_dishonorable_draw_into_their_stash_clockwise_from_the_heistmaster() {
    // A card of each tier, so that it is known who draws what. Seat 0 stays at home.
    let scene = "seats: 5; deck/corvid: corvid-1-honor/1 corvid-3/9 corvid-5/16 corvid-7/18";
    heist(scene, "1d 3d 4h", "stash/1: corvid-1-honor/1; stash/3: corvid-3/9; stash/4:");
    heist(scene, "3d 1d 4h", "stash/1: corvid-1-honor/1; stash/3: corvid-3/9; stash/4:");
    let from_three = "3 team 1 3 4, 3 robs corvid, 1 d, 3 h, 4 d";
    let then = "stash/4: corvid-1-honor/1; stash/1: corvid-3/9; stash/3:";
    check(&format!("{scene}; turn: 3"), from_three, then);
}

#[test]
fn a_stolen_card_pays_nothing_and_draws_no_event() {
    let scene = "deck/corvid: corvid-2-event/4 corvid-3/9 corvid-5/16; event-deck: finders-fee/1";
    heist(scene, "1d 2h", "stash/1: corvid-2-event/4; millions: 0 6 0; event-discard:");
}

#[test]
fn nobody_else_sees_what_was_stolen() {
    let scene = lay_out("deck/corvid: corvid-1-honor/1 corvid-3/9 corvid-5/16");
    let (table, entry) = done(&scene, &acts("1d 2h"), 2);
    let thief = narrated(&entry, Viewer::Seat(seat("1")));
    assert!(thief.contains("corvid-1-honor/1: deck/corvid -> stash/1"), "{thief}");
    for viewer in [Viewer::Seat(seat("2")), Viewer::Spectator] {
        let other = narrated(&entry, viewer);
        assert!(other.contains("a tier-one-card/corvid: deck/corvid -> stash/1"), "{other}");
        // What the payout comes to is known to all.
        assert!(other.contains("6 million: reserve -> stash/1"), "{other}");
        assert_eq!(table.seen_by(viewer).pieces::<Card>(Stash(seat("1"))), Set::EMPTY);
    }
}

/// Two are honorable and one is not.
#[test]
fn example_two_cards_make_the_payout() {
    let cards = "paragon-1-honor/1 paragon-3/9 paragon-2-honor/8 paragon-5/16";
    let scene = lay_out(&format!("seats: 5; deck/paragon: {cards}"));
    let acts = "0 team 0 1 2, 0 robs paragon, 0 h, 1 d, 2 h";
    let (table, entry) = done(&scene, acts, 3);
    assert_eq!(shown(&table, "discard"), "paragon-2-honor/8 paragon-3/9");
    assert!(narrated(&entry, Viewer::Spectator).contains("the payout is 5"));
}

#[test]
fn a_short_deck_reveals_what_it_has_and_ends_the_game() {
    let one = "seats: 5; deck/corvid: corvid-3/5";
    heist(one, "0h 1h 2h", "payout: corvid-3/5; scores: 3 3 3 0 0; winners: 0 1 2");
    let none_left = "stash/0: corvid-3/5; payout:; honor: 6 8 8 7 7; eliminated: 0; winners: 1 2";
    heist(one, "0d 1h 2h", none_left);
    let two = "seats: 5; deck/corvid: corvid-1-honor/1 corvid-2-honor/8";
    let then = "stash/1: corvid-1-honor/1; stash/2: corvid-2-honor/8; stash/3:; eliminated: 3";
    heist(two, "1d 2d 3d", then);
}

// === 6. The reward, and honor ===

#[test]
fn example_all_honorable_players_gain_the_payout() {
    let scene = "seats: 5; deck/corvid: corvid-3/5 corvid-2/3 corvid-1-honor/1 corvid-5/16";
    heist(scene, "0h 1h 2h", "millions: 6 6 6 0 0; honor: 7 7 7 7 7; turn: 1");
}

#[test]
fn example_a_dishonorable_player_gains_double_the_payout() {
    let scene = "seats: 5; deck/corvid: corvid-1-honor/1 corvid-3/9 corvid-2-honor/8 corvid-5/16";
    heist(scene, "0h 1d 2h", "millions: 0 10 0 0 0; honor: 8 6 8 7 7");
}

#[test]
fn every_dishonorable_player_gains_double_the_payout() {
    let scene = "seats: 5; deck/corvid: corvid-1-honor/1 corvid-1-honor/2 corvid-3/9 corvid-5/16";
    heist(scene, "0d 1d 2h", "millions: 6 6 0 0 0; honor: 6 6 8 7 7");
}

#[test]
fn if_all_are_dishonorable_the_payout_is_nothing() {
    let scene = "deck/corvid: corvid-2-event/4 corvid-2-event/7 corvid-5/16; \
                 event-deck: finders-fee/1";
    heist(scene, "0d 1d", "millions: 0 0 0; honor: 6 6 7; payout:; event-discard:; turn: 1");
}

#[test]
fn the_track_does_not_decide_who_is_honorable() {
    let scene = format!("{TWO_CARDS}; honor: 1 13");
    heist(&scene, "0h 1h", "millions: 5 5 0; honor: 1 13 7");
    heist(&scene, "0h 1d", "honor: 2 12 7");
}

#[test]
fn honor_stays_between_one_and_thirteen() {
    heist(&format!("{TWO_CARDS}; honor: 13 1"), "0h 1d", "honor: 13 1 7");
}

#[test]
fn cards_are_discarded_and_the_token_goes_clockwise() {
    heist(TWO_CARDS, "0h 1h", "discard: corvid-2/3 corvid-3/5; payout:; turn: 1; member/1: 0");
    let then = "target: nothing; asked: 1 assemble; may: 2 deal, 0 deal; pocket/0: honorable/0 dishonorable/0";
    heist(TWO_CARDS, "0h 1h", then);
}

// === Game end ===

#[test]
fn game_end_corvid_eliminates_the_least_honorable() {
    let scene = "seats: 5; deck/corvid: corvid-game-end corvid-3/9 corvid-2/3; \
                 millions: 0 0 0 99 50; honor: 12 7 7 3 7";
    heist(scene, "0h 1h 2h", "eliminated: 3; scores: 5 5 5 0 50; winners: 4; asked:; may:");
}

#[test]
fn game_end_lefleur_eliminates_the_most_honorable() {
    let scene = "seats: 5; deck/lefleur: lefleur-game-end lefleur-3/9 lefleur-2/3; \
                 millions: 0 0 0 99 50; honor: 3 7 7 12 7";
    let acts = "0 team 0 1 2, 0 robs lefleur, 0 h, 1 h, 2 h";
    check(scene, acts, "eliminated: 3; scores: 5 5 5 0 50; winners: 4");
}

#[test]
fn game_end_paragon_eliminates_the_two_least_honorable() {
    let scene = "seats: 5; deck/paragon: paragon-game-end paragon-3/9 paragon-2/3; \
                 millions: 0 0 0 99 50; honor: 5 7 7 3 5";
    let acts = "0 team 0 1 2, 0 robs paragon, 0 h, 1 h, 2 h";
    check(scene, acts, "eliminated: 0 3 4; scores: 0 5 5 0 0; winners: 1 2");
    // With three or four players only the least honorable.
    let few = "seats: 4; deck/paragon: paragon-game-end paragon-3/9; \
               millions: 0 0 50 99; honor: 7 7 5 3";
    check(few, "0 team 0 1, 0 robs paragon, 0 h, 1 h", "eliminated: 3; winners: 2");
}

#[test]
fn a_stolen_game_end_card_does_nothing() {
    let scene = lay_out("deck/corvid: corvid-game-end corvid-5/16 corvid-7/18");
    let matches = (0..20).map(|seed| done(&scene, &acts("0d 1h"), seed).0);
    let (stolen, others): (Vec<Table>, Vec<Table>) =
        matches.partition(|table| shown(table, "stash/0") == "corvid-game-end");
    assert!(!stolen.is_empty() && stolen.iter().all(|table| !table.ended()));
    assert!(others.iter().any(Table::ended), "it was revealed in some");
}

#[test]
fn a_revealed_game_end_card_goes_before_an_empty_deck() {
    let scene = "deck/lefleur: lefleur-game-end lefleur-3/9; honor: 12";
    let acts = "0 team 1 2, 0 robs lefleur, 1 h, 2 h";
    check(scene, acts, "eliminated: 0; scores: 0 3 3; winners: 1 2");
}

#[test]
fn an_empty_deck_ends_the_game_and_eliminates_the_least_honorable() {
    let scene = "deck/corvid: corvid-3/5 corvid-2/3; millions: 8 0 40; honor: 7 7 6";
    heist(scene, "0h 1h", "eliminated: 2; scores: 13 5 0; winners: 0; deck/corvid:");
    // Any deck will do, not only that of the turn.
    heist(&format!("{TWO_CARDS}; deck/paragon:; honor: 7 7 6"), "0h 1h", "scores: 5 5 0");
}

#[test]
fn honor_in_the_stash_counts_before_anyone_is_eliminated() {
    let scene = "deck/corvid: corvid-3/5 corvid-2/3; millions: 0 0 40; honor: 7 7 6; \
                 stash/2: lefleur-1-honor/1 lefleur-1-honor/2 paragon-3/5";
    heist(scene, "0h 1h", "honor: 7 7 8; eliminated: 0 1; winners: 2");
    heist(&format!("{scene}; honor: 7 7 13"), "0h 1h", "honor: 7 7 13; eliminated: 0 1");
}

#[test]
fn if_all_would_be_eliminated_nobody_is() {
    let scene = "deck/corvid: corvid-3/5 corvid-2/3";
    heist(scene, "0h 1h", "eliminated:; scores: 5 5 0; winners: 0 1");
    let two_values = "seats: 5; deck/paragon: paragon-game-end paragon-3/9 paragon-2/3; \
                      honor: 5 7 7 7 7; millions: 0 0 0 0 6";
    let acts = "0 team 0 1 2, 0 robs paragon, 0 h, 1 h, 2 h";
    check(two_values, acts, "eliminated:; winners: 4");
}

#[test]
fn the_tied_player_with_the_most_honor_wins() {
    let scene = "deck/corvid: corvid-3/5 corvid-2/3";
    heist(&format!("{scene}; honor: 7 8 2"), "0h 1h", "scores: 5 5 0; eliminated: 2; winners: 1");
    heist(&format!("{scene}; honor: 7 7 2"), "0h 1h", "winners: 0 1");
}

#[test]
fn a_seat_that_resigned_leaves_somebody_to_win() {
    // Seat 2 is the most honorable, and gone; the others would all be eliminated.
    let scene = "deck/corvid: corvid-3/5 corvid-2/3; millions: 1; honor: 7 7 9";
    let (table, _) = done(&lay_out(scene), "2 resign", 0);
    let (table, _) = done(&table, &acts("0h 1h"), 3);
    let is = ["eliminated", "winners", "scores"].map(|it| shown(&table, it));
    assert_eq!(is, ["", "0", "6 5 0"]);
}

// === Secrets and messages ===

#[test]
fn a_refusal_names_what_it_is_about() {
    let table = lay_out("seats: 4; millions: 0 3");
    let says = |it: &str, sentence: &str| {
        let refusal = act(&table, it, 0).expect_err("it is refused");
        let facts = refusal.facts().into_iter().map(|(name, value)| format!("{name}={value}"));
        let facts: Vec<String> = facts.collect();
        assert_eq!(format!("{refusal} ({})", facts.join(" ")), sentence);
    };
    says("1 pays 0 5", "you have 3 millions, not 5 (millions=5 held=3)");
    says("1 pays 6 1", "there is no seat 6 in a match of 4 seats (seat=6 seats=4)");
    says("1 robs corvid", "that is not what is asked now (asked=deal)");
    says("0 team 0 1 2", "2 seats go on the heist, not 3 (size=2 chosen=3)");
    says("0 team 0 6", "there is no seat 6 in a match of 4 seats (seat=6 seats=4)");
    let long = format!("1 says {}", "a".repeat(600));
    says(&long, "a text has 500 bytes at most, not 600 (bytes=600 bytes_max=500)");
}

#[test]
fn a_message_that_names_no_action_is_malformed() {
    let malformed = |message: &[u8]| AmongThieves::parse(message).expect_err("it is malformed").0;
    assert_eq!(
        malformed(&[]),
        "an action is one of say, pay, assemble, blackmail, choose and favor"
    );
    assert_eq!(malformed(&[18, 2, 16, 1]), "a seat is missing");
    assert!(malformed(&[18, 2, 8, 8]).starts_with("there is no seat 8"));
    assert!(malformed(&[18, 3, 8, 128, 4]).starts_with("there is no seat"));
    assert_eq!(malformed(&[26, 4, 10, 2, 1, 1]), "seat 1 is named twice");
    assert_eq!(malformed(&[34, 0]), "the corporation is missing");
    assert_eq!(malformed(&[42, 0]), "the choice is missing");
    assert_eq!(malformed(&[42, 2, 8, 3]), "the choice is missing");
    assert_eq!(malformed(&[50, 0]), "a seat is missing");
    assert!(malformed(&[255, 255]).contains("invalid"));
    for act in [
        "1 says Yes",
        "1 whispers 0 No",
        "1 pays 0 3",
        "0 team 1 2",
        "0 robs lefleur",
        "1 h",
        "1 d",
        "0 favors 2",
    ] {
        let (_, text) = act.split_once(' ').expect("a seat, then what it does");
        let action = AmongThieves::action(text);
        assert_eq!(AmongThieves::parse(&AmongThieves::print(&action)), Ok(action));
    }
}
