//! Mountebank with actions that misbehave, for tests of hosts: a message of the one field 99 with
//! the number of a fault.

#![cfg_attr(
    not(target_arch = "wasm32"),
    allow(dead_code, reason = "only a module calls the rules")
)]

use std::ops::RangeInclusive;

use bytes::Bytes;
use croupier_game::table::{Dealer, Layout, Malformed, OptionSpec, Options, Rules, Seat, Table};
use games::mountebank::Mountebank;

type Own = <Mountebank as Rules>::Action;
type Refusal = <Mountebank as Rules>::Refusal;

enum Misbehaving {}

#[derive(Clone, Debug, PartialEq)]
enum Action {
    Own(Own),
    Fault(u8),
}

const FIELD: [u8; 2] = [0x98, 0x06];

impl Rules for Misbehaving {
    const NAME: &'static str = Mountebank::NAME;
    const SEATS: RangeInclusive<u8> = Mountebank::SEATS;
    const VERSION: u32 = Mountebank::VERSION;
    const OPTIONS: &'static [OptionSpec] = Mountebank::OPTIONS;

    type Action = Action;
    type Refusal = Refusal;

    fn layout() -> &'static Layout {
        Mountebank::layout()
    }

    fn parse(message: &[u8]) -> Result<Action, Malformed> {
        match message {
            [0x98, 0x06, 50] => endless(),
            [0x98, 0x06, fault] => Ok(Action::Fault(*fault)),
            _ => Mountebank::parse(message).map(Action::Own),
        }
    }

    fn print(action: &Action) -> Bytes {
        match action {
            Action::Own(own) => Mountebank::print(own),
            Action::Fault(fault) => vec![FIELD[0], FIELD[1], *fault].into(),
        }
    }

    fn verb(action: &Action) -> &'static str {
        match action {
            Action::Own(own) => Mountebank::verb(own),
            Action::Fault(_) => "pass",
        }
    }

    fn set_up(d: &mut Dealer, options: &Options) {
        Mountebank::set_up(d, options);
    }

    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        // The list of the third seat is longer than a list may be, though not than a call may be.
        if u8::from(seat) == 2 {
            return vec![Action::Fault(0); 21_000];
        }
        Mountebank::legal(table, seat).into_iter().map(Action::Own).collect()
    }

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Own(own) => Mountebank::act(d, seat, own),
            Action::Fault(1) => endless(),
            Action::Fault(2) => {
                let mut kept = Vec::new();
                loop {
                    kept.push(std::hint::black_box(vec![1_u8; 1 << 20]));
                }
            }
            Action::Fault(3) => panic!("it was meant to"),
            Action::Fault(4) => {
                std::hint::black_box(deep(u64::from(u8::from(seat))));
                Ok(())
            }
            Action::Fault(5) => loop {
                d.pick(2);
            },
            Action::Fault(6) => {
                for round in 0..20_000 {
                    d.begin_round(round as u8);
                }
                Ok(())
            }
            Action::Fault(7) => {
                d.pick(0);
                Ok(())
            }
            // 8: an action without any effect, and the prompt stays open.
            Action::Fault(8) => Ok(()),
            // 9: a round after the end.
            Action::Fault(9) => {
                d.end([seat]);
                d.begin_round(1);
                Ok(())
            }
            Action::Fault(_) => {
                panic!("{}", "no such fault ".repeat(100_000));
            }
        }
    }

    fn passive(table: &Table, seat: Seat) -> Option<Action> {
        Mountebank::passive(table, seat).map(Action::Own)
    }
}

fn endless() -> ! {
    let mut steps = 0_u64;
    loop {
        steps = std::hint::black_box(steps.wrapping_add(1));
    }
}

#[allow(unconditional_recursion, reason = "it takes more stack than a call may")]
fn deep(depth: u64) -> u64 {
    let here = std::hint::black_box(depth);
    deep(here + 1).wrapping_add(here)
}

croupier_game::module!(Misbehaving, game_modules::about!("mountebank"));
