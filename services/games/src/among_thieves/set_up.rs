//! The set-up of a match.

use table::{Dealer, Options, Small};

use super::{
    cards::SEVEN,
    heist,
    seats::gain,
    vocabulary::{Card, Coin::*, EventCard, Place::*},
};
use crate::first_seat;

/// §2.5: the millions of the Heistmaster and of the left neighbor.
const ISK_AT_START: [u32; 2] = [4, 3];
const ISK_ELSE: u32 = 2;

/// §2.3
pub(super) const HONOR_AT_START: u32 = 7;

/// §2.1, §2.3, §2.4, §2.5
pub(super) fn set_up(d: &mut Dealer, options: &Options) {
    if d.seat_count() >= SEVEN {
        let cards = Card::all().filter(|card| card.is_for_seven());
        cards.for_each(|card| d.put(card, Deck(card.corporation())));
        let events = EventCard::all().filter(|event| event.is_for_seven());
        events.for_each(|event| d.put(event, EventDeck));
    }
    let first = first_seat::pick(options, d);
    for (nth, seat) in d.from(first).enumerate() {
        gain(d, [seat], *ISK_AT_START.get(nth).unwrap_or(&ISK_ELSE));
        d.pay(Honor, Reserve, Track(seat), HONOR_AT_START);
    }
    heist::begin_turn(d, first);
}
