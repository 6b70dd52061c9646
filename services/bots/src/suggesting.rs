//! What a seat could do, as a bot sees it that searches ahead.

use games::{Game, Legal, Refused, Thinking, WithRules, with_rules};
use minds::opinions;
use table::{Chance, Observation, Rules, can_act};

use crate::{Budget, levels::ITERATIONS_MAX};

/// Something that a seat could do.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// `None` is to wait.
    pub action: Option<Legal>,
    /// The estimated chance that the seat wins after it, from 0 to 1; `None` if it is too
    /// uncertain, or if there was nothing to compare it with.
    pub estimate: Option<f32>,
}

/// What the seat could do, the best first; empty if it cannot act, and in games of modules whose
/// strongest level compares no actions. Only a module fails.
pub fn suggest(
    game: &dyn Game,
    observation: &Observation,
    budget: &mut dyn Budget,
    chance: &mut dyn Chance,
) -> Result<Vec<Suggestion>, Refused> {
    if !can_act(observation.table(), observation.seat()) {
        return Ok(Vec::new());
    }
    let suggesting = Suggesting { observation, budget: &mut *budget, chance: &mut *chance };
    if let Some(suggestions) = with_rules(game, suggesting) {
        return Ok(suggestions);
    }
    let Some(&level) = game.own_levels().last() else { return Ok(Vec::new()) };
    let thinking = Thinking {
        level,
        observation,
        iterations: ITERATIONS_MAX,
        more: &mut || budget.allows_another(),
        advises: true,
    };
    let opinions = game.choose(thinking, chance)?.opinions.into_iter();
    Ok(opinions.map(|it| Suggestion { action: it.action, estimate: it.estimate }).collect())
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
