//! The legal actions of a seat.

use table::{ActionFilter, Chance, Seat, Table, any_kind, any_of};

use super::{
    actions::Action,
    deals, disasters,
    karma::{in_play, play},
    losses, market, player, production, series, showing,
    vocabulary::{Decision, Place::*},
};

/// §19.5: the service chooses among these for a seat that resigned.
pub(super) fn all(table: &Table, seat: Seat) -> Vec<Action> {
    let mut legal = Vec::new();
    let listers = table.decision(seat).map(listers).unwrap_or_default();
    listers.iter().for_each(|list| list(table, seat, &mut legal));
    legal
}

/// §19.2: showing is listed for those who ask for it.
pub(super) fn asked_for(table: &Table, seat: Seat, filter: &ActionFilter) -> Vec<Action> {
    let mut actions = all(table, seat);
    if filter.verb.is_some() {
        showing::list(table, seat, &mut actions);
    }
    actions
}

pub(super) fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
    let listers = listers(table.decision(seat)?);
    any_kind(listers.len(), chance, |kind, chance| {
        let mut legal = Vec::new();
        listers[kind](table, seat, &mut legal);
        any_of(legal, chance)
    })
}

/// Lists the legal actions of one or two kinds.
type Lister = fn(&Table, Seat, &mut Vec<Action>);

fn listers(decision: Decision) -> &'static [Lister] {
    match decision {
        Decision::Grant => &[player::list_grants],
        Decision::GrantTo => &[series::list, player::list_recipients],
        Decision::Turn => &[
            list_ready,
            player::list_building,
            player::list_moves,
            player::list_surveys,
            player::list_loans,
            player::list_repayments,
            in_play::list_cashing,
            in_play::list_tinkering,
            deals::list_answers,
            deals::list_own,
            play::list_plays,
        ],
        Decision::Interrupt => {
            &[player::list_interrupts, deals::list_answers, deals::list_own, play::list_plays]
        }
        Decision::Deal => &[series::list, disasters::list_dealing, play::list_plays],
        Decision::Produce | Decision::CallLast => &[
            production::list_last_call,
            production::list_unready,
            production::list_powering,
            player::list_loans,
            production::list_ready,
            deals::list_answers,
            deals::list_own,
            play::list_plays,
        ],
        Decision::Readjust => {
            &[production::list_powering, player::list_loans, production::list_ready]
        }
        Decision::Final => &[list_pass, play::list_plays],
        Decision::Draw => &[market::list_drawers, play::list_plays],
        Decision::Sell => &[market::list_sales, market::list_ready, play::list_plays],
        Decision::Discard | Decision::Match => &[series::list, list_hand],
        Decision::Exchange => &[list_pass, list_hand],
        Decision::LoseRigs => &[series::list, losses::list_losses],
        _ => &[series::list, play::list_answers],
    }
}

fn list_ready(_: &Table, _: Seat, legal: &mut Vec<Action>) {
    legal.push(Action::Ready);
}

fn list_pass(_: &Table, _: Seat, legal: &mut Vec<Action>) {
    legal.push(Action::Pass);
}

fn list_hand(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let hand = table.pieces(Hand(seat));
    legal.extend(hand.iter().map(|card| Action::Discard { card }));
}
