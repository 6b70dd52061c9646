//! Mountebank of another version of its rules, for tests of matches that began under it: a round
//! begins with each action, which no other version knows.

#![cfg_attr(
    not(target_arch = "wasm32"),
    allow(dead_code, reason = "only a module calls the rules")
)]

use std::ops::RangeInclusive;

use bytes::Bytes;
use croupier_game::table::{Dealer, Layout, Malformed, OptionSpec, Options, Rules, Seat, Table};
use games::mountebank::Mountebank;

type Action = <Mountebank as Rules>::Action;
type Refusal = <Mountebank as Rules>::Refusal;

enum Earlier {}

impl Rules for Earlier {
    const NAME: &'static str = Mountebank::NAME;
    const SEATS: RangeInclusive<u8> = Mountebank::SEATS;
    const VERSION: u32 = Mountebank::VERSION - 1;
    const OPTIONS: &'static [OptionSpec] = Mountebank::OPTIONS;

    type Action = Action;
    type Refusal = Refusal;

    fn layout() -> &'static Layout {
        Mountebank::layout()
    }

    fn parse(message: &[u8]) -> Result<Action, Malformed> {
        Mountebank::parse(message)
    }

    fn print(action: &Action) -> Bytes {
        Mountebank::print(action)
    }

    fn verb(action: &Action) -> &'static str {
        Mountebank::verb(action)
    }

    fn set_up(d: &mut Dealer, options: &Options) {
        Mountebank::set_up(d, options);
    }

    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        Mountebank::legal(table, seat)
    }

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        Mountebank::act(d, seat, action)?;
        if !d.ended() {
            d.begin_round(7);
        }
        Ok(())
    }

    fn passive(table: &Table, seat: Seat) -> Option<Action> {
        Mountebank::passive(table, seat)
    }
}

croupier_game::module!(Earlier, game_modules::about!("mountebank"));
