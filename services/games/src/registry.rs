//! The games by name, so that the rest of the service handles any of them alike.

use std::{collections::BTreeMap, marker::PhantomData, ops::RangeInclusive};

use bytes::Bytes;
use table::{
    BadOption, Chance, Entry, Layout, OptionSpec, Options, Reason, Rules, Seat, Seed, Table,
    invariants::{self, Broken, Played},
};

use crate::hideout::Hideout;

/// Every game, a line each.
pub static GAMES: &[&dyn Game] = &[
    &Erased::<crate::mountebank::Mountebank>(PhantomData),
    &Erased::<Hideout<crate::grifters::Grifters>>(PhantomData),
    &Erased::<Hideout<crate::you_dirty_rat::YouDirtyRat>>(PhantomData),
    &Erased::<crate::among_thieves::AmongThieves>(PhantomData),
    &Erased::<crate::rigs::Rigs>(PhantomData),
];

/// The game of that name.
pub fn find(name: &str) -> Option<&'static dyn Game> {
    GAMES.iter().find(|game| game.name() == name).copied()
}

/// A game whose actions are messages: [`Rules`] with its own types hidden.
pub trait Game: Send + Sync {
    /// In kebab-case, such as `mountebank`.
    fn name(&self) -> &'static str;
    fn title(&self) -> &'static str;
    /// What the game is like, in a sentence.
    fn description(&self) -> &'static str;
    fn seats(&self) -> RangeInclusive<u8>;
    fn options(&self) -> &'static [OptionSpec];
    /// The full name of its action message, such as `croupier.games.mountebank.v1.Action`.
    fn action_message(&self) -> String;
    fn layout(&self) -> &'static Layout;

    /// Checks the number of seats and the options wanted, and fills in the defaults.
    fn check_options(
        &self,
        given: &BTreeMap<String, String>,
        seats: u8,
    ) -> Result<Options, BadOption>;

    /// The opening. Panics for options that were not checked for so many seats.
    fn open(&self, seats: u8, options: &Options, chance: &mut dyn Chance) -> (Table, Entry);

    /// The table after an action, and the entry that leads there. A refusal changes nothing.
    fn play(
        &self,
        table: &Table,
        seat: Seat,
        action: &Bytes,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused>;

    /// The table after a seat gave up.
    fn resign(
        &self,
        table: &Table,
        seat: Seat,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused>;

    /// Every action a seat may take now; none while it is not asked. The seat's own view is enough.
    fn legal(&self, table: &Table, seat: Seat) -> Vec<Legal>;

    /// An action in the one form in which it is recorded, however its message was written.
    fn canonical(&self, action: &Bytes) -> Result<Bytes, Refused>;

    /// The kind of an action; none if the bytes are no action of this game.
    fn verb(&self, action: &Bytes) -> Option<&'static str>;

    /// Plays one match at random and holds every law on it. Panics inside the game are the caller's
    /// to catch.
    fn check_invariants(&self, seats: u8, seed: u64) -> Result<Played, Broken>;

    /// Plays one match at random, dealt from its seed.
    fn playout(&self, seats: u8, options: &Options, seed: Seed) -> Playout;
}

/// Why an action had no effect.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// The bytes are no action of the game, whatever the table looks like.
    #[error("{0}")]
    Malformed(String),
    /// The table speaks, as it would in any game: the match has ended, nothing is asked of that
    /// seat.
    #[error("{message}")]
    Table { reason: &'static str, message: String },
    /// The rules speak: a reason for programs, a sentence for people, and the facts in public
    /// names.
    #[error("{message}")]
    Refusal { reason: &'static str, message: String, facts: Vec<(&'static str, String)> },
}

/// An action a seat may take.
#[derive(Clone, Debug, PartialEq)]
pub struct Legal {
    pub verb: &'static str,
    pub action: Bytes,
    /// An example of its kind: others, not listed, may be legal too.
    pub open_ended: bool,
}

/// A match played at random, dealt from the streams of its seed by position, the opening's being 1.
pub struct Playout {
    pub opening: (Table, Entry),
    pub steps: Vec<Step>,
}

/// One action of a match: the table it was taken on, and what it led to.
pub struct Step {
    pub before: Table,
    pub seat: Seat,
    pub action: Bytes,
    pub after: Table,
    pub entry: Entry,
}

impl std::fmt::Debug for dyn Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

struct Erased<G>(PhantomData<fn() -> G>);

impl<G: Rules> Game for Erased<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }
    fn title(&self) -> &'static str {
        G::TITLE
    }
    fn description(&self) -> &'static str {
        G::DESCRIPTION
    }
    fn seats(&self) -> RangeInclusive<u8> {
        G::SEATS
    }
    fn options(&self) -> &'static [OptionSpec] {
        G::OPTIONS
    }
    fn action_message(&self) -> String {
        format!("croupier.games.{}.v1.Action", G::NAME.replace('-', "_"))
    }
    fn layout(&self) -> &'static Layout {
        G::layout()
    }

    fn check_options(
        &self,
        given: &BTreeMap<String, String>,
        seats: u8,
    ) -> Result<Options, BadOption> {
        Options::of::<G>(given, seats)
    }

    fn open(&self, seats: u8, options: &Options, chance: &mut dyn Chance) -> (Table, Entry) {
        table::open::<G>(seats, options, chance)
    }

    fn play(
        &self,
        table: &Table,
        seat: Seat,
        action: &Bytes,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        let action = parse::<G>(action)?;
        table::play::<G>(table, seat, &action, chance).map_err(refused)
    }

    fn resign(
        &self,
        table: &Table,
        seat: Seat,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        table::resign::<G>(table, seat, chance).map_err(refused)
    }

    fn legal(&self, table: &Table, seat: Seat) -> Vec<Legal> {
        let asked = !table.ended() && !table.resigned().has(seat) && table.prompt(seat).is_some();
        let actions = if asked { G::legal(table, seat) } else { Vec::new() };
        let legal = |action: &G::Action| Legal {
            verb: G::verb(action),
            action: G::print(action),
            open_ended: G::open_ended(action),
        };
        actions.iter().map(legal).collect()
    }

    fn canonical(&self, action: &Bytes) -> Result<Bytes, Refused> {
        Ok(G::print(&parse::<G>(action)?))
    }

    fn verb(&self, action: &Bytes) -> Option<&'static str> {
        G::parse(action).ok().map(|action| G::verb(&action))
    }

    fn check_invariants(&self, seats: u8, seed: u64) -> Result<Played, Broken> {
        invariants::check::<G>(seats, seed)
    }

    fn playout(&self, seats: u8, options: &Options, seed: Seed) -> Playout {
        let invariants::Playout { opening, steps } = invariants::playout::<G>(seats, options, seed);
        let step = |step: invariants::Step<G>| {
            let invariants::Step { before, seat, action, after, entry } = step;
            Step { before, seat, action: G::print(&action), after, entry }
        };
        Playout { opening, steps: steps.into_iter().map(step).collect() }
    }
}

fn parse<G: Rules>(action: &Bytes) -> Result<G::Action, Refused> {
    G::parse(action).map_err(|malformed| Refused::Malformed(malformed.0))
}

fn refused<R: Reason + std::error::Error>(refused: table::Refused<R>) -> Refused {
    let (reason, message, facts) = (refused.reason(), refused.to_string(), refused.facts());
    match refused {
        table::Refused::Rules(_) => Refused::Refusal { reason, message, facts },
        _ => Refused::Table { reason, message },
    }
}
