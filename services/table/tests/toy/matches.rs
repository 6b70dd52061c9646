//! What happens in a match besides its game: motions, substitutes, timeouts, taking back, and the
//! house's answers for absent seats.

use bytes::Bytes;
use table::{
    Choice, Dealer, Entry, Event, Face, LastAction, Layout, Listed, Malformed, Motion, Offer,
    OfferItem, Options, Reason, Refused, Rules, Seat, Table, Viewer, Viewers,
};

use super::game::{Action, HURRIES, RESTLESS, Refusal, Toy};
use super::{
    Announcement, Card, Coin, Component, Decision, LAYOUT, Mark, Place, Sound, chance, handled,
    opening, seat, toy,
};

type Outcome<G> = Result<(Table, Entry), Refused<<G as Rules>::Refusal>>;

fn refused(outcome: Outcome<Sound>) -> &'static str {
    outcome.map(drop).expect_err("it is refused").reason()
}

/// The table after an entry, and its events; the entry has this seat and this verb.
fn recorded(outcome: Outcome<Sound>, by: Option<usize>, verb: &str) -> (Table, Vec<Event>) {
    let (table, entry) = outcome.expect("it is recorded");
    assert_eq!((entry.seat, entry.verb), (by.map(seat), verb));
    (table, entry.events)
}

fn ended() -> Table {
    let mut table = toy(|_| ());
    let events = vec![Event::Ended { winners: [seat(0)].into_iter().collect() }];
    table.apply(&Entry { events, ..opening() });
    table
}

fn resigned(table: &Table, number: usize) -> Table {
    table::resign::<Sound>(table, seat(number), &mut chance()).expect("it may resign").0
}

// === Motions and substitutes ===

#[test]
fn a_motion_passes_with_the_votes_of_all_who_have_not_resigned() {
    let vote =
        |table: &Table, number, motion, on| table::vote::<Sound>(table, seat(number), motion, on);
    let voted = |number, motion, on| Event::Voted { seat: seat(number), motion, on };
    let pause = Motion::Pause;
    let (table, events) = recorded(vote(&toy(|_| ()), 0, pause, true), Some(0), table::VOTE);
    assert_eq!(events, [voted(0, pause, true)]);
    assert_eq!(refused(vote(&table, 0, pause, true)), "NOTHING_CHANGES");
    assert_eq!(refused(vote(&table, 1, pause, false)), "NOTHING_CHANGES");
    // The vote is withdrawn, and given again.
    let (withdrawn, events) = recorded(vote(&table, 0, pause, false), Some(0), table::VOTE);
    assert_eq!((events, withdrawn.votes()), (vec![voted(0, pause, false)], &[][..]));
    let (table, _) =
        recorded(vote(&table, 1, Motion::EndWithoutResult, true), Some(1), table::VOTE);
    assert!(!table.votes_for(seat(1), pause) && !table.ended());
    let (table, _) = recorded(vote(&table, 1, pause, true), Some(1), table::VOTE);
    assert!(!table.is_paused());
    let (paused, events) = recorded(vote(&table, 2, pause, true), Some(2), table::VOTE);
    assert_eq!(events, [voted(2, pause, true), Event::Paused { by: Some(seat(2)) }]);
    assert!(paused.is_paused() && paused.votes().is_empty());

    // Only seat 2's vote is missing, and it resigns: a vote that was given may be given again.
    let left = resigned(&table, 2);
    let (paused, events) = recorded(vote(&left, 0, pause, true), Some(0), table::VOTE);
    assert_eq!(events, [voted(0, pause, true), Event::Paused { by: Some(seat(0)) }]);
    assert!(paused.is_paused());
    assert_eq!(refused(vote(&left, 2, pause, true)), "RESIGNED");
    assert_eq!(refused(vote(&ended(), 0, pause, true)), "MATCH_ENDED");
    assert_eq!(refused(vote(&left, 3, pause, true)), "NOT_SEATED");
}

