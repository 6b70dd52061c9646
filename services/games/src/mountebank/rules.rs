//! The implementation of `Rules` for Mountebank.

use std::ops::RangeInclusive;

use bytes::Bytes;
use table::{
    BadOption, Chance, Dealer, Layout, Malformed, OptionSpec, Options, Rules, Seat, Table,
};

use super::{
    absent,
    actions::{self, Action},
    layout::LAYOUT,
    legal::{self, HAND_MAX},
    opinion,
    refusals::Refusal,
    set_up, turns,
    vocabulary::Place::*,
};
use crate::first_seat;

pub struct Mountebank;

/// §7.2, §7.3: the table handles resignations in every game, and lets the last seat win.
impl Rules for Mountebank {
    const NAME: &'static str = "mountebank";
    /// §2.1
    const SEATS: RangeInclusive<u8> = 2..=4;
    const VERSION: u32 = 2;
    /// §2.4
    const OPTIONS: &'static [OptionSpec] = &[OptionSpec {
        name: first_seat::NAME,
        values: &[first_seat::RANDOM, "0", "1", "2", "3"],
        default: first_seat::RANDOM,
    }];
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

    fn fits(options: &Options, seats: u8) -> Result<(), BadOption> {
        first_seat::fits(options, seats)
    }

    fn set_up(d: &mut Dealer, options: &Options) {
        set_up::set_up(d, options);
    }

    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        legal::all(table, seat)
    }

    fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
        legal::any(table, seat, chance)
    }

    fn passive(table: &Table, seat: Seat) -> Option<Action> {
        absent::passive(table, seat)
    }

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Draw => turns::draw(d, seat),
            Action::Take { card } => turns::take(d, seat, card),
            Action::Con { cards, primary } => turns::con(d, seat, cards, primary),
            Action::Pass => turns::pass(d, seat),
        }
    }

    /// §8.2
    fn best_of(seats: u8) -> Option<u8> {
        (seats == 2).then_some(3)
    }

    /// §8.1
    fn begins_next(ended: &Table) -> Option<Seat> {
        let winners = ended.winners()?;
        winners.iter().next().filter(|_| winners.len() == 1)
    }

    const HAS_OPINION: bool = true;

    fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
        opinion::appeal(table, seat, action)
    }

    fn worth(table: &Table, seat: Seat) -> i32 {
        opinion::worth(table, seat)
    }

    fn check(table: &Table) -> Result<(), String> {
        let full = table.seats().find(|&seat| table.count(Hand(seat)) > HAND_MAX);
        full.map_or(Ok(()), |seat| Err(format!("seat {seat} holds more than {HAND_MAX} cards")))
    }
}
