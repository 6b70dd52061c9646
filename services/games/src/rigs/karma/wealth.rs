//! Wealth (§16): cards for their player alone, except Other Markets.

use table::{Dealer, Seat, Small, Table};

use super::{FIRST, put_on_stage};
use crate::rigs::{
    Action, Aim,
    Coin::*,
    Decision, Karma,
    Mark::*,
    Place,
    Place::*,
    Refusal, Resource, Resources,
    colony::{capacity, plots, rigs_on, stock, units},
    market::{self, is_priced},
};

/// §16.4: units exchanged on a Swap Meet.
const SWAPPED_MAX: u64 = 6;

// === Targets ===

pub(super) fn aims(table: &Table, seat: Seat, card: Karma) -> Vec<Aim> {
    use Karma::*;
    match card {
        SwapMeet => list_swaps(table, seat),
        PokerNight => list_stakes(table, seat),
        // §16.6
        BelowTheSurface => plots(table, seat)
            .flat_map(|plot| Resource::all().map(move |it| (plot, it)))
            .filter(|&(plot, it)| capacity(table, plot, it) > 0)
            .map(|(plot, it)| Aim::Spots(plot, it))
            .collect(),
        // §16.9
        RigsTdm => {
            plots(table, seat).filter(|&it| rigs_on(table, it).is_some()).map(Aim::Plot).collect()
        }
        // §16.10, §16.11: only after the draw.
        OtherMarkets | NaiveProfits if !is_priced(table) => Vec::new(),
        _ => vec![Aim::Nothing],
    }
}

// === Effects ===

/// A card with a lasting effect stays where it acts: in play, in front of its player, on the plot
/// or on the price.
pub(super) fn play(d: &mut Dealer, seat: Seat, card: Karma, aim: &Aim) {
    use Karma::*;
    match (card, aim) {
        // §16.1, §16.3
        (Recycling | PartsShop, _) => d.put(card, InPlay(seat)),
        // §16.2, §16.11
        (RidiculousEfficiency, _) => d.put(card, Front(seat)),
        (NaiveProfits, _) => {
            d.put(card, Front(seat));
            market::change_price_for(d, seat);
        }
        // §16.10, §16.9
        (OtherMarkets, _) => {
            let was = market::price(d);
            d.put(card, Place::Price);
            if market::price(d) != was {
                market::change_price(d, seat);
            }
        }
        (RigsTdm, &Aim::Plot(plot)) => d.put(card, On(plot)),
        _ => {
            put_on_stage(d, FIRST, seat, card, aim);
            apply(d, seat, card, aim);
        }
    }
}

fn apply(d: &mut Dealer, seat: Seat, card: Karma, aim: &Aim) {
    match (card, aim) {
        // §16.4
        (Karma::SwapMeet, &Aim::Swap { give, take }) => {
            pay(d, give, Warehouse(seat), Bank);
            pay(d, take, Bank, Warehouse(seat));
        }
        (Karma::PokerNight, &Aim::Stake(stake)) => roll_for_stake(d, seat, stake),
        // §16.6
        (Karma::BelowTheSurface, &Aim::Spots(plot, resource)) => {
            let spots = capacity(d, plot, resource);
            d.pay(Unit(resource), Bank, Warehouse(seat), spots);
        }
        // §16.7
        (Karma::WinningRaffleTicket, _) => {
            let won = d.roll(seat);
            d.pay(Unit(Resource::Luxury), Bank, Warehouse(seat), won);
        }
        // §16.8
        _ => {
            let found = d.roll(seat);
            d.mark(Due(seat), found as i16);
            d.interrupt(seat, Decision::Gain);
        }
    }
}

pub(super) fn pay(d: &mut Dealer, units: Resources, from: Place, to: Place) {
    for (resource, amount) in units.iter() {
        d.pay(Unit(resource), from, to, amount);
    }
}

// === Swap Meet ===

/// §19.2: examples are one unit, or as many as possible, of one resource for another.
fn list_swaps(table: &Table, seat: Seat) -> Vec<Aim> {
    let mut swaps = Vec::new();
    for give in Resource::all() {
        let most = units(table, seat, give).min(SWAPPED_MAX as u32);
        for take in Resource::all().filter(|&take| take != give && most > 0) {
            let swap = |n| Aim::Swap { give: Resources::of(give, n), take: Resources::of(take, n) };
            swaps.push(swap(most));
            swaps.extend((most > 1).then(|| swap(1)));
        }
    }
    swaps
}

/// §16.4: one for one.
pub(super) fn can_swap(table: &Table, seat: Seat, give: Resources, take: Resources) -> bool {
    (1..=SWAPPED_MAX).contains(&give.total())
        && give.total() == take.total()
        && give.within(stock(table, seat))
}

// === Poker Night ===

/// §19.2: examples are one unit of a resource, or everything.
fn list_stakes(table: &Table, seat: Seat) -> Vec<Aim> {
    let all = stock(table, seat);
    let mut stakes: Vec<Aim> = all
        .iter()
        .filter(|(_, amount)| *amount > 0)
        .map(|(resource, _)| Aim::Stake(Resources::one(resource)))
        .collect();
    if all.total() > 1 {
        stakes.push(Aim::Stake(all));
    }
    stakes
}

pub(super) fn can_stake(table: &Table, seat: Seat, stake: Resources) -> bool {
    stake.total() > 0 && stake.within(stock(table, seat))
}

/// §16.5
fn roll_for_stake(d: &mut Dealer, seat: Seat, stake: Resources) {
    for (resource, amount) in stake.iter() {
        let (mut lost, mut won) = (0, 0);
        for _ in 0..amount {
            match d.roll(seat) {
                1 => lost += 1,
                2 | 3 => {}
                4 | 5 => won += 1,
                _ => won += 2,
            }
        }
        d.pay(Unit(resource), Warehouse(seat), Bank, lost);
        d.pay(Unit(resource), Bank, Warehouse(seat), won);
    }
}

// === Ruins ===

pub(super) fn list_gains(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let due = u32::from(table.marked(Due(seat)).unsigned_abs());
    let parts = Resources([due; 4]).parts(due);
    legal.extend(parts.into_iter().map(|units| Action::Gain { units }));
}

/// §16.8
pub(super) fn gain(d: &mut Dealer, seat: Seat, units: Resources) -> Result<(), Refusal> {
    let needed = u32::from(d.marked(Due(seat)).unsigned_abs());
    if units.total() != u64::from(needed) {
        return Err(Refusal::WrongAmount { needed });
    }
    d.answer(seat);
    d.mark(Due(seat), 0);
    pay(d, units, Bank, Warehouse(seat));
    Ok(())
}
