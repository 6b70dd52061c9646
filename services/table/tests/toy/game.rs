//! Highest card takes the gold: all seats choose a card in secret, then all cards are revealed, and
//! the winner of the round looks at a card of the deck before the next round. A parameter plants a
//! mistake.

use std::ops::RangeInclusive;

use bytes::Bytes;
use table::{
    Chance, Component, Dealer, DecisionId, Layout, Malformed, Options, Piece, Reason, RefusalSpec,
    Refusals, Rules, Seat, Set, Small, Table, Viewers,
};

use super::{Announcement, Card, Coin, Decision, LAYOUT, Mark, Place};

pub const SOUND: u8 = 0;
pub const SECRET_IN_A_MARK: u8 = 1;
pub const LEGAL_PEEKS: u8 = 2;
pub const ACT_PEEKS: u8 = 3;
pub const OVERDRAWS: u8 = 4;
pub const ACCEPTS_ANYTHING: u8 = 5;
pub const ASKS_TOO_LITTLE: u8 = 6;
pub const PASSIVE_PEEKS: u8 = 7;
pub const PASSIVE_CHEATS: u8 = 8;
pub const CONCERNS_PEEKS: u8 = 9;
pub const AMOUNT_IN_A_MARK: u8 = 10;
pub const COUNT_IN_A_MARK: u8 = 11;
pub const PAYS_ALL: u8 = 12;
pub const DRAWS_ANYTHING: u8 = 13;
pub const DRAW_PEEKS: u8 = 14;
pub const DRAWS_THE_FIRST: u8 = 15;
pub const REFUSES_LATE: u8 = 16;

// Variants without a mistake.

/// A seat that has peeked is asked to peek again.
pub const RESTLESS: u8 = 17;
/// The same in a new round. Even rounds concern every seat, so it skips one.
pub const HURRIES: u8 = 18;

pub struct Toy<const MISTAKE: u8>;

#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Choose(Card),
    Peek,
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("not now")]
pub struct Refusal;

impl Reason for Refusal {
    fn reason(&self) -> &'static str {
        "NOT_NOW"
    }
}

impl Refusals for Refusal {
    fn all() -> Vec<RefusalSpec> {
        vec![RefusalSpec { reason: "NOT_NOW", sentence: "not now", facts: &[], routine: true }]
    }
}

impl<const MISTAKE: u8> Rules for Toy<MISTAKE> {
    const NAME: &'static str = "toy";
    const SEATS: RangeInclusive<u8> = 2..=8;
    const VERSION: u32 = 1;
    type Action = Action;
    type Refusal = Refusal;

