//! Showing karma cards and credits (§3.5).

use table::{Dealer, Seat, Set, Table, Viewers};

use super::{
    actions::Action,
    refusals::Refusal,
    vocabulary::{Announcement, Coin::*, Decision, Karma, Mark::*, Place::*},
};

/// §3.5: how often a seat may show something in one turn or phase.
const SHOWS_MAX: u32 = 5;

/// Shows cards and credits to some seats, or to everyone if none is named. It answers no prompt.
pub(super) fn show(
    d: &mut Dealer,
    seat: Seat,
    cards: Set<Karma>,
    credits: bool,
    to: &[Seat],
) -> Result<(), Refusal> {
    if let Some(card) = cards.iter().find(|&card| !d.lies(card, Hand(seat))) {
        return Err(Refusal::NotInHand { card });
    }
    if let Some(&seat) = to.iter().find(|&&it| it == seat || !d.has_seat(it)) {
        return Err(Refusal::CannotName { seat });
    }
    let shows = shows(d, seat);
    if shows >= SHOWS_MAX {
        return Err(Refusal::TooManyShows { most: SHOWS_MAX });
    }
    d.mark(Shows(seat), shows as i16 + 1);
    let viewers = to.iter().map(|&it| Viewers::only(it)).reduce(Viewers::or);
    cards.iter().for_each(|card| d.show(card, viewers.unwrap_or(Viewers::ALL)));
    if credits {
        show_credits(d, seat, to);
    }
    Ok(())
}

/// How often a seat has shown something in this turn or phase.
fn shows(table: &Table, seat: Seat) -> u32 {
    table.marked(Shows(seat)).unsigned_abs().into()
}

/// Examples: each card of the hand, and the credits, to everyone.
pub(super) fn list(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if table.decision::<Decision>(seat).is_none() || shows(table, seat) >= SHOWS_MAX {
        return;
    }
    let show = |cards, credits| Action::Show { cards, credits, to: Vec::new() };
    let hand = table.pieces::<Karma>(Hand(seat));
    legal.extend(hand.iter().map(|card| show(Set::one(card), false)));
    legal.push(show(Set::EMPTY, true));
}

fn show_credits(d: &mut Dealer, seat: Seat, to: &[Seat]) {
    let credits = d.coins(Credit, Purse(seat)).clamp(0, i16::MAX.into()) as i16;
    match to {
        [] => {
            d.announce(Announcement::ShowsCredits, seat, credits);
            d.others(seat).for_each(|reader| note_credits(d, reader, seat));
        }
        to => to.iter().for_each(|&reader| note_credits(d, reader, seat)),
    }
}

/// §3.5, §17.5: notes the credits of a seat where only `reader` reads them. A payment of 0 would
/// record no event and thus tell the others that there are none.
pub(super) fn note_credits(d: &mut Dealer, reader: Seat, seat: Seat) {
    let notes = Notes(reader, seat);
    let (was, credits) = (d.coins(Counted, notes), d.coins(Credit, Purse(seat)));
    d.pay(Counted, Notepad, notes, credits.max(0) as u32 + 1);
    d.pay(Counted, notes, Notepad, was.max(0) as u32 + 1);
}
