//! Examples of how long seats have, by hand: a line for each entry, with what was asked after it
//! and when the time of each seat then runs out.

use std::collections::BTreeMap;
use std::time::Duration;

use clocks::{Clocks, OnTimeout, TimeControl};
use table::{Entry, Event, Prompt, Seat, Small, Table, Viewer};
use time::OffsetDateTime;

/// 30 seconds a decision, then a bank of 100, which gains 5 with each decision.
const CONTROL: TimeControl = TimeControl {
    bank_s: 100,
    increment_s: 5,
    per_decision_s: 30,
    on_timeout: OnTimeout::Answer,
    resign_after: 2,
};

/// A match of three seats.
struct Scene {
    table: Table,
    clocks: Clocks,
}

fn seat(number: usize) -> Seat {
    Seat::nth(number).expect("a table has more seats")
}

/// When the match begins.
const START_S: i64 = 1_000_000_000;

/// The time at a second of the match.
fn at(second: i64) -> OffsetDateTime {
    OffsetDateTime::UNIX_EPOCH + time::Duration::seconds(START_S + second)
}

/// The seat must decide something that was asked `age` entries ago.
fn asked(number: usize, age: u32) -> Prompt {
    let layout = games::find("mountebank").expect("a game").layout();
    let decision = layout.decisions()[0].id;
    Prompt { seat: seat(number), decision, must: true, layer: 0, age, asked: Some(age) }
}

/// The same before anything else that is asked.
fn interrupted(number: usize, age: u32) -> Prompt {
    Prompt { layer: 1, ..asked(number, age) }
}

/// The seat may decide something, and nobody waits for it.
fn allowed(number: usize, age: u32) -> Prompt {
    Prompt { must: false, ..asked(number, age) }
}

impl Scene {
    fn new() -> Scene {
        let layout = games::find("mountebank").expect("a game").layout();
        Scene { table: Table::new(layout, 3, Viewer::House), clocks: Clocks::new(CONTROL, 3) }
    }

    /// An entry at this second, by a seat or the house, and who is asked after it.
    fn entry(
        &mut self,
        second: i64,
        by: Option<usize>,
        verb: &'static str,
        events: &[Event],
        prompts: &[Prompt],
    ) {
        let entry = Entry {
            rules: 1,
            seat: by.map(seat),
            verb,
            action: None,
            events: events.to_vec(),
            prompts: prompts.to_vec(),
            choices: Vec::new(),
            players: Vec::new(),
        };
        self.table.apply(&entry);
        self.clocks.apply(&entry, at(second), &self.table);
    }

    fn acts(&mut self, second: i64, number: usize, prompts: &[Prompt]) {
        self.entry(second, Some(number), "act", &[Event::TurnBegan(seat(number))], prompts);
    }

    fn opens(&mut self, prompts: &[Prompt]) {
        self.entry(0, None, table::OPEN, &[Event::RoundBegan(1)], prompts);
    }

    fn takes_back(&mut self, second: i64, number: usize, prompts: &[Prompt]) {
        let events = [Event::TookBack { age: 1 }];
        self.entry(second, Some(number), table::TAKE_BACK, &events, prompts);
    }

    fn times_out(&mut self, number: usize, prompts: &[Prompt]) {
        let events = [Event::TimedOut { seat: seat(number) }];
        self.entry(0, Some(number), table::TIMEOUT, &events, prompts);
    }

    /// By seat: the second at which its time runs out.
    fn deadlines(&self) -> [Option<i64>; 3] {
        let second = |at: OffsetDateTime| at.unix_timestamp() - START_S;
        [0, 1, 2].map(|it| self.clocks.deadline(seat(it)).map(second))
    }

    /// By seat: the seconds in its bank.
    fn banks(&self) -> [u64; 3] {
        [0, 1, 2].map(|it| self.clocks.seats()[it].bank.as_secs())
    }
}

#[test]
fn the_time_for_a_decision_is_used_before_the_bank() {
    let mut it = Scene::new();
    it.opens(&[asked(0, 0)]);
    assert_eq!(it.deadlines(), [Some(130), None, None]);
    assert_eq!(it.clocks.next(), Some((at(130), seat(0))));
    it.acts(30, 0, &[asked(1, 0)]);
    assert_eq!((it.banks(), it.deadlines()), ([105, 100, 100], [None, Some(160), None]));
    it.acts(70, 1, &[asked(0, 0), asked(2, 0)]);
    assert_eq!((it.banks(), it.deadlines()), ([105, 95, 100], [Some(205), None, Some(200)]));
    assert_eq!(it.clocks.next(), Some((at(200), seat(2))), "of two, the first to run out");
    it.acts(75, 0, &[]);
    assert_eq!((it.clocks.next(), it.deadlines()), (None, [None; 3]));
}

