//! The definition of a game: its actions, its options, and their effects on a table.
//!
//! See `docs/decisions/0002-record-events-not-rules.md`.

use std::{collections::BTreeMap, ops::RangeInclusive};

use bytes::Bytes;

use crate::{
    Chance, Dealer, DecisionId, Layout, Malformed, Refusals, Seat, Set, Small, Table, any_of,
};

/// A game: its enums, its catalogue and these functions. Events, fold, redaction and views are the
/// same for every game.
pub trait Rules: 'static {
    /// In kebab-case. Never changes, because matches are stored under it.
    const NAME: &'static str;
    const SEATS: RangeInclusive<u8>;
    /// The version of the rules, counted from 1. Raise it with any change to the effects of an
    /// action: each entry records the version under which it was decided.
    const VERSION: u32;
    const OPTIONS: &'static [OptionSpec] = &[];
    /// The default of the option [`TALK`]: whether players can talk in a match.
    const TALK: bool = false;

    /// The actions of a seat: a plain enum.
    type Action: Clone + PartialEq + std::fmt::Debug;
    /// Why an action is refused.
    type Refusal: std::error::Error + Refusals + PartialEq;

    fn layout() -> &'static Layout;

    /// Parses the game's own protobuf message. Everything about an action that does not depend on
    /// the table is checked here, and only here.
    fn parse(message: &[u8]) -> Result<Self::Action, Malformed>;

    /// The message of an action; `parse` gives the same action back.
    fn print(action: &Self::Action) -> Bytes;

    /// The kind of an action, one of the layout's verbs.
    fn verb(action: &Self::Action) -> &'static str;

    /// Refuses option values that do not fit the number of seats or each other.
    fn fits(_options: &Options, _seats: u8) -> Result<(), BadOption> {
        Ok(())
    }

    /// Lays out the opening.
    fn set_up(d: &mut Dealer, options: &Options);

    /// Every action that a seat with a prompt may take. It reads only what that seat sees, so that
    /// clients can list actions from the seat's view.
    fn legal(table: &Table, seat: Seat) -> Vec<Self::Action>;

    /// One of the actions that a seat with a prompt may take, at random: kinds are equally likely,
    /// and so are the actions of a kind. `None` if and only if `legal` lists none. It reads only
    /// what the seat sees.
    ///
    /// A game overrides it if listing takes long. It may then draw actions of an open-ended kind
    /// that `legal` does not list, and favor some actions, but must be able to draw every listed
    /// one.
    fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Self::Action> {
        any_of(Self::legal(table, seat), chance)
    }

    /// Refuses the action, or carries it out by calling the dealer. It must refuse before the first
    /// call to the dealer. The seat has a prompt.
    fn act(d: &mut Dealer, seat: Seat, action: &Self::Action) -> Result<(), Self::Refusal>;

    /// Whether an action answers the prompt of its seat, as opposed to an extra such as an offer.
    /// For a seat that is away, the house takes only actions that answer.
    fn answers(_action: &Self::Action) -> bool {
        true
    }

    /// The house's answer for a seat that is away: an action that neither harms nor helps anyone
    /// and does not commit the seat. `None` if there is no such action; the house then acts at
    /// random. It reads only what the seat sees.
    fn passive(table: &Table, seat: Seat) -> Option<Self::Action>;

    /// Whether a seat may declare a standing answer: the house answers every such decision for it,
    /// passively.
    fn may_stand(_decision: DecisionId) -> bool {
        false
    }

    /// Whether every seat begins with a standing answer to such decisions, which it may take back:
    /// for decisions that ask in vain unless they [concern](Rules::concerns) the seat. Only for
    /// those that may have one.
    ///
    /// See `docs/decisions/0103-standing-answers-at-the-opening.md`.
    fn stands_at_first(_decision: DecisionId) -> bool {
        false
    }

    /// Whether a seat is asked despite its standing answer, because the decision concerns it, such
    /// as an attack on it. It reads only what everyone sees, because everyone sees whether a seat
    /// is asked.
    fn concerns(_table: &Table, _seat: Seat) -> bool {
        true
    }

    /// Whether `legal` lists only examples of such actions on this table, as for deals, amounts, or
    /// teams from a large hand. It reads only what the seat sees.
    fn open_ended(_table: &Table, _seat: Seat, _action: &Self::Action) -> bool {
        false
    }

    /// The legal actions that pass a filter. A game may list more here than in `legal` where a
    /// filter narrows the list. The list is bounded, depends only on what the seat sees, and is
    /// always the same for the same table.
    fn list(table: &Table, seat: Seat, filter: &ActionFilter) -> Vec<Listed<Self::Action>> {
        listed::<Self>(Self::legal(table, seat), table, seat, filter)
    }

    /// Whether other seats cannot distinguish this action from another of its kind until something
    /// is revealed.
    fn in_secret(_action: &Self::Action) -> bool {
        false
    }

    /// The greatest number of matches in a series with this number of seats; a majority of them
    /// decides it. `None` if the rulebook gives no number.
    fn best_of(_seats: u8) -> Option<u8> {
        None
    }

    /// The seat whose player begins the next match of a series, if the rulebook names one. It reads
    /// only what a spectator sees.
    fn begins_next(_ended: &Table) -> Option<Seat> {
        None
    }

    /// Whether the rules give [`appeal`](Rules::appeal) and [`worth`](Rules::worth). Without them,
    /// bots can only take any legal action.
    const HAS_OPINION: bool = false;

    /// The appeal of an action to a player who does not look ahead: such a player takes the legal
    /// action with the highest appeal, and an optional one only if its appeal is above 0. It reads
    /// only what the seat sees.
    fn appeal(_table: &Table, _seat: Seat, _action: &Self::Action) -> i32 {
        0
    }

    /// An estimate of the seat's final points: its present assets plus what it is about to gain.
    /// Searches compare the seats of a table by it.
    fn worth(table: &Table, seat: Seat) -> i32 {
        table.scores()[seat.index()]
    }

    /// The game's own invariants; the error describes the violation.
    fn check(_table: &Table) -> Result<(), String> {
        Ok(())
    }
}

