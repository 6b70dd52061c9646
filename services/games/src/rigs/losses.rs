//! The loss of resources and of RIGS, which karma may lessen, return or match.

use table::{Dealer, Seat, Small, Table};

use super::{
    actions::{Action, Location},
    colony::{capacity, locations, owner, place_of, rigs_at, rigs_of, units},
    karma::hands::has,
    phases::interrupt_together,
    refusals::Refusal,
    resources::Resources,
    vocabulary::{Coin::*, Decision, Karma, Mark::*, Place, Place::*, Plot, Resource},
};

/// §12.8: a loss to a Disaster, Destruction or Sabotage is remembered, because karma may undo or
/// return it.
pub(super) fn lose_units(d: &mut Dealer, seat: Seat, units: Resources, to: Place) {
    if units.total() == 0 {
        return;
    }
    for (resource, amount) in units.iter() {
        d.pay(Unit(resource), Warehouse(seat), to, amount);
        d.mark(Lost(seat, resource), amount.min(i16::MAX as u32) as i16);
    }
    d.mark(LostKarma(seat), 0);
    d.mark(LostBoth(seat), 0);
}

pub(super) fn lose_all(d: &mut Dealer, seat: Seat, resource: Resource) {
    lose_units(d, seat, Resources::of(resource, units(d, seat, resource)), Bank);
}

/// Half is rounded up.
pub(super) fn lose_half(d: &mut Dealer, seat: Seat, resource: Resource) {
    lose_units(d, seat, Resources::of(resource, units(d, seat, resource).div_ceil(2)), Bank);
}

pub(super) fn lost_units(table: &Table, seat: Seat) -> Resources {
    Resources(std::array::from_fn(|n| {
        let resource = Resource::nth(n).expect("an amount for each resource");
        table.marked(Lost(seat, resource)).max(0) as u32
    }))
}

/// §8.3: the seat chooses which RIGS it loses. §20.4: it is not asked if all stand in one place.
pub(super) fn ask_to_lose_rigs(d: &mut Dealer, seat: Seat, count: u32) {
    if let [only] = locations(d, seat).collect::<Vec<_>>()[..] {
        return destroy_rigs(d, seat, place_of(only), count);
    }
    d.mark(Due(seat), count as i16);
    interrupt_together(d, seat, Decision::LoseRigs);
}

pub(super) fn list_losses(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    legal.extend(locations(table, seat).map(|from| Action::Lose { from }));
}

pub(super) fn lose_rig(d: &mut Dealer, seat: Seat, from: Location) -> Result<(), Refusal> {
    if !locations(d, seat).any(|location| location == from) {
        return Err(Refusal::NoRigsThere);
    }
    d.mark(Due(seat), d.marked(Due(seat)) - 1);
    if !d.is_marked(Due(seat)) || rigs_of(d, seat) == 1 {
        d.mark(Due(seat), 0);
        d.answer(seat);
    }
    destroy_rigs(d, seat, place_of(from), 1);
    Ok(())
}

/// §12.9, §16.1, §16.3: destroyed RIGS go onto a card in play that takes them, or to `works`.
pub(super) fn destroy_rigs(d: &mut Dealer, seat: Seat, from: Place, count: u32) {
    d.pay(Rig, from, Wreck(seat), count);
    let cards = [Karma::Recycling, Karma::PartsShop].map(|card| has(d, seat, card));
    match cards.into() {
        (true, true) => {}
        (true, false) => _ = d.pay_all(Rig, Wreck(seat), Recycled),
        (false, true) => _ = d.pay_all(Rig, Wreck(seat), Parts),
        (false, false) => _ = d.pay_all(Rig, Wreck(seat), Works),
    }
    // §17.2: once the last of several RIGS is lost.
    let is_last = count > 0 && !d.is_marked(Due(seat));
    if is_last && has(d, seat, Karma::PushPullOrDrag) && rigs_at(d, Works) > 0 {
        d.interrupt(seat, Decision::TradeIn);
    }
    if cards == [true; 2] {
        d.interrupt(seat, Decision::Salvage);
    }
}

/// §15.9, §15.10: RIGS on Luxury spots that no longer exist go to the warehouse for nothing.
pub(super) fn displace(d: &mut Dealer, plot: Plot) {
    let Some(seat) = owner(d, plot) else { return };
    let spots = capacity(d, plot, Resource::Luxury);
    let rigs = rigs_at(d, Spots(plot, Resource::Luxury));
    d.pay(Rig, Spots(plot, Resource::Luxury), Warehouse(seat), rigs.saturating_sub(spots));
}
