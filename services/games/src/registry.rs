//! The games by name, behind one object-safe trait, through which the service handles all of them.

use std::{collections::BTreeMap, marker::PhantomData, ops::RangeInclusive};

use bytes::Bytes;
use table::{
    ActionFilter, BadOption, Chance, Common, Contribution, DecisionId, Entry, LastAction, Layout,
    Listed, MatchChance, Motion, Observation, OptionSpec, Options, Reason, RefusalSpec, Refusals,
    Rules, Seat, Table, Viewer, can_act,
    invariants::{self, Broken, Played},
};

use crate::{Messages, RulesPage, common, first_seat, hideout::Hideout, messages};

/// The rules page of a game, and its words by language.
type Texts = (&'static str, &'static [(&'static str, &'static str)]);

/// The texts in the folder of a game, and `docs/games/<game>.md`.
macro_rules! texts {
    ($name:literal) => {
        (
            include_str!(concat!("../docs/", $name, ".md")),
            include!(concat!(env!("OUT_DIR"), "/", $name, ".words.rs")),
        )
    };
}

/// Declares [`GAMES`], and [`with_rules`] over the same rules.
macro_rules! games {
    ($($Rules:ty, $name:literal;)*) => {
        /// Every game.
        pub static GAMES: &[&dyn Game] = &[$(&Erased::<$Rules>::new(texts!($name))),*];

        /// Calls a generic function with the rules of a game, if they are compiled in. A module of
        /// the same name has rules of its own.
        pub fn with_rules<W: WithRules>(game: &dyn Game, with: W) -> Option<W::Output> {
            $(if std::ptr::eq(game.layout(), <$Rules as Rules>::layout()) {
                return Some(with.run::<$Rules>());
            })*
            None
        }
    };
}

// One line each.
games! {
    crate::mountebank::Mountebank, "mountebank";
    Hideout<crate::grifters::Grifters>, "grifters";
    Hideout<crate::you_dirty_rat::YouDirtyRat>, "you_dirty_rat";
    crate::among_thieves::AmongThieves, "among_thieves";
    crate::rigs::Rigs, "rigs";
}

/// A function that is generic over the rules of a game, for where [`Game`] would be too slow.
pub trait WithRules {
    type Output;
    fn run<G: Rules<Action: Send + Sync>>(self) -> Self::Output;
}

pub fn find(name: &str) -> Option<&'static dyn Game> {
    GAMES.iter().find(|game| game.name() == name).copied()
}

