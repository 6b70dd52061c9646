//! The colony: plots, spots, RIGS and warehouses.

use table::{Dealer, Seat, Small, Table};

use super::{
    actions::Location,
    cards::DisasterKind,
    refusals::Refusal,
    resources::Resources,
    vocabulary::{Coin::*, DisasterCard, Mark::*, Place, Place::*, Plot, Resource, SurveyCard},
};

/// The resources that Vinnie lends and that a die values at the end.
pub(super) const LENT: [Resource; 3] = [Resource::Energy, Resource::Supply, Resource::Metal];

pub(super) fn units(table: &Table, seat: Seat, resource: Resource) -> u32 {
    table.coins(Unit(resource), Warehouse(seat)).max(0) as u32
}

pub(super) fn stock(table: &Table, seat: Seat) -> Resources {
    Resources(std::array::from_fn(|n| {
        units(table, seat, Resource::nth(n).expect("an amount for each resource"))
    }))
}

pub(super) fn owner(table: &Table, plot: Plot) -> Option<Seat> {
    match table.place(plot) {
        Some(Owned(seat)) => Some(seat),
        _ => None,
    }
}

pub(super) fn plots(table: &Table, seat: Seat) -> impl Iterator<Item = Plot> + Clone + use<> {
    table.pieces::<Plot>(Owned(seat)).iter()
}

/// Every plot that has an owner.
pub(super) fn all_plots(table: &Table) -> impl Iterator<Item = (Seat, Plot)> + use<'_> {
    table.seats().flat_map(|seat| plots(table, seat).map(move |plot| (seat, plot)))
}

pub(super) fn rigs_at(table: &Table, place: Place) -> u32 {
    table.coins(Rig, place).max(0) as u32
}

/// The RIGS on a plot and the resource that they harvest: §3.1 allows only one.
pub(super) fn rigs_on(table: &Table, plot: Plot) -> Option<(Resource, u32)> {
    let on = |it| (it, rigs_at(table, Spots(plot, it)));
    Resource::all().map(on).find(|(_, rigs)| *rigs > 0)
}

/// §3.3
pub(super) fn survey_of(table: &Table, plot: Plot) -> Option<SurveyCard> {
    table.first(On(plot))
}

/// §1.2, §3.3: the spots of one kind on a plot.
pub(super) fn capacity(table: &Table, plot: Plot, resource: Resource) -> u32 {
    match resource {
        Resource::Luxury => survey_of(table, plot).map_or(0, SurveyCard::luxury_spots),
        resource => plot.spots(resource),
    }
}

pub(super) fn place_of(location: Location) -> Place {
    match location {
        Location::Warehouse(seat) => Warehouse(seat),
        Location::Spot(plot, resource) => Spots(plot, resource),
    }
}

/// §3.2: the RIGS of a seat stand in its warehouse and on its plots.
pub(super) fn locations(table: &Table, seat: Seat) -> impl Iterator<Item = Location> + use<'_> {
    let idle = rigs_at(table, Warehouse(seat)) > 0;
    let warehouse = idle.then_some(Location::Warehouse(seat));
    let working = plots(table, seat).filter_map(|plot| {
        rigs_on(table, plot).map(|(resource, _)| Location::Spot(plot, resource))
    });
    warehouse.into_iter().chain(working)
}

pub(super) fn has_rigs(table: &Table, seat: Seat) -> bool {
    locations(table, seat).next().is_some()
}

pub(super) fn rigs_of(table: &Table, seat: Seat) -> u32 {
    locations(table, seat).map(|location| rigs_at(table, place_of(location))).sum()
}

pub(super) fn harvests(table: &Table, seat: Seat, resource: Resource) -> bool {
    plots(table, seat).any(|plot| rigs_at(table, Spots(plot, resource)) > 0)
}

/// §3.1: whether a RIGS that leaves `from` may stand on such a spot of the plot.
pub(super) fn has_room(table: &Table, from: Location, plot: Plot, resource: Resource) -> bool {
    let stays = |it: Resource| {
        let leaves = from == Location::Spot(plot, it);
        rigs_at(table, Spots(plot, it)) > u32::from(leaves)
    };
    let alone = Resource::all().filter(|&it| it != resource).all(|it| !stays(it));
    alone && rigs_at(table, Spots(plot, resource)) < capacity(table, plot, resource)
}

/// §3.1: the spots of a plot on which a RIGS that leaves `from` may stand.
pub(super) fn spots_for(
    table: &Table,
    from: Location,
    plot: Plot,
) -> impl Iterator<Item = Location> + use<'_> {
    // RIGS that stay on the plot fix the kind of spot; otherwise every kind is possible.
    let fixed = rigs_on(table, plot)
        .filter(|&(resource, rigs)| rigs > u32::from(from == Location::Spot(plot, resource)));
    let kinds = Resource::all();
    let kinds = kinds.filter(move |&it| fixed.is_none_or(|(resource, _)| resource == it));
    kinds.map(move |resource| Location::Spot(plot, resource)).filter(move |&to| to != from).filter(
        move |&to| matches!(to, Location::Spot(plot, it) if has_room(table, from, plot, it)),
    )
}

/// The disaster that limits the production of a seat, or Safe.
pub(super) fn lasting_disaster(table: &Table, seat: Seat) -> DisasterKind {
    table.first::<DisasterCard>(Front(seat)).map_or(DisasterKind::Safe, DisasterCard::kind)
}

pub(super) fn leader(table: &Table) -> Seat {
    table.get(Leader).expect("the colony has a leader from its first round")
}

// === Paying ===

pub(super) fn spend(
    d: &mut Dealer,
    seat: Seat,
    resource: Resource,
    needed: u32,
) -> Result<(), Refusal> {
    let there = units(d, seat, resource);
    if there < needed {
        return Err(Refusal::TooFew { resource, needed, there });
    }
    d.pay(Unit(resource), Warehouse(seat), Bank, needed);
    Ok(())
}

pub(super) fn pay(d: &mut Dealer, units: Resources, from: Place, to: Place) {
    for (resource, amount) in units.iter() {
        d.pay(Unit(resource), from, to, amount);
    }
}
