//! The rules in the order of `docs/games/among_thieves.md`, each test with its paragraphs.

/// Section 7: the fifth step of a turn.
mod event_cards;

use bytes::Bytes;
use table::{
    BadOption, ChaCha, Component, Dealer, Entry, Event, Malformed, Options, PlaceId, Reason as _,
    Refused, Rules, Seat, Set, Small, Table, Viewer, invariants,
};

use super::vocabulary::{Coin::*, Mark::*, Place::*};
use super::{
    AmongThieves,
    actions::{Action, Terms},
    heist,
    layout::LAYOUT,
    refusals::Refusal,
    seats::{held, honor, members, target},
    set_up::HONOR_AT_START,
    vocabulary::*,
};
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
            "pays" => {
                let (rest, turn) = in_turn(rest);
                let (to, millions) = rest.split_once(' ').expect("a seat, then an amount");
                Action::Pay { to: seat(to), millions: amount(millions), turn }
            }
            "offers" | "accepts" => {
                let (rest, turn) = in_turn(rest);
                let [other, give, take] = rest.split(' ').collect::<Vec<_>>()[..] else {
                    panic!("{rest} is no seat and two amounts")
                };
                let terms = Terms { give: amount(give), take: amount(take) };
                match verb {
                    "offers" => Action::Offer { to: seat(other), terms, turn },
                    _ => Action::Accept { by: seat(other), terms, turn },
                }
            }
            "withdraws" => Action::Withdraw,
            "refuses" => Action::Refuse { by: seat(rest) },
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

fn amount(text: &str) -> u32 {
    text.parse().expect("an amount")
}

/// `0 3 in 2` is meant for the second turn. Scenes are in the first.
fn in_turn(text: &str) -> (&str, u32) {
    text.split_once(" in ").map_or((text, 1), |(text, turn)| (text, amount(turn)))
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

/// The table after legal acts, and the entry of the last one.
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
    let lines = entry.events.iter().map(|event| crate::tests::notation::line(event, &LAYOUT));
    lines.collect::<Vec<_>>().join("\n")
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
    table::open::<AmongThieves>(seats, &options, &[], &mut ChaCha::of(invariants::key(seed), 1))
}

// === 1. Components ===

/// §1.2, §1.4
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

/// §1.2, §1.3
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

/// §1.1
#[test]
fn every_seat_has_a_disc_of_two_sides() {
    for seats in 3..=8 {
        let (table, _) = open(seats, "random", 1);
        for seat in table.seats() {
            let sides = format!("honorable/{seat} dishonorable/{seat}");
            assert_eq!(table.pieces::<Disc>(Pocket(seat)).names(&LAYOUT), sides);
        }
    }
}

/// §1.3
#[test]
fn a_game_end_card_has_no_value_and_no_icon() {
    let game_end: Vec<Card> = Card::all().filter(|card| card.is_game_end()).collect();
    assert_eq!(game_end.len(), 3);
    assert!(game_end.iter().all(|it| it.value() == 0 && !it.has_honor() && !it.has_event()));
    assert!(Card::all().all(|card| !(card.has_honor() && card.has_event())));
}

/// §1.5
#[test]
fn the_reserve_never_runs_out() {
    let scene = "millions: 5000 5000 5000; deck/corvid: corvid-2/3 corvid-3/5 corvid-5/16";
    heist(scene, "1h 2h", "millions: 5000 5005 5005; pot/lefleur: 2; pot/paragon: 2");
}

/// §1.6
#[test]
fn a_stash_is_visible_to_its_seat_alone() {
    let table = lay_out("millions: 4 3 2; stash/1: corvid-3/5");
    for viewer in Viewer::guests(3) {
        let view = table.seen_by(viewer);
        let own = viewer == Viewer::Seat(seat("1"));
        let (millions, cards) = if own { (3, "corvid-3/5") } else { (0, "") };
        assert_eq!(held(&view, seat("1")), millions);
        assert_eq!(shown(&view, "stash/1"), cards);
        // Nobody else learns how many cards there are.
        assert_eq!(view.count(Stash(seat("1"))), usize::from(own));
        let stashes = view.places().filter(|it| it.place.name.starts_with("stash/"));
        let mut hidden = stashes.filter(|it| !it.is_counted).map(|it| it.place.seat);
        assert!(hidden.all(|it| it.map(Viewer::Seat) != Some(viewer)));
    }
}

/// §1.7
#[test]
fn everything_but_stashes_choices_and_decks_is_public() {
    let table = lay_out(
        "honor: 5 6 7; pot/corvid: 4; deck/corvid: corvid-2/3 corvid-5/16; payout: corvid-3/5; \
         events: fresh-dirt/1; event-discard: fresh-dirt/2; discard: paragon-3/5",
    );
    let view = table.seen_by(Viewer::Spectator);
    let public = ["honor", "pot/corvid", "payout", "events", "event-discard", "discard", "box"];
    for name in public.into_iter().chain(["cards deck/corvid", "cards event-deck"]) {
        assert_eq!(shown(&view, name), shown(&table, name), "{name}");
    }
    assert_eq!(shown(&view, "cards deck/corvid"), "2");
    assert_eq!(
        (shown(&view, "deck/corvid").as_str(), shown(&view, "event-deck").as_str()),
        ("", "")
    );
}

// === 2. Set-up ===