/// A game whose actions are protobuf messages: [`Rules`] with the game's own types erased.
pub trait Game: Send + Sync {
    /// In kebab-case, such as `mountebank`.
    fn name(&self) -> &'static str;
    /// Its words in a language, as a Fluent resource; `None` if it has no words in that language.
    fn words(&self, language: &str) -> Option<&'static str>;
    fn seats(&self) -> RangeInclusive<u8>;
    /// The version of its rules, which every entry records.
    fn rules_version(&self) -> u32;
    fn options(&self) -> Vec<&'static OptionSpec>;
    /// The full name of the game's action message, such as `croupier.games.mountebank.v1.Action`.
    fn action_message(&self) -> String;
    /// The descriptors of that message, and of all messages in it.
    fn messages(&self) -> &'static Messages {
        messages()
    }
    fn layout(&self) -> &'static Layout;
    /// Every reason why the rules refuse an action.
    fn refusals(&self) -> Vec<RefusalSpec>;
    /// The rules with all rulings.
    fn rules_page(&self) -> RulesPage;

    /// Checks the number of seats and the given options, and fills in defaults.
    fn check_options(
        &self,
        given: &BTreeMap<String, String>,
        seats: u8,
    ) -> Result<Options, BadOption>;

    /// Sets up a match. Only faulty rules refuse. Panics if `options` were not checked for this
    /// number of seats.
    fn open(
        &self,
        seats: u8,
        options: &Options,
        contributions: &[Contribution],
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused>;

    /// The greatest number of matches in a series; a majority of them decides it.
    fn best_of(&self, seats: u8) -> Option<u8>;

    /// The default options of a match that follows another one: those of the previous match, except
    /// that the rulebook may say who begins. `ended` is the table after the previous match, and
    /// `moved` maps its seats to those of the next.
    fn options_of_next(
        &self,
        options: &BTreeMap<String, String>,
        ended: &Table,
        moved: &dyn Fn(Seat) -> Seat,
    ) -> BTreeMap<String, String>;

    /// Parses the game's own message, or one of every game. Fails only with [`Refused::Malformed`].
    fn parse(&self, message: &[u8]) -> Result<Box<dyn ParsedAction>, Refused>;

    /// Parses an action and plays it once. To play it more often, [`parse`](Game::parse) it first.
    fn play(
        &self,
        table: &Table,
        seat: Seat,
        message: &[u8],
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        self.parse(message)?.play(table, seat, chance)
    }

    /// The table after a seat resigns, and the entry that records it.
    fn resign(
        &self,
        table: &Table,
        seat: Seat,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused>;

    /// The table after a seat takes back its last action, and the entry that records it. `last` is
    /// the last entry that was not an aside; `None` if it is too far back.
    fn take_back(
        &self,
        table: &Table,
        last: Option<&LastAction>,
        seat: Seat,
    ) -> Result<(Table, Entry), Refused>;

    /// The table after a seat votes for a motion, or withdraws its vote, and the entry that records
    /// it.
    fn vote(
        &self,
        table: &Table,
        seat: Seat,
        motion: Motion,
        on: bool,
    ) -> Result<(Table, Entry), Refused>;

    /// The table after the platform orders a motion, and the entry that records it.
    fn order(&self, table: &Table, motion: Motion) -> Result<(Table, Entry), Refused>;

    /// The table after another player takes over a seat, and the entry that records it. Unless
    /// `is_gone` (its player left), the seat must have resigned.
    fn replace(&self, table: &Table, seat: Seat, is_gone: bool) -> Result<(Table, Entry), Refused>;

    /// The table after the time of a seat ran out, and the entry that records it. The seat resigns,
    /// or the house makes one decision for it.
    fn time_out(
        &self,
        table: &Table,
        seat: Seat,
        resigns: bool,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused>;

    /// The table after seats were given more time, in milliseconds, and the entry that records it.
    fn add_time(
        &self,
        table: &Table,
        added: &[(Seat, u32)],
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused>;

    /// The actions that a seat may take now and that pass a filter; empty unless the seat has a
    /// prompt. The seat's own view of the table suffices. Only faulty rules refuse.
    fn list(&self, table: &Table, seat: Seat, filter: &ActionFilter)
    -> Result<Vec<Legal>, Refused>;

    /// The legal actions without a filter.
    fn legal(&self, table: &Table, seat: Seat) -> Result<Vec<Legal>, Refused> {
        self.list(table, seat, &ActionFilter::default())
    }

    /// A random whole table that looks to a seat like the real one, as far as it knows.
    fn imagine(&self, known: &Observation, chance: &mut dyn Chance) -> Table {
        let can_act =
            |whole: &Table, seat| self.legal(whole, seat).is_ok_and(|legal| !legal.is_empty());
        known.imagine_where(&can_act, chance)
    }

    /// The same rules for imagined tables, if they are asked elsewhere: such a table only looks
    /// like one of a match, so a fault on it says nothing about the rules.
    fn for_imagined(&self) -> Option<Box<dyn Game>> {
        None
    }

    /// The house's answer for a seat that has a prompt. The seat's own view of the table suffices.
    /// Its chance is not recorded. Only faulty rules refuse.
    fn answer_for_house(
        &self,
        table: &Table,
        seat: Seat,
        chance: &mut dyn Chance,
    ) -> Result<Option<Bytes>, Refused>;

    /// Whether a seat may declare a standing answer to a decision.
    fn may_stand(&self, decision: DecisionId) -> bool;

    /// The levels of bots that the rules choose for, from the weakest. Rules that are compiled in
    /// have none: `bots` chooses for them.
    fn own_levels(&self) -> &[&'static str] {
        &[]
    }

    /// The choice of a bot, at one of the game's own levels. Its chance is not recorded. Only
    /// faulty rules refuse.
    fn choose(&self, _: Thinking, _: &mut dyn Chance) -> Result<Chosen, Refused> {
        Ok(Chosen::default())
    }

    /// Whether its rules failed lately, or took long. They are then asked where nobody else waits
    /// for them. Rules that are compiled in never do.
    fn is_suspect(&self) -> bool {
        false
    }

    /// Plays one match at random and checks every invariant on it. The caller must catch panics of
    /// the game.
    fn check_invariants(&self, seats: u8, seed: u64) -> Result<Played, Broken>;

    /// Plays one match at random.
    fn playout(&self, seats: u8, options: &Options, chance: &MatchChance) -> Playout;

    /// Plays a table at random to its end, without a record. Returns the number of actions.
    fn playout_in_place(&self, table: &mut Table, chance: &mut dyn Chance) -> usize;
}

/// An action of one game, parsed once and playable any number of times.
pub trait ParsedAction: Send + Sync {
    fn verb(&self) -> &'static str;

    /// The message as it is recorded: the same bytes for every way of encoding the same action.
    fn canonical(&self) -> Bytes;

    /// The table after the action, and the entry that records it. A refusal changes nothing.
    fn play(
        &self,
        table: &Table,
        seat: Seat,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused>;
}

/// Why an action had no effect.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// The bytes are not an action of the game on any table.
    #[error("{0}")]
    Malformed(String),
    /// Refused as in any game: the match has ended, or the seat has no prompt.
    #[error("{message}")]
    Table { reason: &'static str, message: String, facts: Vec<(&'static str, String)> },
    /// Refused by the game's rules: a reason for programs, a sentence for people, and the facts in
    /// public names.
    #[error("{message}")]
    Rules { reason: &'static str, message: String, facts: Vec<(&'static str, String)> },
    /// The rules failed: they are a module that trapped, used more than it may, or answered what
    /// cannot be. Nothing changed. The kind of the fault is in upper snake case.
    #[error("{message}")]
    Faulty { kind: &'static str, message: String },
}

/// An action a seat may take.
#[derive(Clone, Debug, PartialEq)]
pub struct Legal {
    pub verb: &'static str,
    pub action: Bytes,
    /// An example: other actions such as this one are legal, too, and are not listed.
    pub open_ended: bool,
}

/// What rules are asked that choose for a bot.
pub struct Thinking<'a> {
    /// One of the game's own.
    pub level: &'static str,
    pub observation: &'a Observation,
    /// How many iterations a search may make.
    pub iterations: u32,
    /// Whether it may make one more: it asks before each.
    pub more: &'a mut dyn FnMut() -> bool,
    /// Whether it tells what it thinks of the actions that it compared.
    pub advises: bool,
}

/// What a bot chose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// `None` if the seat has no prompt, or need not act and prefers to wait.
    pub action: Option<Bytes>,
    /// The best first; only if they were asked for.
    pub opinions: Vec<Opinion>,
}

