//! The rules.

use std::ops::RangeInclusive;

use croupier_game::table::{
    Dealer, Fact, Layout, Malformed, Options, Rules, Seat, Table, refusals,
};
use prost::bytes::Bytes;

use crate::{
    actions::{self, Action},
    table::{Announcement::*, Card, Decision::*, LAYOUT, Place::*},
};

pub struct NewGame;

refusals! {
    pub enum Refusal {
        #[error("{} is not in your row", card.name())]
        NotInRow { card: Card },
        #[error("a row keeps one card at least")]
        LastCard,
    }
}

impl Fact for Card {
    fn fact(&self) -> String {
        self.name().into()
    }
}

impl Rules for NewGame {
    const NAME: &'static str = "new-game";
    const SEATS: RangeInclusive<u8> = 2..=4;
    const VERSION: u32 = 1;

    type Action = Action;
    type Refusal = Refusal;

    fn layout() -> &'static Layout {
        &LAYOUT
    }

    fn parse(message: &[u8]) -> Result<Action, Malformed> {
        actions::parse(message)
    }

    fn print(action: &Action) -> Bytes {
        actions::print(action)
    }

    fn verb(action: &Action) -> &'static str {
        action.into()
    }

    /// §2.1
    fn set_up(d: &mut Dealer, _: &Options) {
        let first = d.pick_seat();
        begin_turn(d, first);
    }

    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        let row = table.pieces::<Card>(Row(seat));
        let dropped = row.iter().filter(|_| row.len() > 1).map(|card| Action::Drop { card });
        [Action::Draw, Action::Keep].into_iter().chain(dropped).collect()
    }

    /// All refusals come before the first call of the dealer.
    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Draw => draw(d, seat),
            Action::Drop { card } if !d.lies(card, Row(seat)) => {
                return Err(Refusal::NotInRow { card });
            }
            // §3.3
            Action::Drop { .. } if d.count(Row(seat)) == 1 => return Err(Refusal::LastCard),
            Action::Drop { card } => {
                d.put(card, Discard);
                ask_again(d, seat);
            }
            Action::Keep => keep(d, seat),
        }
        Ok(())
    }

    /// §4.2
    fn passive(_: &Table, _: Seat) -> Option<Action> {
        Some(Action::Keep)
    }

    const HAS_OPINION: bool = true;

    /// A bot draws while its row is short.
    fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
        match action {
            Action::Draw => 30 - 10 * table.count(Row(seat)) as i32,
            Action::Keep => 5,
            Action::Drop { .. } => 0,
        }
    }

    fn worth(table: &Table, seat: Seat) -> i32 {
        points(table, seat)
    }
}

/// §3.1
fn begin_turn(d: &mut Dealer, seat: Seat) {
    d.begin_turn(seat);
    d.draw(Deck, Row(seat));
    if d.is_bare(Deck) {
        // §3.5
        return end(d, seat);
    }
    d.ask(seat, Turn);
}

fn ask_again(d: &mut Dealer, seat: Seat) {
    d.answer(seat);
    d.ask(seat, Turn);
}

/// §3.2
fn draw(d: &mut Dealer, seat: Seat) {
    let before = d.pieces::<Card>(Row(seat));
    d.draw(Deck, Row(seat));
    let drawn = d.pieces::<Card>(Row(seat)).without(&before);
    let is_twice = |card: Card| before.iter().any(|it| it.value() == card.value());
    if drawn.iter().any(is_twice) {
        d.announce(Bust, seat, 0);
        d.gather(Row(seat), Discard);
    }
    match (d.is_bare(Deck), d.is_bare(Row(seat))) {
        // §3.5
        (true, _) => end(d, seat),
        (false, true) => pass_on(d, seat),
        (false, false) => ask_again(d, seat),
    }
}

/// §3.4
fn keep(d: &mut Dealer, seat: Seat) {
    d.gather(Row(seat), Kept(seat));
    pass_on(d, seat);
}

fn pass_on(d: &mut Dealer, seat: Seat) {
    d.answer(seat);
    let next = d.after(seat);
    begin_turn(d, next);
}

/// §3.5, §4.1
fn end(d: &mut Dealer, seat: Seat) {
    d.gather(Row(seat), Kept(seat));
    for seat in d.seats() {
        let points = points(d, seat);
        d.announce(PointsKept, seat, points as i16);
        d.score(seat, points);
    }
    d.end_by_score();
}

/// What a seat has kept, as far as the table shows it.
fn points(table: &Table, seat: Seat) -> i32 {
    table.pieces::<Card>(Kept(seat)).iter().map(Card::value).sum()
}
