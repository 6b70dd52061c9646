//! Section 7: what each event does, tested with every copy of it.

use super::*;

/// An event on top of its deck, and nine millions for each of three seats. Heists of Corvid reveal
/// a card with an event, worth 2, and one worth 3.
fn drawing(event: &str) -> String {
    format!(
        "deck/corvid: corvid-2-event/4 corvid-3/5 corvid-5/16; event-deck: {event}; \
         millions: 9 9 9"
    )
}

/// The same, but seat 1 first draws a known card; then a card with an event, worth 3, is revealed.
fn drawing_after_a_theft(event: &str) -> String {
    format!("{}; deck/corvid: corvid-1-honor/1 corvid-3-event/10 corvid-5/16", drawing(event))
}

/// The copies of an event, of which there are `count`.
fn copies(name: &'static str, count: usize) -> impl Iterator<Item = String> {
    let named = LAYOUT.pieces().iter().filter(|row| row.name.split('/').next() == Some(name));
    assert_eq!(named.count(), count, "{name}");
    (1..=count).map(move |copy| format!("{name}/{copy}"))
}

/// A heist of seats 1 and 2, both honorable, with each copy of an event.
#[track_caller]
fn each(name: &'static str, count: usize, also: &str, then: &str) {
    for event in copies(name, count) {
        heist(&format!("{}; {also}", drawing(&event)), "1h 2h", then);
    }
}

/// The same, but seat 1 is dishonorable.
#[track_caller]
fn each_after_a_theft(name: &'static str, count: usize, then: &str) {
    copies(name, count).for_each(|event| heist(&drawing_after_a_theft(&event), "1d 2h", then));
}

/// §7.3
#[test]
fn fresh_dirt_adds_three_to_the_payout() {
    each("fresh-dirt", 3, "", "millions: 9 17 17; honor: 7 7 7; turn: 1");
    each_after_a_theft("fresh-dirt", 3, "millions: 9 21 9; honor: 7 6 8");
}

/// §7.3
#[test]
fn damage_control_takes_two_from_the_payout() {
    each("damage-control", 2, "", "millions: 9 12 12");
}

/// §7.4
#[test]
fn the_payout_is_never_less_than_zero() {
    let little = "deck/corvid: corvid-1-honor/1 corvid-2-event/4 corvid-5/16; \
                  events: damage-control/2; event-deck: damage-control/1";
    heist(little, "1h 2h", "millions: 0 0 0; honor: 7 7 7; turn: 1");
    let doubled = little.replace("event-deck: damage-control/1", "event-deck: mother-lode/1");
    heist(
        &format!("{doubled}; events: damage-control/1 damage-control/2"),
        "1h 2h",
        "millions: 0 0 0",
    );
}

/// §7.3
#[test]
fn skeletons_in_the_closet_adds_five_to_the_payout() {
    each("skeletons-in-the-closet", 1, "", "millions: 9 19 19");
}

/// §7.5
#[test]
fn mother_lode_doubles_the_payout_after_all_other_events() {
    each("mother-lode", 1, "", "millions: 9 19 19");
    each("mother-lode", 1, "events: fresh-dirt/1", "millions: 9 25 25");
    each("mother-lode", 1, "events: damage-control/1", "millions: 9 15 15");
    each_after_a_theft("mother-lode", 1, "millions: 9 21 9");
}

/// §7.6
#[test]
fn loose_lips_reveals_one_more_card_without_its_event() {
    let more = "deck/corvid: corvid-2-event/4 corvid-3/5 corvid-3-event/10 corvid-5/16";
    each("loose-lips", 2, more, "millions: 9 17 17; event-deck:; turn: 1");
}

/// §7.6
#[test]
fn loose_lips_may_reveal_a_game_end_card_or_find_no_card() {
    let last = "deck/corvid: corvid-2-event/4 corvid-3/5 corvid-game-end; honor: 5 7 7";
    let revealed = "payout: corvid-2-event/4 corvid-3/5 corvid-game-end";
    each("loose-lips", 2, last, &format!("scores: 0 14 14; winners: 1 2; {revealed}"));
    let none = "deck/corvid: corvid-2-event/4 corvid-3/5; honor: 5 7 7";
    each("loose-lips", 2, none, "scores: 0 14 14; winners: 1 2; deck/corvid:");
}

/// §7.7
#[test]
fn word_on_the_street_honors_the_honorable() {
    each("word-on-the-street", 2, "", "honor: 7 8 8");
    each_after_a_theft("word-on-the-street", 2, "honor: 7 6 9");
}

/// §7.8
#[test]
fn rat_in_the_ranks_dishonors_the_dishonorable() {
    each("rat-in-the-ranks", 2, "", "honor: 7 7 7");
    each_after_a_theft("rat-in-the-ranks", 2, "honor: 7 5 8");
}

/// §7.9
#[test]
fn second_chance_helps_everyone_with_the_least_honor() {
    each("second-chance", 2, "honor: 4 4 7", "honor: 5 5 7");
    each("second-chance", 2, "honor: 7 6 7", "honor: 7 7 7");
    each("second-chance", 2, "honor: 13 13 13", "honor: 13 13 13");
}

/// §7.10
#[test]
fn feet_of_clay_costs_everyone_with_the_most_honor() {
    each("feet-of-clay", 2, "honor: 13 4 7", "honor: 12 4 7");
    each("feet-of-clay", 2, "", "honor: 6 6 6");
    each("feet-of-clay", 2, "honor: 1 1 1", "honor: 1 1 1");
}

