//! The Production phase (§10): plots are powered, the Last Call is made, and what the RIGS make
//! comes to the warehouses.

use std::cmp::Reverse;

use table::{Dealer, Seat, Set, Small, Table};

use super::{
    actions::Action,
    cards::DisasterKind,
    colony::{all_plots, lasting_disaster, leader, plots, rigs_on, units},
    deals, disasters,
    phases::{all_ready, ask_to_readjust, ask_unready, clear_all_ready, settle},
    refusals::Refusal,
    resources::Resources,
    vocabulary::{
        Announcement, Coin::*, Decision, Karma, Land, Mark::*, Phase, Place::*, Plot, Resource,
    },
};

/// §10.1; §7.3: loans are counted for each phase.
pub(super) fn begin(d: &mut Dealer) {
    Phase::Production.begin(d, leader(d));
    clear_all_ready(d);
    d.seats().for_each(|seat| d.mark(Borrowed(seat), 0));
    d.seats().for_each(|seat| lay_out(d, seat));
}

/// §20.5: the default choice of powered plots.
fn lay_out(d: &mut Dealer, seat: Seat) {
    let made = |&plot: &Plot| make(d, seat, plot).filter(|it| it.1 > 0 && !powers_itself(d, plot));
    let mut plots: Vec<Plot> = plots(d, seat).filter(|plot| made(plot).is_some()).collect();
    // The sort is stable, so among equals the first of the catalogue is powered.
    plots.sort_by_key(|plot| made(plot).map(|(resource, amount)| Reverse((amount, resource))));
    plots.truncate((available_energy(d, seat) / cost(d, seat)) as usize);
    if !plots.is_empty() {
        plots.iter().for_each(|&plot| d.mark(Powered(plot), 1));
        d.announce(Announcement::Powers, seat, plots.len() as i16);
    }
}

// === The output and the cost of a plot ===

/// §10.5: the output of a plot if it runs. Diversion and power are not considered here.
pub(super) fn make(table: &Table, owner: Seat, plot: Plot) -> Option<(Resource, u32)> {
    let (resource, rigs) = rigs_on(table, plot)?;
    // §15.4, §15.12
    let broken = table.lies(Karma::IncorrectDrivers, On(plot))
        || table.lies(Karma::CarrierLost, Front(owner));
    let rigs = match (lasting_disaster(table, owner), plot.land(), resource) {
        _ if broken => 0,
        // §9.4, §9.6, §9.5
        (DisasterKind::SolarEclipse, Land::Desert, Resource::Energy) => 0,
        (DisasterKind::Infestation, _, Resource::Supply) => 0,
        (DisasterKind::SeasonalHell, Land::Valley, _) => rigs.min(1),
        _ => rigs,
    };
    // §16.2, §16.9: the two multiply.
    let doubled = if table.lies(Karma::RidiculousEfficiency, Front(owner)) { 2 } else { 1 };
    let tripled = if table.lies(Karma::RigsTdm, On(plot)) { 3 } else { 1 };
    Some((resource, rigs * doubled * tripled))
}

/// §10.3: a plot whose RIGS harvest Energy always runs.
fn powers_itself(table: &Table, plot: Plot) -> bool {
    rigs_on(table, plot).is_some_and(|(resource, _)| resource == Resource::Energy)
}

/// §15.7
fn is_diverted(table: &Table, plot: Plot) -> bool {
    table.lies(Karma::YouSentItWhere, On(plot))
}

/// §10.2, §15.8: the Energy that powers one plot.
fn cost(table: &Table, seat: Seat) -> u32 {
    if table.lies(Karma::Brownout, Front(seat)) { 2 } else { 1 }
}

fn need(table: &Table, seat: Seat, powered: usize) -> u32 {
    cost(table, seat) * powered as u32
}

