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

/// How often a bot takes a kind of action in one turn or phase, unless there is nothing else to do:
/// what is taken again and again, such as a deal that is made and undone, leads nowhere.
const REPEATS_MAX: u32 = 16;

/// The legal actions of which the seat has not had enough.
pub(crate) fn considered<G: Rules>(observation: &Observation) -> Vec<G::Action> {
    let (table, seat) = (observation.table(), observation.seat());
    let legal = legal::<G>(table, seat);
    let is_fresh = |it: &G::Action| observation.taken(G::verb(it)) < REPEATS_MAX;
    if !must(table, seat) || legal.iter().any(is_fresh) {
        return legal.into_iter().filter(is_fresh).collect();
    }
    legal
}

/// What appeals most. What the seat need not do has to appeal more than waiting.
pub(crate) fn heuristic<G: Rules>(
    observation: &Observation,
    chance: &mut dyn Chance,
) -> Option<G::Action> {
    let (table, seat) = (observation.table(), observation.seat());
    let mut legal = considered::<G>(observation);
    let (nth, appeal) = most_appealing::<G>(table, seat, legal.iter().map(Some), chance)?;
    (appeal > WAITING || must(table, seat)).then(|| legal.swap_remove(nth))
}

/// How much waiting appeals.
pub(crate) const WAITING: i32 = 0;

/// Which of these appeals most to a seat, and how much. None among them is waiting. Of equals,
/// chance decides.
pub(crate) fn most_appealing<'a, G: Rules>(
    table: &Table,
    seat: Seat,
    actions: impl Iterator<Item = Option<&'a G::Action>>,
    chance: &mut dyn Chance,
) -> Option<(usize, i32)> {
    let (mut best, mut equal) = (None, 0);
    for (nth, action) in actions.enumerate() {
        let appeal = action.map_or(WAITING, |it| G::appeal(table, seat, it));
        match best {
            Some((_, most)) if appeal < most => continue,
            Some((_, most)) if appeal == most => equal += 1,
            Some(_) | None => equal = 1,
        }
        if equal == 1 || chance.below(equal) == 0 {
            best = Some((nth, appeal));
        }
    }
    best
}
