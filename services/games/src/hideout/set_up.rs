//! The set-up of a match.

use table::{Dealer, Options, Small};

use super::{
    ruleset::Ruleset,
    turns::begin_turn,
    vocabulary::{Coin::IskToken, Colour, Mark, Person, Place::*},
};
use crate::first_seat;

/// §2.1 The coins in play with two, three and four seats.
pub(super) const COFFERS: [u32; 3] = [50, 65, 75];
/// §2.4
const STASH_AT_START: u32 = 3;
/// §2.5
const SPECIALISTS_AT_START: usize = 3;

pub(super) fn set_up<G: Ruleset>(d: &mut Dealer, options: &Options) {
    let variant = G::variant(options, d.seat_count());
    d.set(Mark::DeckEnd, Some(variant.deck_end));
    d.mark(Mark::SecondJob, variant.second_job.into());

    // §2.1
    d.pay(IskToken, Box, Coffers, COFFERS[d.seat_count() - 2]);
    // §2.2
    for (stack, colour) in G::CARDS.stacks.iter().zip(Colour::all()) {
        if stack.players > d.seat_count() {
            d.gather(Jobs(colour), Box);
        }
    }
    // §2.4
    for seat in d.seats() {
        Person::ringleaders(seat.index()).for_each(|card| d.put(card, Hand(seat)));
        d.pay(IskToken, Coffers, Stash(seat), STASH_AT_START);
    }
    // §2.7 in Grifters, §2.8 in You Dirty Rat.
    if variant.thins_deck {
        Person::of_each_type().for_each(|card| d.put(card, Box));
    }
    // §2.5
    for seat in d.seats() {
        for _ in 0..SPECIALISTS_AT_START {
            d.draw(Deck, Hand(seat));
        }
    }
    // §2.6
    let first = first_seat::pick(options, d);
    begin_turn(d, first);
}
