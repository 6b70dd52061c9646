//! Cards that stay in play, and their owners' actions.

use table::{Dealer, Seat, Table};

use super::hands::has;
use crate::rigs::{
    actions::Action,
    colony::rigs_at,
    refusals::Refusal,
    vocabulary::{Coin::*, Decision, Karma, Mark::*, Phase, Place, Place::*, Resource},
};

/// The cards that take lost RIGS, and the place of the RIGS on them.
pub(super) const SALVAGE: [(Karma, Place); 2] =
    [(Karma::Recycling, Recycled), (Karma::PartsShop, Parts)];

/// §12.9
pub(in crate::rigs) fn salvages_by_choice(table: &Table, seat: Seat) -> bool {
    SALVAGE.into_iter().all(|(card, _)| has(table, seat, card))
}

/// §12.9: with both cards in play, their owner chooses for each lost RIGS.
pub(super) fn salvage(d: &mut Dealer, seat: Seat, card: Karma) -> Result<(), Refusal> {
    let Some((_, place)) = SALVAGE.into_iter().find(|it| it.0 == card) else {
        return Err(Refusal::NoSuchCard { card });
    };
    d.pay(Rig, Wreck(seat), place, 1);
    if rigs_at(d, Wreck(seat)) == 0 {
        d.answer(seat);
    }
    Ok(())
}

pub(in crate::rigs) fn list_cashing(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if has(table, seat, Karma::Recycling) {
        legal.push(Action::Cash);
    }
}

pub(in crate::rigs) fn list_tinkering(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if has(table, seat, Karma::PartsShop) && !table.is_marked(Tinkered) {
        legal.push(Action::Tinker);
    }
}

/// §17.2
pub(super) fn trade_in(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    d.put(Karma::PushPullOrDrag, KarmaDiscard);
    d.pay_up_to(Rig, Works, Warehouse(seat), 1);
    Ok(())
}

/// §16.3
pub(super) fn retrieve(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    d.pay_up_to(Rig, Parts, Warehouse(seat), 1);
    Ok(())
}

/// §16.3, §17.2: the RIGS stays where it is, and the card in play.
pub(super) fn leave(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    Ok(())
}

/// §16.1, §16.3: at any time of the Player phase.
fn check_phase(table: &Table) -> Result<(), Refusal> {
    if Phase::of(table) == Phase::Player { Ok(()) } else { Err(Refusal::NotNow) }
}

/// §16.1
pub(in crate::rigs) fn cash(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    check_phase(d)?;
    if !has(d, seat, Karma::Recycling) {
        return Err(Refusal::NotInPlay { card: Karma::Recycling });
    }
    d.put(Karma::Recycling, KarmaDiscard);
    let rigs = d.pay_all(Rig, Recycled, Works);
    d.pay(Unit(Resource::Metal), Bank, Warehouse(seat), rigs);
    Ok(())
}

/// §16.3
pub(in crate::rigs) fn tinker(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    check_phase(d)?;
    if !has(d, seat, Karma::PartsShop) {
        return Err(Refusal::NotInPlay { card: Karma::PartsShop });
    }
    if d.is_marked(Tinkered) {
        return Err(Refusal::TinkeredAlready);
    }
    d.mark(Tinkered, 1);
    match d.roll(seat) {
        1 => {
            d.put(Karma::PartsShop, KarmaDiscard);
            d.pay_all(Rig, Parts, Works);
        }
        roll if rigs_at(d, Parts) >= roll => d.interrupt(seat, Decision::Retrieve),
        _ => {}
    }
    Ok(())
}
