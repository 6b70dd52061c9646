//! The levels that do not look ahead.

use std::mem::{Discriminant, discriminant};

use table::{Chance, Observation, Rules, Seat, Table};

/// One time in so many, a random bot takes an action that it need not take.
const IDLE: usize = 4;

/// The legal actions of the seat; none if nobody can act, or the seat is not asked.
pub(crate) fn legal<G: Rules>(table: &Table, seat: Seat) -> Vec<G::Action> {
    let may_act = !table.ended() && !table.is_paused() && !table.resigned().has(seat);
    if may_act && table.prompt(seat).is_some() { G::legal(table, seat) } else { Vec::new() }
}

pub(crate) fn must(table: &Table, seat: Seat) -> bool {
    table.prompt(seat).is_some_and(|prompt| prompt.must)
}

/// Any kind of action is as likely as any other, and any action among its kind.
pub(crate) fn random<G: Rules>(
    observation: &Observation,
    chance: &mut dyn Chance,
) -> Option<G::Action> {
    let (table, seat) = (observation.table(), observation.seat());
    let legal = legal::<G>(table, seat);
    if legal.is_empty() || (!must(table, seat) && chance.below(IDLE) > 0) {
        return None;
    }
    let mut kinds: Vec<Discriminant<G::Action>> = Vec::new();
    for kind in legal.iter().map(discriminant) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let kind = kinds[chance.below(kinds.len())];
    let alike: Vec<&G::Action> = legal.iter().filter(|it| discriminant(*it) == kind).collect();
    Some(alike[chance.below(alike.len())].clone())
}

/// What appeals most; chance decides among equals.
pub(crate) fn heuristic<G: Rules>(
    observation: &Observation,
    chance: &mut dyn Chance,
) -> Option<G::Action> {
    let (table, seat) = (observation.table(), observation.seat());
    let legal = legal::<G>(table, seat);
    let appeal: Vec<i32> = legal.iter().map(|it| G::appeal(table, seat, it)).collect();
    let most = *appeal.iter().max()?;
    if most <= 0 && !must(table, seat) {
        return None;
    }
    let best: Vec<&G::Action> =
        legal.iter().zip(&appeal).filter(|it| *it.1 == most).map(|it| it.0).collect();
    Some(best[chance.below(best.len())].clone())
}
