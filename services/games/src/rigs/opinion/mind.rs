//! The value of units, RIGS and plots to a seat, in tenths of a credit.

use table::{Seat, Set, Small, Table};

use crate::rigs::{
    actions::Location,
    colony::{LENT, capacity, plots, rigs_at, rigs_on, survey_of, units},
    phases::ROUNDS,
    production,
    resources::Resources,
    vocabulary::{
        Coin::*,
        Decision,
        Mark::*,
        Phase,
        Place::*,
        Plot, Resource,
        Resource::{Energy, Luxury, Metal, Supply},
    },
};

pub(super) const CREDIT: i32 = 10;
/// §18.3: a unit is worth a die in the end.
pub(super) const DIE: i32 = 35;
/// §1.6: the average of the market cards.
pub(super) const QUOTE: i32 = 126;
/// The average value of a Luxury, which may be lost before it is sold.
pub(super) const LUXURY: i32 = 110;
/// The price below which a Luxury is kept for another round, §11.2.
pub(super) const PATIENCE: i32 = 130;
/// The value of a unit of Energy that powers one more plot in each round, §10.2.
pub(super) const POWER: i32 = 60;
/// The value of a unit of Supply that is used, and the cost of moving a RIGS from its work, §6.7.
pub(super) const USED_SUPPLY: i32 = 30;
pub(super) const UPROOTED: i32 = 160;
/// The cost of the first loan; each further loan costs more.
pub(super) const LOAN: i32 = 30;
/// Offers and their answers come first, because the end of a turn closes them (§5.10).
pub(super) const DEAL: i32 = 100_000;
/// The value of an action that is taken only if there is no other.
pub(super) const NEVER: i32 = -100_000;

pub(super) struct Mind<'a> {
    pub table: &'a Table,
    pub seat: Seat,
    /// The number of remaining Production phases.
    pub left: i32,
    /// How many units are worth more than the rest, and their value.
    pub needs: [i32; Resource::COUNT],
    pub scarce: [i32; Resource::COUNT],
    pub plenty: [i32; Resource::COUNT],
    /// The value of a unit made in each of these phases.
    pub made: [i32; Resource::COUNT],
}