/// Which of a seat's legal actions to list: those that pass every condition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActionFilter {
    /// Only this kind of action.
    pub verb: Option<String>,
    /// Only actions that name all of these pieces.
    pub pieces: Set,
}

impl ActionFilter {
    /// Whether every action passes.
    pub fn is_empty(&self) -> bool {
        self.verb.is_none() && self.pieces.is_empty()
    }

    pub fn asks_for_verb(&self, verb: &str) -> bool {
        self.verb.as_ref().is_none_or(|wanted| wanted == verb)
    }

    /// Whether the action passes. An action names a piece if its message contains the piece's name.
    pub fn asks_for<G: Rules + ?Sized>(&self, action: &G::Action) -> bool {
        if !self.asks_for_verb(G::verb(action)) {
            return false;
        }
        if self.pieces.is_empty() {
            return true;
        }
        let message = G::print(action);
        self.pieces.iter().all(|piece| names(&message, G::layout().piece_name(piece)))
    }
}

/// Whether a text field of a message, or of a message inside it, is exactly `name`.
fn names(mut message: &[u8], name: &str) -> bool {
    use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
    while let Ok((tag, wire_type)) = decode_key(&mut message) {
        if wire_type != WireType::LengthDelimited {
            if skip_field(wire_type, tag, &mut message, DecodeContext::default()).is_err() {
                return false;
            }
            continue;
        }
        let Ok(length) = decode_varint(&mut message) else { return false };
        let Some((field, rest)) = message.split_at_checked(length as usize) else { return false };
        if field == name.as_bytes() || names(field, name) {
            return true;
        }
        message = rest;
    }
    false
}

/// A legal action in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed<A> {
    pub action: A,
    /// Whether there are more legal actions like this one that pass the filter but are not listed.
    pub is_example: bool,
}

/// Those of a seat's actions that pass a filter.
pub fn listed<G: Rules + ?Sized>(
    actions: Vec<G::Action>,
    table: &Table,
    seat: Seat,
    filter: &ActionFilter,
) -> Vec<Listed<G::Action>> {
    let asked = actions.into_iter().filter(|it| filter.asks_for::<G>(it));
    asked.map(|action| Listed { is_example: G::open_ended(table, seat, &action), action }).collect()
}

// === Options ===

