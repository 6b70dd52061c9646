//! Deals in ISK while the team is being chosen: offers, which the other seat accepts or refuses.
//! What else the two promise each other binds nobody.

use table::{Dealer, Offer, OfferItem, Seat, Table};

use super::{
    Action, Coin::*, Decision, Mark::*, Place::*, Refusal, answers, has_seat, heist::holds, held,
};

/// §3.10: the offers of a seat in a turn, and far more than a negotiation needs.
const OFFERS_MAX: i16 = 10;

/// What an offer is about: the millions that its maker gives, and those that it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub give: u32,
    pub take: u32,
}

impl Terms {
    pub(super) fn of(offer: &Offer) -> Terms {
        let millions = |items: &[OfferItem]| match *items {
            [OfferItem::Coins { amount, .. }, ..] => amount,
            [OfferItem::Piece { .. }, ..] | [] => 0,
        };
        Terms { give: millions(&offer.give), take: millions(&offer.take) }
    }
}

/// §3.2, §3.3, §3.4, §3.5, §10.3: whether a seat may make deals with another now.
pub(super) fn deals_with(d: &Dealer, seat: Seat, other: Seat) -> Result<(), Refusal> {
    answers(d, seat, &[Decision::Assemble, Decision::Deal])?;
    has_seat(d, other)?;
    match () {
        () if other == seat => Err(Refusal::Yourself),
        () if d.resigned().has(other) => Err(Refusal::HasResigned { seat: other }),
        () => Ok(()),
    }
}

/// §3.6: the turn under way, as deals name it.
pub(super) fn this_turn(table: &Table) -> u32 {
    table.marked(TurnsBegun).unsigned_abs().into()
}

/// §3.6: refuses what was meant for another turn.
pub(super) fn belongs(table: &Table, turn: u32) -> Result<(), Refusal> {
    let now = this_turn(table);
    if turn == now { Ok(()) } else { Err(Refusal::AnotherTurn { meant: turn, now }) }
}

/// §3.7; §3.9: it replaces the seat's open offer; §3.10.
pub(super) fn offer(
    d: &mut Dealer,
    seat: Seat,
    to: Seat,
    terms: Terms,
    turn: u32,
) -> Result<(), Refusal> {
    deals_with(d, seat, to)?;
    belongs(d, turn)?;
    if terms == (Terms { give: 0, take: 0 }) {
        return Err(Refusal::EmptyOffer);
    }
    holds(d, seat, terms.give)?;
    let made = d.marked(OffersMade(seat));
    if made >= OFFERS_MAX {
        return Err(Refusal::TooManyOffers { most: OFFERS_MAX });
    }
    d.close_offer(seat);
    d.mark(OffersMade(seat), made + 1);
    let (give, take) = (item(seat, to, terms.give), item(to, seat, terms.take));
    d.offer(Offer { by: seat, to, give, take });
    Ok(())
}

fn item(from: Seat, to: Seat, millions: u32) -> Vec<OfferItem> {
    let (coin, from, to) = (Million.into(), Stash(from).into(), Stash(to).into());
    let item = OfferItem::Coins { coin, from, to, amount: millions };
    if millions > 0 { vec![item] } else { Vec::new() }
}

/// §3.9
pub(super) fn withdraw(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    answers(d, seat, &[Decision::Assemble, Decision::Deal])?;
    if !d.offers().iter().any(|offer| offer.by == seat) {
        return Err(Refusal::NoSuchOffer);
    }
    d.close_offer(seat);
    Ok(())
}

fn offered(table: &Table, by: Seat, to: Seat) -> Result<&Offer, Refusal> {
    let offer = table.offers().iter().find(|offer| (offer.by, offer.to) == (by, to));
    offer.ok_or(Refusal::NoSuchOffer)
}

/// §3.8. Its maker still holds what it gives, because every payment closes the payer's offer
/// (§3.9).
pub(super) fn accept(
    d: &mut Dealer,
    seat: Seat,
    by: Seat,
    terms: Terms,
    turn: u32,
) -> Result<(), Refusal> {
    deals_with(d, seat, by)?;
    belongs(d, turn)?;
    let offer = offered(d, by, seat)?.clone();
    let now = Terms::of(&offer);
    if terms != now {
        return Err(Refusal::OtherTerms { give: now.give, take: now.take });
    }
    holds(d, seat, terms.take)?;
    d.settle(&offer);
    d.close_offer(seat);
    Ok(())
}

/// §3.9
pub(super) fn refuse(d: &mut Dealer, seat: Seat, by: Seat) -> Result<(), Refusal> {
    answers(d, seat, &[Decision::Assemble, Decision::Deal])?;
    has_seat(d, by)?;
    offered(d, by, seat)?;
    d.close_offer(by);
    Ok(())
}

/// §3.5, §3.9
pub(super) fn close_all(d: &mut Dealer) {
    d.seats().for_each(|seat| d.close_offer(seat));
}

/// Examples of offers to `partners`, and every answer to those that are open.
pub(super) fn list<'a>(
    table: &Table,
    seat: Seat,
    partners: impl Iterator<Item = &'a Seat>,
    legal: &mut Vec<Action>,
) {
    let turn = this_turn(table);
    for offer in table.offers().iter().filter(|offer| offer.to == seat) {
        legal.push(Action::Refuse { by: offer.by });
        let terms = Terms::of(offer);
        if terms.take <= held(table, seat) {
            legal.push(Action::Accept { by: offer.by, terms, turn });
        }
    }
    if table.offers().iter().any(|offer| offer.by == seat) {
        legal.push(Action::Withdraw);
    } else if table.marked(OffersMade(seat)) < OFFERS_MAX {
        let gives = (held(table, seat) > 0).then_some(Terms { give: 1, take: 0 });
        let terms = gives.into_iter().chain([Terms { give: 0, take: 1 }]);
        let offers = partners
            .flat_map(|&to| terms.clone().map(move |terms| Action::Offer { to, terms, turn }));
        legal.extend(offers);
    }
}