/// What a bot thinks of an action, or of waiting (`None`).
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    pub action: Option<Legal>,
    /// The estimated chance that the seat wins after it, from 0 to 1; `None` if it is too
    /// uncertain.
    pub estimate: Option<f32>,
}

/// One kind of action in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct LegalKind {
    pub verb: &'static str,
    pub listed: usize,
    /// Whether every legal action of this kind that passes the filter is listed.
    pub is_complete: bool,
}

/// The kinds of the actions of a list, in the order in which they first appear.
pub fn kinds_of(legal: &[Legal]) -> Vec<LegalKind> {
    let mut kinds: Vec<LegalKind> = Vec::new();
    for action in legal {
        let nth = kinds.iter().position(|kind| kind.verb == action.verb).unwrap_or_else(|| {
            kinds.push(LegalKind { verb: action.verb, listed: 0, is_complete: true });
            kinds.len() - 1
        });
        kinds[nth].listed += 1;
        kinds[nth].is_complete &= !action.open_ended;
    }
    kinds
}

/// A match played at random.
pub struct Playout {
    pub opening: (Table, Entry),
    pub steps: Vec<Step>,
}

/// One action of a match, with the table before and after it.
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

impl std::fmt::Debug for dyn ParsedAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.verb())
    }
}

struct Erased<G> {
    rules_page: RulesPage,
    words: &'static [(&'static str, &'static str)],
    rules: PhantomData<fn() -> G>,
}

