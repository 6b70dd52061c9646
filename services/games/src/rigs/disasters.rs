//! The Disaster phase: the leader deals each player a disaster, one after the other.

use table::{Dealer, Seat, Table};

use super::{
    Action, Decision, Hazard, Karma, Land,
    Mark::*,
    Mishap, Phase,
    Place::*,
    Refusal, Resource, allow_interrupts,
    colony::{ask_for_rigs, has_rigs, leader, lose_all, lose_half, mishap, plots, units, works_on},
    karma, production,
};

/// A disaster that is being resolved, and one that is.
const STRUCK: i16 = 1;
const DEALT: i16 = 2;

pub(super) fn begin(d: &mut Dealer) {
    Phase::Disaster.begin(d, leader(d));
    d.seats().for_each(|seat| d.mark(Dealt(seat), 0));
    go_on(d);
}

/// Whoever was struck draws karma; then the leader deals to the next.
pub(super) fn go_on(d: &mut Dealer) {
    if let Some(seat) = d.seats().find(|&seat| d.marked(Dealt(seat)) == STRUCK) {
        d.mark(Dealt(seat), DEALT);
        karma::draw(d, seat, 1);
        if !lasts(mishap(d, seat)) {
            put_away(d, seat);
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
    let hazard = <Hazard as table::Component>::of(card).expect("the deck holds disasters");
    d.mark(Dealt(seat), DEALT);
    if strike(d, seat, hazard.mishap()) {
        d.mark(Dealt(seat), STRUCK);
        return;
    }
    put_away(d, seat);
    if !d.is_bare(Hand(seat)) {
        d.interrupt(seat, Decision::Exchange);
    }
}

/// What a disaster does at once, and whether it affects the seat at all. "Lose a RIGS" affects
/// nobody who has none.
fn strike(d: &mut Dealer, seat: Seat, mishap: Mishap) -> bool {
    use Resource::{Energy, Luxury, Metal, Supply};
    let has = |resource| units(d, seat, resource) > 0;
    let lands = |land| plots(d, seat).any(|plot| plot.land() == land);
    match mishap {
        Mishap::Safe => return false,
        Mishap::UnexpectedSpoilage if has(Supply) => lose_half(d, seat, Supply),
        Mishap::MassiveSolarFlare if has(Energy) => lose_all(d, seat, Energy),
        Mishap::OutInTheAcidRain if has(Metal) => lose_half(d, seat, Metal),
        Mishap::CorrosiveCloud if has(Metal) => lose_all(d, seat, Metal),
        Mishap::Raid if has(Luxury) => lose_all(d, seat, Luxury),
        Mishap::Theft if has(Luxury) => lose_half(d, seat, Luxury),
        Mishap::BatteryFailure if has(Energy) => lose_all(d, seat, Energy),
        Mishap::Raid | Mishap::Theft | Mishap::BatteryFailure => return false,
        Mishap::BatteryChargerFailure | Mishap::EnergyJunctionFailure => {
            return works_on(d, seat, Energy);
        }
        Mishap::SolarEclipse if lands(Land::Desert) => {}
        Mishap::SeasonalHell if lands(Land::Valley) => {}
        Mishap::Infestation if works_on(d, seat, Supply) => {}
        _ if has_rigs(d, seat) => {
            ask_for_rigs(d, seat, 1);
            put_away(d, seat);
        }
        _ => return false,
    }
    true
}

/// Karma may lie in front of a player too; only the disaster goes.
pub(super) fn put_away(d: &mut Dealer, seat: Seat) {
    d.pieces::<Hazard>(Front(seat)).iter().for_each(|card| d.put(card, DisasterDiscard));
}

/// Whether a disaster stays in front of its player until production is over.
fn lasts(mishap: Mishap) -> bool {
    matches!(
        mishap,
        Mishap::SolarEclipse
            | Mishap::SeasonalHell
            | Mishap::Infestation
            | Mishap::BatteryChargerFailure
            | Mishap::EnergyJunctionFailure
    )
}

// === Whoever is spared may exchange a karma card ===

pub(super) fn keep_hand(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    Ok(())
}

pub(super) fn exchange(d: &mut Dealer, seat: Seat, card: Karma) -> Result<(), Refusal> {
    karma::discard(d, seat, card)?;
    d.answer(seat);
    karma::draw(d, seat, 1);
    Ok(())
}
