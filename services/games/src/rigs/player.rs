//! The Player phase (§6, §7): the land grant, the Expedition Leader, and the turns.

use std::cmp::Reverse;

use table::{Dealer, Seat, Table};

use super::{
    actions::{Action, Location},
    colony::{
        LENT, capacity, has_room, leader, locations, place_of, plots, rigs_at, spend, spots_for,
        survey_of, units,
    },
    deals,
    karma::{
        hands,
        in_play::{list_cashing, list_tinkering},
    },
    phases::{allow_interrupts, clear_all_ready, reset_counts, settle},
    refusals::Refusal,
    vocabulary::{
        Announcement, Coin::*, Decision, Karma, Land, Mark::*, Phase, Place::*, Plot, Resource,
    },
};

pub(super) fn begin_round(d: &mut Dealer, round: u8) {
    d.begin_round(round);
    Phase::Player.begin(d, Seat::default());
    clear_all_ready(d);
    d.mark(Tinkered, 0);
    for seat in d.seats() {
        d.gather(Awaited(seat), Hand(seat));
        d.mark(Borrowed(seat), 0);
        d.mark(Dealt(seat), 0);
    }
    if round == 1 || d.is_bare(PlotDeck) { begin_turns(d) } else { grant_land(d) }
}

// === Land grant ===

/// §6.1: draws a plot for each seat, as far as the deck goes.
fn grant_land(d: &mut Dealer) {
    let leader = leader(d);
    d.seats().for_each(|_| _ = d.draw(PlotDeck, Grant(leader)));
    d.ask(leader, Decision::Grant);
}

pub(super) fn list_grants(table: &Table, leader: Seat, legal: &mut Vec<Action>) {
    let granted = table.pieces(Grant(leader));
    legal.extend(granted.iter().map(|plot| Action::Grant { plot, order: Vec::new() }));
}

pub(super) fn list_recipients(table: &Table, leader: Seat, legal: &mut Vec<Action>) {
    legal.extend(without_plot(table, leader).map(|seat| Action::Name { seat }));
}

pub(super) fn without_plot(table: &Table, leader: Seat) -> impl Iterator<Item = Seat> + use<'_> {
    table.others(leader).filter(|&seat| !table.is_marked(Dealt(seat)))
}

/// §6.1, §6.2, §6.3: after the leader's pick the others draw in the order that the leader named;
/// without one, enough plots for all are dealt at random, and if plots are short, the leader names
/// who draws.
pub(super) fn grant(
    d: &mut Dealer,
    leader: Seat,
    plot: Plot,
    order: &[Seat],
) -> Result<(), Refusal> {
    if !d.lies(plot, Grant(leader)) {
        return Err(Refusal::NotGranted { plot });
    }
    if let Some(&seat) = order.iter().find(|&&seat| seat == leader || !d.has_seat(seat)) {
        return Err(Refusal::CannotName { seat });
    }
    d.answer(leader);
    d.put(plot, Owned(leader));
    d.mark(LandMoved, 1);
    for &seat in order.iter().take(d.count(Grant(leader))) {
        draw_plot(d, leader, seat);
    }
    let rest: Vec<Seat> = without_plot(d, leader).collect();
    if d.count(Grant(leader)) >= rest.len() {
        rest.into_iter().for_each(|seat| _ = d.draw(Grant(leader), Owned(seat)));
    }
    if d.is_bare(Grant(leader)) {
        begin_turns(d)
    } else {
        d.ask(leader, Decision::GrantTo)
    }
    Ok(())
}

/// §6.3
pub(super) fn grant_to(d: &mut Dealer, leader: Seat, seat: Seat) -> Result<(), Refusal> {
    if !without_plot(d, leader).any(|it| it == seat) {
        return Err(Refusal::CannotName { seat });
    }
    draw_plot(d, leader, seat);
    if d.is_bare(Grant(leader)) {
        d.answer(leader);
        begin_turns(d);
    }
    Ok(())
}

fn draw_plot(d: &mut Dealer, leader: Seat, seat: Seat) {
    d.mark(Dealt(seat), 1);
    d.draw(Grant(leader), Owned(seat));
}

