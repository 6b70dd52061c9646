//! The implementation of `Rules` for Among Thieves.

use std::ops::RangeInclusive;

use bytes::Bytes;
use table::{
    BadOption, Chance, Dealer, Layout, Malformed, OptionSpec, Options, Rules, Seat, Table,
};

use super::{
    absent,
    actions::{self, Action},
    deals, heist,
    layout::LAYOUT,
    legal, opinion,
    refusals::Refusal,
    seats::{HONOR, held, honor},
    set_up,
    vocabulary::Place::*,
};
use crate::first_seat;

pub struct AmongThieves;

/// §10.2: the table handles resignations in every game, and lets the last seat win.
impl Rules for AmongThieves {
    const NAME: &'static str = "among-thieves";
    const SEATS: RangeInclusive<u8> = 3..=8;
    const VERSION: u32 = 3;
    /// §2.4
    const OPTIONS: &'static [OptionSpec] = &[OptionSpec {
        name: first_seat::NAME,
        values: &[first_seat::RANDOM, "0", "1", "2", "3", "4", "5", "6", "7"],
        default: first_seat::RANDOM,
    }];
    /// §3.2, §10.1
    const TALK: bool = true;
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

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Pay { to, millions, turn } => heist::pay(d, seat, to, millions, turn),
            Action::Assemble { team } => heist::assemble(d, seat, team),
            Action::Blackmail { corporation } => heist::blackmail(d, seat, corporation),
            Action::Choose { honorable } => heist::choose(d, seat, honorable),
            Action::Favor { seat: other } => heist::favor(d, seat, other),
            Action::Offer { to, terms, turn } => deals::offer(d, seat, to, terms, turn),
            Action::Withdraw => deals::withdraw(d, seat),
            Action::Accept { by, terms, turn } => deals::accept(d, seat, by, terms, turn),
            Action::Refuse { by } => deals::refuse(d, seat, by),
        }
    }

    fn passive(table: &Table, seat: Seat) -> Option<Action> {
        absent::passive(table, seat)
    }

    fn answers(action: &Action) -> bool {
        absent::answers(action)
    }

    /// Only one million and the whole stash are listed. An offer may ask for any amount.
    fn open_ended(table: &Table, seat: Seat, action: &Action) -> bool {
        match action {
            Action::Pay { .. } => held(table, seat) > 2,
            Action::Offer { .. } => true,
            _ => false,
        }
    }

    /// §5.1
    fn in_secret(action: &Action) -> bool {
        matches!(action, Action::Choose { .. })
    }

    const HAS_OPINION: bool = true;

    fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
        opinion::appeal(table, seat, action)
    }

    fn worth(table: &Table, seat: Seat) -> i32 {
        opinion::worth(table, seat)
    }

    fn check(table: &Table) -> Result<(), String> {
        let wrong = table.seats().find_map(|seat| {
            let places = [Pocket(seat), Palm(seat), Revealed(seat)];
            let discs: usize = places.iter().map(|&place| table.count(place)).sum();
            match () {
                () if discs != 2 => Some(format!("seat {seat} has {discs} sides of its disc")),
                () if table.count(Palm(seat)) > 1 => Some(format!("seat {seat} chose twice")),
                () if !HONOR.contains(&honor(table, seat)) => {
                    Some(format!("seat {seat} has {} honor", honor(table, seat)))
                }
                () => None,
            }
        });
        wrong.map_or(Ok(()), Err)
    }
}
