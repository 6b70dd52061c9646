//! The colony: plots, spots and RIGS, set-up, and the loss of RIGS and resources.

use table::{Component, Dealer, Piece, Seat, Small, Table};

use super::{
    Action, Coin::*, Decision, DisasterCard, Karma, Location, Mark::*, Place, Place::*, Plot,
    ROUNDS, Refusal, Resource, Resources, SurveyCard, cards::DisasterKind,
};
use crate::rigs::{interrupt_together, karma};

// === Reading ===

impl Resources {
    pub fn none() -> Resources {
        Resources::default()
    }
    pub fn one(resource: Resource) -> Resources {
        Resources::of(resource, 1)
    }
    pub fn of(resource: Resource, amount: u32) -> Resources {
        let mut units = Resources::none();
        units.0[resource.index()] = amount;
        units
    }
    pub fn get(self, resource: Resource) -> u32 {
        self.0[resource.index()]
    }
    pub fn iter(self) -> impl Iterator<Item = (Resource, u32)> {
        Resource::all().zip(self.0)
    }
    /// The units of all kinds together. Messages may hold any amounts, so it is wider than one.
    pub fn total(self) -> u64 {
        self.0.iter().map(|&amount| u64::from(amount)).sum()
    }
    pub fn within(self, other: Resources) -> bool {
        self.0.iter().zip(other.0).all(|(mine, theirs)| *mine <= theirs)
    }
    pub fn up_to(self, other: Resources) -> Resources {
        Resources(std::array::from_fn(|n| self.0[n].min(other.0[n])))
    }
    /// Every way to choose `total` units out of these.
    pub(super) fn parts(self, total: u32) -> Vec<Resources> {
        let mut parts = vec![(Resources::none(), total)];
        for (resource, most) in self.iter() {
            let more = |(part, left): (Resources, u32)| {
                (0..=most.min(left)).map(move |amount| {
                    let mut part = part;
                    part.0[resource.index()] = amount;
                    (part, left - amount)
                })
            };
            parts = parts.into_iter().flat_map(more).collect();
        }
        parts.into_iter().filter(|(_, left)| *left == 0).map(|(part, _)| part).collect()
    }
}

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

/// The disaster that limits the production of a seat, or Safe.
pub(super) fn lasting_disaster(table: &Table, seat: Seat) -> DisasterKind {
    table.first::<DisasterCard>(Front(seat)).map_or(DisasterKind::Safe, DisasterCard::kind)
}

pub(super) fn leader(table: &Table) -> Seat {
    table.get(Leader).expect("the colony has a leader from its first round")
}

// === Set-up ===

/// §1.7
const RIGS_IN_THE_COLONY: u32 = 75;
/// §1.8: scripts of each resource that Vinnie lends.
const SCRIPTS: u32 = 20;
/// The resources that Vinnie lends and that a die values at the end.
pub(super) const LENT: [Resource; 3] = [Resource::Energy, Resource::Supply, Resource::Metal];
/// §2.1: credits, RIGS, and units of Energy and of Supply.
const KIT: (u32, u32, u32) = (100, 5, 5);
/// §2.2: plots dealt to all seats together.
const PLOTS_DEALT: usize = 12;

/// §2
pub(super) fn set_up(d: &mut Dealer) {
    d.pay(Rig, Bank, Works, RIGS_IN_THE_COLONY);
    LENT.into_iter().for_each(|it| d.pay(Script(it), Bank, Vinnie, SCRIPTS));
    // §2.3
    for _ in 0..ROUNDS {
        d.draw(EndMarketDeck, MarketDeck);
    }
    let (credits, rigs, units) = KIT;
    for seat in d.seats() {
        d.pay_aloud(Credit, Bank, Purse(seat), credits);
        d.pay(Rig, Works, Warehouse(seat), rigs);
        d.pay(Unit(Resource::Energy), Bank, Warehouse(seat), units);
        d.pay(Unit(Resource::Supply), Bank, Warehouse(seat), units);
        for _ in 0..PLOTS_DEALT / d.seat_count() {
            d.draw(PlotDeck, Owned(seat));
        }
    }
}

/// The invariants of RIGS and cards.
pub(super) fn check(table: &Table) -> Result<(), String> {
    let name = |piece: Piece| table.layout().piece_name(piece);
    for plot in Plot::all() {
        let rigs = |it| rigs_at(table, Spots(plot, it));
        if Resource::all().filter(|&it| rigs(it) > 0).count() > 1 {
            return Err(format!("the RIGS on {} harvest two resources", name(plot.into())));
        }
        if Resource::all().any(|it| rigs(it) > capacity(table, plot, it)) {
            return Err(format!("two RIGS share a spot of {}", name(plot.into())));
        }
        if rigs_on(table, plot).is_some() && owner(table, plot).is_none() {
            return Err(format!("{} has RIGS and no owner", name(plot.into())));
        }
    }
    for seat in table.seats() {
        let salvages = (seat, Decision::Salvage.into());
        let mut prompts = table.prompts().iter().map(|prompt| (prompt.seat, prompt.decision));
        if rigs_at(table, Wreck(seat)) > 0 && !prompts.any(|prompt| prompt == salvages) {
            return Err(format!("seat {seat} is not asked where its lost RIGS go"));
        }
        if table.pieces::<DisasterCard>(Front(seat)).len() > 1 {
            return Err(format!("seat {seat} has two disasters in front of it"));
        }
    }
    match table.pieces::<Piece>(DisasterDeck).iter().find(|&it| DisasterCard::of(it).is_none()) {
        Some(other) => Err(format!("{} is in the disaster deck", name(other))),
        None => Ok(()),
    }
}

// === Losses ===

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
    let cards = [Karma::Recycling, Karma::PartsShop].map(|card| karma::has(d, seat, card));
    match cards.into() {
        (true, true) => {}
        (true, false) => _ = d.pay_all(Rig, Wreck(seat), Recycled),
        (false, true) => _ = d.pay_all(Rig, Wreck(seat), Parts),
        (false, false) => _ = d.pay_all(Rig, Wreck(seat), Works),
    }
    // §17.2: once the last of several RIGS is lost.
    let is_last = count > 0 && !d.is_marked(Due(seat));
    if is_last && karma::has(d, seat, Karma::PushPullOrDrag) && rigs_at(d, Works) > 0 {
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