/// §4.3, §6.4: the leader is determined after any land grant, and has the first turn.
fn begin_turns(d: &mut Dealer) {
    if d.round() == 1 || d.is_marked(LandMoved) {
        choose_leader(d);
    }
    d.mark(LandMoved, 0);
    begin_turn(d, leader(d));
}

// === Expedition Leader ===

/// §4.2, §4.4
fn choose_leader(d: &mut Dealer) {
    let standing = |seat: Seat| {
        let of = |land| plots(d, seat).filter(move |plot| plot.land() == land);
        let barren = of(Land::Plains).filter(|&it| capacity(d, it, Resource::Luxury) == 0).count();
        (barren, Reverse(plots(d, seat).count()), of(Land::Valley).count())
    };
    let worst = d.seats().map(standing).max();
    let mut tied: Vec<Seat> = d.seats().filter(|&seat| Some(standing(seat)) == worst).collect();
    let sitting = d.get(Leader).filter(|seat| tied.contains(seat));
    if let Some(leader) = sitting {
        tied = vec![leader];
    }
    while tied.len() > 1 {
        let rolls: Vec<(Seat, u32)> = tied.iter().map(|&seat| (seat, d.roll(seat))).collect();
        let highest = rolls.iter().map(|(_, roll)| *roll).max();
        tied = rolls.iter().filter(|it| Some(it.1) == highest).map(|it| it.0).collect();
    }
    if d.get(Leader) != Some(tied[0]) {
        d.set(Leader, Some(tied[0]));
        d.announce(Announcement::Leads, tied[0], 0);
    }
}

// === Turns ===

/// §6.4, §5.12
pub(super) fn begin_turn(d: &mut Dealer, seat: Seat) {
    d.begin_turn(seat);
    reset_counts(d);
    d.ask(seat, Decision::Turn);
    allow_interrupts(d, seat);
}

/// §6.5; §5.10: the end of a turn closes every offer.
pub(super) fn end_turn(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    deals::close_all(d);
    d.answer(seat);
    d.close_optional();
    settle(d, seat);
    d.announce(Announcement::IsReady, seat, 0);
    match d.others(seat).find(|&it| !d.is_marked(Ready(it))) {
        Some(next) => begin_turn(d, next),
        None => ask_for_discards(d),
    }
    Ok(())
}

/// §6.9: the hand limit for karma cards at the end of the Player phase.
pub(super) const HAND_MAX: usize = 5;

fn ask_for_discards(d: &mut Dealer) {
    for seat in d.seats().filter(|&seat| d.count(Hand(seat)) > HAND_MAX).collect::<Vec<_>>() {
        d.ask(seat, Decision::Discard);
    }
}

pub(super) fn discard(d: &mut Dealer, seat: Seat, card: Karma) -> Result<(), Refusal> {
    hands::discard(d, seat, card)?;
    if d.count(Hand(seat)) <= HAND_MAX {
        d.answer(seat);
    }
    Ok(())
}

/// §7.2, §16.1, §16.3: the actions of a seat in another's turn of the Player phase, except deals
/// and karma.
pub(super) fn list_interrupts(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if Phase::of(table) == Phase::Player {
        list_loans(table, seat, legal);
        list_cashing(table, seat, legal);
        list_tinkering(table, seat, legal);
    }
}

// === RIGS ===

/// §6.6
const METAL_A_RIGS: u32 = 2;

pub(super) fn can_build(table: &Table, seat: Seat) -> bool {
    units(table, seat, Resource::Metal) >= METAL_A_RIGS && rigs_at(table, Works) > 0
}

/// §6.6; §1.7: the limit of RIGS in existence.
pub(super) fn build(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    if rigs_at(d, Works) == 0 {
        return Err(Refusal::NoRigsLeft);
    }
    spend(d, seat, Resource::Metal, METAL_A_RIGS)?;
    d.pay(Rig, Works, Warehouse(seat), 1);
    Ok(())
}

pub(super) fn list_building(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if can_build(table, seat) {
        legal.push(Action::Build);
    }
}

