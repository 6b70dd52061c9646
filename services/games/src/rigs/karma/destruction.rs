//! Destruction (§13): nothing prevents it, but its effects may be lessened afterwards.

use table::{Dealer, Seat, Set, Table};

use super::{
    hands::{discard, draw, lose_karma, show_hand},
    stage::{FIRST, StagedCard, put_on_stage, staged_card},
};
use crate::rigs::{
    actions::{Action, Aim},
    colony::{all_plots, has_rigs, rigs_at, rigs_of, rigs_on, stock, units},
    losses::{ask_to_lose_rigs, destroy_rigs, lose_all, lose_half, lose_units, lost_units},
    phases::{clear_ready, interrupt_together},
    refusals::Refusal,
    resources::Resources,
    vocabulary::{Coin::*, Decision, Karma, Mark::*, Place::*, Resource},
};

// === Targets ===

/// §12.6
pub(super) fn aims(table: &Table, seat: Seat, card: Karma) -> Vec<Aim> {
    use Karma::*;
    let victims = |can: &dyn Fn(Seat) -> bool| {
        table.others(seat).filter(|&it| can(it)).map(Aim::Seat).collect()
    };
    match card {
        MissingSupport => {
            let mut aims: Vec<Aim> = victims(&|it| rigs_at(table, Warehouse(it)) > 0);
            aims.extend(worked_plots(table, seat));
            aims
        }
        BadOsRevision | WrongManual => victims(&|it| has_rigs(table, it)),
        EyeForAnEye | NotThatOne => victims(&|it| !table.is_bare(Hand(it))),
        AccidentalDumping => victims(&|it| units(table, it, Resource::Luxury) > 0),
        LeftTheLightOn => victims(&|it| units(table, it, Resource::Energy) > 0),
        DaRoofIsOnFire => victims(&|it| stock(table, it).total() > 0),
        RoughStorm => vec![Aim::Nothing],
        Blowout => worked_plots(table, seat).collect(),
        _ => list_losses(table, seat),
    }
}

/// The plots of other seats with RIGS on them.
fn worked_plots(table: &Table, seat: Seat) -> impl Iterator<Item = Aim> + use<'_> {
    let theirs = all_plots(table).filter(move |(owner, _)| *owner != seat);
    theirs.filter(|it| rigs_on(table, it.1).is_some()).map(|it| Aim::Plot(it.1))
}

// === Effects ===

/// §13.1: it takes effect at once, and no seat is asked for an answer.
pub(super) fn play(d: &mut Dealer, seat: Seat, card: Karma, aim: &Aim) {
    put_on_stage(d, FIRST, seat, card, aim);
    let StagedCard { victim, plot, .. } =
        staged_card(d, FIRST).expect("the card was just put there");
    match (card, victim) {
        (Karma::RoughStorm, _) => roll_storm(d, seat),
        (_, Some(victim)) => match card {
            // §13.2
            Karma::MissingSupport => {
                let spots = plot.and_then(|plot| Some(Spots(plot, rigs_on(d, plot)?.0)));
                destroy_rigs(d, victim, spots.unwrap_or(Warehouse(victim)), 1);
            }
            // §13.3, §13.4
            Karma::BadOsRevision => ask_to_lose_rigs(d, victim, rigs_of(d, victim).div_ceil(2)),
            Karma::WrongManual => ask_to_lose_rigs(d, victim, 1),
            // §13.5
            Karma::EyeForAnEye => {
                d.draw(Hand(victim), KarmaDiscard);
                lose_karma(d, victim, 1);
            }
            // §13.6
            Karma::NotThatOne => {
                // §20.4
                if d.count(Hand(victim)) == 1 {
                    d.gather(Hand(victim), KarmaDiscard);
                    lose_karma(d, victim, 1);
                } else {
                    show_hand(d, seat, victim);
                    d.interrupt(seat, Decision::DiscardTheirs);
                }
            }
            // §13.9, §13.10
            Karma::AccidentalDumping => lose_all(d, victim, Resource::Luxury),
            Karma::LeftTheLightOn => lose_half(d, victim, Resource::Energy),
            // §13.11
            Karma::DaRoofIsOnFire => {
                let lost = stock(d, victim);
                lose_units(d, victim, lost, Bank);
                draw(d, victim, (lost.total() as u32).div_ceil(10));
            }
            // §13.13
            Karma::Blowout => {
                let plot = plot.expect("Blowout! is played on a plot");
                let (resource, rigs) = rigs_on(d, plot).expect("the plot has RIGS");
                destroy_rigs(d, victim, Spots(plot, resource), rigs);
                draw(d, victim, 1);
            }
            _ => match_loss(d, seat, victim, aim),
        },
        _ => unreachable!("every other Destruction has a victim"),
    }
}

// === Not THAT one ===

pub(super) fn list_their_cards(table: &Table, legal: &mut Vec<Action>) {
    let Some(victim) = table.get::<Seat>(Victim(FIRST)) else { return };
    let hand = table.pieces::<Karma>(Hand(victim));
    legal.extend(hand.iter().map(|card| Action::Discard { card }));
}

