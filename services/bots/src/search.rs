//! Search: information-set Monte Carlo tree search over any game.

use table::{Chance, Observation, Rules};

use crate::{Budget, choosing};

pub(crate) fn search<G: Rules>(
    observation: &Observation,
    _budget: &mut dyn Budget,
    chance: &mut dyn Chance,
) -> Option<G::Action> {
    choosing::heuristic::<G>(observation, chance)
}
