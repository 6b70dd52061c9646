//! The levels that do not look ahead.

use table::{Chance, Observation, Rules, Seat, Table, any_of, can_act};

/// A random bot takes one in this many optional actions.
const IDLE: usize = 4;

/// The legal actions of the seat; empty if it cannot act.
fn legal<G: Rules>(table: &Table, seat: Seat) -> Vec<G::Action> {
    if can_act(table, seat) { G::legal(table, seat) } else { Vec::new() }
}

pub(crate) fn must(table: &Table, seat: Seat) -> bool {
    table.prompt(seat).is_some_and(|prompt| prompt.must)
}

/// Whether a bot that plays at random waits, which it may only if it need not act.
pub fn waits_at_random(table: &Table, seat: Seat, chance: &mut dyn Chance) -> bool {
    !must(table, seat) && chance.below(IDLE) > 0
}

/// All kinds of action are equally likely, and so are the actions of a kind.
pub(crate) fn random<G: Rules>(
    observation: &Observation,
    chance: &mut dyn Chance,
) -> Option<G::Action> {
    let (table, seat) = (observation.table(), observation.seat());
    let legal = legal::<G>(table, seat);
    if legal.is_empty() || waits_at_random(table, seat, chance) {
        return None;
    }
    any_of(legal, chance)
}

/// How often a bot takes one kind of action in a turn or phase while it has an alternative.
/// Without a limit, bots could make and undo the same deal forever.
const REPEATS_MAX: u32 = 16;

/// The legal actions without those of kinds that the seat has taken [`REPEATS_MAX`] times.
pub(crate) fn considered<G: Rules>(observation: &Observation) -> Vec<G::Action> {
    let (table, seat) = (observation.table(), observation.seat());
    let legal = legal::<G>(table, seat);
    let is_fresh = |it: &G::Action| observation.taken(G::verb(it)) < REPEATS_MAX;
    if !must(table, seat) || legal.iter().any(is_fresh) {
        return legal.into_iter().filter(is_fresh).collect();
    }
    legal
}

/// The most appealing action. An optional one must appeal more than waiting.
pub(crate) fn heuristic<G: Rules>(
    observation: &Observation,
    chance: &mut dyn Chance,
) -> Option<G::Action> {
    let (table, seat) = (observation.table(), observation.seat());
    let mut legal = considered::<G>(observation);
    let (nth, appeal) = most_appealing::<G>(table, seat, legal.iter().map(Some), chance)?;
    (appeal > WAITING || must(table, seat)).then(|| legal.swap_remove(nth))
}

/// The appeal of waiting.
pub(crate) const WAITING: i32 = 0;

/// The index of the most appealing action, and its appeal. `None` among the actions stands for
/// waiting. Ties are broken by chance.
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
