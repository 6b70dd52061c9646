//! Bots: opponents for every game there is or will be.
//!
//! A bot is given what its seat was told, and nothing else: an [`Observation`] is the only way in,
//! and redacts what is put into it. No bot knows any game: they all play over `table::Rules`. A bot
//! reads no clock and draws its chance from what the caller passes, so the same observation, budget
//! and chance give the same action.

mod budget;
mod choosing;
mod search;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use games::{Game, WithRules, with_rules};
use table::{Chance, Observation, Rules, Seat, Table};

pub use budget::{Budget, Iterations};

/// How well a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// In kebab-case. Never changes, because matches are stored with it.
    pub name: &'static str,
    mind: Mind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mind {
    Random,
    Heuristic,
    Search,
}

/// Every level, one line each, from the weakest.
pub static LEVELS: &[Level] = &[
    Level { name: "random", mind: Mind::Random },
    Level { name: "heuristic", mind: Mind::Heuristic },
    Level { name: "search", mind: Mind::Search },
];

pub fn find(name: &str) -> Option<Level> {
    LEVELS.iter().find(|level| level.name == name).copied()
}

/// The names of all levels, for a sentence.
pub fn names() -> String {
    LEVELS.iter().map(|level| level.name).collect::<Vec<_>>().join(", ")
}

/// The bots to ask at a table, in turn: those that need not act, then the first that must.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub may: Vec<Seat>,
    pub must: Option<Seat>,
}

impl Asked {
    pub fn of(table: &Table, is_bot: impl Fn(Seat) -> bool) -> Asked {
        let seats = table.contenders().filter(|&seat| is_bot(seat));
        let asked = seats.filter_map(|seat| Some((seat, table.prompt(seat)?.must)));
        let (must, may): (Vec<_>, Vec<_>) = asked.partition(|&(_, must)| must);
        Asked { may: may.into_iter().map(|it| it.0).collect(), must: must.first().map(|it| it.0) }
    }
}

impl Level {
    /// What the seat does: an action as the game's own message. None if it has no prompt, or need
    /// not act and would rather wait.
    pub fn choose(
        self,
        game: &dyn Game,
        observation: &Observation,
        budget: &mut dyn Budget,
        chance: &mut dyn Chance,
    ) -> Option<Bytes> {
        with_rules(game, Choosing { mind: self.mind, observation, budget, chance })
    }
}

struct Choosing<'a> {
    mind: Mind,
    observation: &'a Observation,
    budget: &'a mut dyn Budget,
    chance: &'a mut dyn Chance,
}

impl WithRules for Choosing<'_> {
    type Output = Option<Bytes>;

    fn run<G: Rules>(self) -> Option<Bytes> {
        let Choosing { mind, observation, budget, chance } = self;
        let action = match mind {
            Mind::Random => choosing::random::<G>(observation, chance),
            Mind::Heuristic => choosing::heuristic::<G>(observation, chance),
            Mind::Search => search::search::<G>(observation, budget, chance),
        };
        action.map(|action| G::print(&action))
    }
}