/// §2.1
#[test]
fn cards_for_seven_or_more_players_are_left_out_with_fewer() {
    for (seats, deck, events, boxed) in [(3, 16, 23, 24), (6, 16, 23, 24), (7, 22, 29, 0)] {
        let (table, _) = open(seats, "random", 1);
        assert!(Corporation::all().all(|it| table.count(Deck(it)) == deck));
        assert_eq!((table.count(EventDeck), table.count(Box)), (events, boxed));
    }
}

/// §2.2
#[test]
fn decks_are_drawn_tier_by_tier() {
    for seed in 0..20 {
        let mut chance = ChaCha::of(invariants::key(seed), 2);
        let (mut table, _) = open(8, "random", seed);
        let mut d = Dealer::new(&mut table, &mut chance);
        let tiers: Vec<u8> = std::iter::from_fn(|| d.draw(Deck(Corporation::Corvid), Discard))
            .map(|card| LAYOUT.pieces()[card.index()].layer)
            .collect();
        assert!(tiers.is_sorted() && tiers.len() == 22, "{tiers:?}");
    }
}

/// §2.3, §2.5
#[test]
fn the_heistmaster_starts_with_four_the_left_neighbor_with_three_and_others_with_two() {
    let (table, entry) = open(5, "3", 1);
    let millions: Vec<u32> = table.seats().map(|seat| held(&table, seat)).collect();
    assert_eq!(millions, [2, 2, 2, 4, 3]);
    assert!(table.seats().all(|seat| honor(&table, seat) == 7));
    assert_eq!((u8::from(table.turn()), shown(&table, "asked")), (3, "assemble".into()));
    // The starting amounts are announced; what a stash holds later is private.
    let told = entry.seen_by(Viewer::Spectator, &LAYOUT);
    assert!(told.events.iter().all(|it| !matches!(it, Event::Paid { amount: None, .. })));
    assert_eq!(held(&table.seen_by(Viewer::Spectator), seat("3")), 0);
}

/// §2.4
#[test]
fn the_first_heistmaster_is_random_or_chosen() {
    let first = |seed| u8::from(open(8, "random", seed).0.turn());
    let firsts: std::collections::BTreeSet<u8> = (0..80).map(first).collect();
    assert_eq!(firsts.len(), 8);
    let given = [("first-seat".to_string(), "5".to_string())].into_iter().collect();
    let beyond = BadOption::NotWithSeats { name: "first-seat", value: "5", seats: 5 };
    assert_eq!(Options::of::<AmongThieves>(&given, 5), Err(beyond));
}

// === 3. The team, and deals ===

