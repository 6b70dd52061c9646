//! Tests of the audit, with entries that no match records.

use table::{
    Audit, CHOICES_MAX, Choice, Component, Contribution, EVENTS_MAX, Entry, Event, Face, Motion,
    OFFERED_MAX, Offer, OfferItem, Prompt, SEATS_MAX, Small, Table, Viewer, Viewers, Violation,
    apply_from_guest,
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

// === Entries of guests ===

fn from_guest(mut entry: Entry) -> Option<Violation> {
    apply_from_guest(&Table::new(&LAYOUT, 3, Viewer::House), &mut entry).err()
}

fn event_from_guest(event: Event) -> Option<Violation> {
    from_guest(Entry { events: vec![event], ..opening() })
}

#[test]
fn a_guest_moves_and_shows_pieces_where_they_are() {
    let what = Face::Up(Card::nth(0).expect("a card").piece());
    let moved = |from: Place| Event::Moved { what, from: from.into(), to: Place::Board.into() };
    assert_eq!(event_from_guest(moved(Place::Deck)), None);
    assert_eq!(event_from_guest(moved(Place::Pile)), Some(Violation::Misplaced));
    let shown = |at: Place| Event::Shown { what, at: at.into(), to: Viewers::only(seat(1)) };
    assert_eq!(event_from_guest(shown(Place::Deck)), None);
    assert_eq!(event_from_guest(shown(Place::Pile)), Some(Violation::Misplaced));
    let twice = vec![moved(Place::Deck), moved(Place::Deck)];
    let twice = from_guest(Entry { events: twice, ..opening() });
    assert_eq!(twice, Some(Violation::Misplaced));
}

#[test]
fn a_guest_gathers_pieces_only_where_nobody_sees_more_of_them() {
    let gathered = |from: Place, to: Place| Event::Gathered { from: from.into(), to: to.into() };
    assert_eq!(event_from_guest(gathered(Place::Board, Place::Deck)), None);
    assert_eq!(event_from_guest(gathered(Place::Deck, Place::Board)), Some(Violation::Redaction));
    assert_eq!(
        event_from_guest(gathered(Place::Deck, Place::Hand(seat(0)))),
        Some(Violation::Redaction)
    );
    assert_eq!(
        event_from_guest(gathered(Place::Screen(seat(0)), Place::Deck)),
        Some(Violation::Redaction)
    );
}

#[test]
fn a_guest_records_no_event_of_the_house() {
    let motion = Motion::Pause;
    for event in [
        Event::Said { seat: seat(0), speech: None },
        Event::TimeAdded { seat: seat(0), ms: 1 },
        Event::TookBack { age: 1 },
        Event::Voted { seat: seat(0), motion, on: true },
        Event::Paused { by: None },
        Event::Resumed { by: None },
        Event::Abandoned,
        Event::Replaced { seat: seat(0) },
    ] {
        assert_eq!(event_from_guest(event), Some(Violation::NotOfRules));
    }
}

#[test]
fn a_guest_names_seats_of_the_match_and_ends_it_once() {
    assert_eq!(event_from_guest(Event::TurnBegan(seat(2))), None);
    assert_eq!(event_from_guest(Event::TurnBegan(seat(3))), Some(Violation::NoSuchSeat));
    let ended = |winner| Event::Ended { winners: [seat(winner)].into_iter().collect() };
    assert_eq!(event_from_guest(ended(2)), None);
    assert_eq!(event_from_guest(ended(3)), Some(Violation::NoSuchSeat));
    let with = |events: Vec<Event>| from_guest(Entry { events, ..opening() });
    let resigned = Event::Resigned { seat: seat(1) };
    assert_eq!(with(vec![resigned, ended(1)]), Some(Violation::NoSuchSeat));
    assert_eq!(with(vec![ended(0), Event::RoundBegan(1)]), Some(Violation::AfterTheEnd));
    let (_, Entry { prompts, .. }) = handled(|d| d.ask(seat(2), Decision::Choose));
    let asked = Entry { events: vec![ended(0)], prompts, ..opening() };
    assert_eq!(from_guest(asked), Some(Violation::AfterTheEnd));
}

#[test]
fn an_entry_of_a_guest_is_bounded() {
    let rounds = |count| Entry { events: vec![Event::RoundBegan(1); count], ..opening() };
    assert_eq!(from_guest(rounds(EVENTS_MAX)), None);
    assert_eq!(from_guest(rounds(EVENTS_MAX + 1)), Some(Violation::TooLong));
    let choices = vec![Choice { bound: 2, value: 1 }; CHOICES_MAX + 1];
    assert_eq!(from_guest(Entry { choices, ..opening() }), Some(Violation::TooLong));
}

#[test]
fn the_host_notes_whom_an_entry_of_a_guest_asks() {
    let table = Table::new(&LAYOUT, 3, Viewer::House);
    let (_, asks) = handled(|d| d.ask(seat(2), Decision::Choose));
    // The guest notes nothing.
    let unnoted = |age: u32| {
        let prompts = asks.prompts.iter().map(|it| Prompt { age, asked: None, ..*it });
        Entry { prompts: prompts.collect(), ..opening() }
    };
    let mut first = unnoted(0);
    let after = apply_from_guest(&table, &mut first).expect("the prompt is new");
    assert_eq!(first.prompts[0].asked, Some(0));
    let mut second = unnoted(1);
    apply_from_guest(&after, &mut second).expect("the prompt was open");
    assert_eq!(second.prompts[0].asked, Some(1));
    // Its own action asks the seat again, and a new prompt asks it in any case.
    let mut own = Entry { seat: Some(seat(2)), verb: "draw", ..unnoted(1) };
    apply_from_guest(&after, &mut own).expect("the prompt was open");
    assert_eq!(own.prompts[0].asked, Some(0));
    let mut new = unnoted(0);
    apply_from_guest(&after, &mut new).expect("the prompt is new");
    assert_eq!(new.prompts[0].asked, Some(0));
    for (table, age) in [(&table, 1), (&after, 2), (&after, 3)] {
        let aged = apply_from_guest(table, &mut unnoted(age));
        assert_eq!(aged.err(), Some(Violation::PromptAge));
    }
}
