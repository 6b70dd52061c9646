//! The strategy of a level.

use table::{Chance, Observation, Rules};

use crate::Budget;

/// Plays any game, from its seat's observation.
pub(crate) trait Mind {
    /// Whether it thinks until its budget is used up.
    const SEARCHES: bool = false;

    /// The seat's choice. `None` if it has no prompt, or need not act and prefers to wait.
    fn choose<G: Rules>(
        observation: &Observation,
        budget: &mut dyn Budget,
        chance: &mut dyn Chance,
    ) -> Option<G::Action>;
}