/// The Energy that the plots of a seat make, except what is diverted (§15.7).
fn made_energy(table: &Table, seat: Seat) -> u32 {
    let own = plots(table, seat).filter(|&plot| !is_diverted(table, plot));
    let made = own.filter_map(|plot| make(table, seat, plot));
    made.filter(|it| it.0 == Resource::Energy).map(|it| it.1).sum()
}

/// §10.4, §9.8: the part of the Energy made this round that may power plots.
fn usable_energy(table: &Table, seat: Seat) -> u32 {
    match lasting_disaster(table, seat) {
        DisasterKind::EnergyJunctionFailure => 0,
        _ => made_energy(table, seat),
    }
}

fn available_energy(table: &Table, seat: Seat) -> u32 {
    units(table, seat, Resource::Energy) + usable_energy(table, seat)
}

fn powered(table: &Table, seat: Seat) -> Set<Plot> {
    plots(table, seat).filter(|&plot| table.is_marked(Powered(plot))).collect()
}

/// §10.4
fn check_energy(table: &Table, seat: Seat, plots: usize) -> Result<(), Refusal> {
    let needed = need(table, seat, plots);
    // Usually the stored Energy suffices, and counting what plots make is skipped.
    if needed <= units(table, seat, Resource::Energy) {
        return Ok(());
    }
    let there = available_energy(table, seat);
    if needed > there { Err(Refusal::NotEnoughEnergy { needed, there }) } else { Ok(()) }
}

// === Laying out production ===

/// §20.8: is ready with the present layout, or powers what it still can.
pub(super) fn passive(table: &Table, seat: Seat) -> Action {
    let now = powered(table, seat);
    if check_energy(table, seat, now.len()).is_ok() {
        return Action::Ready;
    }
    let most = (available_energy(table, seat) / cost(table, seat)) as usize;
    Action::Power { plots: now.iter().take(most).collect() }
}

/// §20.7: whether a plot that could make something is not powered.
pub(super) fn is_short(table: &Table, seat: Seat) -> bool {
    let makes = |&plot: &Plot| make(table, seat, plot).is_some_and(|it| it.1 > 0);
    let idle = |plot: &Plot| !runs(table, *plot);
    let now = powered(table, seat).len();
    plots(table, seat).filter(makes).any(|plot| idle(&plot))
        || check_energy(table, seat, now).is_err()
}

pub(super) fn list_last_call(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if table.decision(seat) == Some(Decision::CallLast) {
        legal.push(Action::LastCall);
    }
}

pub(super) fn list_unready(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if can_unready(table, seat).is_ok() {
        legal.push(Action::Unready);
    }
}

pub(super) fn list_ready(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if lays_out(table, seat) && check_energy(table, seat, powered(table, seat).len()).is_ok() {
        legal.push(Action::Ready);
    }
}

/// Whether a seat may change what it powers. §10.9: after the Last Call even one that was ready.
fn lays_out(table: &Table, seat: Seat) -> bool {
    !table.is_marked(Ready(seat)) || table.decision(seat) == Some(Decision::Readjust)
}

/// §19.2: examples are no plot, as many as there is Energy for, and the present choice with one
/// plot more or less. Any set of powerable plots may be chosen.
pub(super) fn list_powering(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if !lays_out(table, seat) {
        return;
    }
    let powerable: Set<Plot> = powerable(table, seat);
    let most = (available_energy(table, seat) / cost(table, seat)) as usize;
    let now = powered(table, seat);
    let mut examples = vec![Set::EMPTY, powerable.iter().take(most).collect()];
    for plot in powerable.iter() {
        let one = Set::one(plot);
        let other = if now.has(plot) { now.without(&one) } else { now.or(&one) };
        examples.push(other);
    }
    for plots in examples {
        let action = Action::Power { plots };
        if plots != now && plots.len() <= most && !legal.contains(&action) {
            legal.push(action);
        }
    }
}

