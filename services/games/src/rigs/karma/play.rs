//! When and on what a karma card may be played, and who answers its decisions.

use table::{Dealer, Seat, Table};

use super::{
    destruction,
    in_play::{SALVAGE, leave, retrieve, salvage, trade_in},
    protection,
    sabotage::{self, is_barred},
    wealth,
};
use crate::rigs::{
    actions::{Action, Aim},
    cards::{Kind, Window},
    phases::clear_all_ready,
    refusals::Refusal,
    vocabulary::{Decision, Karma, Mark::*, Phase, Place::*},
};

/// §12.3
fn window(table: &Table) -> Window {
    match Phase::of(table) {
        Phase::Player => Window::Player,
        Phase::Disaster => Window::Disaster,
        Phase::Production if table.is_marked(LastCalled) => Window::LastCall,
        Phase::Production => Window::Production,
        Phase::Market => Window::Market,
    }
}

/// §12.6: the targets of a card. §19.2: only examples where amounts are chosen.
fn aims(table: &Table, seat: Seat, card: Karma) -> Vec<Aim> {
    match card.kind() {
        Kind::Destruction => destruction::aims(table, seat, card),
        Kind::Sabotage => sabotage::aims(table, seat, card),
        Kind::Wealth => wealth::aims(table, seat, card),
        Kind::Protection => protection::aims(table, seat, card),
    }
}

fn fits(table: &Table, seat: Seat, card: Karma, aim: &Aim) -> bool {
    match (card, aim) {
        (Karma::SwapMeet, &Aim::Swap { give, take }) => wealth::can_swap(table, seat, give, take),
        (Karma::PokerNight, &Aim::Stake(units)) => wealth::can_stake(table, seat, units),
        (Karma::IAintGoingAlone, &Aim::Loss { victim, units, cards }) => {
            destruction::can_match(table, seat, victim, units, cards)
        }
        _ => aims(table, seat, card).contains(aim),
    }
}

pub(in crate::rigs) fn list_plays(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let now = window(table);
    for card in table.pieces::<Karma>(Hand(seat)).iter() {
        if card.windows().contains(&now) && !is_barred(table, seat, card) {
            let aims = aims(table, seat, card).into_iter();
            legal.extend(aims.map(|aim| Action::Play { card, aim }));
        }
    }
}

/// §12.1, §12.4, §12.5
pub(in crate::rigs) fn play(
    d: &mut Dealer,
    seat: Seat,
    decision: Decision,
    card: Karma,
    aim: &Aim,
) -> Result<(), Refusal> {
    if !d.lies(card, Hand(seat)) {
        return Err(Refusal::NotInHand { card });
    }
    match decision {
        Decision::React => return sabotage::react(d, seat, card, aim),
        Decision::GiveDecoy => return sabotage::give_decoy(d, seat, card, aim),
        Decision::Turn
        | Decision::Interrupt
        | Decision::Deal
        | Decision::Produce
        | Decision::CallLast
        | Decision::Final
        | Decision::Draw
        | Decision::Sell => {}
        _ => return Err(Refusal::NotNow),
    }
    if !card.windows().contains(&window(d)) {
        return Err(Refusal::WrongTime { card });
    }
    if is_barred(d, seat, card) {
        return Err(Refusal::NoMoreSabotage);
    }
    if !fits(d, seat, card, aim) {
        return Err(Refusal::BadAim { card });
    }
    // §10.8: after a card is played, all are asked again.
    if decision == Decision::Final {
        clear_all_ready(d);
    }
    match card.kind() {
        Kind::Destruction => destruction::play(d, seat, card, aim),
        Kind::Sabotage => sabotage::play(d, seat, card, aim),
        Kind::Wealth => wealth::play(d, seat, card, aim),
        Kind::Protection => protection::play(d, seat, card),
    }
    Ok(())
}

// === Decisions while a card is resolved ===

pub(in crate::rigs) fn list_answers(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let Some(decision) = table.decision(seat) else { return };
    match decision {
        Decision::React => sabotage::list_reactions(table, seat, legal),
        Decision::GiveDecoy => sabotage::list_decoy(table, seat, legal),
        Decision::TakeCard => sabotage::list_takes(table, legal),
        Decision::Robbed => legal.extend([Action::DrawThree, Action::Receive]),
        Decision::NewOwner => sabotage::list_new_owners(table, legal),
        Decision::Send => sabotage::list_destinations(table, legal),
        Decision::Share => sabotage::list_shares(table, legal),
        Decision::DiscardTheirs => destruction::list_their_cards(table, legal),
        Decision::Throw => destruction::list_throws(table, seat, legal),
        Decision::Gain => wealth::list_gains(table, seat, legal),
        Decision::Raise => wealth::list_raises(table, legal),
        Decision::TradeIn | Decision::Retrieve => legal.extend([Action::Claim, Action::Pass]),
        Decision::Salvage => {
            legal.extend(SALVAGE.map(|(card, _)| Action::Salvage { card }));
        }
        _ => {}
    }
}

pub(in crate::rigs) fn answer(
    d: &mut Dealer,
    seat: Seat,
    decision: Decision,
    action: &Action,
) -> Result<(), Refusal> {
    match (decision, action) {
        (Decision::React, Action::Pass) => sabotage::decline_to_react(d, seat),
        (Decision::GiveDecoy, Action::Pass) => sabotage::give_no_decoy(d, seat),
        (Decision::TakeCard, &Action::Take { card }) => sabotage::take(d, seat, card),
        (Decision::Robbed, Action::DrawThree) => sabotage::draw_three(d, seat),
        (Decision::Robbed, Action::Receive) => sabotage::receive(d, seat),
        (Decision::NewOwner, &Action::Name { seat: to }) => sabotage::give_plot(d, seat, to),
        (Decision::Send, &Action::Send { to }) => sabotage::send(d, seat, to),
        (Decision::Share, &Action::Name { seat: to }) => sabotage::share(d, seat, to),
        (Decision::DiscardTheirs, &Action::Discard { card }) => {
            destruction::discard_theirs(d, seat, card)
        }
        (Decision::Match, &Action::Discard { card }) => destruction::match_card(d, seat, card),
        (Decision::Throw, &Action::Throw { units }) => destruction::throw(d, seat, units),
        (Decision::Gain, &Action::Gain { units }) => wealth::gain(d, seat, units),
        (Decision::Raise, &Action::Raise { units }) => wealth::raise(d, seat, units),
        (Decision::Raise, Action::Pass) => wealth::stop(d, seat),
        (Decision::TradeIn, Action::Claim) => trade_in(d, seat),
        (Decision::Retrieve, Action::Claim) => retrieve(d, seat),
        (Decision::TradeIn | Decision::Retrieve, Action::Pass) => leave(d, seat),
        (Decision::Salvage, &Action::Salvage { card }) => salvage(d, seat, card),
        _ => Err(Refusal::NotNow),
    }
}
