//! Sabotage (§15), and the Protection that answers it (§14).
//!
//! The other seats are asked clockwise for an answer. A card that redirects the Sabotage goes on
//! the next position of the stage, and all are asked again. When no seat answers, the Sabotage
//! takes effect as the last card directs it.

use table::{Dealer, Seat, Small, Table};

use super::{
    hands::{draw, lose_karma, show_hand},
    protection::{has_guards, roll_to_protect},
    stage::{FIRST, clear_stage, put_on_stage, staged_card},
};
use crate::rigs::{
    actions::{Action, Aim, Location},
    colony::{
        all_plots, leader, owner, pay, place_of, plots, rigs_on, spots_for, stock, survey_of, units,
    },
    deals,
    losses::{displace, lose_units},
    phases::{ask_to_readjust, clear_ready, interrupt_together},
    refusals::Refusal,
    resources::Resources,
    vocabulary::{
        Announcement, Coin::*, Decision, Depth, Karma, Mark::*, Place::*, Plot, Resource,
    },
};

// === Targets ===

/// §12.6
pub(super) fn aims(table: &Table, seat: Seat, card: Karma) -> Vec<Aim> {
    use Karma::*;
    match card {
        GiveMeThat | IllTakeThat => {
            let armed = table.others(seat).filter(|&it| !table.is_bare(Hand(it)));
            armed.map(Aim::Seat).collect()
        }
        IdentityTheft | Brownout | CarrierLost => table.others(seat).map(Aim::Seat).collect(),
        IWantThat => {
            let is_held = |&it: &Resource| table.others(seat).any(|s| units(table, s, it) > 0);
            Resource::all().filter(is_held).map(Aim::Resource).collect()
        }
        // §15.10
        SurveyTypo => {
            let surveyed: Vec<Plot> = all_plots(table)
                .map(|it| it.1)
                .filter(|&it| survey_of(table, it).is_some())
                .collect();
            pairs(&surveyed, &surveyed)
        }
        // §15.9: any surveyed plot, one's own too.
        SurveyError => all_plots(table)
            .filter(|it| survey_of(table, it.1).is_some())
            .map(|it| Aim::Plot(it.1))
            .collect(),
        // §15.4, §15.11, §15.13: any plot, one's own too.
        IncorrectDrivers | RecordNotFound | TriangulationDrift => {
            table.seats().flat_map(|owner| plots_of(table, owner, card)).collect()
        }
        _ => table.others(seat).flat_map(|other| plots_of(table, other, card)).collect(),
    }
}

/// The plots of a seat that a card for one plot can be played on.
fn plots_of(table: &Table, other: Seat, card: Karma) -> Vec<Aim> {
    let suits = |plot: &Plot| match card {
        Karma::SurveyError => survey_of(table, *plot).is_some(),
        Karma::RecordNotFound => true,
        _ => rigs_on(table, *plot).is_some(),
    };
    plots(table, other).filter(suits).map(Aim::Plot).collect()
}

/// Every pair of plots, each once.
fn pairs(some: &[Plot], others: &[Plot]) -> Vec<Aim> {
    let pair = |&plot: &Plot| {
        let later = others.iter().filter(move |&&other| other != plot);
        later.map(move |&other| if plot < other { (plot, other) } else { (other, plot) })
    };
    let mut pairs: Vec<(Plot, Plot)> = some.iter().flat_map(pair).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs.into_iter().map(|(plot, other)| Aim::Plots(plot, other)).collect()
}

fn is_on_a_plot(card: Karma) -> bool {
    use Karma::*;
    matches!(
        card,
        IncorrectDrivers | YouSentItWhere | SurveyError | RecordNotFound | TriangulationDrift
    )
}

/// §14.10: whether a seat plays no Sabotage for the rest of the round.
pub(super) fn is_barred(table: &Table, seat: Seat, card: Karma) -> bool {
    card.is_sabotage() && table.lies(Karma::AintWorkingForYou, Front(seat))
}

// === The current Sabotage ===