/// §10.2: plots with RIGS that do not harvest Energy.
fn powerable(table: &Table, seat: Seat) -> Set<Plot> {
    let worked = plots(table, seat).filter(|&plot| rigs_on(table, plot).is_some());
    worked.filter(|&plot| !powers_itself(table, plot)).collect()
}

/// §10.1, §10.2
pub(super) fn power(d: &mut Dealer, seat: Seat, chosen: Set<Plot>) -> Result<(), Refusal> {
    if d.is_marked(Ready(seat)) && d.decision(seat) == Some(Decision::Produce) {
        return Err(Refusal::ReadyAlready);
    }
    if let Some(plot) = chosen.without(&d.pieces(Owned(seat))).iter().next() {
        return Err(Refusal::NotYourPlot { plot });
    }
    if let Some(plot) = chosen.without(&powerable(d, seat)).iter().next() {
        return Err(Refusal::NothingToPower { plot });
    }
    check_energy(d, seat, chosen.len())?;
    plots(d, seat).for_each(|plot| d.mark(Powered(plot), chosen.has(plot).into()));
    d.announce(Announcement::Powers, seat, chosen.len() as i16);
    Ok(())
}

/// §10.4
pub(super) fn ready(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    if d.is_marked(Ready(seat)) {
        return Err(Refusal::ReadyAlready);
    }
    check_energy(d, seat, powered(d, seat).len())?;
    settle(d, seat);
    d.announce(Announcement::IsReady, seat, 0);
    Ok(())
}

/// §10.12: how often a seat may take back `ready` in one phase. A deal or a card makes it unready
/// without counting.
const UNREADY_MAX: u32 = 3;

fn can_unready(table: &Table, seat: Seat) -> Result<u32, Refusal> {
    if !table.is_marked(Ready(seat)) {
        return Err(Refusal::NotReady);
    }
    if all_ready(table) {
        return Err(Refusal::AllReady);
    }
    let times = u32::from(table.marked(Unreadied(seat)).unsigned_abs());
    if times >= UNREADY_MAX {
        return Err(Refusal::TooManyUnready { most: UNREADY_MAX });
    }
    Ok(times)
}

/// §10.6, §10.12
pub(super) fn unready(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    let times = can_unready(d, seat)?;
    d.mark(Unreadied(seat), times as i16 + 1);
    d.mark(Ready(seat), 0);
    d.announce(Announcement::IsNotReady, seat, 0);
    Ok(())
}

// === The Last Call ===

/// §20.10: seats are asked this only in older matches.
pub(super) fn call_last(d: &mut Dealer, leader: Seat) -> Result<(), Refusal> {
    d.close_layer();
    make_last_call(d, leader);
    Ok(())
}

/// §10.6; §5.10: the Last Call closes every offer.
fn make_last_call(d: &mut Dealer, leader: Seat) {
    deals::close_all(d);
    d.mark(LastCalled, 1);
    d.announce(Announcement::LastCall, leader, 0);
    clear_all_ready(d);
}

/// §10.8
pub(super) fn pass(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    settle(d, seat);
    Ok(())
}

/// §10.8: asks every seat that has not passed and holds a karma card.
fn ask_for_karma(d: &mut Dealer) {
    let asked = |seat: &Seat| !d.is_marked(Ready(*seat)) && !d.is_bare(Hand(*seat));
    let asked: Vec<Seat> = d.seats().filter(asked).collect();
    for seat in d.seats() {
        match (d.prompt(seat).is_some(), asked.contains(&seat)) {
            (false, true) => d.ask(seat, Decision::Final),
            (true, false) => d.answer(seat),
            (true, true) | (false, false) => {}
        }
    }
}

/// §10.9
pub(super) fn readjusted(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    check_energy(d, seat, powered(d, seat).len())?;
    d.answer(seat);
    Ok(())
}

