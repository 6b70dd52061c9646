//! Deals between two seats (§5). An offer states what changes hands; other promises do not bind.
//!
//! The other side's part is checked only as far as it is public. Whether it has the credits shows
//! only when it accepts.

use table::{Dealer, Offer, OfferItem, Seat, Set, Table};

use super::{
    actions::{Action, Bundle},
    colony::{plots, rigs_at, stock},
    phases::clear_ready,
    refusals::Refusal,
    resources::Resources,
    vocabulary::{Coin, Coin::*, Mark::*, Phase, Place, Place::*},
};

// === What may be offered ===

/// §5.12: offers that a seat makes in one turn or Production phase. Haggling takes a few with each
/// of three partners.
const OFFERS_MAX: u32 = 20;

fn offers_made(table: &Table, seat: Seat) -> u32 {
    table.marked(Offers(seat)).unsigned_abs().into()
}

/// §5.2, §5.4, §5.5: in the Player phase on the turn of one of the two, in the Production phase
/// until the Last Call.
fn may_deal(table: &Table, by: Seat, to: Seat) -> Result<(), Refusal> {
    if by == to || !table.has_seat(to) || table.resigned().has(to) || table.resigned().has(by) {
        return Err(Refusal::NobodyToDealWith { seat: to });
    }
    match Phase::of(table) {
        Phase::Player if table.turn() != by && table.turn() != to => Err(Refusal::NotOnTurn),
        Phase::Player => Ok(()),
        Phase::Production if !table.is_marked(LastCalled) => Ok(()),
        _ => Err(Refusal::NotNow),
    }
}

impl Bundle {
    fn is_empty(&self) -> bool {
        *self == Bundle::default()
    }

    /// §5.4: a Zero Hour deal holds only resources and credits.
    fn fits_zero_hour(&self) -> bool {
        self.plots.is_empty() && self.rigs == 0
    }

    /// §5.3: the coins and cards that change hands. Scripts never do.
    fn terms(&self, from: Seat, to: Seat) -> Vec<OfferItem> {
        let coins = |coin: Coin, from: Place, to: Place, amount| {
            let (coin, from, to) = (coin.into(), from.into(), to.into());
            (amount > 0).then_some(OfferItem::Coins { coin, from, to, amount })
        };
        let credits = coins(Credit, Purse(from), Purse(to), self.credits);
        let units = self.units.iter();
        let units = units.filter_map(|it| coins(Unit(it.0), Warehouse(from), Warehouse(to), it.1));
        let rigs = coins(Rig, Warehouse(from), Warehouse(to), self.rigs);
        let plots = self.plots.iter();
        let plots = plots.map(|plot| OfferItem::Piece { piece: plot.into(), to: Owned(to).into() });
        credits.into_iter().chain(units).chain(rigs).chain(plots).collect()
    }

    /// §5.7: whether a seat has all of it, except the credits, which are private.
    fn has_visible_part(&self, table: &Table, seat: Seat) -> bool {
        let rest = Bundle { credits: 0, ..self.clone() };
        self.plots.within(&table.pieces(Owned(seat))) && table.can_settle(&rest.terms(seat, seat))
    }
}

pub(super) fn list_answers(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    for by in table.offers().iter().filter(|it| it.to == seat).map(|it| it.by) {
        legal.push(Action::Refuse { by });
        if can_accept(table, seat, by).is_ok() {
            legal.push(Action::Accept { by });
        }
    }
}

/// §19.2: offers are listed by example; any amounts that the two have may be offered.
pub(super) fn list_own(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if table.offers().iter().any(|it| it.by == seat) {
        legal.push(Action::Withdraw);
    } else if offers_made(table, seat) < OFFERS_MAX
        && !(table.phase() == Phase::Production.number() && table.is_marked(Ready(seat)))
    {
        let partners = table.others(seat).filter(|&to| may_deal(table, seat, to).is_ok());
        partners.for_each(|to| list_examples(table, seat, to, legal));
    }
}

fn list_examples(table: &Table, seat: Seat, to: Seat, legal: &mut Vec<Action>) {
    let mut add = |give: Bundle, take: Bundle| legal.push(Action::Offer { to, give, take });
    let credits = |credits| Bundle { credits, ..Bundle::default() };
    let unit = |resource| Bundle { units: Resources::one(resource), ..Bundle::default() };
    let (mine, theirs) = (stock(table, seat), stock(table, to));
    for (resource, _) in mine.iter().filter(|(_, amount)| *amount > 0) {
        add(unit(resource), credits(5));
    }
    for (resource, _) in theirs.iter().filter(|(_, amount)| *amount > 0) {
        if table.coins(Credit, Purse(seat)) >= 5 {
            add(credits(5), unit(resource));
        }
    }
    if Phase::of(table) != Phase::Player {
        return;
    }
    if let Some(plot) = plots(table, seat).next() {
        add(Bundle { plots: Set::one(plot), ..Bundle::default() }, credits(20));
    }
    if rigs_at(table, Warehouse(seat)) > 0 {
        add(Bundle { rigs: 1, ..Bundle::default() }, credits(10));
    }
}

