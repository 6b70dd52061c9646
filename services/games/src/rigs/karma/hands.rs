//! The deck of karma cards, and the hands.

use table::{Dealer, Seat, Table, Viewers};

use crate::rigs::{
    refusals::Refusal,
    vocabulary::{Karma, Mark::*, Place::*},
};

/// §12.2: an empty deck is reshuffled from the discards.
pub(in crate::rigs) fn draw(d: &mut Dealer, seat: Seat, count: u32) {
    for _ in 0..count {
        if d.is_bare(KarmaDeck) {
            d.gather(KarmaDiscard, KarmaDeck);
        }
        d.draw(KarmaDeck, Hand(seat));
    }
}

pub(in crate::rigs) fn discard(d: &mut Dealer, seat: Seat, card: Karma) -> Result<(), Refusal> {
    if !d.lies(card, Hand(seat)) {
        return Err(Refusal::NotInHand { card });
    }
    d.put(card, KarmaDiscard);
    Ok(())
}

/// Whether a seat has a card in play.
pub(in crate::rigs) fn has(table: &Table, seat: Seat, card: Karma) -> bool {
    table.lies(card, InPlay(seat))
}

/// §12.8: remembers a loss of karma cards, which may be matched.
pub(super) fn lose_karma(d: &mut Dealer, seat: Seat, count: usize) {
    d.mark(LostKarma(seat), count as i16);
    d.mark(LostBoth(seat), 0);
}

/// Shows a whole hand to one seat.
pub(super) fn show_hand(d: &mut Dealer, seat: Seat, other: Seat) {
    let hand = d.pieces::<Karma>(Hand(other));
    hand.iter().for_each(|card| d.show(card, Viewers::only(seat)));
}