/// §14.2: the Sabotage as the cards on the stage direct it.
struct Sabotage {
    card: Karma,
    owner: Seat,
    /// The seat that gains by it.
    beneficiary: Seat,
    victim: Option<Seat>,
    plot: Option<Plot>,
    other: Option<Plot>,
    resource: Option<Resource>,
    /// The victim that Wrong Address chose, which may be the seat that gains.
    redirected_to: Option<Seat>,
    /// The seat that a Sabotage on many does not affect.
    spared: Option<Seat>,
    /// The player of Right Back At You.
    turned_by: Option<Seat>,
    /// The player of the last card on the stage, and its position.
    last: Seat,
    depth: Depth,
}

fn current(table: &Table) -> Sabotage {
    let first = staged_card(table, FIRST).expect("a sabotage is under way");
    let mut it = Sabotage {
        card: first.card,
        owner: first.by,
        beneficiary: first.by,
        victim: first.victim,
        plot: first.plot,
        other: first.other,
        resource: first.resource,
        redirected_to: None,
        spared: None,
        turned_by: None,
        last: first.by,
        depth: FIRST,
    };
    for depth in Depth::all().skip(1) {
        let Some(answer) = staged_card(table, depth) else { break };
        (it.last, it.depth) = (answer.by, depth);
        match answer.card {
            // §14.13
            Karma::WrongAddress if answer.plot.is_some() && it.card == Karma::SurveyTypo => {
                it.redirected_to = answer.plot.and_then(|plot| owner(table, plot));
                it.victim = None;
                let its_own = |plot: Plot| owner(table, plot) == Some(answer.by);
                match (answer.other, it.plot) {
                    (None, Some(plot)) if its_own(plot) => it.plot = answer.plot,
                    (None, _) => it.other = answer.plot,
                    (other, _) => (it.plot, it.other) = (answer.plot, other),
                }
            }
            // §14.4
            Karma::WrongAddress if answer.victim.is_none() => it.spared = Some(answer.by),
            // §14.5
            Karma::WrongAddress => {
                it.redirected_to = answer.victim;
                (it.victim, it.plot) = (answer.victim, answer.plot);
            }
            // §14.7
            Karma::RightBackAtYou => {
                it.turned_by = Some(answer.by);
                it.redirected_to = None;
                it.beneficiary = it.victim.unwrap_or(answer.by);
                it.victim = Some(it.owner);
                (it.plot, it.other) = (answer.plot, answer.other);
            }
            // §14.9: Double Agent.
            _ => {
                (it.owner, it.beneficiary) = (answer.by, answer.by);
                (it.spared, it.turned_by, it.redirected_to) = (None, None, None);
                it.victim = answer.victim;
                (it.plot, it.other, it.resource) = (answer.plot, answer.other, answer.resource);
            }
        }
    }
    it
}

impl Sabotage {
    fn is_on_many(&self) -> bool {
        self.card == Karma::IWantThat && self.victim.is_none()
    }

    fn affects(&self, table: &Table, seat: Seat) -> bool {
        let gains = seat == self.beneficiary && self.redirected_to != Some(seat);
        if table.marked(Guarded(seat)) == SAVED {
            return false;
        }
        match (self.card, self.victim) {
            (Karma::SurveyTypo, None) => {
                let owners = [self.plot, self.other].map(|it| owner(table, it?));
                owners.contains(&Some(seat)) && !gains
            }
            (_, Some(victim)) => victim == seat && !gains,
            (_, None) => {
                let wanted = self.resource.is_some_and(|it| units(table, seat, it) > 0);
                wanted && !gains && self.spared != Some(seat)
            }
        }
    }
}

// === Answers ===

/// §20.7
pub(in crate::rigs) fn is_affected(table: &Table, seat: Seat) -> bool {
    current(table).affects(table, seat)
}

pub(super) fn play(d: &mut Dealer, seat: Seat, card: Karma, aim: &Aim) {
    put_on_stage(d, FIRST, seat, card, aim);
    ask_for_reactions(d, seat);
}

/// Values of the mark `guarded`.
const NOT_SAVED: i16 = 1;
const SAVED: i16 = 2;

