//! What a seat could do, as a bot sees it that searches ahead.

use games::{Game, Legal, WithRules, with_rules};
use table::{Chance, Observation, Rules, can_act};

use crate::{Budget, search::opinions};

/// Something that a seat could do.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// `None` is to wait.
    pub action: Option<Legal>,
    /// The estimated chance that the seat wins after it, from 0 to 1; `None` if it is too
    /// uncertain, or if there was nothing to compare it with.
    pub estimate: Option<f32>,
}

/// What the seat could do, the best first; empty if it cannot act, and in games that are not
/// compiled in.
pub fn suggest(
    game: &dyn Game,
    observation: &Observation,
    budget: &mut dyn Budget,
    chance: &mut dyn Chance,
) -> Vec<Suggestion> {
    if !can_act(observation.table(), observation.seat()) {
        return Vec::new();
    }
    with_rules(game, Suggesting { observation, budget, chance }).unwrap_or_default()
}

struct Suggesting<'a> {
    observation: &'a Observation,
    budget: &'a mut dyn Budget,
    chance: &'a mut dyn Chance,
}

impl WithRules for Suggesting<'_> {
    type Output = Vec<Suggestion>;

    fn run<G: Rules>(self) -> Vec<Suggestion> {
        let opinions = opinions::<G>(self.observation, self.budget, self.chance);
        let suggestions = opinions.into_iter().map(|opinion| Suggestion {
            action: opinion.action.map(|action| Legal {
                verb: G::verb(&action),
                action: G::print(&action),
                open_ended: false,
            }),
            estimate: opinion.estimate,
        });
        suggestions.collect()
    }
}