/// A choice made when a match is created.
#[derive(Debug)]
pub struct OptionSpec {
    pub name: &'static str,
    pub values: &'static [&'static str],
    pub default: &'static str,
}

/// Whether players can talk, which every game lets the creator of a match choose.
pub const TALK: &str = "talk";

/// The name of the option in which a match keeps its time control. No rule reads it.
pub const TIME_CONTROL: &str = "time-control";

/// The name of the option in which a match keeps that its result does not count for ratings. No
/// rule reads it.
pub const CASUAL: &str = "casual";

/// The name of the option in which a match keeps the hash of the module that has its rules, if they
/// are not compiled in. No rule reads it.
pub const MODULE: &str = "module";

/// The name of the option in which a match keeps that a player's own device dealt it. No rule reads
/// it.
pub const DEVICE: &str = "device";

/// The options that a match keeps beside those of its game.
pub const KEPT_OPTIONS: [&str; 4] = [TIME_CONTROL, CASUAL, MODULE, DEVICE];

const TALK_ON: OptionSpec = talk("on");
const TALK_OFF: OptionSpec = talk("off");

const fn talk(default: &'static str) -> OptionSpec {
    OptionSpec { name: TALK, values: &["off", "on", "unlimited"], default }
}

/// The options of a game: its own, and those of every game.
pub fn option_specs<G: Rules>() -> impl Iterator<Item = &'static OptionSpec> + Clone {
    G::OPTIONS.iter().chain([if G::TALK { &TALK_ON } else { &TALK_OFF }])
}

/// The options of one match: every option of the game, each with an allowed value.
#[derive(Clone, Debug, PartialEq)]
pub struct Options(Vec<(&'static str, &'static str)>);

impl Options {
    /// Checks the given options and fills in the defaults.
    pub fn of<G: Rules>(given: &BTreeMap<String, String>, seats: u8) -> Result<Options, BadOption> {
        let options = Options::each(&G::SEATS, option_specs::<G>(), given, seats)?;
        G::fits(&options, seats)?;
        Ok(options)
    }

    /// Checks the given options one by one, not against each other, and fills in the defaults.
    pub fn each(
        seats_of_game: &RangeInclusive<u8>,
        specs: impl Iterator<Item = &'static OptionSpec> + Clone,
        given: &BTreeMap<String, String>,
        seats: u8,
    ) -> Result<Options, BadOption> {
        if !seats_of_game.contains(&seats) {
            return Err(BadOption::Seats {
                seats,
                least: *seats_of_game.start(),
                most: *seats_of_game.end(),
            });
        }
        let known = specs.clone();
        let is_known = |name: &str| {
            KEPT_OPTIONS.contains(&name) || known.clone().any(|spec| spec.name == name)
        };
        if let Some(name) = given.keys().find(|name| !is_known(name)) {
            let known = specs.map(|it| it.name).collect();
            return Err(BadOption::Unknown { name: name.clone(), known });
        }
        let chosen = specs.map(|spec| {
            let Some(wanted) = given.get(spec.name) else { return Ok((spec.name, spec.default)) };
            let allowed = spec.values.iter().find(|value| *value == wanted);
            let bad = || BadOption::NotAllowed {
                name: spec.name,
                value: wanted.clone(),
                allowed: spec.values,
            };
            allowed.map(|&value| (spec.name, value)).ok_or_else(bad)
        });
        Ok(Options(chosen.collect::<Result<_, _>>()?))
    }

    /// The value of an option that the game declares.
    pub fn get(&self, name: &str) -> &'static str {
        let found = self.0.iter().find(|option| option.0 == name);
        found.expect("the game declares this option").1
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().copied()
    }
}

/// Why options do not fit a game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadOption {
    #[error("the game takes {least} to {most} seats, not {seats}")]
    Seats { seats: u8, least: u8, most: u8 },
    #[error("the game has no option {name:?}; it has: {}", known.join(", "))]
    Unknown { name: String, known: Vec<&'static str> },
    #[error("the option {name} is one of {}, not {value:?}", allowed.join(", "))]
    NotAllowed { name: &'static str, value: String, allowed: &'static [&'static str] },
    #[error("the option {name} cannot be {value} in a match of {seats} seats")]
    NotWithSeats { name: &'static str, value: &'static str, seats: u8 },
}