pub(super) fn list_moves(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if units(table, seat, Resource::Supply) == 0 {
        return;
    }
    let home = Location::Warehouse(seat);
    for from in locations(table, seat) {
        if from != home {
            legal.push(Action::Move { from, to: home });
        }
        for plot in plots(table, seat) {
            legal.extend(spots_for(table, from, plot).map(|to| Action::Move { from, to }));
        }
    }
}

/// §6.7
pub(super) fn move_rig(
    d: &mut Dealer,
    seat: Seat,
    from: Location,
    to: Location,
) -> Result<(), Refusal> {
    if !locations(d, seat).any(|location| location == from) {
        return Err(Refusal::NoRigsThere);
    }
    let fits = match to {
        Location::Warehouse(owner) => owner == seat,
        Location::Spot(plot, resource) => {
            d.lies(plot, Owned(seat)) && has_room(d, from, plot, resource)
        }
    };
    if from == to || !fits {
        return Err(Refusal::NoRoom);
    }
    spend(d, seat, Resource::Supply, 1)?;
    d.pay(Rig, place_of(from), place_of(to), 1);
    Ok(())
}

// === Surveys ===

pub(super) fn list_surveys(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if units(table, seat, Resource::Supply) > 0 && !table.is_bare(SurveyDeck) {
        let unknown = plots(table, seat).filter(|&plot| survey_of(table, plot).is_none());
        legal.extend(unknown.map(|plot| Action::Survey { plot }));
    }
}

/// §6.8
pub(super) fn survey(d: &mut Dealer, seat: Seat, plot: Plot) -> Result<(), Refusal> {
    if !d.lies(plot, Owned(seat)) {
        return Err(Refusal::NotYourPlot { plot });
    }
    if survey_of(d, plot).is_some() {
        return Err(Refusal::Surveyed { plot });
    }
    if d.is_bare(SurveyDeck) {
        return Err(Refusal::NoSurveysLeft);
    }
    spend(d, seat, Resource::Supply, 1)?;
    d.draw(SurveyDeck, On(plot));
    Ok(())
}

// === Vinnie's loans ===

/// §7.4: units paid for each script during the match.
const REPAID: u32 = 2;

/// §7.1, §7.3
pub(super) fn list_loans(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if usize::from(table.marked(Borrowed(seat)).unsigned_abs()) < plots(table, seat).count() {
        let lent = LENT.into_iter().filter(|&it| table.coins(Script(it), Vinnie) > 0);
        legal.extend(lent.map(|resource| Action::Borrow { resource }));
    }
}

/// §7.1, §7.2, §7.3
pub(super) fn borrow(d: &mut Dealer, seat: Seat, resource: Resource) -> Result<(), Refusal> {
    if resource == Resource::Luxury {
        return Err(Refusal::NotLent);
    }
    if !matches!(Phase::of(d), Phase::Player | Phase::Production) {
        return Err(Refusal::NotNow);
    }
    if d.coins(Script(resource), Vinnie) == 0 {
        return Err(Refusal::NoScriptLeft { resource });
    }
    let (borrowed, plots) = (d.marked(Borrowed(seat)), plots(d, seat).count());
    if usize::from(borrowed.unsigned_abs()) >= plots {
        return Err(Refusal::CreditLimit { plots });
    }
    d.mark(Borrowed(seat), borrowed + 1);
    d.pay(Unit(resource), Bank, Warehouse(seat), 1);
    d.pay(Script(resource), Vinnie, Debts(seat), 1);
    Ok(())
}

pub(super) fn list_repayments(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let owed = LENT.into_iter().filter(|&it| table.coins(Script(it), Debts(seat)) > 0);
    let can = owed.filter(|&it| units(table, seat, it) >= REPAID);
    legal.extend(can.map(|resource| Action::Repay { resource }));
}

/// §7.4
pub(super) fn repay(d: &mut Dealer, seat: Seat, resource: Resource) -> Result<(), Refusal> {
    if resource == Resource::Luxury || d.coins(Script(resource), Debts(seat)) == 0 {
        return Err(Refusal::NothingOwed { resource });
    }
    spend(d, seat, resource, REPAID)?;
    d.pay(Script(resource), Debts(seat), Vinnie, 1);
    Ok(())
}