impl<G> Erased<G> {
    const fn new((rules_page, words): Texts) -> Self {
        Self { rules_page: RulesPage(rules_page), words, rules: PhantomData }
    }
}

impl<G: Rules> Game for Erased<G>
where
    G::Action: Send + Sync,
{
    fn name(&self) -> &'static str {
        G::NAME
    }
    fn words(&self, language: &str) -> Option<&'static str> {
        self.words.iter().find(|(it, _)| *it == language).map(|(_, words)| *words)
    }
    fn seats(&self) -> RangeInclusive<u8> {
        G::SEATS
    }
    fn rules_version(&self) -> u32 {
        G::VERSION
    }
    fn options(&self) -> Vec<&'static OptionSpec> {
        table::option_specs::<G>().collect()
    }
    fn action_message(&self) -> String {
        format!("croupier.games.{}.v1.Action", G::NAME.replace('-', "_"))
    }
    fn layout(&self) -> &'static Layout {
        G::layout()
    }
    fn refusals(&self) -> Vec<RefusalSpec> {
        G::Refusal::all()
    }
    fn rules_page(&self) -> RulesPage {
        self.rules_page
    }

    fn check_options(
        &self,
        given: &BTreeMap<String, String>,
        seats: u8,
    ) -> Result<Options, BadOption> {
        Options::of::<G>(given, seats)
    }

    fn open(
        &self,
        seats: u8,
        options: &Options,
        contributions: &[Contribution],
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        Ok(table::open::<G>(seats, options, contributions, chance))
    }

    fn best_of(&self, seats: u8) -> Option<u8> {
        G::best_of(seats)
    }

    fn options_of_next(
        &self,
        options: &BTreeMap<String, String>,
        ended: &Table,
        moved: &dyn Fn(Seat) -> Seat,
    ) -> BTreeMap<String, String> {
        let first = || G::begins_next(&ended.seen_by(Viewer::Spectator));
        options_of_next(&self.options(), options, first, moved)
    }

    fn parse(&self, message: &[u8]) -> Result<Box<dyn ParsedAction>, Refused> {
        let parsed: Result<Box<dyn ParsedAction>, _> = match common::parse(message, G::layout()) {
            Some(action) => action.map(|action| Box::new(ParsedCommon::<G>::of(action)) as _),
            None => G::parse(message).map(|action| Box::new(Parsed::<G>(action)) as _),
        };
        parsed.map_err(|malformed| Refused::Malformed(malformed.0))
    }

    fn resign(
        &self,
        table: &Table,
        seat: Seat,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        table::resign::<G>(table, seat, chance).map_err(refused)
    }

    fn take_back(
        &self,
        table: &Table,
        last: Option<&LastAction>,
        seat: Seat,
    ) -> Result<(Table, Entry), Refused> {
        table::take_back::<G>(table, last, seat).map_err(refused)
    }

    fn vote(
        &self,
        table: &Table,
        seat: Seat,
        motion: Motion,
        on: bool,
    ) -> Result<(Table, Entry), Refused> {
        table::vote::<G>(table, seat, motion, on).map_err(refused)
    }

    fn order(&self, table: &Table, motion: Motion) -> Result<(Table, Entry), Refused> {
        table::order::<G>(table, motion).map_err(refused)
    }

    fn replace(&self, table: &Table, seat: Seat, is_gone: bool) -> Result<(Table, Entry), Refused> {
        table::replace::<G>(table, seat, is_gone).map_err(refused)
    }

    fn time_out(
        &self,
        table: &Table,
        seat: Seat,
        resigns: bool,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        table::time_out::<G>(table, seat, resigns, chance).map_err(refused)
    }

    fn add_time(
        &self,
        table: &Table,
        added: &[(Seat, u32)],
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        table::add_time::<G>(table, added, chance).map_err(refused)
    }

    fn list(
        &self,
        table: &Table,
        seat: Seat,
        filter: &ActionFilter,
    ) -> Result<Vec<Legal>, Refused> {
        let actions = if can_act(table, seat) { G::list(table, seat, filter) } else { Vec::new() };
        let legal = |it: &Listed<G::Action>| Legal {
            verb: G::verb(&it.action),
            action: G::print(&it.action),
            open_ended: it.is_example,
        };
        Ok(actions.iter().map(legal).collect())
    }

    fn answer_for_house(
        &self,
        table: &Table,
        seat: Seat,
        chance: &mut dyn Chance,
    ) -> Result<Option<Bytes>, Refused> {
        if !can_act(table, seat) {
            return Ok(None);
        }
        Ok(table::house_answer::<G>(table, seat, chance).map(|it| G::print(&it)))
    }

    fn may_stand(&self, decision: DecisionId) -> bool {
        G::may_stand(decision)
    }

    fn check_invariants(&self, seats: u8, seed: u64) -> Result<Played, Broken> {
        invariants::check::<G>(seats, seed)
    }

    fn playout(&self, seats: u8, options: &Options, chance: &MatchChance) -> Playout {
        let played = invariants::playout::<G>(seats, options, chance);
        let invariants::Playout { opening, steps } = played;
        let step = |step: invariants::Step<G>| {
            let invariants::Step { before, seat, action, after, entry } = step;
            Step { before, seat, action: G::print(&action), after, entry }
        };
        Playout { opening, steps: steps.into_iter().map(step).collect() }
    }

    fn playout_in_place(&self, table: &mut Table, chance: &mut dyn Chance) -> usize {
        invariants::playout_in_place::<G>(table, chance)
    }
}