/// §10.1: asks every seat again. §10.7: one that lacks the Energy for its powered plots must change
/// its layout. §10.6, §20.6: once all are ready, the Last Call is made.
pub(super) fn ask(d: &mut Dealer) {
    let lacks = |seat: &Seat| check_energy(d, *seat, powered(d, *seat).len()).is_err();
    let lacking: Vec<Seat> = d.seats().filter(lacks).collect();
    if !d.is_marked(LastCalled) {
        lacking.iter().for_each(|&seat| ask_to_readjust(d, seat));
        if !all_ready(d) {
            return ask_unready(d, Decision::Produce, |_, _| true);
        }
        d.close_layer();
        make_last_call(d, leader(d));
    }
    ask_for_karma(d);
    lacking.iter().for_each(|&seat| ask_to_readjust(d, seat));
}

// === Production is final ===

/// §10.8, §10.10: every seat has passed.
pub(super) fn finish(d: &mut Dealer) {
    let made: Vec<(Seat, Resources)> = d.seats().map(|seat| (seat, produced(d, seat))).collect();
    let diverted = diverted(d);
    for (seat, units) in made {
        deliver(d, seat, units);
    }
    if let Some((to, resource, amount)) = diverted {
        store(d, to, Resources::of(resource, amount));
    }
    clear_table(d);
}

/// The output of a seat's running plots, except what is diverted.
fn produced(table: &Table, seat: Seat) -> Resources {
    let mut made = Resources::none();
    for plot in plots(table, seat).filter(|&plot| runs(table, plot) && !is_diverted(table, plot)) {
        if let Some((resource, amount)) = make(table, seat, plot) {
            made.0[resource.index()] += amount;
        }
    }
    made
}

fn runs(table: &Table, plot: Plot) -> bool {
    powers_itself(table, plot) || table.is_marked(Powered(plot))
}

/// §15.7: the seat that gets the diverted production, and the amount.
fn diverted(table: &Table) -> Option<(Seat, Resource, u32)> {
    let to = table.get(SentTo)?;
    let (seat, plot) = all_plots(table).find(|it| is_diverted(table, it.1))?;
    let (resource, amount) = make(table, seat, plot).filter(|_| runs(table, plot))?;
    Some((to, resource, amount))
}

/// §10.10: pays for the powered plots and delivers the rest.
fn deliver(d: &mut Dealer, seat: Seat, mut made: Resources) {
    let need = need(d, seat, powered(d, seat).len());
    let fresh = usable_energy(d, seat).min(need);
    d.pay(Unit(Resource::Energy), Warehouse(seat), Bank, need - fresh);
    made.0[Resource::Energy.index()] -= fresh;
    store(d, seat, made);
}

/// §9.7, §15.7: a seat with a failed charger loses the Energy that it gets this round.
fn store(d: &mut Dealer, seat: Seat, mut made: Resources) {
    let energy = &mut made.0[Resource::Energy.index()];
    if lasting_disaster(d, seat) == DisasterKind::BatteryChargerFailure && *energy > 0 {
        d.announce(Announcement::Wasted, seat, *energy as i16);
        *energy = 0;
    }
    for (resource, amount) in made.iter() {
        d.pay(Unit(resource), Bank, Warehouse(seat), amount);
    }
}

/// §10.11
fn clear_table(d: &mut Dealer) {
    for (_, plot) in all_plots(d).collect::<Vec<_>>() {
        d.mark(Powered(plot), 0);
        d.pieces::<Karma>(On(plot)).iter().for_each(|card| d.put(card, KarmaDiscard));
    }
    for seat in d.seats() {
        disasters::discard_disaster(d, seat);
        let limits = [Karma::RidiculousEfficiency, Karma::Brownout, Karma::CarrierLost];
        let limits = limits.into_iter().filter(|&card| d.lies(card, Front(seat)));
        limits.collect::<Vec<_>>().into_iter().for_each(|card| d.put(card, KarmaDiscard));
    }
    d.set::<Seat>(SentTo, None);
    d.mark(LastCalled, 0);
    clear_all_ready(d);
}