#[test]
fn only_a_decision_that_its_seat_makes_gains_the_increment() {
    let mut it = Scene::new();
    it.opens(&[asked(0, 0), asked(1, 0)]);
    it.acts(10, 0, &[asked(1, 1)]);
    assert_eq!(it.banks(), [105, 100, 100]);
    // Another seat's action ends the decision, or asks the seat something new.
    it.acts(10, 2, &[asked(0, 0)]);
    assert_eq!(it.banks(), [105, 100, 100]);
    // It has acted, but what it must decide is still open.
    it.acts(10, 0, &[asked(0, 1)]);
    assert_eq!(it.banks(), [105, 100, 100]);
    it.entry(10, None, table::PAUSE, &[Event::Paused { by: None }], &[asked(0, 2)]);
    assert_eq!(it.banks(), [105, 100, 100]);
}

#[test]
fn timeouts_in_a_row_are_counted_and_gain_nothing() {
    let mut it = Scene::new();
    it.opens(&[asked(0, 0)]);
    for timeouts in [1, 2] {
        it.times_out(0, &[asked(0, 0)]);
        assert_eq!((it.clocks.seats()[0].timeouts, it.banks()[0]), (timeouts, 100));
    }
    it.acts(0, 0, &[asked(1, 0)]);
    assert_eq!((it.clocks.seats()[0].timeouts, it.banks()[0]), (0, 105));
}

#[test]
fn a_seat_resigns_at_its_last_timeout_in_a_row() {
    let of = |on_timeout, resign_after, timeouts: usize| {
        let mut it = Scene::new();
        it.clocks = Clocks::new(TimeControl { on_timeout, resign_after, ..CONTROL }, 3);
        it.opens(&[asked(0, 0)]);
        (0..timeouts).for_each(|_| it.times_out(0, &[asked(0, 0)]));
        assert!(
            !it.clocks.resigns(seat(1)) || on_timeout == OnTimeout::Resign || resign_after == 1
        );
        it.clocks.resigns(seat(0))
    };
    assert!(of(OnTimeout::Resign, 0, 0));
    assert_eq!([0, 1, 9].map(|timeouts| of(OnTimeout::Answer, 0, timeouts)), [false; 3]);
    assert!(of(OnTimeout::Answer, 1, 0));
    let second = [0, 1, 2].map(|timeouts| of(OnTimeout::Answer, 2, timeouts));
    assert_eq!(second, [false, true, true]);
    let third = [0, 1, 2, 3].map(|timeouts| of(OnTimeout::Answer, 3, timeouts));
    assert_eq!(third, [false, false, true, true]);
}

#[test]
fn an_interrupt_stops_the_clock_of_a_decision_that_goes_on_afterwards() {
    let mut it = Scene::new();
    it.opens(&[asked(1, 0)]);
    it.acts(20, 2, &[asked(1, 1), interrupted(0, 0)]);
    assert_eq!(it.deadlines(), [Some(150), None, None]);
    it.acts(25, 0, &[asked(1, 2), interrupted(0, 0)]);
    // Seat 1 had used 20 of its 30 seconds.
    it.acts(28, 0, &[asked(1, 3)]);
    assert_eq!((it.banks()[1], it.deadlines()), (100, [None, Some(138), None]));
}

#[test]
fn nobody_waits_for_what_a_seat_need_not_decide() {
    let mut it = Scene::new();
    it.opens(&[asked(0, 0), allowed(1, 0)]);
    assert_eq!(it.deadlines(), [Some(130), None, None]);
    it.acts(10, 0, &[allowed(0, 0), asked(1, 0)]);
    assert_eq!(it.deadlines(), [None, Some(140), None]);
}

#[test]
fn the_match_waits_for_nobody_who_resigned_and_after_its_end_for_nobody() {
    let mut it = Scene::new();
    it.opens(&[asked(0, 0), asked(1, 0)]);
    let resigned = [Event::Resigned { seat: seat(0) }];
    it.entry(10, Some(0), table::RESIGN, &resigned, &[asked(0, 1), asked(1, 1)]);
    assert_eq!(it.deadlines(), [None, Some(130), None]);
    let ended = [Event::Ended { winners: [seat(1)].into_iter().collect() }];
    it.entry(20, Some(1), "act", &ended, &[asked(1, 2)]);
    assert_eq!(it.deadlines(), [None; 3]);
}

#[test]
fn taking_back_costs_its_seat_the_time_in_between_and_no_other_seat() {
    let mut it = Scene::new();
    it.opens(&[asked(0, 0), asked(1, 0)]);
    // Seat 0 is faster, which ends what was asked of seat 1.
    it.acts(20, 0, &[asked(2, 0)]);
    assert_eq!(it.banks(), [105, 100, 100]);
    it.takes_back(50, 0, &[asked(0, 0), asked(1, 0)]);
    // Seat 1 has its 10 seconds left, and seat 2 used none for a question that is withdrawn.
    assert_eq!((it.banks(), it.deadlines()), ([100; 3], [Some(130), Some(160), None]));
    // Nothing is taken back twice.
    it.takes_back(51, 0, &[asked(0, 1), asked(1, 1)]);
    assert_eq!(it.deadlines(), [Some(130), Some(160), None]);
}