/// §14.11: rolls for the cards in play of every seat that the Sabotage affects and that has not
/// rolled against it. Returns whether the Sabotage goes on.
fn pass_guards(d: &mut Dealer) -> bool {
    let it = current(d);
    let rolls =
        |&seat: &Seat| it.affects(d, seat) && !d.is_marked(Guarded(seat)) && has_guards(d, seat);
    let mut is_stopped = false;
    for seat in d.from(it.beneficiary).filter(rolls).collect::<Vec<_>>() {
        let saved = roll_to_protect(d, seat);
        d.mark(Guarded(seat), if saved { SAVED } else { NOT_SAVED });
        if saved {
            d.announce(Announcement::Unaffected, seat, 0);
            let goes_on = it.is_on_many() && d.seats().any(|seat| it.affects(d, seat));
            is_stopped |= !goes_on;
        }
    }
    if is_stopped {
        cancel(d);
    }
    !is_stopped
}

/// §14.1: all are asked at once.
fn ask_for_reactions(d: &mut Dealer, last: Seat) {
    if !pass_guards(d) {
        return;
    }
    let sabotage = current(d);
    let asked: Vec<Seat> = d.others(last).filter(|&it| may_react(d, it, &sabotage)).collect();
    asked.iter().for_each(|&it| interrupt_together(d, it, Decision::React));
    if asked.is_empty() {
        take_effect(d);
    }
}

/// The cards that answer a Sabotage.
const ANSWERS: [Karma; 5] = [
    Karma::WrongAddress,
    Karma::CallingInAFavor,
    Karma::AintWorkingForYou,
    Karma::RightBackAtYou,
    Karma::DoubleAgent,
];

/// §14.1, §20.1: whether, as far as everyone knows, a seat may hold a card that answers it.
fn may_react(table: &Table, seat: Seat, sabotage: &Sabotage) -> bool {
    let mut answers = ANSWERS.into_iter().filter(|&card| is_hidden(table, card));
    !table.is_bare(Hand(seat)) && answers.any(|it| !reactions(table, seat, it, sabotage).is_empty())
}

/// Whether a card may be in any hand: it is in a hand or in the deck.
fn is_hidden(table: &Table, card: Karma) -> bool {
    matches!(table.place(card), Some(KarmaDeck | Hand(_)))
}

/// §14.2
pub(super) fn decline_to_react(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    if !d.live().any(|prompt| prompt.decision == Decision::React.into()) {
        take_effect(d);
    }
    Ok(())
}

pub(super) fn list_reactions(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    legal.push(Action::Pass);
    let sabotage = current(table);
    for card in table.pieces::<Karma>(Hand(seat)).iter() {
        let aims = reactions(table, seat, card, &sabotage).into_iter();
        legal.extend(aims.map(|aim| Action::Play { card, aim }));
    }
}

/// §14.3: the targets of a card that answers the Sabotage; empty if the card cannot answer it.
fn reactions(table: &Table, seat: Seat, card: Karma, it: &Sabotage) -> Vec<Aim> {
    use Karma::*;
    match card {
        // §14.4, §14.5
        WrongAddress if it.affects(table, seat) => {
            let mut aims = vec![Aim::Nothing];
            let others = table.others(seat);
            if it.card == SurveyTypo {
                aims.extend(redirected_surveys(table, seat, it));
            } else if is_on_a_plot(it.card) {
                aims.extend(others.flat_map(|other| plots_of(table, other, it.card)));
            } else if it.victim.is_some() {
                aims.extend(others.filter(|&to| can_be_redirected(table, it, to)).map(Aim::Seat));
            }
            aims
        }
        // §14.6, §14.10
        CallingInAFavor => vec![Aim::Nothing],
        AintWorkingForYou if seat != it.owner => vec![Aim::Nothing],
        // §14.7
        RightBackAtYou if seat != it.owner && it.victim != Some(it.owner) => {
            let aims = turned_back_aims(table, it);
            if aims.is_empty() { vec![Aim::Nothing] } else { aims }
        }
        // §14.9: a seat that plays no more Sabotage may only discard it.
        DoubleAgent if seat != it.owner && is_barred(table, seat, it.card) => vec![Aim::Nothing],
        DoubleAgent if seat != it.owner => {
            let mut uses = aims(table, seat, it.card);
            uses.insert(0, Aim::Nothing);
            uses
        }
        _ => Vec::new(),
    }
}