#[test]
fn only_a_paused_match_can_be_resumed() {
    let order = |table: &Table, motion| table::order::<Sound>(table, motion);
    let table = toy(|_| ());
    assert_eq!(refused(order(&table, Motion::Resume)), "MATCH_NOT_PAUSED");
    let vote = table::vote::<Sound>(&table, seat(0), Motion::Resume, true);
    assert_eq!(refused(vote), "MATCH_NOT_PAUSED");
    let (paused, events) = recorded(order(&table, Motion::Pause), None, table::PAUSE);
    assert_eq!(events, [Event::Paused { by: None }]);
    assert_eq!(refused(order(&paused, Motion::Pause)), "MATCH_PAUSED");
    assert!(!table::can_act(&paused, seat(0)) && table::can_act(&table, seat(0)));
    let (resumed, events) = recorded(order(&paused, Motion::Resume), None, table::RESUME);
    assert_eq!(events, [Event::Resumed { by: None }]);
    assert!(!resumed.is_paused() && table::can_act(&resumed, seat(0)));
    let (over, events) = recorded(order(&paused, Motion::EndWithoutResult), None, table::ABANDON);
    assert_eq!(events, [Event::Abandoned]);
    assert!(over.is_abandoned() && over.ended() && !over.is_paused());
    assert!(ended().ended() && !ended().is_abandoned());
    assert_eq!(refused(order(&over, Motion::Pause)), "MATCH_ENDED");
}

#[test]
fn a_motion_is_found_by_its_verb_and_its_number() {
    for motion in [Motion::EndWithoutResult, Motion::Pause, Motion::Resume] {
        assert_eq!(Motion::ordered_by(motion.verb()), Some(motion));
        assert_eq!(Motion::numbered(motion.number()), Some(motion));
    }
    assert_eq!((Motion::ordered_by(table::VOTE), Motion::numbered(0)), (None, None));
}

#[test]
fn a_substitute_takes_over_a_seat_that_resigned_or_whose_player_is_gone() {
    let replace =
        |table: &Table, number, is_gone| table::replace::<Sound>(table, seat(number), is_gone);
    let table = toy(|it| drop(it.stand(1, true)));
    assert_eq!(refused(replace(&table, 1, false)), "NOT_RESIGNED");
    assert_eq!(refused(replace(&table, 3, true)), "NOT_SEATED");
    assert_eq!(refused(replace(&ended(), 1, true)), "MATCH_ENDED");
    let (after, events) = recorded(replace(&table, 1, true), None, table::REPLACE);
    assert_eq!(events, [Event::Replaced { seat: seat(1) }]);
    assert!(table.stands(seat(1), Decision::Peek) && after.standing().is_empty());
    let left = resigned(&table, 1);
    assert_eq!(left.contenders().collect::<Vec<_>>(), [0, 2].map(seat));
    for is_gone in [false, true] {
        let (after, _) = recorded(replace(&left, 1, is_gone), None, table::REPLACE);
        assert_eq!(after.contenders().count(), 3);
    }
}

// === Time ===

#[test]
fn a_timeout_is_answered_by_the_house_or_ends_in_resigning() {
    let time_out = |table: &Table, number, resigns| {
        table::time_out::<Sound>(table, seat(number), resigns, &mut chance())
    };
    let table = toy(|_| ());
    let (after, events) = recorded(time_out(&table, 1, false), Some(1), table::TIMEOUT);
    assert_eq!(events[0], Event::TimedOut { seat: seat(1) });
    assert!(after.prompt(seat(1)).is_none() && after.resigned().is_empty());
    assert_eq!(refused(time_out(&after, 1, false)), "NOT_ASKED");
    let told = time_out(&after, 1, false).expect_err("it is not asked");
    let waiting = table::waiting_for(after.prompts(), after.is_paused());
    let seats: Vec<_> = waiting.iter().map(|seat| seat.to_string()).collect();
    assert_eq!(told.facts(), [("waiting_for", seats.join(","))]);
    assert!(told.to_string().starts_with("this seat has no prompt now; the match waits for "));
    let (after, events) = recorded(time_out(&table, 1, true), Some(1), table::TIMEOUT);
    assert_eq!(events[..2], [Event::TimedOut { seat: seat(1) }, Event::Resigned { seat: seat(1) }]);
    assert!(after.resigned().has(seat(1)));
    assert_eq!(refused(time_out(&table, 5, true)), "NOT_SEATED");
    let allowed = |d: &mut Dealer| d.allow(seat(1), Decision::Chat);
    assert_eq!(refused(time_out(&handled(allowed).0, 1, true)), "NOT_ASKED", "nobody waits");
    let paused = table::order::<Sound>(&table, Motion::Pause).expect("it can be paused").0;
    assert_eq!(refused(time_out(&paused, 1, true)), "MATCH_PAUSED");
}