#[test]
fn taking_back_gives_a_seat_its_clock_though_it_was_asked_the_same_again() {
    let mut it = Scene::new();
    it.opens(&[asked(0, 0)]);
    it.acts(20, 0, &[asked(0, 0)]);
    assert_eq!((it.banks()[0], it.deadlines()[0]), (105, Some(155)));
    it.takes_back(25, 0, &[asked(0, 1)]);
    assert_eq!((it.banks()[0], it.deadlines()[0]), (100, Some(130)));
}

#[test]
fn added_time_is_for_the_decisions_that_are_open_and_for_no_other() {
    let added = |number, ms| Event::TimeAdded { seat: seat(number), ms };
    let mut it = Scene::new();
    it.opens(&[asked(0, 0), asked(1, 0)]);
    let events = [added(0, 3_000), added(1, 7_000)];
    it.entry(10, None, table::ADD_TIME, &events, &[asked(0, 1), asked(1, 1)]);
    assert_eq!(it.deadlines(), [Some(133), Some(137), None]);
    assert_eq!(it.clocks.excused(), Duration::from_secs(7), "once, however many it was added for");
    it.entry(11, None, table::ADD_TIME, &[added(0, 2_000)], &[asked(0, 2), asked(1, 2)]);
    assert_eq!(it.deadlines(), [Some(135), Some(137), None]);
    assert_eq!(it.clocks.excused(), Duration::from_secs(9));
    it.acts(11, 0, &[asked(0, 0), asked(1, 3)]);
    assert_eq!(it.deadlines(), [Some(146), Some(137), None], "the next decision has none of it");
}

/// An outage between an action and its taking back is not charged.
#[test]
fn time_added_after_an_action_is_kept_when_it_is_taken_back() {
    let mut it = Scene::new();
    it.opens(&[asked(0, 0)]);
    it.acts(10, 0, &[asked(1, 0)]);
    let events = [Event::TimeAdded { seat: seat(1), ms: 60_000 }];
    it.entry(80, None, table::ADD_TIME, &events, &[asked(1, 1)]);
    it.takes_back(85, 0, &[asked(0, 0)]);
    assert_eq!(it.deadlines(), [Some(30 + 60 + 100), None, None]);
}

#[test]
fn clocks_are_stored_whole_and_told_without_what_can_be_taken_back() {
    let mut it = Scene::new();
    let told = |it: &Scene| Clocks::decode_told(&it.clocks.encode_told(), CONTROL, 3);
    it.opens(&[asked(0, 0), asked(1, 0)]);
    // As releases wrote it that recorded no time spent: 8 bytes, and 28 of each seat.
    assert_eq!(it.clocks.encode_told().len(), 8 + 3 * 28);
    assert_eq!(told(&it).as_ref(), Some(&it.clocks));
    let events = [Event::TimeAdded { seat: seat(1), ms: 2_500 }];
    it.entry(10, None, table::ADD_TIME, &events, &[asked(0, 1), asked(1, 1)]);
    it.acts(20, 0, &[asked(1, 2), interrupted(2, 0)]);
    let read = told(&it).expect("it is read");
    assert_eq!((read.seats(), read.excused()), (it.clocks.seats(), it.clocks.excused()));
    assert_eq!(it.clocks.encode_told().len(), 8 + 3 * (28 + 8));

    let stored = it.clocks.encode();
    let decode = |bytes: &[u8]| Clocks::decode(bytes, CONTROL, 3);
    assert_eq!(decode(&stored).as_ref(), Some(&it.clocks));
    // What can be taken back is of a seat that the match has.
    let mut of_seat = stored.clone();
    let seats = 8 + 3 * (28 + 8);
    assert_eq!(of_seat[seats], 0);
    of_seat[seats] = 2;
    assert!(decode(&of_seat).is_some());
    of_seat[seats] = 3;
    assert!(decode(&of_seat).is_none());
}

#[test]
fn a_match_has_clocks_if_its_options_name_a_time_control() {
    let mut options = BTreeMap::new();
    assert_eq!(Clocks::of(&options, 3), None);
    CONTROL.add_to(&mut options);
    assert_eq!(Clocks::of(&options, 3), Some(Clocks::new(CONTROL, 3)));
    assert_eq!(TimeControl::take_from(&mut options), Some(CONTROL));
    assert_eq!((options.len(), TimeControl::take_from(&mut options)), (0, None));
}
