//! The house's answers for a seat that is away.

use table::{Seat, Table};

use super::{actions::Action, vocabulary::Decision};

/// §10.4: an honorable member takes nothing from anyone. Any team, corporation or favor helps
/// somebody, so chance picks it.
pub(super) fn passive(table: &Table, seat: Seat) -> Option<Action> {
    match table.decision(seat)? {
        Decision::Choose => Some(Action::Choose { honorable: true }),
        Decision::Assemble | Decision::Blackmail | Decision::Favor => None,
        // These need no answer.
        Decision::Deal | Decision::Reconsider => None,
    }
}

/// §10.4: whether it is an answer, and nothing that a seat does besides.
pub(super) fn answers(action: &Action) -> bool {
    match action {
        Action::Assemble { .. }
        | Action::Blackmail { .. }
        | Action::Choose { .. }
        | Action::Favor { .. } => true,
        Action::Pay { .. }
        | Action::Offer { .. }
        | Action::Withdraw
        | Action::Accept { .. }
        | Action::Refuse { .. } => false,
    }
}