/// §3.1
#[test]
fn half_of_the_seats_rounded_up_go_on_the_heist() {
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

/// §3.1
#[test]
fn the_heistmaster_need_not_be_on_the_team() {
    check("", "0 team 1 2, 0 robs corvid", "asked: 1 choose, 2 choose; member/0: 0; member/1: 1");
}

/// §3.3: the negotiation of the rulebook's example. Seat 0 is Abby, seat 1 Bob, seat 2 Candi.
#[test]
fn example_negotiation() {
    let scene = "deck/paragon: paragon-3/5 paragon-2/3 paragon-5/16; millions: 4 3 2";
    let deals = "1 whispers 0 Two millions if you take me along, \
                 2 says Take me and I am honorable, 0 whispers 1 Make it three, 1 pays 0 3, \
                 0 says Candi it is, 0 team 0 2";
    check(scene, deals, "millions: 7 0 2; member/0: 1; member/1: 0; member/2: 1");
    // Neither Abby nor Candi is bound by a promise.
    check(scene, &format!("{deals}, 0 robs paragon, 0 h, 2 d"), "honor: 8 7 6; refused:");
}

/// §3.3, §3.5
#[test]
fn anyone_pays_anyone_until_the_team_is_chosen() {
    let scene = "millions: 0 3 2";
    check(scene, "1 pays 2 3, 2 pays 0 5, 0 pays 1 1", "millions: 4 1 0");
    check(scene, "0 team 0 1, 1 pays 2 1", "refused: not-asked");
    check(scene, "0 team 0 1, 0 pays 2 1", "refused: not-now");
    check(scene, "0 team 0 1, 0 robs corvid, 2 says Ha", "refused:");
    check(scene, "0 team 0 1, 0 robs corvid, 1 pays 0 1", "refused: not-now");
}

/// §3.4
#[test]
fn a_payment_goes_to_another_seat_and_is_at_most_what_the_payer_has() {
    let scene = "millions: 0 3 2";
    check(scene, "1 pays 0 4", "refused: not-in-stash; millions: 0 3 2");
    check(scene, "1 pays 0 4294967295", "refused: not-in-stash");
    check(scene, "1 pays 0 0", "refused: nothing-paid");
    check(scene, "1 pays 1 1", "refused: yourself");
    check(scene, "1 pays 3 1", "refused: no-such-seat");
    check(scene, "1 whispers 1 Well done", "refused: yourself");
    check(scene, "1 whispers 7 Hello", "refused: no-such-seat");
}

/// §3.6
#[test]
fn a_payment_belongs_to_the_turn_it_was_meant_for() {
    let turn = |it: &str| format!("0 team 0 1, 0 robs corvid, 0 h, 1 h, {it}");
    let scene = format!("{TWO_CARDS}; millions: 0 3 4");
    check(&scene, &turn("2 pays 0 1"), "refused: another-turn; turn: 1; millions: 5 8 4");
    check(&scene, &turn("2 offers 0 1 0"), "refused: another-turn; offers: 0");
    check(&scene, &turn("2 pays 0 1 in 2"), "refused:; millions: 6 8 3");
    check(&scene, "2 pays 0 1 in 2", "refused: another-turn");
    check(&scene, &turn("2 offers 0 1 0 in 2, 0 accepts 2 1 0"), "refused: another-turn");
    let refused = scene::refusal::<AmongThieves>(&scene, &turn("2 pays 0 1"));
    let facts = [("meant", "1"), ("now", "2")].map(|(name, turn)| (name, turn.to_string()));
    assert_eq!((refused.reason(), refused.facts()), ("ANOTHER_TURN", facts.into()));
}

/// §3.7, §3.8
#[test]
fn an_offer_changes_hands_when_the_other_seat_accepts_its_terms() {
    let scene = "millions: 4 3 2";
    check(scene, "1 offers 0 2 0", "offers: 1; millions: 4 3 2; refused:");
    check(scene, "1 offers 0 2 0, 0 accepts 1 2 0", "offers: 0; millions: 6 1 2");
    check(scene, "1 offers 0 0 3, 0 accepts 1 0 3", "offers: 0; millions: 1 6 2");
    check(scene, "1 offers 2 3 1, 2 accepts 1 3 1", "offers: 0; millions: 4 1 4");
    // The offer was changed before the answer to the first one arrived.
    let changed = "1 offers 0 0 1, 1 offers 0 0 4, 0 accepts 1 0 1";
    check(scene, changed, "refused: other-terms; offers: 1; millions: 4 3 2");
    let refused = scene::refusal::<AmongThieves>(scene, changed);
    let facts = [("give", "0"), ("take", "4")].map(|(name, millions)| (name, millions.to_string()));
    assert_eq!(refused.facts(), facts);
    // Only the seat it was made to accepts it, and only with what it has.
    check(scene, "1 offers 0 2 0, 2 accepts 1 2 0", "refused: no-such-offer");
    check(scene, "1 offers 2 0 3, 2 accepts 1 0 3", "refused: not-in-stash; offers: 1");
}

/// §3.7
#[test]
fn an_offer_gives_no_more_than_its_maker_has_and_is_about_isk() {
    let scene = "millions: 4 3 2";
    check(scene, "1 offers 0 4 0", "refused: not-in-stash; offers: 0");
    check(scene, "1 offers 0 0 0", "refused: empty-offer");
    check(scene, "1 offers 1 1 0", "refused: yourself");
    check(scene, "1 offers 3 1 0", "refused: no-such-seat");
    check(scene, "0 team 0 1, 1 offers 0 1 0", "refused: not-asked");
    // What the other seat has is its secret, so any amount may be asked for.
    check(scene, "1 offers 0 0 4294967295", "refused:; offers: 1");
    let resigned = done(&lay_out(scene), "2 resign", 0).0;
    let refused = act(&resigned, "1 offers 2 1 0", 3).expect_err("the seat has resigned");
    assert_eq!(refused.reason(), "HAS_RESIGNED");
}

/// §3.9
#[test]
fn an_offer_ends_with_an_answer_a_payment_of_its_maker_or_the_choice_of_the_team() {
    let scene = "millions: 4 3 2";
    for ends in [
        "1 withdraws",
        "0 refuses 1",
        "1 pays 2 1",
        "2 offers 1 0 1, 1 accepts 2 0 1",
        "0 offers 1 1 0, 1 accepts 0 1 0",
        "0 team 0 1",
        "1 resign",
    ] {
        check(scene, &format!("1 offers 0 2 0, {ends}"), "refused:; offers: 0");
    }
    check(scene, "1 offers 0 2 0, 1 offers 2 1 0", "offers: 1");
    check(scene, "1 offers 0 2 0, 2 pays 1 1", "offers: 1");
    for it in ["1 withdraws", "0 refuses 1", "0 accepts 1 2 0"] {
        check(scene, it, "refused: no-such-offer");
        check(
            scene,
            &format!("1 offers 0 2 0, 0 team 0 1, 0 robs corvid, {it}"),
            "refused: not-now",
        );
    }
}

/// §3.10
#[test]
fn a_seat_makes_ten_offers_in_a_turn_at_most() {
    let ten = ["1 offers 0 1 0"; 10].join(", ");
    let scene = format!("{TWO_CARDS}; millions: 4 3 2");
    check(&scene, &ten, "refused:; offers: 1; offers-made/1: 10");
    check(&scene, &format!("{ten}, 1 offers 0 1 0"), "refused: too-many-offers; offers: 1");
    check(&scene, &format!("{ten}, 2 offers 0 1 0"), "refused:; offers: 2");
    let next = format!("{ten}, 0 team 0 1, 0 robs corvid, 0 h, 1 h, 1 offers 0 1 0 in 2");
    check(&scene, &next, "refused:; offers: 1; offers-made/1: 1");
}

/// §3.6, §10.6
#[test]
fn a_deal_without_its_turn_is_malformed() {
    let whole = |action: &Action| AmongThieves::parse(&AmongThieves::print(action));
    let (to, by) = (seat("1"), seat("1"));
    let terms = Terms { give: 1, take: 0 };
    for action in [
        Action::Pay { to, millions: 1, turn: 0 },
        Action::Offer { to, terms, turn: 0 },
        Action::Accept { by, terms, turn: 0 },
    ] {
        assert_eq!(whole(&action).as_ref(), Ok(&action));
        // The turn is the last field: its tag and its value.
        let message = AmongThieves::print(&action);
        let (field, length) = (message[0], message[1] - 2);
        let without = [&[field, length], &message[2..message.len() - 2]].concat();
        let refused = AmongThieves::parse(&without).expect_err("the turn is missing");
        assert_eq!(refused, Malformed("the turn is missing".into()));
    }
}

/// §10.1
#[test]
fn talk_is_that_of_every_game() {
    let talk = Options::of::<AmongThieves>(&Default::default(), 3).expect("defaults").get("talk");
    assert_eq!(talk, "on");
    check("", &format!("1 says {}", "ü".repeat(500)), "refused:");
    check("", &format!("1 says {}", "a".repeat(501)), "refused: text-too-long");
    check("", "1 says \u{1b}[2J", "refused: text-not-plain");
    check("", "1 whispers 0  ", "refused: text-blank");
}

/// §10.3
#[test]
fn a_seat_that_resigned_makes_no_deals() {
    let (table, _) = done(&lay_out("millions: 0 3 0"), "2 resign", 0);
    let refused = act(&table, "1 pays 2 1", 3).expect_err("the seat has resigned");
    let facts = vec![("seat", "2".to_string())];
    assert_eq!((refused.reason(), refused.facts()), ("HAS_RESIGNED", facts));
    assert_eq!(act(&table, "2 says Bye", 3).expect_err("it has resigned").reason(), "RESIGNED");
    // The house takes the turn of a seat that resigned, and pays and says nothing for it.
    let (table, entry) = done(&lay_out("millions: 9 1 1"), "0 resign", 0);
    assert_eq!(shown(&table, "millions"), "9 1 1");
    assert!(!entry.events.iter().any(|event| matches!(event, Event::Said { .. })));
    assert!(table.get::<Corporation>(Target).is_some());
}

/// §3.2, §3.3
#[test]
fn only_the_two_seats_learn_an_amount_paid_or_a_private_text() {
    let table = lay_out("seats: 4; millions: 0 9");
    let told =
        |it: &str, viewer| act(&table, it, 2).expect("it is legal").1.seen_by(viewer, &LAYOUT);
    let others = [Viewer::Seat(seat("0")), Viewer::Seat(seat("3")), Viewer::Spectator];
    // A coalition talks among itself.
    assert_eq!(told("1 whispers 0+2 Yes", others[1]), told("1 whispers 0+2 No", others[1]));
    assert_ne!(told("1 whispers 0+2 Yes", others[0]), told("1 whispers 0+2 No", others[0]));
    let two = [Viewer::Seat(seat("1")), Viewer::Seat(seat("2"))];
    let pairs = [
        ("1 pays 2 1", "1 pays 2 9"),
        ("1 whispers 2 Yes", "1 whispers 2 No, and do not ask me again before the next heist"),
    ];
    for (one, other) in pairs {
        assert!(others.iter().all(|&viewer| told(one, viewer) == told(other, viewer)), "{one}");
        assert!(two.iter().all(|&viewer| told(one, viewer) != told(other, viewer)), "{one}");
    }
    // The recipient is private, too.
    assert_eq!(told("1 whispers 2 Yes", others[1]), told("1 whispers 0 Yes", others[1]));
    assert_ne!(told("1 says Yes", Viewer::Spectator), told("1 says No", Viewer::Spectator));
}

// === 4. The corporation ===

/// §4.1, §4.2
#[test]
fn the_heistmaster_takes_the_pot_and_the_other_pots_gain_two_each() {
    let scene = "pot/corvid: 6; pot/lefleur: 2; millions: 1";
    let then = "millions: 7 0 0; pot/corvid: 0; pot/lefleur: 4; pot/paragon: 2";
    check(scene, "0 team 1 2, 0 robs corvid", then);
    check(scene, "0 robs corvid", "refused: not-now");
    check(scene, "1 robs corvid", "refused: not-now");
}

// === 5. The choice ===

const TWO_CARDS: &str = "deck/corvid: corvid-3/5 corvid-2/3 corvid-5/16";

/// Seats 0 and 1 go on a heist.
const ASKED: &str = "0 team 0 1, 0 robs corvid";

/// §5.1, §5.3
#[test]
fn all_choices_are_revealed_at_once() {
    let then = "asked: 0 choose; may:; revealed/1:; palm/1: dishonorable/1";
    check(TWO_CARDS, &format!("{ASKED}, 1 d"), then);
    check(TWO_CARDS, &format!("{ASKED}, 1 d, 0 h"), "turn: 1; palm/0:; palm/1:; honor: 8 6 7");
    check(TWO_CARDS, &format!("{ASKED}, 2 d"), "refused: not-asked");
}

/// §5.2
#[test]
fn a_choice_stands_once_it_is_made() {
    check(TWO_CARDS, &format!("{ASKED}, 1 d, 1 h"), "refused: not-asked; palm/1: dishonorable/1");
    check(TWO_CARDS, &format!("{ASKED}, 1 d"), "may:; asked: 0 choose");
    check(TWO_CARDS, &format!("{ASKED}, 1 d, 0 h, 1 h"), "refused: not-now");
}

/// §5.2: in a match of an earlier release a member may still be allowed to choose again.
#[test]
fn a_seat_that_an_earlier_release_let_choose_again_cannot() {
    let (mut table, _) = done(&lay_out(TWO_CARDS), &format!("{ASKED}, 1 d"), 2);
    let mut chance = ChaCha::of(invariants::key(2), 2);
    Dealer::new(&mut table, &mut chance).allow(seat("1"), Decision::Reconsider);
    assert_eq!(AmongThieves::legal(&table, seat("1")), []);
    assert_eq!(act(&table, "1 h", 2).expect_err("it stands").reason(), "NOT_NOW");
    let (table, _) = act(&table, "0 h", 2).expect("the last member chooses");
    assert_eq!((shown(&table, "turn"), shown(&table, "honor")), ("1".into(), "8 6 7".into()));
}

/// Everything that the other viewers see of a heist, after each act: entries and views.
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

/// §5.1: for every combination and order of choices.
#[test]
fn choices_cannot_be_told_apart_until_all_are_made() {
    let start = lay_out("seats: 5; deck/corvid: corvid-3/5 corvid-2/3 corvid-3/9 corvid-5/16");
    for [first, second] in [["1", "2"], ["2", "1"]] {
        let known = |bits: u32| {
            let [a, b] = [0, 1].map(|n| if bits >> n & 1 == 0 { "h" } else { "d" });
            let acts = format!("0 team 1 2 3, 0 robs corvid, {first} {a}, {second} {b}");
            known_to_others(&start, &acts, &["1", "2"])
        };
        assert!((1..4).all(|bits| known(bits) == known(0)), "{first} {second}");
    }
}

// === 6. The payout ===

/// §6.1
#[test]
fn dishonorable_members_draw_clockwise_from_the_heistmaster() {
    // One card of each tier, so that the order of the draws is known. Seat 0 is off the heist.
    let scene = "seats: 5; deck/corvid: corvid-1-honor/1 corvid-3/9 corvid-5/16 corvid-7/18";
    heist(scene, "1d 3d 4h", "stash/1: corvid-1-honor/1; stash/3: corvid-3/9; stash/4:");
    heist(scene, "3d 1d 4h", "stash/1: corvid-1-honor/1; stash/3: corvid-3/9; stash/4:");
    let from_three = "3 team 1 3 4, 3 robs corvid, 1 d, 3 h, 4 d";
    let then = "stash/4: corvid-1-honor/1; stash/1: corvid-3/9; stash/3:";
    check(&format!("{scene}; turn: 3"), from_three, then);
}

/// §6.2
#[test]
fn a_stolen_card_pays_nothing_and_draws_no_event() {
    let scene = "deck/corvid: corvid-2-event/4 corvid-3/9 corvid-5/16; event-deck: finders-fee/1";
    heist(scene, "1d 2h", "stash/1: corvid-2-event/4; millions: 0 6 0; event-discard:");
}

/// §1.6, §6.2, §6.5
#[test]
fn only_the_thief_sees_what_was_stolen() {
    let scene = lay_out("deck/corvid: corvid-1-honor/1 corvid-3/9 corvid-5/16");
    let (table, entry) = done(&scene, &acts("1d 2h"), 2);
    let thief = narrated(&entry, Viewer::Seat(seat("1")));
    assert!(thief.contains("corvid-1-honor/1: deck/corvid -> stash/1"), "{thief}");
    for viewer in [Viewer::Seat(seat("2")), Viewer::Spectator] {
        let other = narrated(&entry, viewer);
        assert!(other.contains("a tier-one-card/corvid: deck/corvid -> stash/1"), "{other}");
        // The amount of the payout is public.
        assert!(other.contains("6 million: reserve -> stash/1"), "{other}");
        // The draw was open; the number that the stash has now is hidden.
        let seen = table.seen_by(viewer);
        assert_eq!(seen.pieces::<Card>(Stash(seat("1"))), Set::EMPTY);
        assert_eq!((seen.count(Stash(seat("1"))), seen.count(Deck(Corporation::Corvid))), (0, 1));
    }
}

/// §6.3: two members are honorable and one is not.
#[test]
fn example_two_cards_make_the_payout() {
    let cards = "paragon-1-honor/1 paragon-3/9 paragon-2-honor/8 paragon-5/16";
    let scene = lay_out(&format!("seats: 5; deck/paragon: {cards}"));
    let acts = "0 team 0 1 2, 0 robs paragon, 0 h, 1 d, 2 h";
    let (table, entry) = done(&scene, acts, 3);
    assert_eq!(shown(&table, "discard"), "paragon-2-honor/8 paragon-3/9");
    assert!(narrated(&entry, Viewer::Spectator).contains("payout-is: seat 0, 5"));
}

/// §6.4
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

// === 8. The reward, and honor ===

/// §8.1
#[test]
fn example_all_honorable_players_gain_the_payout() {
    let scene = "seats: 5; deck/corvid: corvid-3/5 corvid-2/3 corvid-1-honor/1 corvid-5/16";
    heist(scene, "0h 1h 2h", "millions: 6 6 6 0 0; honor: 7 7 7 7 7; turn: 1");
}

/// §8.2, §8.4
#[test]
fn example_a_dishonorable_player_gains_double_the_payout() {
    let scene = "seats: 5; deck/corvid: corvid-1-honor/1 corvid-3/9 corvid-2-honor/8 corvid-5/16";
    heist(scene, "0h 1d 2h", "millions: 0 10 0 0 0; honor: 8 6 8 7 7");
}

/// §8.2
#[test]
fn every_dishonorable_player_gains_double_the_payout() {
    let scene = "seats: 5; deck/corvid: corvid-1-honor/1 corvid-1-honor/2 corvid-3/9 corvid-5/16";
    heist(scene, "0d 1d 2h", "millions: 6 6 0 0 0; honor: 6 6 8 7 7");
}

/// §8.3, §8.4
#[test]
fn if_all_are_dishonorable_the_payout_is_zero() {
    let scene = "deck/corvid: corvid-2-event/4 corvid-2-event/7 corvid-5/16; \
                 event-deck: finders-fee/1";
    heist(scene, "0d 1d", "millions: 0 0 0; honor: 6 6 7; payout:; event-discard:; turn: 1");
}

/// §5.4
#[test]
fn the_track_does_not_decide_who_is_honorable() {
    let scene = format!("{TWO_CARDS}; honor: 1 13");
    heist(&scene, "0h 1h", "millions: 5 5 0; honor: 1 13 7");
    heist(&scene, "0h 1d", "honor: 2 12 7");
}

/// §8.5
#[test]
fn honor_stays_between_one_and_thirteen() {
    heist(&format!("{TWO_CARDS}; honor: 13 1"), "0h 1d", "honor: 13 1 7");
}

/// §8.6
#[test]
fn after_the_reward_cards_are_discarded_and_the_next_seat_leads() {
    heist(TWO_CARDS, "0h 1h", "discard: corvid-2/3 corvid-3/5; payout:; turn: 1; member/1: 0");
    let then = "target: nothing; asked: 1 assemble; may: 2 deal, 0 deal; pocket/0: honorable/0 dishonorable/0";
    heist(TWO_CARDS, "0h 1h", then);
}

// === 9. The end ===

/// §9.1, §9.5, §9.9
#[test]
fn game_end_corvid_eliminates_the_least_honorable() {
    let scene = "seats: 5; deck/corvid: corvid-game-end corvid-3/9 corvid-2/3; \
                 millions: 0 0 0 99 50; honor: 12 7 7 3 7";
    heist(scene, "0h 1h 2h", "eliminated: 3; scores: 5 5 5 0 50; winners: 4; asked:; may:");
}

/// §9.6
#[test]
fn game_end_lefleur_eliminates_the_most_honorable() {
    let scene = "seats: 5; deck/lefleur: lefleur-game-end lefleur-3/9 lefleur-2/3; \
                 millions: 0 0 0 99 50; honor: 3 7 7 12 7";
    let acts = "0 team 0 1 2, 0 robs lefleur, 0 h, 1 h, 2 h";
    check(scene, acts, "eliminated: 3; scores: 5 5 5 0 50; winners: 4");
}

/// §9.7
#[test]
fn game_end_paragon_eliminates_the_two_least_honorable() {
    let scene = "seats: 5; deck/paragon: paragon-game-end paragon-3/9 paragon-2/3; \
                 millions: 0 0 0 99 50; honor: 5 7 7 3 5";
    let acts = "0 team 0 1 2, 0 robs paragon, 0 h, 1 h, 2 h";
    check(scene, acts, "eliminated: 0 3 4; scores: 0 5 5 0 0; winners: 1 2");
    // With three or four players, only the least honorable.
    let few = "seats: 4; deck/paragon: paragon-game-end paragon-3/9; \
               millions: 0 0 50 99; honor: 7 7 5 3";
    check(few, "0 team 0 1, 0 robs paragon, 0 h, 1 h", "eliminated: 3; winners: 2");
}

/// §9.2
#[test]
fn a_stolen_game_end_card_does_nothing() {
    let scene = lay_out("deck/corvid: corvid-game-end corvid-5/16 corvid-7/18");
    let matches = (0..20).map(|seed| done(&scene, &acts("0d 1h"), seed).0);
    let (stolen, others): (Vec<Table>, Vec<Table>) =
        matches.partition(|table| shown(table, "stash/0") == "corvid-game-end");
    assert!(!stolen.is_empty() && stolen.iter().all(|table| !table.ended()));
    assert!(others.iter().any(Table::ended), "the card is revealed in some matches");
}

/// §9.1, §9.3
#[test]
fn a_revealed_game_end_card_takes_precedence_over_an_empty_deck() {
    let scene = "deck/lefleur: lefleur-game-end lefleur-3/9; honor: 12";
    let acts = "0 team 1 2, 0 robs lefleur, 1 h, 2 h";
    check(scene, acts, "eliminated: 0; scores: 0 3 3; winners: 1 2");
}

/// §9.3
#[test]
fn an_empty_deck_ends_the_game_and_eliminates_the_least_honorable() {
    let scene = "deck/corvid: corvid-3/5 corvid-2/3; millions: 8 0 40; honor: 7 7 6";
    heist(scene, "0h 1h", "eliminated: 2; scores: 13 5 0; winners: 0; deck/corvid:");
    // Any empty deck ends the game, not only that of the turn.
    heist(&format!("{TWO_CARDS}; deck/paragon:; honor: 7 7 6"), "0h 1h", "scores: 5 5 0");
}

/// §9.4
#[test]
fn honor_in_the_stash_counts_before_anyone_is_eliminated() {
    let scene = "deck/corvid: corvid-3/5 corvid-2/3; millions: 0 0 40; honor: 7 7 6; \
                 stash/2: lefleur-1-honor/1 lefleur-1-honor/2 paragon-3/5";
    heist(scene, "0h 1h", "honor: 7 7 8; eliminated: 0 1; winners: 2");
    heist(&format!("{scene}; honor: 7 7 13"), "0h 1h", "honor: 7 7 13; eliminated: 0 1");
}

/// §9.8
#[test]
fn if_all_would_be_eliminated_nobody_is() {
    let scene = "deck/corvid: corvid-3/5 corvid-2/3";
    heist(scene, "0h 1h", "eliminated:; scores: 5 5 0; winners: 0 1");
    let one_value = "seats: 5; deck/paragon: paragon-game-end paragon-3/9 paragon-2/3; \
                     millions: 0 0 0 0 6";
    let acts = "0 team 0 1 2, 0 robs paragon, 0 h, 1 h, 2 h";
    check(one_value, acts, "eliminated:; winners: 4");
}

/// §9.7, §9.8
#[test]
fn game_end_paragon_eliminates_only_the_lowest_value_if_there_are_two() {
    let scene = "seats: 5; deck/paragon: paragon-game-end paragon-3/9 paragon-2/3; \
                 honor: 5 7 7 7 5; millions: 90 0 0 6 0";
    let acts = "0 team 0 1 2, 0 robs paragon, 0 h, 1 h, 2 h";
    check(scene, acts, "eliminated: 0 4; winners: 3");
    // With three values, of which the highest is that of a seat that resigned, too.
    let three = scene.replace("5 7 7 7 5", "5 7 9 7 5");
    let acts = "2 resign, 0 team 0 1 3, 0 robs paragon, 0 h, 1 h, 3 h";
    let (table, _) = done(&lay_out(&three), acts, 3);
    assert_eq!((shown(&table, "eliminated"), shown(&table, "winners")), ("0 4".into(), "3".into()));
}

/// §9.10
#[test]
fn the_tied_player_with_the_most_honor_wins() {
    let scene = "deck/corvid: corvid-3/5 corvid-2/3";
    heist(&format!("{scene}; honor: 7 8 2"), "0h 1h", "scores: 5 5 0; eliminated: 2; winners: 1");
    heist(&format!("{scene}; honor: 7 7 2"), "0h 1h", "winners: 0 1");
}

/// §9.8, §10.5
#[test]
fn honor_of_a_seat_that_resigned_counts_and_a_remaining_seat_wins() {
    // Seat 2 has resigned with the most honor; all other seats would be eliminated.
    let scene = "deck/corvid: corvid-3/5 corvid-2/3; millions: 1; honor: 7 7 9";
    let (table, _) = done(&lay_out(scene), "2 resign", 0);
    let (table, _) = done(&table, &acts("0h 1h"), 3);
    let is = ["eliminated", "winners", "scores"].map(|it| shown(&table, it));
    assert_eq!(is, ["", "0", "6 5 0"]);
}

// === 10. The service's additions ===

/// §10.2
#[test]
fn the_last_seat_that_has_not_resigned_wins_at_once() {
    check("millions: 1 2 3", "0 resign", "winners:; turn: 0; asked: 1 choose, 2 choose");
    let end = "winners: 1; scores: 0 0 0; asked:; may:; eliminated:";
    check("millions: 1 2 3", "2 resign, 0 resign", end);
    let at_any_time = format!("{ASKED}, 2 resign, 1 d, 0 resign");
    check(TWO_CARDS, &at_any_time, end);
}

/// §10.4
#[test]
fn the_house_decides_for_a_seat_that_resigned() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let (table, entry) = done(&lay_out("seats: 4; millions: 1"), "0 resign", seed);
        let team: Vec<u8> = members(&table).into_iter().map(u8::from).collect();
        assert_eq!((team.len(), table.turn()), (2, seat("0")));
        assert_eq!(entry.events.iter().filter(|it| matches!(it, Event::Said { .. })).count(), 0);
        seen.insert((team, target(&table)));
    }
    // Six teams and three corporations.
    assert_eq!(seen.len(), 18);
    let choices = (0..40).map(|seed| {
        let scene = lay_out(&format!("{TWO_CARDS}; deck/paragon: paragon-3/9"));
        let (table, _) = done(&scene, &format!("1 resign, {ASKED}"), seed);
        assert_eq!(shown(&table, "asked"), "choose");
        shown(&done(&table, "0 h", seed).0, "honor")
    });
    // The absent member takes nothing from the other.
    assert!(choices.into_iter().all(|honor| honor == "7 7 7"));
}

