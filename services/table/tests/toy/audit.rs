//! Tests of the audit, with entries that no match records.

use table::{
    Audit, Component, Contribution, Entry, Event, Face, OFFERED_MAX, Offer, OfferItem, SEATS_MAX,
    Small, Viewers, Violation,
};

use super::{Card, Coin, Decision, LAYOUT, Place, handled, opening, seat};

/// The audit's report on a match of three seats whose second entry has this event.
fn audited(event: Event) -> Option<Violation> {
    audited_entry(Entry { verb: "handle", events: vec![event], ..opening() })
}

fn audited_entry(entry: Entry) -> Option<Violation> {
    let mut audit = Audit::new(&LAYOUT, 3);
    audit.apply(&opening(), true).expect("an opening may be empty");
    audit.apply(&entry, false).err()
}

#[test]
fn a_match_begins_with_its_opening_and_has_only_one() {
    let handled = Entry { verb: "handle", ..opening() };
    let first = |entry: &Entry| Audit::new(&LAYOUT, 3).apply(entry, true).err();
    assert_eq!(first(&opening()), None);
    assert_eq!(first(&handled), Some(Violation::Opening));
    let opened_by_a_seat = Entry { seat: Some(seat(0)), ..opening() };
    assert_eq!(first(&opened_by_a_seat), Some(Violation::Opening));
    assert_eq!(audited_entry(handled), None);
    assert_eq!(audited_entry(opening()), Some(Violation::Opening));
}

#[test]
fn an_entry_names_only_seats_of_its_match() {
    let by = |number| Entry { seat: Some(seat(number)), verb: "handle", ..opening() };
    assert_eq!(audited_entry(by(2)), None);
    assert_eq!(audited_entry(by(3)), Some(Violation::NoSuchSeat));
    let (_, Entry { mut prompts, .. }) = handled(|d| d.ask(seat(2), Decision::Choose));
    assert_eq!(audited_entry(Entry { prompts: prompts.clone(), ..by(0) }), None);
    prompts[0].seat = seat(3);
    assert_eq!(audited_entry(Entry { prompts, ..by(0) }), Some(Violation::NoSuchSeat));
}

#[test]
fn no_entry_follows_the_end() {
    let mut audit = Audit::new(&LAYOUT, 3);
    let ended = Event::Ended { winners: [seat(0)].into_iter().collect() };
    assert_eq!(audit.apply(&Entry { events: vec![ended], ..opening() }, true), Ok(()));
    let late = Entry { verb: "handle", ..opening() };
    assert_eq!(audit.apply(&late, false), Err(Violation::AfterTheEnd));
}

#[test]
fn no_entry_loses_a_piece_or_creates_coins() {
    let card = Face::Up(Card::nth(0).expect("a card").piece());
    let moved =
        |from: Place| Event::Moved { what: card, from: from.into(), to: Place::Board.into() };
    assert_eq!(audited(moved(Place::Deck)), None);
    assert_eq!(audited(moved(Place::Pile)), Some(Violation::PieceLost));
    let paid = |from: Place| Event::Paid {
        coin: Coin::Gold.into(),
        from: from.into(),
        to: Place::Board.into(),
        amount: Some(1),
        aloud: false,
    };
    assert_eq!(audited(paid(Place::Box)), None);
    assert_eq!(audited(paid(Place::Deck)), Some(Violation::CoinsMade));
    assert_eq!(audited(paid(Place::Purse(seat(0)))), Some(Violation::Overdrawn));
}

/// Each entry is applied to a copy of the table, so a table that grows without bound would make a
/// match take quadratic time.
#[test]
fn no_entry_leaves_more_on_the_table_than_there_can_be() {
    let piece = Card::nth(0).expect("a card").piece();
    let item = OfferItem::Piece { piece, to: Place::Board.into() };
    let offer = |items: usize| Offer {
        by: seat(0),
        to: seat(1),
        give: vec![item; items],
        take: Vec::new(),
    };
    let offered = |items: usize| Event::Offered(Box::new(offer(items)));
    assert_eq!(audited(offered(OFFERED_MAX - 1)), None);
    assert_eq!(audited(offered(OFFERED_MAX)), Some(Violation::TooMuch));
    let with = |events: Vec<Event>| audited_entry(Entry { verb: "handle", events, ..opening() });
    assert_eq!(with(vec![offered(0); OFFERED_MAX]), None);
    assert_eq!(with(vec![offered(0); OFFERED_MAX + 1]), Some(Violation::TooMuch));
    let bytes = vec![7; 16].into();
    let given = Contribution { seat: seat(0), bytes, after_commitment: false };
    let contributed = Event::Contributed(Box::new(given));
    assert_eq!(with(vec![contributed.clone(); SEATS_MAX]), None);
    assert_eq!(with(vec![contributed; SEATS_MAX + 1]), Some(Violation::TooMuch));
}

#[test]
fn no_entry_shows_a_viewer_what_the_table_does_not() {
    let what = Face::Up(Card::nth(0).expect("a card").piece());
    let shown = |at: Place| Event::Shown { what, at: at.into(), to: Viewers::only(seat(1)) };
    assert_eq!(audited(shown(Place::Deck)), None);
    assert_eq!(audited(shown(Place::Pile)), Some(Violation::Redaction));
}
