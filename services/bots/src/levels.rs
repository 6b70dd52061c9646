//! The levels at which a bot plays.

use std::marker::PhantomData;

use bytes::Bytes;
use games::{Game, WithRules, with_rules};
use table::{Chance, Observation, Rules};

use crate::{
    Budget,
    choosing::{Heuristic, Random, random_of_module},
    mind::Mind,
    search::Search,
};

/// Every level, one line each, from the weakest.
pub static LEVELS: &[Level] = &[
    Level::of::<Random>("random"),
    Level::of::<Heuristic>("heuristic"),
    Level::of::<Search>("search"),
];

/// How well a bot plays.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// In kebab-case. Never changes, because matches are stored with it.
    pub name: &'static str,
    /// Whether it uses the budget of a choice, and so takes as long as it may.
    pub searches: bool,
    choose: Choose,
}

type Choose = fn(&dyn Game, &Observation, &mut dyn Budget, &mut dyn Chance) -> Option<Bytes>;

pub fn find(name: &str) -> Option<Level> {
    LEVELS.iter().find(|level| level.name == name).copied()
}

/// The names of all levels, for a sentence.
pub fn names() -> String {
    LEVELS.iter().map(|level| level.name).collect::<Vec<_>>().join(", ")
}

impl Level {
    const fn of<M: Mind>(name: &'static str) -> Level {
        Level { name, searches: M::SEARCHES, choose: choose::<M> }
    }

    /// The seat's choice: an action as the game's own message. `None` if it has no prompt, or need
    /// not act and prefers to wait. Rules that are not compiled in are played at random at every
    /// level.
    pub fn choose(
        self,
        game: &dyn Game,
        observation: &Observation,
        budget: &mut dyn Budget,
        chance: &mut dyn Chance,
    ) -> Option<Bytes> {
        (self.choose)(game, observation, budget, chance)
    }
}

impl PartialEq for Level {
    fn eq(&self, other: &Level) -> bool {
        self.name == other.name
    }
}

impl Eq for Level {}

fn choose<M: Mind>(
    game: &dyn Game,
    observation: &Observation,
    budget: &mut dyn Budget,
    chance: &mut dyn Chance,
) -> Option<Bytes> {
    let choosing = Choosing::<M> { observation, budget, chance: &mut *chance, mind: PhantomData };
    match with_rules(game, choosing) {
        Some(choice) => choice,
        None => random_of_module(game, observation, chance),
    }
}

struct Choosing<'a, M> {
    observation: &'a Observation,
    budget: &'a mut dyn Budget,
    chance: &'a mut dyn Chance,
    mind: PhantomData<M>,
}

impl<M: Mind> WithRules for Choosing<'_, M> {
    type Output = Option<Bytes>;

    fn run<G: Rules>(self) -> Option<Bytes> {
        let action = M::choose::<G>(self.observation, self.budget, self.chance);
        action.map(|action| G::print(&action))
    }
}
