//! The strategy of a level.

use table::{Chance, Observation, Rules};

use crate::Budget;

/// Plays any game, from what its seat was told.
pub(crate) trait Mind {
    /// What the seat does. None if it has no prompt, or need not act and would rather wait.
    fn choose<G: Rules>(
        observation: &Observation,
        budget: &mut dyn Budget,
        chance: &mut dyn Chance,
    ) -> Option<G::Action>;
}