#[test]
fn time_is_added_only_for_seats_that_have_not_resigned() {
    let add = |table: &Table, added: &[(Seat, u32)]| {
        table::add_time::<Sound>(table, added, &mut chance())
    };
    let table = toy(|_| ());
    let added = [(seat(0), 500), (seat(2), 900)];
    let (_, events) = recorded(add(&table, &added), None, table::ADD_TIME);
    assert_eq!(events, added.map(|(seat, ms)| Event::TimeAdded { seat, ms }));
    assert_eq!(refused(add(&table, &[(seat(0), 1), (seat(3), 1)])), "NOT_SEATED");
    assert_eq!(refused(add(&resigned(&table, 1), &[(seat(1), 1)])), "RESIGNED");
}

#[test]
fn the_last_contender_wins() {
    let table = resigned(&toy(|_| ()), 0);
    assert!(!table.ended());
    let winners = resigned(&table, 2).winners().expect("one is left");
    assert_eq!(winners.iter().collect::<Vec<_>>(), [seat(1)]);
}

// === Entries ===

#[test]
fn an_entry_tells_its_end_its_round_and_whether_it_is_an_aside() {
    let entry = |events: &[Event]| Entry { events: events.to_vec(), ..opening() };
    let winners = [seat(1)].into_iter().collect();
    let (round, end) = (Event::RoundBegan, Event::Ended { winners });
    let said = Event::Said { seat: seat(0), speech: None };
    let voted = Event::Voted { seat: seat(0), motion: Motion::Pause, on: true };
    let time = Event::TimeAdded { seat: seat(0), ms: 1 };
    let nothing = entry(&[]);
    assert_eq!((nothing.winners(), nothing.round_begun(), nothing.is_aside()), (None, None, true));
    let last = entry(&[round(2), round(7), end.clone()]);
    assert_eq!(
        (last.winners(), last.round_begun(), last.is_aside()),
        (Some(winners), Some(7), false)
    );
    assert_eq!(entry(&[Event::Abandoned]).winners(), Some(Default::default()));
    assert!(entry(&[said.clone(), voted.clone(), time]).is_aside());
    assert!(!entry(&[voted, Event::Paused { by: None }]).is_aside());
    assert_eq!(entry(&[said, round(3)]).winners(), None);
}

/// A client's table redacts the entries that its seat received once more.
#[test]
fn redacting_a_redacted_entry_hides_what_the_viewer_may_not_count_and_adds_nothing() {
    let (den, screen) = (Place::Den(seat(0)).into(), Place::Screen(seat(0)).into());
    let red = LAYOUT.back(LAYOUT.pieces()[0].piece);
    let face = |what, from, viewer| {
        let moved = Event::Moved { what, from, to: screen };
        match moved.seen_by(viewer, &LAYOUT) {
            Event::Moved { what, .. } => what,
            other => panic!("{other:?}"),
        }
    };
    let [own, other] = [0, 1].map(|it| Viewer::Seat(seat(it)));
    // Everyone counts the pile.
    let pile = Place::Pile.into();
    assert_eq!(face(Face::Down(red), pile, other), Face::Down(red));
    assert_eq!(face(Face::Down(red), den, other), Face::Uncounted);
    assert_eq!(face(Face::Down(red), den, own), Face::Down(red));
    assert_eq!(face(Face::Uncounted, pile, own), Face::Uncounted);
}

// === Taking back ===

/// Prepares a table, lets seat 0 act, and takes the action back: the events of that entry, or the
/// refusal.
fn taken_back_from(
    prepare: impl FnOnce(&mut Dealer),
    handle: impl FnOnce(&mut Dealer),
    change: impl FnOnce(&mut LastAction),
) -> Result<Vec<Event>, String> {
    let (before, _) = handled(prepare);
    let (mut after, mut chance) = (before.clone(), chance());
    let mut d = Dealer::new(&mut after, &mut chance);
    handle(&mut d);
    let entry = d.finish(1, Some(seat(0)), "handle", Some(Bytes::from_static(&[0])));
    let mut last = LastAction { before, entry, age: 1 };
    change(&mut last);
    let (table, entry) =
        table::take_back::<Sound>(&after, Some(&last), seat(0)).map_err(|it| it.to_string())?;
    assert!(table.pieces::<Card>(Place::Board) == last.before.pieces(Place::Board));
    assert_eq!(table.offers(), last.before.offers());
    assert!(Viewer::guests(3).all(|it| table.seen_by(it) == last.before.seen_by(it)));
    Ok(entry.events)
}