/// §7.11
#[test]
fn finders_fee_pays_the_heistmaster_three() {
    each("finders-fee", 2, "", "millions: 12 14 14");
}

/// §7.12
#[test]
fn hush_money_pays_everyone_off_the_heist_two() {
    each("hush-money", 2, "", "millions: 11 14 14");
    for event in copies("hush-money", 2) {
        let four = format!("seats: 4; {}; millions: 9 9 9 9", drawing(&event));
        heist(&four, "1h 2h", "millions: 11 14 14 11");
    }
}

/// §7.13
#[test]
fn unforeseen_costs_takes_one_from_each_member_who_can_pay() {
    each("unforeseen-costs", 2, "", "millions: 9 13 13");
    each("unforeseen-costs", 2, "millions: 9 9 0", "millions: 9 13 5");
}

/// §7.14
#[test]
fn loose_change_puts_two_on_each_deck() {
    each("loose-change", 1, "", "pot/corvid: 2; pot/lefleur: 4; pot/paragon: 4");
}

/// §7.15
#[test]
fn pass_it_on_moves_one_to_the_left_from_everyone_who_can_pay() {
    each("pass-it-on", 2, "", "millions: 9 14 14");
    // A seat without ISK passes nothing on, not even the million that it receives.
    each("pass-it-on", 2, "millions: 9 0 9", "millions: 9 6 13");
}

/// §7.16
#[test]
fn friend_in_need_pays_four_to_the_seat_that_the_heistmaster_names() {
    copies("friend-in-need", 1).for_each(|event| {
        let cards = "corvid-2-event/4 corvid-3/5 corvid-2/3 corvid-1-honor/1 corvid-5/16";
        let scene = format!("seats: 7; deck/corvid: {cards}; event-deck: {event}");
        let heist = acts("1h 2h 3h 4h");
        check(&scene, &heist, "asked: 0 favor; may:; turn: 0; millions: 0 0 0 0 0 0 0");
        let favors = |who| format!("{heist}, 0 favors {who}");
        check(&scene, &favors("5"), "millions: 0 8 8 8 8 4 0; turn: 1");
        check(&scene, &favors("0"), "millions: 4 8 8 8 8 0 0; turn: 1");
        check(&scene, &favors("1"), "refused: on-heist");
        check(&scene, &favors("7"), "refused: no-such-seat");
        check(&scene, &format!("{heist}, 1 favors 5"), "refused: not-asked");
        check(&scene, "0 favors 5", "refused: not-now");
    });
}

/// §7.1
#[test]
fn an_event_is_resolved_before_the_next_is_drawn() {
    let scene = "seats: 7; deck/corvid: corvid-2-event/4 corvid-2-event/7 corvid-2/3 corvid-3/5 \
                 corvid-5/16; event-deck: friend-in-need/1; event-discard: finders-fee/1";
    let heist = acts("1h 2h 3h 4h");
    check(scene, &heist, "asked: 0 favor; events-due: 1; events: friend-in-need/1");
    let then = "millions: 3 9 9 9 9 4 0; turn: 1; event-discard: finders-fee/1 friend-in-need/1";
    check(scene, &format!("{heist}, 0 favors 5"), then);
}

/// §7.17
#[test]
fn fresh_start_helps_everyone_with_five_honor_or_less() {
    each("fresh-start", 1, "honor: 5 1 6", "honor: 6 2 6");
}

/// §7.18
#[test]
fn open_books_tells_how_many_cards_are_in_each_stash() {
    copies("open-books", 1).for_each(|event| {
        let scene = format!("{}; stash/0: paragon-3/5 lefleur-3/5", drawing(&event));
        let before = lay_out(&scene);
        let hidden = before.seen_by(Viewer::Spectator);
        assert!(hidden.is_bare(Stash(seat("0"))), "nobody else could count it before");
        let (table, entry) = done(&before, &acts("1h 2h"), 3);
        let told = narrated(&entry, Viewer::Spectator);
        for (seat, count) in [(0, 2), (1, 0), (2, 0)] {
            assert!(told.contains(&format!("stash-holds: seat {seat}, {count}")), "{told}");
        }
        assert_eq!(shown(&table, "millions"), "9 14 14");
    });
}

/// §7.1
#[test]
fn every_card_with_an_event_draws_one() {
    let scene = "deck/corvid: corvid-2-event/4 corvid-2-event/7 corvid-5/16; \
                 event-deck: fresh-dirt/1 fresh-dirt/2 fresh-dirt/3";
    heist(scene, "1h 2h", "millions: 0 10 10; events:; events-due: 0");
    let (table, _) = done(&lay_out(scene), &acts("1h 2h"), 3);
    assert_eq!((table.count(EventDeck), table.count(EventDiscard)), (1, 2));
}

/// §7.2
#[test]
fn the_event_discards_become_the_new_event_deck() {
    let scene = "deck/corvid: corvid-2-event/4 corvid-3/5 corvid-5/16";
    let discards = format!("{scene}; event-discard: fresh-dirt/1");
    heist(&discards, "1h 2h", "millions: 0 8 8; event-discard: fresh-dirt/1; event-deck:");
    heist(scene, "1h 2h", "millions: 0 5 5; turn: 1");
}