/// §5.11
fn has_scripts(offer: &Offer) -> bool {
    offer.give.iter().chain(&offer.take).any(|term| match *term {
        OfferItem::Coins { coin, .. } => matches!(coin.to(), Some(Script(_))),
        OfferItem::Piece { .. } => false,
    })
}

// === Offering and answering ===

/// §5.4, §5.6, §5.7, §5.11, §5.12; §5.8: a new offer replaces the old one.
pub(super) fn offer(
    d: &mut Dealer,
    seat: Seat,
    to: Seat,
    give: &Bundle,
    take: &Bundle,
) -> Result<(), Refusal> {
    may_deal(d, seat, to)?;
    if give.scripts.total() + take.scripts.total() > 0 {
        return Err(Refusal::ScriptsStay);
    }
    if Phase::of(d) == Phase::Production {
        if d.is_marked(Ready(seat)) {
            return Err(Refusal::ReadyAlready);
        }
        if !give.fits_zero_hour() || !take.fits_zero_hour() {
            return Err(Refusal::ZeroHour);
        }
    }
    if give.is_empty() && take.is_empty() {
        return Err(Refusal::EmptyDeal);
    }
    if !give.has_visible_part(d, seat) || d.coins(Credit, Purse(seat)) < amount(give.credits) {
        return Err(Refusal::CannotGive);
    }
    if !take.has_visible_part(d, to) {
        return Err(Refusal::CannotTake { seat: to });
    }
    let made = offers_made(d, seat);
    if made >= OFFERS_MAX {
        return Err(Refusal::TooManyOffers { most: OFFERS_MAX });
    }
    d.mark(Offers(seat), made as i16 + 1);
    d.close_offer(seat);
    d.offer(Offer { by: seat, to, give: give.terms(seat, to), take: take.terms(to, seat) });
    Ok(())
}

fn amount(credits: u32) -> i32 {
    i32::try_from(credits).unwrap_or(i32::MAX)
}

/// §5.8
pub(super) fn withdraw(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    if !d.offers().iter().any(|offer| offer.by == seat) {
        return Err(Refusal::NoSuchOffer);
    }
    d.close_offer(seat);
    Ok(())
}

fn can_accept(table: &Table, seat: Seat, by: Seat) -> Result<&Offer, Refusal> {
    let offer = table.offers().iter().find(|offer| (offer.by, offer.to) == (by, seat));
    let offer = offer.ok_or(Refusal::NoSuchOffer)?;
    // An offer made when scripts could still change hands.
    if has_scripts(offer) {
        return Err(Refusal::ScriptsStay);
    }
    if !table.can_settle(&offer.take) {
        return Err(Refusal::CannotGive);
    }
    Ok(offer)
}

/// §5.1, §5.9: other offers of the two are closed, because an offer left open would show what its
/// maker still has.
pub(super) fn accept(d: &mut Dealer, seat: Seat, by: Seat) -> Result<(), Refusal> {
    let offer = can_accept(d, seat, by)?.clone();
    let is_plot = |term: &OfferItem| matches!(term, OfferItem::Piece { .. });
    if offer.give.iter().chain(&offer.take).any(is_plot) {
        d.mark(LandMoved, 1);
    }
    d.settle(&offer);
    d.close_offer(seat);
    d.mark(Ready(seat), 0);
    clear_ready(d, by);
    Ok(())
}

/// §5.8
pub(super) fn refuse(d: &mut Dealer, seat: Seat, by: Seat) -> Result<(), Refusal> {
    if !d.offers().iter().any(|offer| (offer.by, offer.to) == (by, seat)) {
        return Err(Refusal::NoSuchOffer);
    }
    d.close_offer(by);
    Ok(())
}

// === Expiry ===

/// §5.10; §19.4: an offer to or by a seat that resigned expires too.
pub(super) fn expire(d: &mut Dealer) {
    let holds = |offer: &Offer| {
        may_deal(d, offer.by, offer.to).is_ok()
            && !has_scripts(offer)
            && d.can_settle(&offer.give)
            && has_visible_part(d, &offer.take)
            && owns(d, offer.by, &offer.give)
            && owns(d, offer.to, &offer.take)
    };
    let stale: Vec<Seat> =
        d.offers().iter().filter(|offer| !holds(offer)).map(|offer| offer.by).collect();
    stale.into_iter().for_each(|by| d.close_offer(by));
}

fn has_visible_part(table: &Table, terms: &[OfferItem]) -> bool {
    let public = |term: &&OfferItem| !matches!(**term, OfferItem::Coins { coin, .. } if coin == Credit.into());
    let public: Vec<OfferItem> = terms.iter().filter(public).copied().collect();
    table.can_settle(&public)
}

fn owns(table: &Table, seat: Seat, terms: &[OfferItem]) -> bool {
    terms.iter().all(|term| match *term {
        OfferItem::Piece { piece, .. } => table.lies(piece, Owned(seat)),
        OfferItem::Coins { .. } => true,
    })
}

/// §5.10
pub(super) fn close_all(d: &mut Dealer) {
    d.seats().for_each(|seat| d.close_offer(seat));
}

/// §15.2: an offer left open would show how many credits its maker has now.
pub(super) fn close_of(d: &mut Dealer, seats: [Seat; 2]) {
    seats.into_iter().for_each(|seat| d.close_offer(seat));
}