/// §10.4
#[test]
fn a_seat_that_resigned_keeps_its_choice_and_its_turn() {
    for seed in 0..10 {
        let (table, _) = done(&lay_out(TWO_CARDS), &format!("{ASKED}, 1 d, 1 resign, 0 h"), seed);
        assert_eq!(shown(&table, "honor"), "8 6 7");
        // Its turn comes next, and the house has taken its first steps.
        assert_eq!((table.turn(), members(&table).len()), (seat("1"), 2));
        assert_ne!(shown(&table, "target"), "nothing");
    }
}

/// §10.4
#[test]
fn the_house_names_a_player_for_friend_in_need() {
    let cards = "corvid-2-event/4 corvid-3/5 corvid-2/3 corvid-1-honor/1 corvid-5/16";
    let scene = format!("seats: 7; deck/corvid: {cards}; event-deck: friend-in-need/1");
    let acts = acts("1h 2h 3h 4h");
    let named = (0..30).map(|seed| {
        shown(&done(&lay_out(&scene), &format!("{acts}, 0 resign"), seed).0, "millions")
    });
    let named: std::collections::BTreeSet<String> = named.collect();
    let gains = ["4 8 8 8 8 0 0", "0 8 8 8 8 4 0", "0 8 8 8 8 0 4"].map(str::to_string);
    assert_eq!(named, gains.into());
}