    fn layout() -> &'static Layout {
        &LAYOUT
    }

    fn parse(message: &[u8]) -> Result<Action, Malformed> {
        match message {
            [0] => Ok(Action::Peek),
            [1, card] => Card::nth((*card).into())
                .map(Action::Choose)
                .ok_or_else(|| Malformed("there is no such card".into())),
            _ => Err(Malformed("an action is one or two bytes".into())),
        }
    }

    fn print(action: &Action) -> Bytes {
        match action {
            Action::Peek => vec![0].into(),
            Action::Choose(card) => vec![1, card.index() as u8].into(),
        }
    }

    fn verb(action: &Action) -> &'static str {
        match action {
            Action::Choose(_) => "choose",
            Action::Peek => "peek",
        }
    }

    fn set_up(d: &mut Dealer, _: &Options) {
        for seat in d.seats() {
            d.draw(Place::Deck, Place::Hand(seat));
            d.draw(Place::Deck, Place::Hand(seat));
            d.draw(Place::Pile, Place::Screen(seat));
            d.pay(Coin::Silver, Place::Box, Place::Screen(seat), 2);
        }
        begin_round(d, 1);
    }

    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        match table.decision(seat) {
            Some(Decision::Choose) => {
                let mut hand: Set<Card> = table.pieces(Place::Hand(seat));
                let next = table.others(seat).next().expect("two seats at least");
                if MISTAKE == LEGAL_PEEKS && !table.pieces::<Card>(Place::Hand(next)).is_empty() {
                    hand = hand.iter().take(1).collect();
                }
                hand.iter().map(Action::Choose).collect()
            }
            Some(Decision::Peek) => vec![Action::Peek],
            Some(Decision::Chat) | None => Vec::new(),
        }
    }

    fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
        let hand: Set<Card> = match (MISTAKE, table.decision(seat)) {
            (DRAWS_ANYTHING, Some(Decision::Choose)) => Card::all().collect(),
            _ => table.pieces(Place::Hand(seat)),
        };
        let theirs = table.pieces::<Card>(Place::Hand(table.after(seat))).len();
        match table.decision(seat)? {
            Decision::Choose => {
                let nth = match MISTAKE {
                    DRAWS_THE_FIRST => 0,
                    DRAW_PEEKS => theirs.min(hand.len() - 1),
                    _ => chance.below(hand.len()),
                };
                hand.iter().nth(nth).map(Action::Choose)
            }
            Decision::Peek => Some(Action::Peek),
            Decision::Chat => None,
        }
    }

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        match (d.decision(seat), action) {
            (Some(Decision::Choose), &Action::Choose(card)) => {
                if !d.lies(card, Place::Hand(seat)) && MISTAKE != ACCEPTS_ANYTHING {
                    if MISTAKE == REFUSES_LATE {
                        d.mark(Mark::Count, 1);
                    }
                    return Err(Refusal);
                }
                choose::<MISTAKE>(d, seat, card);
            }
            (Some(Decision::Peek), Action::Peek) => {
                if let Some(next) = d.first::<Piece>(Place::Deck) {
                    d.show(next, Viewers::only(seat));
                }
                d.answer(seat);
                if MISTAKE == HURRIES {
                    d.begin_round(d.round() + 2);
                }
                if MISTAKE == RESTLESS || MISTAKE == HURRIES {
                    d.ask(seat, Decision::Peek);
                }
            }
            _ => return Err(Refusal),
        }
        if d.prompts().is_empty() && !d.ended() {
            begin_round(d, d.round() + 1);
        }
        Ok(())
    }

    fn passive(table: &Table, seat: Seat) -> Option<Action> {
        let next = table.others(seat).next().expect("two seats at least");
        let theirs = || table.pieces::<Card>(Place::Hand(next)).len();
        match table.decision(seat)? {
            Decision::Peek if MISTAKE == PASSIVE_CHEATS => Card::nth(0).map(Action::Choose),
            Decision::Peek => (MISTAKE != PASSIVE_PEEKS || theirs() == 0).then_some(Action::Peek),
            Decision::Choose | Decision::Chat => None,
        }
    }

    fn may_stand(decision: DecisionId) -> bool {
        decision == Decision::Peek.into()
    }

    /// Concerns the seat in every second round.
    fn concerns(table: &Table, seat: Seat) -> bool {
        let hand: Set<Card> = table.pieces(Place::Hand(table.after(seat)));
        let odd = hand.iter().map(|card| card.index()).sum::<usize>() % 2 == 1;
        if MISTAKE == CONCERNS_PEEKS { odd } else { table.round().is_multiple_of(2) }
    }

    fn in_secret(action: &Action) -> bool {
        matches!(action, Action::Choose(_))
    }
}

fn begin_round(d: &mut Dealer, round: u8) {
    d.begin_round(round);
    for seat in d.seats() {
        if d.is_bare(Place::Hand(seat)) {
            for seat in d.seats() {
                d.score(seat, d.coins(Coin::Gold, Place::Purse(seat)));
            }
            return d.end_by_score();
        }
    }
    d.seats().for_each(|seat| d.ask(seat, Decision::Choose));
}

fn choose<const MISTAKE: u8>(d: &mut Dealer, seat: Seat, card: Card) {
    d.answer(seat);
    d.put(card, Place::Chosen(seat));
    let next = d.after(seat);
    match MISTAKE {
        SECRET_IN_A_MARK => d.mark(Mark::Count, card.index() as i16),
        ACT_PEEKS => {
            let theirs: Set<Card> = d.pieces(Place::Hand(next));
            d.mark(Mark::Flag(seat), theirs.iter().map(|it| it.index() as i16).sum());
        }
        AMOUNT_IN_A_MARK => d.mark(Mark::Count, d.coins(Coin::Silver, Place::Screen(next)) as i16),
        COUNT_IN_A_MARK => d.mark(Mark::Count, d.count(Place::Screen(next)) as i16),
        PAYS_ALL => drop(d.pay_all(Coin::Silver, Place::Screen(next), Place::Board)),
        OVERDRAWS => d.pay(Coin::Gold, Place::Purse(seat), Place::Board, 1),
        ASKS_TOO_LITTLE => d.close_optional(),
        _ => {}
    }
    if !d.prompts().is_empty() {
        return;
    }
    let shown = |d: &Dealer, seat| d.first::<Card>(Place::Chosen(seat)).expect("every seat chose");
    let best = d.seats().max_by_key(|&seat| shown(d, seat).index()).expect("two seats at least");
    for seat in d.seats() {
        let card = shown(d, seat);
        d.put(card.piece(), Place::Board);
    }
    d.pay_aloud(Coin::Gold, Place::Box, Place::Purse(best), 3);
    d.announce(Announcement::Won, best, 3);
    if MISTAKE == ASKS_TOO_LITTLE {
        d.allow(best, Decision::Chat);
    } else {
        d.interrupt(best, Decision::Peek);
    }
}