fn taken_back(handle: impl FnOnce(&mut Dealer)) -> Result<Vec<Event>, String> {
    let prepare = |d: &mut Dealer| {
        d.draw(Place::Deck, Place::Hand(seat(0)));
        d.pay(Coin::Gold, Place::Box, Place::Purse(seat(0)), 5);
    };
    taken_back_from(prepare, handle, |_| ())
}

#[test]
fn an_action_that_revealed_something_cannot_be_taken_back_and_the_refusal_says_what_and_to_whom() {
    let revealed = |what: &str, to: &str| Err(format!("the action has revealed {what} to {to}"));
    let card = |d: &Dealer| d.first::<Card>(Place::Hand(seat(0))).expect("it was drawn");
    let name = {
        let (table, _) = handled(|d| _ = d.draw(Place::Deck, Place::Hand(seat(0))));
        LAYOUT.piece_name(table.first::<Card>(Place::Hand(seat(0))).expect("a card")).to_owned()
    };
    let (purse, hand) = (Place::Purse(seat(0)), Place::Hand(seat(0)));
    assert_eq!(taken_back(|d| d.put(card(d), Place::Board)), revealed(&name, "1 2 spectator"));
    assert_eq!(
        taken_back(|d| d.show(card(d).piece(), Viewers::only(seat(2)))),
        revealed(&name, "2")
    );
    assert_eq!(
        taken_back(|d| d.pay(Coin::Gold, purse, Place::Purse(seat(1)), 2)),
        revealed("gold", "1")
    );
    assert_eq!(
        taken_back(|d| d.pay_aloud(Coin::Gold, purse, hand, 2)),
        revealed("gold", "1 2 spectator")
    );
    let offer = |give| Offer { by: seat(0), to: seat(1), give, take: vec![] };
    let coins = OfferItem::Coins {
        coin: Coin::Gold.into(),
        from: purse.into(),
        to: Place::Board.into(),
        amount: 1,
    };
    assert_eq!(taken_back(|d| d.offer(offer(vec![coins]))), revealed("gold", "1 2 spectator"));
    let to = Place::Board.into();
    assert_eq!(
        taken_back(|d| d.offer(offer(vec![OfferItem::Piece { piece: card(d).piece(), to }]))),
        revealed(&name, "1 2 spectator")
    );
    // Actions that told no other seat anything new are taken back.
    let amount = |coin: Coin, from: Place, to: Place, amount| Event::Paid {
        coin: coin.into(),
        from: from.into(),
        to: to.into(),
        amount: Some(amount),
        aloud: false,
    };
    let takes_back = |events: &[Event]| Ok([&[Event::TookBack { age: 1 }], events].concat());
    let other = Place::Purse(seat(1));
    assert_eq!(
        taken_back(|d| d.pay(Coin::Gold, purse, hand, 2)),
        takes_back(&[amount(Coin::Gold, hand, purse, 2)])
    );
    assert_eq!(
        taken_back(|d| d.pay(Coin::Gold, purse, other, 0)),
        takes_back(&[amount(Coin::Gold, other, purse, 0)])
    );
    assert_eq!(
        taken_back(|d| d.pay(Coin::Gold, Place::Box, purse, 2)),
        takes_back(&[amount(Coin::Gold, purse, Place::Box, 2)])
    );
    assert_eq!(
        taken_back(|d| d.offer(offer(vec![]))),
        takes_back(&[Event::OfferClosed { by: seat(0) }])
    );
    assert_eq!(
        taken_back(|d| {
            d.mark(Mark::Count, 4);
            d.begin_turn(seat(2));
            d.begin_phase(3);
            d.score(seat(0), 9);
            d.announce(Announcement::Won, seat(0), 1);
        }),
        takes_back(&[
            Event::Scored { seat: seat(0), points: 0 },
            Event::PhaseBegan(0),
            Event::TurnBegan(seat(0)),
            Event::Marked { mark: Mark::Count.into(), value: 0 },
        ])
    );
}

