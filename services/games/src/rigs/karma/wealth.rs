//! Wealth (§16): cards for their player alone, except Other Markets.

use table::{Dealer, Seat, Small, Table};

use super::stage::{FIRST, put_on_stage};
use crate::rigs::{
    actions::{Action, Aim},
    colony::{capacity, pay, plots, rigs_on, stock, units},
    market::{self, is_priced},
    refusals::Refusal,
    resources::Resources,
    vocabulary::{Coin::*, Decision, Karma, Mark::*, Place, Place::*, Resource},
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
        (Karma::PokerNight, &Aim::Stake(stake)) => {
            for (resource, amount) in stock(d, seat).iter() {
                d.mark(Unrolled(resource), amount.min(i16::MAX as u32) as i16);
            }
            d.interrupt(seat, Decision::Raise);
            roll_for_stake(d, seat, stake);
        }
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

/// §16.5: the units that may still be staked.
fn unrolled(table: &Table) -> Resources {
    Resources(std::array::from_fn(|n| {
        let resource = Resource::nth(n).expect("an amount for each resource");
        table.marked(Unrolled(resource)).max(0) as u32
    }))
}

/// §19.2: examples are one unit of a resource, or everything.
pub(super) fn list_raises(table: &Table, legal: &mut Vec<Action>) {
    legal.push(Action::Pass);
    let left = unrolled(table);
    let held = left.iter().filter(|(_, amount)| *amount > 0);
    legal.extend(held.map(|it| Action::Raise { units: Resources::one(it.0) }));
    if left.total() > 1 {
        legal.push(Action::Raise { units: left });
    }
}

/// §16.5
pub(super) fn raise(d: &mut Dealer, seat: Seat, units: Resources) -> Result<(), Refusal> {
    if units.total() == 0 || !units.within(unrolled(d)) {
        return Err(Refusal::CannotStake);
    }
    roll_for_stake(d, seat, units);
    Ok(())
}

/// §16.5
pub(super) fn stop(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    Resource::all().for_each(|it| d.mark(Unrolled(it), 0));
    Ok(())
}

/// §16.5: the seat is asked for more while a unit is left that it has not rolled for.
fn roll_for_stake(d: &mut Dealer, seat: Seat, stake: Resources) {
    for (resource, amount) in stake.iter() {
        d.mark(Unrolled(resource), d.marked(Unrolled(resource)) - amount as i16);
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
    if unrolled(d).total() == 0 {
        d.answer(seat);
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