/// §14.5: a theft is not redirected to the seat that gains by it.
fn can_be_redirected(table: &Table, it: &Sabotage, to: Seat) -> bool {
    match it.card {
        Karma::Brownout | Karma::CarrierLost => true,
        Karma::IdentityTheft => to != it.beneficiary,
        Karma::IWantThat => {
            to != it.beneficiary
                && it.resource.is_some_and(|resource| units(table, to, resource) > 0)
        }
        _ => to != it.beneficiary && !table.is_bare(Hand(to)),
    }
}

fn surveyed(table: &Table, chosen: impl Fn(Seat) -> bool) -> Vec<Plot> {
    let theirs = all_plots(table).filter(|(owner, _)| chosen(*owner)).map(|it| it.1);
    theirs.filter(|&plot| survey_of(table, plot).is_some()).collect()
}

/// §14.13: the surveys that a Survey Typo may swap instead of those of a seat: as many, all of one
/// seat that has no plot in it.
fn redirected_surveys(table: &Table, seat: Seat, it: &Sabotage) -> Vec<Aim> {
    let owners = [it.plot, it.other].map(|plot| owner(table, plot?));
    let has_both = owners == [Some(seat); 2];
    let unaffected = table.others(seat).filter(|&to| !owners.contains(&Some(to)));
    let aims = unaffected.flat_map(|to| {
        let theirs = surveyed(table, |owner| owner == to);
        if has_both { pairs(&theirs, &theirs) } else { theirs.into_iter().map(Aim::Plot).collect() }
    });
    aims.collect()
}

/// §14.7: the plots that Right Back At You may choose.
fn turned_back_aims(table: &Table, it: &Sabotage) -> Vec<Aim> {
    if it.card == Karma::SurveyTypo {
        let own = surveyed(table, |seat| seat == it.owner);
        let both = surveyed(table, |seat| seat == it.owner || it.affects(table, seat));
        return pairs(&own, &both);
    }
    if is_on_a_plot(it.card) { plots_of(table, it.owner, it.card) } else { Vec::new() }
}

pub(super) fn react(d: &mut Dealer, seat: Seat, card: Karma, aim: &Aim) -> Result<(), Refusal> {
    let sabotage = current(d);
    let aims = reactions(d, seat, card, &sabotage);
    if aims.is_empty() {
        return Err(Refusal::WrongTime { card });
    }
    if !aims.contains(aim) {
        let uses_it = card == Karma::DoubleAgent && is_barred(d, seat, sabotage.card);
        return Err(if uses_it { Refusal::NoMoreSabotage } else { Refusal::BadAim { card } });
    }
    // §14.1: the first card counts, and the other seats are asked about what it leads to.
    d.close_layer();
    match (card, aim) {
        (Karma::AintWorkingForYou, _) => send_back(d, &sabotage),
        (Karma::CallingInAFavor, _) | (Karma::DoubleAgent, Aim::Nothing) => discard_both(d, card),
        (Karma::WrongAddress, Aim::Nothing) if !sabotage.is_on_many() => discard_both(d, card),
        _ => redirect(d, seat, card, aim, &sabotage),
    }
    Ok(())
}

/// §14.4, §14.6, §14.9: the Sabotage and the card that answers it are discarded without effect.
fn discard_both(d: &mut Dealer, card: Karma) {
    d.put(card, KarmaDiscard);
    cancel(d);
}

fn cancel(d: &mut Dealer) {
    let by = current(d).owner;
    d.announce(Announcement::Averted, by, 0);
    clear_stage(d);
}

/// §14.10: Ain't Working for You stays in front of the owner until the round ends (§11.4).
fn send_back(d: &mut Dealer, sabotage: &Sabotage) {
    d.put(Karma::AintWorkingForYou, Front(sabotage.owner));
    d.put(sabotage.card, Hand(sabotage.owner));
    d.announce(Announcement::Returned, sabotage.owner, 0);
    clear_stage(d);
}