#[test]
fn only_the_last_action_is_taken_back_by_its_seat_and_only_without_chance() {
    let marks = |d: &mut Dealer| d.mark(Mark::Count, 1);
    let with = |change: fn(&mut LastAction)| taken_back_from(|_| (), marks, change).map(drop);
    let nothing = Err("the last entry is no action of this seat".to_owned());
    let chance = Err("the action had to do with chance".to_owned());
    assert_eq!(with(|_| ()), Ok(()));
    assert_eq!(with(|it| it.entry.seat = Some(seat(1))), nothing);
    assert_eq!(with(|it| it.entry.action = None), nothing);
    assert_eq!(with(|it| it.entry.verb = table::SAY), nothing);
    assert_eq!(with(|it| it.entry.choices.push(Choice { bound: 2, value: 0 })), chance);
    assert_eq!(with(|it| it.entry.rules = 0), chance, "no choices were recorded then");
    let table = toy(|_| ());
    assert!(table::take_back::<Sound>(&table, None, seat(0)).is_err());
}

#[test]
fn taking_back_restores_what_was_shown_and_offered() {
    let show = |d: &mut Dealer| {
        for _ in 0..2 {
            d.draw(Place::Deck, Place::Hand(seat(0)));
        }
        for card in d.pieces::<Card>(Place::Hand(seat(0))).iter() {
            d.show(card.piece(), Viewers::only(seat(1)));
        }
        // This one stays where it is.
        d.draw(Place::Deck, Place::Hand(seat(2)));
        let other = d.first::<Card>(Place::Hand(seat(2))).expect("it was drawn");
        d.show(other.piece(), Viewers::only(seat(1)));
        d.offer(Offer { by: seat(1), to: seat(0), give: vec![], take: vec![] });
    };
    let mut own = Vec::new();
    let moves_one = |d: &mut Dealer| {
        own.extend(d.pieces::<Card>(Place::Hand(seat(0))).iter());
        d.put(own[0], Place::Chosen(seat(0)));
    };
    let events = taken_back_from(show, moves_one, |_| ());
    // Seat 1 knew two cards and lost track of which one moved, so both are shown again.
    let [what, other] = [0, 1].map(|nth: usize| Face::Up(own[nth].piece()));
    let (hand, chosen) = (Place::Hand(seat(0)).into(), Place::Chosen(seat(0)).into());
    let to = Viewers::only(seat(1));
    let again = vec![
        Event::TookBack { age: 1 },
        Event::Moved { what, from: chosen, to: hand },
        Event::Shown { what, at: hand, to },
        Event::Shown { what: other, at: hand, to },
    ];
    assert_eq!(events, Ok(again));
    let gathered = |d: &mut Dealer| d.gather(Place::Hand(seat(0)), Place::Chosen(seat(0)));
    let events = taken_back_from(show, gathered, |_| ()).expect("nobody saw more");
    let shown = events.iter().filter(|it| matches!(it, Event::Shown { .. })).count();
    assert_eq!((events.len(), shown), (5, 2));
    let events = taken_back_from(show, |d| d.close_offer(seat(1)), |_| ());
    let offered = Offer { by: seat(1), to: seat(0), give: vec![], take: vec![] };
    let again = vec![Event::TookBack { age: 1 }, Event::Offered(Box::new(offered))];
    assert_eq!(events, Ok(again));
}

#[test]
fn taking_back_keeps_the_age_of_prompts_that_stayed_open() {
    toy(|it| {
        it.say(1, &[]).expect("anyone may talk");
        let before = it.0.clone();
        let legal = Sound::legal(&before, seat(0));
        let action = Sound::print(&legal[0]);
        let played = table::play::<Sound>(&before, seat(0), &legal[0], &mut chance());
        let (after, entry) = played.expect("it is legal");
        it.0 = after;
        it.say(2, &[]).expect("anyone may talk");
        let entry = Entry { action: Some(action), ..entry };
        let last = LastAction { before, entry, age: 2 };
        let (table, entry) =
            table::take_back::<Sound>(&it.0, Some(&last), seat(0)).expect("nobody saw it");
        assert_eq!(entry.events[0], Event::TookBack { age: 2 });
        it.0 = table;
        let choosing = |number, age| (number, Decision::Choose, age);
        assert_eq!(it.asked(), [choosing(0, 0), choosing(1, 4), choosing(2, 4)]);
    });
}

// === Absent seats ===