/// §10.5
#[test]
fn a_seat_that_resigned_never_wins_and_may_be_eliminated() {
    let scene = "deck/corvid: corvid-3/5 corvid-2/3; millions: 0 0 99; honor: 7 7 9";
    check(scene, &format!("2 resign, {}", acts("0d 1h")), "winners: 1; eliminated: 0");
    let lowest = format!("{scene}; honor: 7 7 6");
    check(
        &lowest,
        &format!("2 resign, {}", acts("0h 1h")),
        "winners: 0 1; eliminated: 2; scores: 5 5 0",
    );
}

// === Messages ===

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
    says("1 robs corvid", "this action does not answer the current decision (asked=deal)");
    says("0 team 0 1 2", "2 seats go on the heist, not 3 (size=2 chosen=3)");
    says("0 team 0 6", "there is no seat 6 in a match of 4 seats (seat=6 seats=4)");
    let long = format!("1 says {}", "a".repeat(600));
    says(&long, "a text has 500 characters at most, not 600 (characters=600 characters_max=500)");
}

/// §10.6
#[test]
fn a_message_that_names_no_action_is_malformed() {
    let malformed = |message: &[u8]| AmongThieves::parse(message).expect_err("it is malformed").0;
    assert_eq!(
        malformed(&[]),
        "an action is one of pay, assemble, blackmail, choose, favor, offer, withdraw, accept and \
         refuse"
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
    for act in ["1 pays 0 3", "0 team 1 2", "0 robs lefleur", "1 h", "1 d", "0 favors 2"] {
        let (_, text) = act.split_once(' ').expect("a seat, then what it does");
        let action = AmongThieves::action(text);
        assert_eq!(AmongThieves::parse(&AmongThieves::print(&action)), Ok(action));
    }
}

// === Opinion ===

fn favourite(scene: &str, acts: &str) -> Action {
    scene::favourite::<AmongThieves>(scene, acts)
}

/// §8.4, §9.3, §9.6
#[test]
fn a_player_betrays_only_with_honor_to_spare_or_where_the_most_honorable_is_eliminated() {
    let betrays = |scene: &str, corporation: &str| {
        let acts = format!("team 0 1, robs {corporation}");
        favourite(scene, &acts) == AmongThieves::action("d")
    };
    assert!(!betrays("honor: 7 7 7", "corvid"));
    assert!(!betrays("honor: 13 8 7", "corvid"));
    assert!(betrays("honor: 13 8 4", "corvid"));
    assert!(betrays("honor: 7 7 7", "lefleur"));
}

/// §3.1, §4.1
#[test]
fn a_heistmaster_goes_along_with_the_most_honorable_and_takes_the_fullest_pot() {
    let scene = "honor: 7 6 9; pot/corvid: 2; pot/paragon: 4";
    assert_eq!(favourite(scene, ""), AmongThieves::action("team 0 2"));
    assert_eq!(favourite(scene, "team 0 2"), AmongThieves::action("robs paragon"));
}

/// §3.7, §3.8, §3.9
#[test]
fn a_player_takes_gifts_and_takes_along_who_paid_and_refuses_demands() {
    let scene = "millions: 4 9 9; honor: 7 6 9";
    let gift = "1 offers 0 1 0";
    assert_eq!(favourite(scene, gift), AmongThieves::action("accepts 1 1 0"));
    let paid = format!("{gift}, 0 accepts 1 1 0");
    assert_eq!(favourite(scene, &paid), AmongThieves::action("team 0 1"));
    let demanded = scene::run::<AmongThieves>(scene, "1 offers 0 0 1").table;
    let appeal =
        |text: &str| AmongThieves::appeal(&demanded, Seat::default(), &AmongThieves::action(text));
    assert!(appeal("refuses 1") > 0);
    assert!(appeal("accepts 1 0 1") < 0);
    // A seat makes one offer a turn.
    let offers = |acts: &str| {
        let table = scene::run::<AmongThieves>(scene, acts).table;
        AmongThieves::appeal(&table, seat("1"), &AmongThieves::action(gift[2..].trim())) > 0
    };
    assert!(offers("") && !offers(&paid));
}

/// §9.4, §9.9
#[test]
fn a_stash_is_worth_less_to_a_seat_that_would_be_eliminated() {
    let worth =
        |scene: &str| AmongThieves::worth(&scene::lay_out::<AmongThieves>(scene).0, seat("0"));
    assert_eq!(worth("millions: 8 8 8; honor: 6 7 9"), 2);
    assert_eq!(worth("millions: 8 8 8; honor: 8 7 9"), 6);
    assert_eq!(worth("millions: 8 8 8; honor: 9 7 9"), 8);
    assert_eq!(
        worth("millions: 8 8 8; honor: 6 7 9; stash/0: corvid-1-honor/1 corvid-1-honor/2"),
        6
    );
}