/// §14.2: the card goes on the stage, and all are asked again.
fn redirect(d: &mut Dealer, seat: Seat, card: Karma, aim: &Aim, sabotage: &Sabotage) {
    let depth = Depth::nth(sabotage.depth.index() + 1);
    put_on_stage(
        d,
        depth.expect("only three cards redirect a Sabotage, and each exists once"),
        seat,
        card,
        aim,
    );
    if card == Karma::DoubleAgent {
        d.seats().for_each(|seat| d.mark(Guarded(seat), 0));
        d.announce(Announcement::TakenOver, seat, 0);
    }
    if card == Karma::RightBackAtYou {
        clear_ready(d, sabotage.owner);
    }
    ask_for_reactions(d, seat);
}

// === Effects ===

/// §14.2; §14.11: cards in play have rolled, unless the Sabotage was played under other rules.
fn take_effect(d: &mut Dealer) {
    if !pass_guards(d) {
        return;
    }
    let it = current(d);
    if it.card == Karma::IWantThat {
        return collect_units(d, &it);
    }
    let on = (it.victim, it.plot, it.other);
    match (it.card, on) {
        // §15.10, §15.9
        (Karma::SurveyTypo, (_, Some(plot), Some(other))) => swap_surveys(d, plot, other),
        (Karma::SurveyError, (_, Some(plot), _)) => {
            d.gather(On(plot), SurveyDeck);
            displace(d, plot);
        }
        // §15.13, §15.11
        (Karma::TriangulationDrift, (_, Some(_), _)) => d.interrupt(it.beneficiary, Decision::Send),
        (Karma::RecordNotFound, (Some(victim), Some(plot), _)) => {
            let others: Vec<Seat> = d.others(victim).collect();
            match others[..] {
                // §20.4
                [only] => move_plot(d, victim, plot, only),
                _ => d.interrupt(leader(d), Decision::NewOwner),
            }
        }
        // §15.4, §15.7
        (Karma::IncorrectDrivers | Karma::YouSentItWhere, (Some(victim), Some(plot), _)) => {
            d.put(it.card, On(plot));
            if it.card == Karma::YouSentItWhere {
                d.set(SentTo, Some(it.beneficiary));
            }
            ask_to_readjust(d, victim);
        }
        // §15.8, §15.12
        (Karma::Brownout | Karma::CarrierLost, (Some(victim), ..)) => {
            d.put(it.card, Front(victim));
            if it.card == Karma::CarrierLost {
                draw(d, victim, 1);
            }
            ask_to_readjust(d, victim);
        }
        (Karma::IdentityTheft, (Some(victim), ..)) => swap_credits(d, it.beneficiary, victim),
        // §14.12
        (Karma::GiveMeThat | Karma::IllTakeThat, (Some(victim), ..))
            if !d.is_bare(Hand(victim)) =>
        {
            // §14.12
            if is_hidden(d, Karma::Decoy) {
                d.interrupt(victim, Decision::GiveDecoy);
            } else {
                take_from(d, victim);
            }
        }
        _ => cancel(d),
    }
}

// === Karma hands: Give Me That!, I'll Take THAT! ===

pub(super) fn list_decoy(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    legal.push(Action::Pass);
    if table.lies(Karma::Decoy, Hand(seat)) {
        legal.push(Action::Play { card: Karma::Decoy, aim: Aim::Nothing });
    }
}

/// §14.12
pub(super) fn give_decoy(
    d: &mut Dealer,
    seat: Seat,
    card: Karma,
    aim: &Aim,
) -> Result<(), Refusal> {
    if card != Karma::Decoy {
        return Err(Refusal::WrongTime { card });
    }
    if *aim != Aim::Nothing {
        return Err(Refusal::BadAim { card });
    }
    d.answer(seat);
    d.put(card, Hand(current(d).beneficiary));
    lose_karma(d, seat, 1);
    Ok(())
}