/// Asks seat 0 to peek in a variant of the toy, then gives it a standing answer: the table after
/// that, and how many times the house peeked for it.
fn stood<const VARIANT: u8>() -> (Table, usize) {
    let mut chance = chance();
    let mut table = Table::new(&LAYOUT, 3, Viewer::House);
    let mut d = Dealer::new(&mut table, &mut chance);
    d.begin_round(1);
    for number in [1, 0] {
        d.ask(seat(number), Decision::Peek);
    }
    let asked = d.finish(1, None, table::OPEN, None);
    table.apply(&asked);
    let stand = |table: &Table, number| {
        let stand = table::Common::Stand { decision: Decision::Peek.into(), on: true };
        let stood =
            stand.play::<Toy<VARIANT>>(table, seat(number), Bytes::new(), &mut self::chance());
        stood.expect("it may stand")
    };
    let (table, entry) = stand(&table, 0);
    let peeks = entry.events.iter().filter(|it| matches!(it, Event::Shown { .. })).count();
    (table, peeks)
}

#[test]
fn the_house_gives_a_standing_answer_sixteen_times_and_then_asks() {
    let (table, peeks) = stood::<RESTLESS>();
    assert_eq!((peeks, table.decision(seat(0))), (16, Some(Decision::Peek)));
}

/// Otherwise a match in which everyone stands would play itself to its end.
#[test]
fn the_house_gives_standing_answers_in_one_round_of_an_entry() {
    let (table, peeks) = stood::<HURRIES>();
    assert_eq!((peeks, table.round()), (1, 3));
    assert_eq!(table.decision(seat(0)), Some(Decision::Peek));
}

#[test]
fn the_house_would_answer_passively_or_by_chance() {
    let choosing = toy(|_| ());
    let answer = table::house_answer::<Sound>(&choosing, seat(1), &mut chance());
    let legal = Sound::legal(&choosing, seat(1));
    assert!(legal.contains(&answer.expect("it must choose")));
    let peeking = toy(|it| (0..3).for_each(|number| it.choose(number)));
    let asked = peeking.live().next().expect("the winner peeks").seat;
    let answer = table::house_answer::<Sound>(&peeking, asked, &mut chance());
    assert_eq!(answer, Some(Action::Peek));
    let other = peeking.after(asked);
    assert_eq!(table::house_answer::<Sound>(&peeking, other, &mut chance()), None);
}

// === Defaults of `Rules` ===

/// The toy with the defaults of every method that has one.
struct Plain;

impl Rules for Plain {
    const NAME: &'static str = "plain";
    const SEATS: std::ops::RangeInclusive<u8> = 2..=8;
    const VERSION: u32 = 1;
    type Action = Action;
    type Refusal = Refusal;

    fn layout() -> &'static Layout {
        &LAYOUT
    }
    fn parse(message: &[u8]) -> Result<Action, Malformed> {
        Sound::parse(message)
    }
    fn print(action: &Action) -> Bytes {
        Sound::print(action)
    }
    fn verb(action: &Action) -> &'static str {
        Sound::verb(action)
    }
    fn set_up(d: &mut Dealer, options: &Options) {
        Sound::set_up(d, options);
    }
    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        Sound::legal(table, seat)
    }
    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        Sound::act(d, seat, action)
    }
    fn passive(table: &Table, seat: Seat) -> Option<Action> {
        Sound::passive(table, seat)
    }
}

#[test]
fn a_game_that_implements_only_what_it_must_has_the_documented_defaults() {
    let mut table = toy(|_| ());
    let legal = Plain::legal(&table, seat(1));
    let drawn = Plain::any(&table, seat(1), &mut chance()).expect("it must choose");
    assert!(legal.contains(&drawn));
    assert!(Plain::answers(&drawn) && !Plain::in_secret(&drawn));
    assert!(!Plain::may_stand(Decision::Peek.into()) && Plain::concerns(&table, seat(1)));
    assert!(!Plain::open_ended(&table, seat(1), &drawn));
    let listed = Plain::list(&table, seat(1), &Default::default());
    let listed: Vec<_> =
        listed.into_iter().map(|Listed { action, is_example }| (action, is_example)).collect();
    assert_eq!(listed, legal.into_iter().map(|it| (it, false)).collect::<Vec<_>>());
    assert_eq!((Plain::best_of(3), Plain::begins_next(&table)), (None, None));
    assert_eq!(Plain::appeal(&table, seat(1), &drawn), 0);
    let events = vec![Event::Scored { seat: seat(1), points: 7 }];
    table.apply(&Entry { events, ..opening() });
    assert_eq!([0, 1].map(|it| Plain::worth(&table, seat(it))), [0, 7]);
    assert_eq!(Plain::check(&table), Ok(()));
}
