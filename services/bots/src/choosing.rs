//! The levels that do not look ahead.

use bytes::Bytes;
use games::{Game, kinds_of};
use table::{Chance, Observation, Rules, Seat, Table, any_of, can_act};

use crate::{Budget, mind::Mind};

/// Takes any legal action.
pub(crate) struct Random;

/// Takes the most appealing action, without looking ahead.
pub(crate) struct Heuristic;

impl Mind for Random {
    fn choose<G: Rules>(
        observation: &Observation,
        _: &mut dyn Budget,
        chance: &mut dyn Chance,
    ) -> Option<G::Action> {
        random::<G>(observation, chance)
    }
}

impl Mind for Heuristic {
    fn choose<G: Rules>(
        observation: &Observation,
        _: &mut dyn Budget,
        chance: &mut dyn Chance,
    ) -> Option<G::Action> {
        heuristic::<G>(observation, chance)
    }
}

/// A random bot takes one in this many optional actions.
const IDLE: usize = 4;

/// The legal actions of the seat; empty if it cannot act.
fn legal<G: Rules>(table: &Table, seat: Seat) -> Vec<G::Action> {
    if can_act(table, seat) { G::legal(table, seat) } else { Vec::new() }
}

pub(crate) fn must(table: &Table, seat: Seat) -> bool {
    table.prompt(seat).is_some_and(|prompt| prompt.must)
}

/// All kinds of action are equally likely, and so are the actions of a kind.
fn random<G: Rules>(observation: &Observation, chance: &mut dyn Chance) -> Option<G::Action> {
    let (table, seat) = (observation.table(), observation.seat());
    let legal = legal::<G>(table, seat);
    if legal.is_empty() || (!must(table, seat) && chance.below(IDLE) > 0) {
        return None;
    }
    any_of(legal, chance)
}

/// Like [`random`], for rules that are a module.
pub(crate) fn random_of_module(
    game: &dyn Game,
    observation: &Observation,
    chance: &mut dyn Chance,
) -> Option<Bytes> {
    let (table, seat) = (observation.table(), observation.seat());
    let mut legal = game.legal(table, seat).ok()?;
    if legal.is_empty() || (!must(table, seat) && chance.below(IDLE) > 0) {
        return None;
    }
    let kinds = kinds_of(&legal);
    let verb = kinds[chance.below(kinds.len())].verb;
    legal.retain(|it| it.verb == verb);
    let nth = chance.below(legal.len());
    Some(legal.swap_remove(nth).action)
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
