//! The Disaster phase: the leader deals each player a disaster, one after the other.

use table::{Dealer, Seat, Table};

use super::{
    Action, Decision, DisasterCard, DisasterKind, Karma, Land,
    Mark::*,
    Phase,
    Place::*,
    Refusal, Resource, allow_interrupts,
    colony::{
        ask_to_lose_rigs, harvests, has_rigs, lasting_disaster, leader, lose_all, lose_half, plots,
        units,
    },
    karma, production,
};

/// A disaster that is being resolved, and one that is.
const STRUCK: i16 = 1;
const DEALT: i16 = 2;

pub(super) fn begin(d: &mut Dealer) {
    Phase::Disaster.begin(d, leader(d));
    d.seats().for_each(|seat| d.mark(Dealt(seat), 0));
    advance(d);
}

/// Whoever was struck draws karma; then the leader deals to the next.
pub(super) fn advance(d: &mut Dealer) {
    if let Some(seat) = d.seats().find(|&seat| d.marked(Dealt(seat)) == STRUCK) {
        d.mark(Dealt(seat), DEALT);
        karma::draw(d, seat, 1);
        if !limits_production(lasting_disaster(d, seat)) {
            discard_disaster(d, seat);
        }
        return;
    }
    match undealt(d).collect::<Vec<_>>()[..] {
        [] => production::begin(d),
        [last] => deal(d, last),
        _ => {
            let leader = leader(d);
            d.ask(leader, Decision::Deal);
            allow_interrupts(d, leader);
        }
    }
}

fn undealt(table: &Table) -> impl Iterator<Item = Seat> + use<'_> {
    table.seats().filter(|&seat| !table.is_marked(Dealt(seat)))
}

pub(super) fn list_dealing(table: &Table, legal: &mut Vec<Action>) {
    legal.extend(undealt(table).map(|seat| Action::Name { seat }));
}

pub(super) fn deal_to(d: &mut Dealer, leader: Seat, to: Seat) -> Result<(), Refusal> {
    if !undealt(d).any(|seat| seat == to) {
        return Err(Refusal::CannotName { seat: to });
    }
    d.answer(leader);
    d.close_optional();
    deal(d, to);
    Ok(())
}

fn deal(d: &mut Dealer, seat: Seat) {
    if d.is_bare(DisasterDeck) {
        d.gather(DisasterDiscard, DisasterDeck);
    }
    let card = d.draw(DisasterDeck, Front(seat)).expect("36 disasters are never all in front");
    let card = <DisasterCard as table::Component>::of(card).expect("the deck holds disasters");
    d.mark(Dealt(seat), DEALT);
    if apply(d, seat, card.kind()) {
        d.mark(Dealt(seat), STRUCK);
        return;
    }
    discard_disaster(d, seat);
    if !d.is_bare(Hand(seat)) {
        d.interrupt(seat, Decision::Exchange);
    }
}

/// What a disaster does at once, and whether it affects the seat at all. "Lose a RIGS" affects
/// nobody who has none.
fn apply(d: &mut Dealer, seat: Seat, disaster: DisasterKind) -> bool {
    use Resource::{Energy, Luxury, Metal, Supply};
    let has = |resource| units(d, seat, resource) > 0;
    let owns = |land| plots(d, seat).any(|plot| plot.land() == land);
    match disaster {
        DisasterKind::Safe => return false,
        DisasterKind::UnexpectedSpoilage if has(Supply) => lose_half(d, seat, Supply),
        DisasterKind::MassiveSolarFlare if has(Energy) => lose_all(d, seat, Energy),
        DisasterKind::OutInTheAcidRain if has(Metal) => lose_half(d, seat, Metal),
        DisasterKind::CorrosiveCloud if has(Metal) => lose_all(d, seat, Metal),
        DisasterKind::Raid if has(Luxury) => lose_all(d, seat, Luxury),
        DisasterKind::Theft if has(Luxury) => lose_half(d, seat, Luxury),
        DisasterKind::BatteryFailure if has(Energy) => lose_all(d, seat, Energy),
        DisasterKind::Raid | DisasterKind::Theft | DisasterKind::BatteryFailure => return false,
        DisasterKind::BatteryChargerFailure | DisasterKind::EnergyJunctionFailure => {
            return harvests(d, seat, Energy);
        }
        DisasterKind::SolarEclipse if owns(Land::Desert) => {}
        DisasterKind::SeasonalHell if owns(Land::Valley) => {}
        DisasterKind::Infestation if harvests(d, seat, Supply) => {}
        _ if has_rigs(d, seat) => {
            ask_to_lose_rigs(d, seat, 1);
            discard_disaster(d, seat);
        }
        _ => return false,
    }
    true
}

/// Karma may lie in front of a player too; only the disaster goes.
pub(super) fn discard_disaster(d: &mut Dealer, seat: Seat) {
    d.pieces::<DisasterCard>(Front(seat)).iter().for_each(|card| d.put(card, DisasterDiscard));
}

/// Whether a disaster stays in front of its player until production is over.
fn limits_production(disaster: DisasterKind) -> bool {
    matches!(
        disaster,
        DisasterKind::SolarEclipse
            | DisasterKind::SeasonalHell
            | DisasterKind::Infestation
            | DisasterKind::BatteryChargerFailure
            | DisasterKind::EnergyJunctionFailure
    )
}

// === Whoever is spared may exchange a karma card ===

pub(super) fn decline_exchange(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    Ok(())
}

pub(super) fn exchange(d: &mut Dealer, seat: Seat, card: Karma) -> Result<(), Refusal> {
    karma::discard(d, seat, card)?;
    d.answer(seat);
    karma::draw(d, seat, 1);
    Ok(())
}
