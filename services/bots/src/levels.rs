//! The levels at which a bot plays.

use bytes::Bytes;
use games::{Game, Refused, Thinking, WithRules, kinds_of, with_rules};
use minds::{Mind, waits_at_random};
use table::{Chance, Observation, Rules};

use crate::Budget;

/// The levels of every game that is compiled in, from the weakest.
pub static LEVELS: &[Level] =
    &[Level::of(Mind::Random), Level::of(Mind::Heuristic), Level::of(Mind::Search)];

/// How well a bot plays.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// In kebab-case. Never changes, because matches are stored with it.
    pub name: &'static str,
    /// Whether it uses the budget of a choice, and so takes as long as it may.
    pub searches: bool,
    /// `None` for a level that only a module knows.
    mind: Option<Mind>,
}

/// How many iterations a search by a module makes at most, if nothing else limits it: as many as a
/// second has.
pub(crate) const ITERATIONS_MAX: u32 = 10_000;

/// The levels of a game, from the weakest. Every game has `random`.
pub fn of_game(game: &dyn Game) -> Vec<Level> {
    if is_compiled_in(game) {
        return LEVELS.to_vec();
    }
    let own = game.own_levels().iter().map(|&name| named(name));
    let random = LEVELS[..1].iter().copied().filter(|it| !game.own_levels().contains(&it.name));
    random.chain(own).collect()
}

/// A level at which bots can be seated in a game: one of its own, or one of [`LEVELS`].
pub fn find(game: &dyn Game, name: &str) -> Option<Level> {
    of_game(game).into_iter().chain(LEVELS.iter().copied()).find(|it| it.name == name)
}

/// The names of a game's levels, for a sentence.
pub fn names(game: &dyn Game) -> String {
    of_game(game).iter().map(|level| level.name).collect::<Vec<_>>().join(", ")
}

fn is_compiled_in(game: &dyn Game) -> bool {
    games::find(game.name()).is_some_and(|it| std::ptr::eq(it.layout(), game.layout()))
}

/// A level of a module. Nothing says whether one that only the module knows searches.
fn named(name: &'static str) -> Level {
    let known = LEVELS.iter().find(|it| it.name == name).copied();
    known.unwrap_or(Level { name, searches: true, mind: None })
}

impl Level {
    const fn of(mind: Mind) -> Level {
        Level { name: mind.name(), searches: mind.searches(), mind: Some(mind) }
    }

    /// The seat's choice: an action as the game's own message. `None` if it has no prompt, or need
    /// not act and prefers to wait. Only a module fails.
    ///
    /// Where a module lacks the level, the bot plays at the next weaker one of [`LEVELS`] that it
    /// has, and at random if it has none.
    pub fn choose(
        self,
        game: &dyn Game,
        observation: &Observation,
        budget: &mut dyn Budget,
        chance: &mut dyn Chance,
    ) -> Result<Option<Bytes>, Refused> {
        if let Some(mind) = self.mind {
            let choosing =
                Choosing { mind, observation, budget: &mut *budget, chance: &mut *chance };
            if let Some(choice) = with_rules(game, choosing) {
                return Ok(choice);
            }
        }
        let Some(level) = self.of_module(game) else {
            return random_of_module(game, observation, chance);
        };
        let thinking = Thinking {
            level,
            observation,
            iterations: ITERATIONS_MAX,
            more: &mut || budget.allows_another(),
            advises: false,
        };
        Ok(game.choose(thinking, chance)?.action)
    }

    /// The module's own level that plays for this one.
    fn of_module(self, game: &dyn Game) -> Option<&'static str> {
        let own = game.own_levels();
        let at_most = LEVELS.iter().position(|it| *it == self).map_or(0, |nth| nth + 1);
        let weaker = LEVELS[..at_most].iter().rev().map(|it| it.name);
        [self.name].into_iter().chain(weaker).find(|name| own.contains(name))
    }
}

impl PartialEq for Level {
    fn eq(&self, other: &Level) -> bool {
        self.name == other.name
    }
}

impl Eq for Level {}

struct Choosing<'a> {
    mind: Mind,
    observation: &'a Observation,
    budget: &'a mut dyn Budget,
    chance: &'a mut dyn Chance,
}

impl WithRules for Choosing<'_> {
    type Output = Option<Bytes>;

    fn run<G: Rules>(self) -> Option<Bytes> {
        let action = self.mind.choose::<G>(self.observation, self.budget, self.chance);
        action.map(|action| G::print(&action))
    }
}

/// As [`Mind::Random`] does, for rules that are a module.
fn random_of_module(
    game: &dyn Game,
    observation: &Observation,
    chance: &mut dyn Chance,
) -> Result<Option<Bytes>, Refused> {
    let (table, seat) = (observation.table(), observation.seat());
    let mut legal = game.legal(table, seat)?;
    if legal.is_empty() || waits_at_random(table, seat, chance) {
        return Ok(None);
    }
    let kinds = kinds_of(&legal);
    let verb = kinds[chance.below(kinds.len())].verb;
    legal.retain(|it| it.verb == verb);
    let nth = chance.below(legal.len());
    Ok(Some(legal.swap_remove(nth).action))
}
