//! Deals in ISK while the team is being chosen: offers, which the other seat accepts or refuses.
//! Other promises do not bind.

use table::{Chance, Dealer, Offer, OfferItem, Seat, Table, any_of};

use super::{
    actions::{Action, Terms},
    refusals::Refusal,
    seats::{answers, has_seat, held, holds},
    vocabulary::{Coin::*, Decision, Mark::*, Place::*},
};

/// §3.10: the maximum number of offers of a seat in a turn, far more than a negotiation needs.
const OFFERS_MAX: i16 = 10;

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

/// §3.6: the number of the current turn, as deals name it.
pub(super) fn this_turn(table: &Table) -> u32 {
    table.marked(TurnsBegun).unsigned_abs().into()
}

/// §3.6: refuses a deal meant for another turn.
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

// === Legal deals ===

type Lister = fn(&Table, Seat, &mut Vec<Action>);

pub(super) const KINDS: usize = 3;

const LISTERS: [Lister; KINDS] = [list_payments, list_answers, list_offers];

/// Examples of deals, and every answer to the open offers. §10.3: a seat that resigned makes none,
/// so the house gives nothing away.
pub(super) fn list(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if !table.resigned().has(seat) {
        LISTERS.iter().for_each(|list| list(table, seat, legal));
    }
}

/// One of these deals that is of one kind.
pub(super) fn any(
    table: &Table,
    seat: Seat,
    kind: usize,
    chance: &mut dyn Chance,
) -> Option<Action> {
    let mut legal = Vec::new();
    if !table.resigned().has(seat) {
        LISTERS[kind](table, seat, &mut legal);
    }
    any_of(legal, chance)
}

fn partners(table: &Table, seat: Seat) -> impl DoubleEndedIterator<Item = Seat> + use<> {
    let resigned = table.resigned();
    let others: Vec<Seat> = table.others(seat).filter(|&it| !resigned.has(it)).collect();
    others.into_iter()
}

fn list_payments(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let mut amounts = vec![1, held(table, seat)];
    amounts.dedup();
    amounts.retain(|&millions| millions <= held(table, seat) && millions > 0);
    let turn = this_turn(table);
    let pays = |to| amounts.iter().map(move |&millions| Action::Pay { to, millions, turn });
    legal.extend(partners(table, seat).flat_map(pays));
}

fn list_answers(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let turn = this_turn(table);
    for offer in table.offers().iter().filter(|offer| offer.to == seat) {
        legal.push(Action::Refuse { by: offer.by });
        let terms = Terms::of(offer);
        if terms.take <= held(table, seat) {
            legal.push(Action::Accept { by: offer.by, terms, turn });
        }
    }
}

/// Offers to the nearest and the farthest partner.
fn list_offers(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let turn = this_turn(table);
    if table.offers().iter().any(|offer| offer.by == seat) {
        legal.push(Action::Withdraw);
    } else if table.marked(OffersMade(seat)) < OFFERS_MAX {
        let mut partners = partners(table, seat);
        let partners = partners.next().into_iter().chain(partners.next_back());
        let gives = (held(table, seat) > 0).then_some(Terms { give: 1, take: 0 });
        let terms = gives.into_iter().chain([Terms { give: 0, take: 1 }]);
        let offers = partners
            .flat_map(|to| terms.clone().map(move |terms| Action::Offer { to, terms, turn }));
        legal.extend(offers);
    }
}
