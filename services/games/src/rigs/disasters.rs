//! The Disaster phase (§8): the leader deals each seat a disaster, one after the other.

use table::{Dealer, Seat, Table};

use super::{
    actions::Action,
    cards::DisasterKind,
    colony::{harvests, has_rigs, lasting_disaster, leader, plots, units},
    karma::hands,
    losses::{ask_to_lose_rigs, lose_all, lose_half},
    phases::interrupt_together,
    refusals::Refusal,
    vocabulary::{Decision, DisasterCard, Karma, Land, Mark::*, Phase, Place::*, Resource},
};

/// Values of the mark `dealt`: a disaster that affected its seat and still brings a karma card, and
/// one that is resolved.
const AFFECTED: i16 = 1;
const RESOLVED: i16 = 2;

pub(super) fn begin(d: &mut Dealer) {
    Phase::Disaster.begin(d, leader(d));
    d.seats().for_each(|seat| d.mark(Dealt(seat), 0));
}

/// §8.1, §8.2: an affected seat draws karma after any RIGS is chosen; then the leader deals again.
/// Returns whether every seat has been dealt a disaster.
pub(super) fn advance(d: &mut Dealer) -> bool {
    if let Some(seat) = d.seats().find(|&seat| d.marked(Dealt(seat)) == AFFECTED) {
        d.mark(Dealt(seat), RESOLVED);
        hands::draw(d, seat, 1);
        if !limits_production(lasting_disaster(d, seat)) {
            discard_disaster(d, seat);
        }
        return false;
    }
    match undealt(d).collect::<Vec<_>>()[..] {
        [] => {
            d.close_optional();
            return true;
        }
        [last] => deal(d, last),
        // The others may play karma in the meantime: their prompts stay open.
        _ => {
            let leader = leader(d);
            let others = d.others(leader).map(|other| (other, Decision::Interrupt, false));
            let wanted: Vec<_> =
                std::iter::once((leader, Decision::Deal, true)).chain(others).collect();
            d.ask_exactly(wanted);
        }
    }
    false
}

/// §8.1, §20.3: deals to several seats, and asks all of them at once.
pub(super) fn deal_in_order(d: &mut Dealer, leader: Seat, order: &[Seat]) -> Result<(), Refusal> {
    for (n, &seat) in order.iter().enumerate() {
        if order[..n].contains(&seat) || !undealt(d).any(|it| it == seat) {
            return Err(Refusal::CannotName { seat });
        }
    }
    d.answer(leader);
    order.iter().for_each(|&seat| deal(d, seat));
    if let [last] = undealt(d).collect::<Vec<_>>()[..] {
        deal(d, last);
    }
    Ok(())
}

pub(super) fn undealt(table: &Table) -> impl Iterator<Item = Seat> + use<'_> {
    table.seats().filter(|&seat| !table.is_marked(Dealt(seat)))
}

pub(super) fn list_dealing(table: &Table, _: Seat, legal: &mut Vec<Action>) {
    legal.extend(undealt(table).map(|seat| Action::Name { seat }));
}

/// §8.1
pub(super) fn deal_to(d: &mut Dealer, leader: Seat, to: Seat) -> Result<(), Refusal> {
    if !undealt(d).any(|seat| seat == to) {
        return Err(Refusal::CannotName { seat: to });
    }
    d.answer(leader);
    deal(d, to);
    Ok(())
}

/// §8.1, §8.4
fn deal(d: &mut Dealer, seat: Seat) {
    if d.is_bare(DisasterDeck) {
        d.gather(DisasterDiscard, DisasterDeck);
    }
    let card = d.draw(DisasterDeck, Front(seat)).expect("36 disasters are never all in front");
    let card = <DisasterCard as table::Component>::of(card).expect("the deck holds disasters");
    d.mark(Dealt(seat), RESOLVED);
    if apply(d, seat, card.kind()) {
        d.mark(Dealt(seat), AFFECTED);
        return;
    }
    discard_disaster(d, seat);
    if !d.is_bare(Hand(seat)) {
        interrupt_together(d, seat, Decision::Exchange);
    }
}

/// §8.3, §9.1, §9.2, §9.3: applies the immediate effect of a disaster, and returns whether it
/// affects the seat.
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
        // §9.7, §9.8
        DisasterKind::BatteryChargerFailure | DisasterKind::EnergyJunctionFailure => {
            return harvests(d, seat, Energy);
        }
        // §9.4, §9.5, §9.6: a seat that is not limited loses a RIGS.
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

/// Leaves the karma cards in front of the seat.
pub(super) fn discard_disaster(d: &mut Dealer, seat: Seat) {
    d.pieces::<DisasterCard>(Front(seat)).iter().for_each(|card| d.put(card, DisasterDiscard));
}

/// §8.5: whether a disaster stays in front of its seat until production is final.
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

// === Exchanging a karma card ===

/// §8.4
pub(super) fn decline_exchange(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    Ok(())
}

/// §8.4
pub(super) fn exchange(d: &mut Dealer, seat: Seat, card: Karma) -> Result<(), Refusal> {
    hands::discard(d, seat, card)?;
    d.answer(seat);
    hands::draw(d, seat, 1);
    Ok(())
}
