//! The legal actions of a seat.

use table::{Chance, Seat, Table, any_kind};

use super::{
    actions::Action,
    cons,
    vocabulary::{Decision::*, Place::*},
};

/// §4.4
pub(super) const HAND_MAX: usize = 7;

pub(super) fn has_room(table: &Table, seat: Seat) -> bool {
    table.count(Hand(seat)) < HAND_MAX
}

/// §3.1. Where §7.4 leaves the choice to chance, the house picks one of these.
pub(super) fn all(table: &Table, seat: Seat) -> Vec<Action> {
    let mut actions = Vec::new();
    if has_room(table, seat) {
        if !table.is_bare(Deck) {
            actions.push(Action::Draw);
        }
        actions.extend(table.pieces(Draft).iter().map(|card| Action::Take { card }));
    }
    if table.decision(seat) == Some(Turn) {
        cons::list(table.pieces(Hand(seat)), &mut actions);
        if actions.is_empty() {
            actions.push(Action::Pass);
        }
    }
    actions
}

pub(super) fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
    let (has_room, is_on_turn) = (has_room(table, seat), table.decision(seat) == Some(Turn));
    let action = any_kind(3, chance, |kind, chance| match kind {
        0 => (has_room && !table.is_bare(Deck)).then_some(Action::Draw),
        1 if has_room => table.pieces(Draft).any(chance).map(|card| Action::Take { card }),
        2 if is_on_turn => cons::any(table.pieces(Hand(seat)), chance),
        _ => None,
    });
    action.or_else(|| is_on_turn.then_some(Action::Pass))
}
