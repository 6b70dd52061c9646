//! The Market phase (§11): a price is drawn, and Luxury is sold.

use table::{Dealer, Seat, Table};

use super::{
    actions::Action,
    colony::{leader, units},
    phases::{ROUNDS, ask_unready, clear_ready, settle},
    refusals::Refusal,
    vocabulary::{
        Announcement, Coin::*, Decision, Karma, Mark::*, MarketCard, Phase, Place, Place::*,
        Resource,
    },
};

pub(super) fn begin(d: &mut Dealer) {
    let leader = leader(d);
    Phase::Market.begin(d, leader);
    d.gather(Place::Price, MarketDiscard);
    turn_up_price(d, leader);
}

/// §11.1
fn turn_up_price(d: &mut Dealer, drawer: Seat) {
    d.draw(MarketDeck, Place::Price);
    d.announce(Announcement::Price, drawer, price(d) as i16);
}

pub(super) fn list_drawers(table: &Table, _: Seat, legal: &mut Vec<Action>) {
    legal.extend(table.seats().map(|seat| Action::Name { seat }));
}

/// §20.10: seats are asked this only in older matches.
pub(super) fn draw(d: &mut Dealer, leader: Seat, drawer: Seat) -> Result<(), Refusal> {
    if !d.has_seat(drawer) {
        return Err(Refusal::CannotName { seat: drawer });
    }
    d.answer(leader);
    d.close_optional();
    turn_up_price(d, drawer);
    Ok(())
}

/// §11.2: once the price is drawn every seat may sell, and the match waits for those not ready.
/// §20.6: a seat without Luxury and karma cards is not asked. §11.3: in the last round a seat that
/// has got Luxury is not ready any more.
pub(super) fn ask_for_sales(d: &mut Dealer) {
    if !is_priced(d) {
        return;
    }
    if d.round() == ROUNDS {
        reopen_sellers(d);
    }
    ask_unready(d, Decision::Sell, |table, seat| {
        units(table, seat, Resource::Luxury) > 0 || !table.is_bare(Hand(seat))
    });
}

// === The price ===

/// §16.10: the market cards drawn so far, the current one included.
fn drawn(table: &Table) -> impl Iterator<Item = u32> + use<> {
    let drawn = table.pieces::<MarketCard>(MarketDiscard).or(&table.pieces(Place::Price));
    drawn.iter().map(MarketCard::value)
}

/// §11.1, §16.10: the price for all seats. Other Markets raises it to the highest card so far.
pub(super) fn price(table: &Table) -> u32 {
    if table.lies(Karma::OtherMarkets, Place::Price) {
        return drawn(table).max().unwrap_or(0);
    }
    table.first(Place::Price).map_or(0, MarketCard::value)
}

/// §11.5: a new price; the seats that have Luxury to sell for it are not ready any more.
pub(super) fn change_price(d: &mut Dealer, player: Seat) {
    d.announce(Announcement::Price, player, price(d) as i16);
    reopen_sellers(d);
}

/// §11.5: the same for one seat.
pub(super) fn change_price_for(d: &mut Dealer, seat: Seat) {
    d.announce(Announcement::PriceForSeat, seat, price_for(d, seat) as i16);
    clear_ready(d, seat);
}

fn reopen_sellers(d: &mut Dealer) {
    for seat in d.seats().filter(|&seat| units(d, seat, Resource::Luxury) > 0).collect::<Vec<_>>() {
        clear_ready(d, seat);
    }
}

/// §16.11: Naive Profits raises the price for its player alone.
pub(super) fn price_for(table: &Table, seat: Seat) -> u32 {
    let naive = table.lies(Karma::NaiveProfits, Front(seat));
    price(table) + if naive { drawn(table).min().unwrap_or(0) } else { 0 }
}

/// Whether the price of this round has been drawn.
pub(super) fn is_priced(table: &Table) -> bool {
    table.phase() == Phase::Market.number() && !table.is_bare(Place::Price)
}

// === Selling ===

pub(super) fn list_sales(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let luxury = units(table, seat, Resource::Luxury);
    legal.extend((1..=luxury).map(|amount| Action::Sell { amount }));
}

pub(super) fn list_ready(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let luxury = units(table, seat, Resource::Luxury);
    if !table.is_marked(Ready(seat)) && (table.round() < ROUNDS || luxury == 0) {
        legal.push(Action::Ready);
    }
}

/// §20.8: is ready, once that is possible.
pub(super) fn passive(table: &Table, seat: Seat) -> Action {
    match units(table, seat, Resource::Luxury) {
        amount if amount > 0 && table.round() == ROUNDS => Action::Sell { amount },
        _ => Action::Ready,
    }
}

/// §11.2
pub(super) fn sell(d: &mut Dealer, seat: Seat, amount: u32) -> Result<(), Refusal> {
    let there = units(d, seat, Resource::Luxury);
    if amount == 0 || amount > there {
        return Err(Refusal::CannotSell { amount, there });
    }
    d.pay(Unit(Resource::Luxury), Warehouse(seat), Bank, amount);
    d.pay_aloud(Credit, Bank, Purse(seat), amount * price_for(d, seat));
    Ok(())
}

/// §11.3
pub(super) fn ready(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    if d.is_marked(Ready(seat)) {
        return Err(Refusal::ReadyAlready);
    }
    if d.round() == ROUNDS && units(d, seat, Resource::Luxury) > 0 {
        return Err(Refusal::MustSell);
    }
    settle(d, seat);
    d.announce(Announcement::IsReady, seat, 0);
    Ok(())
}

/// §11.4
pub(super) fn clear_table(d: &mut Dealer) {
    for seat in d.seats() {
        d.pieces::<Karma>(Front(seat)).iter().for_each(|card| d.put(card, KarmaDiscard));
    }
    if d.lies(Karma::OtherMarkets, Place::Price) {
        d.put(Karma::OtherMarkets, KarmaDiscard);
    }
}
