//! The set-up of a match.

use table::{Dealer, Options, Small};

use super::{
    turns::begin_turn,
    vocabulary::{Coin::*, Place::*, Suit},
};
use crate::first_seat;

/// §2.2
const CROWN_TOKENS: [u32; Suit::COUNT] = [3, 3, 2, 2, 1, 1];
/// §2.3
const HAND_AT_START: usize = 5;
/// §2.3
const DRAFT: usize = 3;

/// §2.2, §2.3, §2.4
pub(super) fn set_up(d: &mut Dealer, options: &Options) {
    let mut tokens = CROWN_TOKENS.to_vec();
    for suit in Suit::all() {
        let amount = tokens.remove(d.pick(tokens.len()));
        d.pay(Token, Supply, Crown(suit), amount);
    }
    for seat in d.seats() {
        for _ in 0..HAND_AT_START {
            d.draw(Deck, Hand(seat));
        }
    }
    for _ in 0..DRAFT {
        d.draw(Deck, Draft);
    }
    let first = first_seat::pick(options, d);
    begin_turn(d, first);
}
