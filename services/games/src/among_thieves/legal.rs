//! The legal actions of a seat.

use table::{Chance, Seat, Seats, Small, Table, any_kind, any_of};

use super::{
    actions::Action,
    deals,
    heist::team_size,
    seats::bystanders,
    vocabulary::{Corporation, Decision},
};

/// §10.4: the house picks among these for a seat that resigned.
pub(super) fn all(table: &Table, seat: Seat) -> Vec<Action> {
    match table.decision(seat) {
        Some(Decision::Assemble) => {
            let mut actions = teams(table);
            deals::list(table, seat, &mut actions);
            actions
        }
        Some(Decision::Deal) => {
            let mut actions = Vec::new();
            deals::list(table, seat, &mut actions);
            actions
        }
        Some(Decision::Blackmail) => {
            Corporation::all().map(|corporation| Action::Blackmail { corporation }).collect()
        }
        Some(Decision::Choose) => {
            [true, false].map(|honorable| Action::Choose { honorable }).into()
        }
        Some(Decision::Favor) => {
            bystanders(table).into_iter().map(|seat| Action::Favor { seat }).collect()
        }
        Some(Decision::Reconsider) | None => Vec::new(),
    }
}

pub(super) fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
    match table.decision(seat) {
        Some(Decision::Assemble) => {
            any_kind(1 + deals::KINDS, chance, |kind, chance| match kind.checked_sub(1) {
                None => Some(any_team(table, chance)),
                Some(kind) => deals::any(table, seat, kind, chance),
            })
        }
        Some(Decision::Deal) => {
            any_kind(deals::KINDS, chance, |kind, chance| deals::any(table, seat, kind, chance))
        }
        _ => any_of(all(table, seat), chance),
    }
}

/// §3.1
fn teams(table: &Table) -> Vec<Action> {
    let size = team_size(table);
    let some = |bits: u32| table.seats().filter(|seat| bits >> seat.index() & 1 != 0).collect();
    let teams = (0..1 << table.seat_count()).map(some).filter(|team: &Seats| team.len() == size);
    teams.map(|team| Action::Assemble { team }).collect()
}

/// One of these teams, each equally likely.
fn any_team(table: &Table, chance: &mut dyn Chance) -> Action {
    let mut wanted = team_size(table);
    let mut joins = |others: usize| {
        let joins = chance.below(others + 1) < wanted;
        wanted -= usize::from(joins);
        joins
    };
    let team = table.seats().rev().filter(|seat| joins(seat.index())).collect();
    Action::Assemble { team }
}