/// §13.6
pub(super) fn discard_theirs(d: &mut Dealer, seat: Seat, card: Karma) -> Result<(), Refusal> {
    let victim = d.get::<Seat>(Victim(FIRST)).expect("the card has a victim");
    if !d.lies(card, Hand(victim)) {
        return Err(Refusal::NoSuchCard { card });
    }
    d.answer(seat);
    d.put(card, KarmaDiscard);
    lose_karma(d, victim, 1);
    Ok(())
}

// === Rough Storm ===

/// §13.12
fn roll_storm(d: &mut Dealer, seat: Seat) {
    let mut choosing = Vec::new();
    for it in d.from(seat) {
        let roll = d.roll(it);
        let stock = stock(d, it);
        if roll == 6 || stock.total() == 0 {
            continue;
        }
        let kinds = stock.iter().filter(|(_, amount)| *amount > 0).count();
        if stock.total() <= u64::from(roll) {
            lose_to_storm(d, it, stock);
        } else if kinds == 1 {
            // §20.4
            lose_to_storm(d, it, Resources([roll; 4]).up_to(stock));
        } else {
            d.mark(Due(it), roll as i16);
            choosing.push(it);
        }
    }
    choosing.into_iter().for_each(|it| interrupt_together(d, it, Decision::Throw));
}

/// §13.12, §12.7
fn lose_to_storm(d: &mut Dealer, seat: Seat, units: Resources) {
    lose_units(d, seat, units, Bank);
    clear_ready(d, seat);
    draw(d, seat, 1);
}

pub(super) fn list_throws(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let due = u32::from(table.marked(Due(seat)).unsigned_abs());
    let parts = stock(table, seat).parts(due);
    legal.extend(parts.into_iter().map(|units| Action::Throw { units }));
}

/// §13.12
pub(super) fn throw(d: &mut Dealer, seat: Seat, units: Resources) -> Result<(), Refusal> {
    let needed = u32::from(d.marked(Due(seat)).unsigned_abs());
    if units.total() != u64::from(needed) || !units.within(stock(d, seat)) {
        return Err(Refusal::WrongAmount { needed });
    }
    d.answer(seat);
    d.mark(Due(seat), 0);
    lose_to_storm(d, seat, units);
    Ok(())
}

// === I Ain't Going Alone ===

/// §13.7, §13.8: the most recent loss, if there is one, and examples of what may be discarded now.
fn list_losses(table: &Table, seat: Seat) -> Vec<Aim> {
    let mut losses = Vec::new();
    let stock = stock(table, seat);
    let others = table.pieces::<Karma>(Hand(seat)).without(&Set::one(Karma::IAintGoingAlone));
    for victim in table.others(seat) {
        let loss = |units, cards| Aim::Loss { victim, units, cards };
        if has_lost(table, seat) {
            losses.push(loss(Resources::none(), Set::EMPTY));
        }
        let held = stock.iter().filter(|(_, amount)| *amount > 0);
        losses.extend(held.map(|(resource, _)| loss(Resources::one(resource), Set::EMPTY)));
        losses.extend(others.iter().next().map(|card| loss(Resources::none(), Set::one(card))));
    }
    losses
}

fn has_lost(table: &Table, seat: Seat) -> bool {
    table.is_marked(LostKarma(seat)) || lost_units(table, seat).total() > 0
}

/// §13.8
pub(super) fn can_match(
    table: &Table,
    seat: Seat,
    victim: Seat,
    units: Resources,
    cards: Set<Karma>,
) -> bool {
    let hand = table.pieces(Hand(seat)).without(&Set::one(Karma::IAintGoingAlone));
    let made_now = units.total() > 0 || !cards.is_empty();
    table.has_seat(victim)
        && victim != seat
        && units.within(stock(table, seat))
        && cards.within(&hand)
        && (made_now || has_lost(table, seat))
}

/// §13.7; §13.8: what the player discards now is not remembered as a loss.
fn match_loss(d: &mut Dealer, seat: Seat, victim: Seat, aim: &Aim) {
    let &Aim::Loss { units, cards, .. } = aim else { return };
    let (mut units, mut karma) = (units, cards.len());
    if units.total() == 0 && cards.is_empty() {
        karma = usize::from(d.marked(LostKarma(seat)).unsigned_abs());
        let units_too = karma == 0 || d.is_marked(LostBoth(seat));
        units = if units_too { lost_units(d, seat) } else { Resources::none() };
    } else {
        for (resource, amount) in units.iter() {
            d.pay(Unit(resource), Warehouse(seat), Bank, amount);
        }
        cards.iter().for_each(|card| d.put(card, KarmaDiscard));
    }
    let lost = units.up_to(stock(d, victim));
    lose_units(d, victim, lost, Bank);
    let held = d.count(Hand(victim));
    let karma = karma.min(held);
    if karma > 0 {
        lose_karma(d, victim, karma);
        // §12.8
        d.mark(LostBoth(victim), (lost.total() > 0).into());
    }
    // §20.4
    if karma == held {
        d.gather(Hand(victim), KarmaDiscard);
    } else if karma > 0 {
        d.mark(Due(victim), karma as i16);
        d.interrupt(victim, Decision::Match);
    }
}

pub(super) fn match_card(d: &mut Dealer, seat: Seat, card: Karma) -> Result<(), Refusal> {
    discard(d, seat, card)?;
    d.mark(Due(seat), d.marked(Due(seat)) - 1);
    if !d.is_marked(Due(seat)) {
        d.answer(seat);
    }
    Ok(())
}