/// §15.1, §15.5
pub(super) fn give_no_decoy(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    take_from(d, seat);
    Ok(())
}

/// §15.1, §15.5; §20.4: there is no choice from a hand of one card.
fn take_from(d: &mut Dealer, victim: Seat) {
    let it = current(d);
    if it.card == Karma::GiveMeThat || d.count(Hand(victim)) == 1 {
        d.draw(Hand(victim), Hand(it.beneficiary));
        lose_karma(d, victim, 1);
    } else {
        show_hand(d, it.beneficiary, victim);
        d.interrupt(it.beneficiary, Decision::TakeCard);
    }
}

pub(super) fn list_takes(table: &Table, legal: &mut Vec<Action>) {
    let Some(victim) = current(table).victim else { return };
    let hand = table.pieces::<Karma>(Hand(victim));
    legal.extend(hand.iter().map(|card| Action::Take { card }));
}

/// §15.5
pub(super) fn take(d: &mut Dealer, seat: Seat, card: Karma) -> Result<(), Refusal> {
    let victim = current(d).victim.expect("the card has a victim");
    if !d.lies(card, Hand(victim)) {
        return Err(Refusal::NoSuchCard { card });
    }
    d.answer(seat);
    d.put(card, Hand(seat));
    lose_karma(d, victim, 1);
    Ok(())
}

// === Identity Theft ===

/// §15.2
fn swap_credits(d: &mut Dealer, thief: Seat, victim: Seat) {
    deals::close_of(d, [thief, victim]);
    let [mine, theirs] = [thief, victim].map(|it| d.coins(Credit, Purse(it)).max(0) as u32);
    d.pay(Credit, Purse(thief), Purse(victim), mine);
    d.pay(Credit, Purse(victim), Purse(thief), theirs);
    d.interrupt(victim, Decision::Robbed);
}

/// §15.3
pub(super) fn draw_three(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    draw(d, seat, 3);
    Ok(())
}

/// §15.3
pub(super) fn receive(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    d.put(Karma::IdentityTheft, Awaited(seat));
    Ok(())
}

// === I WANT THAT! ===

/// §15.6, §12.7: each affected seat rolls and gives that many. §14.8: turned back, the units stay
/// on the stage until they are shared out.
fn collect_units(d: &mut Dealer, it: &Sabotage) {
    let resource = it.resource.expect("I WANT THAT! names a resource");
    let to = if it.turned_by.is_some() { Stage(FIRST) } else { Warehouse(it.beneficiary) };
    for seat in d.from(it.beneficiary) {
        if !it.affects(d, seat) || units(d, seat, resource) == 0 {
            continue;
        }
        let given = Resources::of(resource, d.roll(seat)).up_to(stock(d, seat));
        lose_units(d, seat, given, to);
        clear_ready(d, seat);
    }
    if it.turned_by.is_some() {
        share_out(d);
    }
}

/// §14.8: the seats that I WANT THAT! was meant for, or else the player of Right Back At You.
pub(in crate::rigs) fn recipients(table: &Table) -> Vec<Seat> {
    let it = current(table);
    let meant = |seat: &Seat| {
        it.spared != Some(*seat)
            && it.resource.is_some_and(|resource| units(table, *seat, resource) > 0)
    };
    let recipients: Vec<Seat> = table.others(it.owner).filter(meant).collect();
    if recipients.is_empty() { vec![it.beneficiary] } else { recipients }
}

pub(in crate::rigs) fn collected(table: &Table) -> Resources {
    let on_stage = |n| Resource::nth(n).map(|it| table.coins(Unit(it), Stage(FIRST)).max(0) as u32);
    Resources(std::array::from_fn(|n| on_stage(n).expect("an amount for each resource")))
}

fn share_out(d: &mut Dealer) {
    let (recipients, units) = (recipients(d), collected(d));
    match recipients[..] {
        _ if units.total() == 0 => {}
        [only] => {
            pay(d, units, Stage(FIRST), Warehouse(only));
            clear_ready(d, only);
        }
        _ => {
            let sharer =
                current(d).turned_by.expect("units are shared out only after Right Back At You");
            d.interrupt(sharer, Decision::Share);
        }
    }
}

