//! The strategies of the levels.

use table::{Chance, Observation, Rules};

use crate::{Budget, choosing, search};

/// Plays any game, from its seat's observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mind {
    /// Takes any legal action.
    Random,
    /// Takes the most appealing action, without looking ahead.
    Heuristic,
    /// Searches ahead, as far as its budget allows.
    Search,
}

impl Mind {
    /// From the weakest.
    pub const ALL: [Mind; 3] = [Mind::Random, Mind::Heuristic, Mind::Search];

    /// Those that rules have what it takes for, from the weakest.
    pub const fn of<G: Rules>() -> &'static [Mind] {
        if G::HAS_OPINION { &Mind::ALL } else { &[Mind::Random] }
    }

    /// The name of the level, in kebab-case. Never changes, because matches are stored with it.
    pub const fn name(self) -> &'static str {
        match self {
            Mind::Random => "random",
            Mind::Heuristic => "heuristic",
            Mind::Search => "search",
        }
    }

    /// Whether it thinks until its budget is used up.
    pub const fn searches(self) -> bool {
        matches!(self, Mind::Search)
    }

    /// The seat's choice. `None` if it has no prompt, or need not act and prefers to wait.
    pub fn choose<G: Rules>(
        self,
        observation: &Observation,
        budget: &mut dyn Budget,
        chance: &mut dyn Chance,
    ) -> Option<G::Action> {
        match self {
            Mind::Random => choosing::random::<G>(observation, chance),
            Mind::Heuristic => choosing::heuristic::<G>(observation, chance),
            Mind::Search => search::choose::<G>(observation, budget, chance),
        }
    }
}