impl<'a> Mind<'a> {
    pub(super) fn of(table: &'a Table, seat: Seat) -> Mind<'a> {
        let is_past = matches!(Phase::of(table), Phase::Market);
        let left = i32::from(ROUNDS - table.round()) + i32::from(!is_past);
        let mut mind = Mind {
            table,
            seat,
            left,
            needs: [0; Resource::COUNT],
            scarce: [0; Resource::COUNT],
            plenty: [DIE, DIE, DIE, LUXURY],
            made: [DIE, DIE, DIE, LUXURY],
        };
        if left > 0 {
            mind.weigh();
        }
        mind
    }

    /// Raises the value of scarce resources above that of a die.
    fn weigh(&mut self) {
        let (mut income, mut powered, mut free) = ([0; Resource::COUNT], 0, 0);
        for plot in plots(self.table, self.seat) {
            let worked = rigs_on(self.table, plot);
            if let Some((resource, rigs)) = worked {
                income[resource.index()] += rigs as i32;
                powered += i32::from(resource != Energy);
            }
            let spots = capacity(self.table, plot, Luxury) as i32;
            free += match worked {
                Some((Luxury, rigs)) => spots - rigs as i32,
                Some(_) => 0,
                None => spots,
            };
        }
        let have = |resource| units(self.table, self.seat, resource) as i32;
        let idle = rigs_at(self.table, Warehouse(self.seat)) as i32;
        // §10.2: for this round and the next; §6.7: for an idle RIGS.
        self.needs[Energy.index()] = (2 * powered - income[Energy.index()]).max(0);
        self.needs[Supply.index()] = i32::from(idle > 0);
        (self.scarce[Energy.index()], self.plenty[Energy.index()]) = (60, 20);
        self.scarce[Supply.index()] = 70;
        // §6.6: two Metal are a RIGS, which is worth more where a Luxury spot is free.
        let rig = self.left * if free > idle { 70 } else { 32 };
        self.plenty[Metal.index()] = (rig / 2 - 80).max(DIE);

        let lasts = income[Energy.index()] * self.left + have(Energy) > powered * self.left;
        self.made[Energy.index()] = if lasts { 10 } else { 96 };
        self.made[Supply.index()] = 60;
        // A RIGS that makes Metal would rather make Luxury.
        self.made[Metal.index()] = 0;
    }

    /// The value of one more unit.
    pub(super) fn price(&self, resource: Resource) -> i32 {
        let n = resource.index();
        let lacks = (units(self.table, self.seat, resource) as i32) < self.needs[n];
        if lacks { self.scarce[n] } else { self.plenty[n] }
    }

    /// The value of `amount` units in the warehouse.
    pub(super) fn stored(&self, resource: Resource, amount: i32) -> i32 {
        let n = resource.index();
        let needed = amount.min(self.needs[n]);
        needed * self.scarce[n] + (amount - needed) * self.plenty[n]
    }

    pub(super) fn units(&self, units: Resources) -> i32 {
        units.iter().map(|(resource, amount)| self.price(resource) * amount as i32).sum()
    }

    // === RIGS, §6 ===

    /// The output of one more RIGS on a spot per round, less the Energy for a plot that starts.
    pub(super) fn spot(&self, resource: Resource, first: bool) -> i32 {
        self.made[resource.index()] - if first && resource != Energy { POWER } else { 0 }
    }

    /// The output of a RIGS at a location in all remaining rounds.
    pub(super) fn rig(&self, at: Location) -> i32 {
        match at {
            Location::Warehouse(_) => 0,
            Location::Spot(plot, resource) => {
                let rigs = rigs_at(self.table, Spots(plot, resource));
                self.left * self.spot(resource, rigs == 1)
            }
        }
    }

    pub(super) fn moving(&self, from: Location, to: Location) -> i32 {
        let gain = match to {
            Location::Warehouse(_) => return -1,
            Location::Spot(plot, resource) => {
                let rigs = rigs_at(self.table, Spots(plot, resource));
                self.left * self.spot(resource, rigs == 0)
            }
        };
        let pays = if matches!(from, Location::Warehouse(_)) { 0 } else { UPROOTED };
        gain - self.rig(from) - USED_SUPPLY - pays
    }

    /// §6.6
    pub(super) fn build(&self) -> i32 {
        let spots = |plot: Plot| {
            let of = |resource| capacity(self.table, plot, resource);
            let most = match rigs_on(self.table, plot) {
                Some((resource, rigs)) => of(resource) - rigs,
                None => Resource::all().map(of).max().unwrap_or(0),
            };
            most as i32
        };
        let free: i32 = plots(self.table, self.seat).map(spots).sum();
        if free <= rigs_at(self.table, Warehouse(self.seat)) as i32 {
            return -1;
        }
        self.left * 30 - 2 * DIE - USED_SUPPLY
    }

    /// §1.3, §18.2: two of three surveys show a Luxury spot, which doubles a plot.
    pub(super) fn survey(&self, plot: Plot) -> i32 {
        let doubled = plot.land().market_cards() as i32 * QUOTE * 2 / 3;
        doubled + self.left * 20 - USED_SUPPLY
    }

    // === Production, §10 ===

    /// The gain of a choice of plots over the current one.
    pub(super) fn power(&self, chosen: Set<Plot>) -> i32 {
        let makes = |plot: Plot| {
            let made = production::make(self.table, self.seat, plot);
            made.map_or(0, |it| self.price(it.0) * it.1 as i32) - DIE
        };
        let now = |plot: &Plot| self.table.is_marked(Powered(*plot));
        let own = || plots(self.table, self.seat);
        let more: i32 = chosen.iter().filter(|it| !now(it)).map(makes).sum();
        more - own().filter(|it| now(it) && !chosen.has(*it)).map(makes).sum::<i32>()
    }

    /// §7, §18.4: a loan is worthwhile if it brings more than it costs at the end.
    pub(super) fn borrow(&self, resource: Resource) -> i32 {
        let cost = LOAN + 10 * self.owed();
        match (self.table.decision(self.seat), resource) {
            (Some(Decision::Turn), Supply) if units(self.table, self.seat, Supply) == 0 => {
                let idle = rigs_at(self.table, Warehouse(self.seat)) > 0;
                if idle { self.left * 60 - cost } else { -cost }
            }
            // The second of two for a RIGS.
            (Some(Decision::Turn), Metal) if units(self.table, self.seat, Metal) == 1 => {
                self.build() - cost
            }
            (Some(Decision::Produce | Decision::Readjust), Energy) => match self.spare_energy() {
                0 => self.best_idle() - cost - DIE,
                _ => -cost,
            },
            _ => -cost,
        }
    }

    pub(super) fn owed(&self) -> i32 {
        LENT.iter().map(|&it| self.table.coins(Script(it), Debts(self.seat))).sum()
    }

    /// The Energy that is left for another plot; below 0 if the seat lacks some.
    fn spare_energy(&self) -> i32 {
        let spare = |plot| match production::make(self.table, self.seat, plot) {
            Some((Energy, made)) => made as i32,
            _ => -i32::from(self.table.is_marked(Powered(plot))),
        };
        let stored = units(self.table, self.seat, Energy) as i32;
        stored + plots(self.table, self.seat).map(spare).sum::<i32>()
    }

    /// The output of the best plot without power.
    fn best_idle(&self) -> i32 {
        let idle = plots(self.table, self.seat).filter(|&it| !self.table.is_marked(Powered(it)));
        let made = idle.filter_map(|it| production::make(self.table, self.seat, it));
        let worth = made.filter(|it| it.0 != Energy).map(|it| self.price(it.0) * it.1 as i32);
        worth.max().unwrap_or(0)
    }

    // === The position, §18 ===

    pub(super) fn idle_rig(&self) -> i32 {
        self.left * 25
    }

    /// The value of a plot with everything on it.
    pub(super) fn plot(&self, plot: Plot) -> i32 {
        let made =
            rigs_on(self.table, plot).map_or(0, |it| self.made[it.0.index()] * it.1 as i32 - DIE);
        land(self.table, plot) + self.left * made.max(20)
    }
}

/// §18.2: an unsurveyed plot may still double.
pub(super) fn land(table: &Table, plot: Plot) -> i32 {
    let cards = plot.land().market_cards() as i32 * QUOTE;
    match survey_of(table, plot) {
        None => cards * 4 / 3,
        Some(survey) if survey.luxury_spots() > 0 => cards * 2 + survey.luxury_spots() as i32,
        Some(_) => cards,
    }
}