pub(super) fn list_shares(table: &Table, legal: &mut Vec<Action>) {
    legal.extend(recipients(table).into_iter().map(|seat| Action::Name { seat }));
}

/// §14.8
pub(super) fn share(d: &mut Dealer, seat: Seat, to: Seat) -> Result<(), Refusal> {
    if !recipients(d).contains(&to) {
        return Err(Refusal::CannotName { seat: to });
    }
    let resource = current(d).resource.expect("I WANT THAT! names a resource");
    d.pay(Unit(resource), Stage(FIRST), Warehouse(to), 1);
    clear_ready(d, to);
    if collected(d).total() == 0 {
        d.answer(seat);
    }
    Ok(())
}

// === Plots: Survey Typo, Record Not Found, Triangulation Drift ===

/// §15.10
fn swap_surveys(d: &mut Dealer, plot: Plot, other: Plot) {
    let (here, there) = (survey_of(d, plot), survey_of(d, other));
    if let (Some(here), Some(there)) = (here, there) {
        d.put(here, On(other));
        d.put(there, On(plot));
        displace(d, plot);
        displace(d, other);
        for owner in [owner(d, plot), owner(d, other)].into_iter().flatten() {
            clear_ready(d, owner);
        }
    }
}

pub(super) fn list_new_owners(table: &Table, legal: &mut Vec<Action>) {
    let Some(victim) = current(table).victim else { return };
    legal.extend(table.others(victim).map(|seat| Action::Name { seat }));
}

/// §15.11
pub(super) fn give_plot(d: &mut Dealer, leader: Seat, to: Seat) -> Result<(), Refusal> {
    let it = current(d);
    let (Some(victim), Some(plot)) = (it.victim, it.plot) else { return Err(Refusal::NotNow) };
    if to == victim || !d.has_seat(to) {
        return Err(Refusal::CannotName { seat: to });
    }
    d.answer(leader);
    move_plot(d, victim, plot, to);
    Ok(())
}

fn move_plot(d: &mut Dealer, victim: Seat, plot: Plot, to: Seat) {
    d.put(plot, Owned(to));
    d.mark(LandMoved, 1);
    clear_ready(d, to);
    draw(d, victim, 1);
}

/// §15.13
pub(super) fn list_destinations(table: &Table, legal: &mut Vec<Action>) {
    let Some((plot, from)) = next_to_send(table) else { return };
    let spots = all_plots(table).filter(|it| it.1 != plot);
    let spots = spots.flat_map(|(_, to)| spots_for(table, from, to));
    let warehouses = table.seats().map(Location::Warehouse);
    legal.extend(warehouses.chain(spots).map(|to| Action::Send { to }));
}

/// The chosen plot, and the location of the next RIGS that is sent away.
pub(in crate::rigs) fn next_to_send(table: &Table) -> Option<(Plot, Location)> {
    let plot = current(table).plot?;
    rigs_on(table, plot).map(|(resource, _)| (plot, Location::Spot(plot, resource)))
}

/// §15.13
pub(super) fn send(d: &mut Dealer, seat: Seat, to: Location) -> Result<(), Refusal> {
    let (plot, from) = next_to_send(d).expect("a RIGS is left to send");
    let fits = match to {
        Location::Warehouse(seat) => d.has_seat(seat),
        Location::Spot(other, _) if other == plot => false,
        Location::Spot(other, _) => {
            owner(d, other).is_some() && spots_for(d, from, other).any(|it| it == to)
        }
    };
    if !fits {
        return Err(Refusal::NoRoom);
    }
    d.pay(Rig, place_of(from), place_of(to), 1);
    let receiver = match to {
        Location::Warehouse(owner) => Some(owner),
        Location::Spot(other, _) => owner(d, other),
    };
    receiver.into_iter().for_each(|it| clear_ready(d, it));
    if next_to_send(d).is_none() {
        d.answer(seat);
        let victim = current(d).victim.expect("the plot has an owner");
        draw(d, victim, 1);
    }
    Ok(())
}