/// See [`Game::options_of_next`]: `specs` are the options of the game, and `first` gives the seat
/// of the previous match whose player begins the next one.
pub fn options_of_next(
    specs: &[&'static OptionSpec],
    options: &BTreeMap<String, String>,
    first: impl FnOnce() -> Option<Seat>,
    moved: &dyn Fn(Seat) -> Seat,
) -> BTreeMap<String, String> {
    // An earlier release may have had other options.
    let is_known = |name: &str| specs.iter().any(|spec| spec.name == name);
    let mut options = options.clone();
    options.retain(|name, _| is_known(name) && name != first_seat::NAME);
    if is_known(first_seat::NAME)
        && let Some(first) = first()
    {
        options.insert(first_seat::NAME.to_owned(), moved(first).to_string());
    }
    options
}

struct Parsed<G: Rules>(G::Action);

impl<G: Rules> ParsedAction for Parsed<G>
where
    G::Action: Send + Sync,
{
    fn verb(&self) -> &'static str {
        G::verb(&self.0)
    }

    fn canonical(&self) -> Bytes {
        G::print(&self.0)
    }

    fn play(
        &self,
        table: &Table,
        seat: Seat,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        table::play::<G>(table, seat, &self.0, chance).map_err(refused)
    }
}

/// An action that every game has.
struct ParsedCommon<G> {
    action: Common,
    message: Bytes,
    game: PhantomData<fn() -> G>,
}

impl<G: Rules> ParsedCommon<G> {
    fn of(action: Common) -> Self {
        ParsedCommon { message: common::print(&action, G::layout()), action, game: PhantomData }
    }
}

impl<G: Rules> ParsedAction for ParsedCommon<G> {
    fn verb(&self) -> &'static str {
        self.action.verb()
    }

    fn canonical(&self) -> Bytes {
        self.message.clone()
    }

    fn play(
        &self,
        table: &Table,
        seat: Seat,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        self.action.play::<G>(table, seat, self.message.clone(), chance).map_err(refused)
    }
}

/// A refusal of a game, with its own reasons erased.
pub fn refused<R: Reason + std::error::Error>(refused: table::Refused<R>) -> Refused {
    use table::Refused::{Common, MatchEnded, MatchPaused, NotAsked, NotSeated, Resigned, Rules};
    let (reason, message, facts) = (refused.reason(), refused.to_string(), refused.facts());
    match refused {
        Rules(_) => Refused::Rules { reason, message, facts },
        MatchEnded | NotSeated | Resigned | NotAsked { .. } | MatchPaused | Common(_) => {
            Refused::Table { reason, message, facts }
        }
    }
}
