//! What a game adds to the table, and the three ways to move a match on: open, play, resign.

use std::{collections::BTreeMap, convert::Infallible, ops::RangeInclusive};

use bytes::Bytes;

use crate::{
    Chance, CommonRefusal, Contribution, Dealer, DecisionId, Entry, Layout, Refusals, Seat, Set,
    Small, Table, Viewer, any_of,
};

/// A game: its enums, its catalogue and these functions. Events, fold, redaction and views are the
/// same for every game.
pub trait Rules: 'static {
    /// In kebab-case. Never changes, because matches are stored under it.
    const NAME: &'static str;
    const SEATS: RangeInclusive<u8>;
    /// The version of the rules, counted from 1. Whoever changes what any action leads to raises
    /// it: a match keeps what it was played under, and says which version that was.
    const VERSION: u32;
    const OPTIONS: &'static [OptionSpec] = &[];
    /// Whether players can talk in a match unless it is created otherwise.
    const TALK: bool = false;

    /// What a seat can do: a plain enum.
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

    /// Refuses option values that do not fit the number of seats, or each other.
    fn fits(_options: &Options, _seats: u8) -> Result<(), BadOption> {
        Ok(())
    }

    /// Lays out the opening.
    fn set_up(d: &mut Dealer, options: &Options);

    /// Every action a seat with a prompt may take. Reads no more of the table than that seat sees,
    /// so that clients can list actions from the seat's own view.
    fn legal(table: &Table, seat: Seat) -> Vec<Self::Action>;

    /// One of the actions that a seat with a prompt may take, at random: kinds are equally likely,
    /// and so are the actions of a kind. None exactly if `legal` lists none. Reads no more of the
    /// table than `legal` does.
    ///
    /// A game overrides it where listing takes long. It may then draw actions of an open-ended kind
    /// that `legal` does not list, and some more often than others, but every listed one at times.
    fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Self::Action> {
        any_of(Self::legal(table, seat), chance)
    }

    /// Refuses the action, or carries it out by calling the dealer. Refuses before the first call.
    /// The seat has a prompt.
    fn act(d: &mut Dealer, seat: Seat, action: &Self::Action) -> Result<(), Self::Refusal>;

    /// Whether an action answers what its seat is asked, and is not something that the seat may do
    /// besides. For a seat that is away the house answers, and does nothing besides.
    fn answers(_action: &Self::Action) -> bool {
        true
    }

    /// What the house answers for a seat that is away: it harms nobody, helps nobody, and commits
    /// the seat to nothing. None where only chance can answer. Reads no more than the seat sees.
    fn passive(table: &Table, seat: Seat) -> Option<Self::Action>;

    /// Whether a seat may declare that the house answers every such decision for it, passively.
    fn may_stand(_decision: DecisionId) -> bool {
        false
    }

    /// Whether the decision of a seat that declared a standing answer concerns it after all, such
    /// as an attack on it, so that it is asked. Reads only what everyone sees: whether a seat is
    /// asked tells everyone something.
    fn concerns(_table: &Table, _seat: Seat) -> bool {
        true
    }

    /// Whether `legal`, on this table, lists only examples of actions such as this one: of deals,
    /// amounts, or the teams of a large hand. Reads no more than `legal` does.
    fn open_ended(_table: &Table, _seat: Seat, _action: &Self::Action) -> bool {
        false
    }

    /// The legal actions that a filter asks for. A game that can list more than `legal` does, where
    /// less is asked for, lists it here. The list is bounded, depends on nothing but what the seat
    /// sees, and is always the same for the same table.
    fn list(table: &Table, seat: Seat, filter: &ActionFilter) -> Vec<Listed<Self::Action>> {
        let asked = Self::legal(table, seat).into_iter().filter(|it| filter.asks_for::<Self>(it));
        let listed = asked
            .map(|action| Listed { is_example: Self::open_ended(table, seat, &action), action });
        listed.collect()
    }

    /// Whether the others cannot distinguish this action from another of its kind until something
    /// is revealed.
    fn in_secret(_action: &Self::Action) -> bool {
        false
    }

    /// How many matches of a series there are at most with this number of seats: more than half of
    /// them decide it. None if the rulebook names no number; wins are counted all the same.
    fn best_of(_seats: u8) -> Option<u8> {
        None
    }

    /// The seat whose player begins the next match of a series, as far as the rulebook tells. Reads
    /// no more of the table than a spectator sees.
    fn begins_next(_ended: &Table) -> Option<Seat> {
        None
    }

    /// How much a player would like to take this action who looks at the table, but no further
    /// ahead: the legal action with the highest number is taken. An action that the seat need not
    /// take is taken only above 0. Reads no more of the table than the seat sees.
    fn appeal(_table: &Table, _seat: Seat, _action: &Self::Action) -> i32 {
        0
    }

    /// What the position of a seat is worth in points, were the match to end soon: what it has, and
    /// what it is about to get. For comparing the seats of one table, where it is not played on.
    fn worth(table: &Table, seat: Seat) -> i32 {
        table.scores()[seat.index()]
    }

    /// The game's own invariants: what is wrong with a table, if anything.
    fn check(_table: &Table) -> Result<(), String> {
        Ok(())
    }
}

/// Which of a seat's legal actions to list: those that pass every part.
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

    /// Whether the action passes. An action names the pieces whose names are in its message.
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
    /// The list leaves out other legal actions such as this one that the filter asks for.
    pub is_example: bool,
}

/// A refusal for programs, beside its sentence for people.
pub trait Reason {
    /// In upper snake case, such as `NOT_IN_HAND`; unique within the game. Never changes.
    fn reason(&self) -> &'static str;

    /// The details of the refusal, by key, in public names.
    fn facts(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// A message that is no action of the game on any table.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

/// Why an action had no effect.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused<R> {
    #[error("the match has ended")]
    MatchEnded,
    #[error("this match has no such seat")]
    NotSeated,
    #[error("a seat that has resigned cannot act")]
    Resigned,
    #[error("this seat has no prompt now")]
    NotAsked,
    #[error("the match is paused")]
    MatchPaused,
    #[error(transparent)]
    Common(#[from] CommonRefusal),
    #[error(transparent)]
    Rules(R),
}

impl<R: Reason> Reason for Refused<R> {
    fn reason(&self) -> &'static str {
        match self {
            Refused::MatchEnded => "MATCH_ENDED",
            Refused::NotSeated => "NOT_SEATED",
            Refused::Resigned => "RESIGNED",
            Refused::NotAsked => "NOT_ASKED",
            Refused::MatchPaused => "MATCH_PAUSED",
            Refused::Common(refusal) => refusal.reason(),
            Refused::Rules(refusal) => refusal.reason(),
        }
    }
    fn facts(&self) -> Vec<(&'static str, String)> {
        match self {
            Refused::Common(refusal) => refusal.facts(),
            Refused::Rules(refusal) => refusal.facts(),
            Refused::MatchEnded
            | Refused::NotSeated
            | Refused::Resigned
            | Refused::NotAsked
            | Refused::MatchPaused => Vec::new(),
        }
    }
}

/// Every reason for which any game refuses an action, with the names of its facts.
pub fn common_reasons() -> Vec<(&'static str, &'static [&'static str])> {
    use Refused::{MatchEnded, MatchPaused, NotAsked, NotSeated, Resigned};
    let of_any: [Refused<CommonRefusal>; 5] =
        [MatchEnded, NotSeated, Resigned, NotAsked, MatchPaused];
    let of_any = of_any.iter().map(|it| (it.reason(), &[][..]));
    of_any.chain(CommonRefusal::all().iter().map(|it| (it.reason, it.facts))).collect()
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

const TALK_ON: OptionSpec = talk("on");
const TALK_OFF: OptionSpec = talk("off");

const fn talk(default: &'static str) -> OptionSpec {
    OptionSpec { name: TALK, values: &["off", "on", "unlimited"], default }
}

/// The options of a game: its own, and those of every game.
pub fn option_specs<G: Rules>() -> impl Iterator<Item = &'static OptionSpec> + Clone {
    G::OPTIONS.iter().chain([if G::TALK { &TALK_ON } else { &TALK_OFF }])
}

fn has_option<G: Rules>(name: &str) -> bool {
    option_specs::<G>().any(|spec| spec.name == name)
}

/// The options of one match: every one the game has, each with an allowed value.
#[derive(Clone, Debug, PartialEq)]
pub struct Options(Vec<(&'static str, &'static str)>);

impl Options {
    /// Checks the given options and fills in the defaults.
    pub fn of<G: Rules>(given: &BTreeMap<String, String>, seats: u8) -> Result<Options, BadOption> {
        if !G::SEATS.contains(&seats) {
            return Err(BadOption::Seats {
                seats,
                least: *G::SEATS.start(),
                most: *G::SEATS.end(),
            });
        }
        if let Some(name) =
            given.keys().find(|name| *name != TIME_CONTROL && !has_option::<G>(name))
        {
            return Err(BadOption::Unknown { name: name.clone() });
        }
        let chosen = option_specs::<G>().map(|spec| {
            let Some(wanted) = given.get(spec.name) else { return Ok((spec.name, spec.default)) };
            let allowed = spec.values.iter().find(|value| *value == wanted);
            let bad = || BadOption::NotAllowed {
                name: spec.name,
                value: wanted.clone(),
                allowed: spec.values,
            };
            allowed.map(|&value| (spec.name, value)).ok_or_else(bad)
        });
        let options = Options(chosen.collect::<Result<_, _>>()?);
        G::fits(&options, seats)?;
        Ok(options)
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
    #[error("the game has no option {name}")]
    Unknown { name: String },
    #[error("the option {name} is one of {allowed:?}, not {value:?}")]
    NotAllowed { name: &'static str, value: String, allowed: &'static [&'static str] },
    #[error("the option {name} cannot be {value} in a match of {seats} seats")]
    NotWithSeats { name: &'static str, value: &'static str, seats: u8 },
}

// === Moving a match on ===

/// The verb of every match's first entry.
pub const OPEN: &str = "open";

/// The verb of resigning, in every game.
pub const RESIGN: &str = "resign";

/// The verb of what the house does when the time of a seat has run out, in every game.
pub const TIMEOUT: &str = "timeout";

/// The verb of adding time, in every game.
pub const ADD_TIME: &str = "add-time";

/// The name of the option in which a match keeps its time control. No rule reads it.
pub const TIME_CONTROL: &str = "time-control";

/// The verb of talk, in every game.
pub const SAY: &str = "say";

/// The verb of declaring a standing answer, in every game.
pub const STAND: &str = "stand";

/// The verb of taking back an action, in every game. Some have a `take-back` of their own.
pub const TAKE_BACK: &str = "undo";

/// The verb of voting for a [`Motion`](crate::Motion), in every game.
pub const VOTE: &str = "vote";

/// The verbs of what the platform orders, in every game.
pub const ABANDON: &str = "abandon";
pub const PAUSE: &str = "pause";
pub const RESUME: &str = "resume";
pub const REPLACE: &str = "replace";

/// The opening table and the entry that leads to it. What the seats contributed to its chance comes
/// first; `chance` follows from it. `options` were checked for `seats` seats.
pub fn open<G: Rules>(
    seats: u8,
    options: &Options,
    contributions: &[Contribution],
    chance: &mut dyn Chance,
) -> (Table, Entry) {
    assert!(G::SEATS.contains(&seats), "checking the options refuses other numbers of seats");
    let mut table = Table::new(G::layout(), seats, Viewer::House);
    let mut d = Dealer::new(&mut table, chance);
    contributions.iter().for_each(|it| d.contribute(it.clone()));
    G::set_up(&mut d, options);
    let entry = d.finish(G::VERSION, None, OPEN, None);
    (table, entry)
}

/// The table after `action`, and the entry that leads to it. The action changes a copy of the
/// table, so a refusal has no effect.
pub fn play<G: Rules>(
    table: &Table,
    seat: Seat,
    action: &G::Action,
    chance: &mut dyn Chance,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    is_asked(table, seat)?;
    let mut table = table.clone();
    let mut d = Dealer::new(&mut table, chance);
    carry_out::<G>(&mut d, seat, action).map_err(Refused::Rules)?;
    let entry = d.finish(G::VERSION, Some(seat), G::verb(action), Some(G::print(action)));
    Ok((table, entry))
}

/// Changes the table as [`play`] does, in place and without a record, for those who play thousands
/// of actions only to see where they lead. A refusal leaves the table as it was.
pub fn advance<G: Rules>(
    table: &mut Table,
    seat: Seat,
    action: &G::Action,
    chance: &mut dyn Chance,
) -> Result<(), Refused<G::Refusal>> {
    is_asked(table, seat)?;
    let mut d = Dealer::unrecorded(table, chance);
    carry_out::<G>(&mut d, seat, action).map_err(|refusal| {
        d.withdraw();
        Refused::Rules(refusal)
    })
}

fn carry_out<G: Rules>(d: &mut Dealer, seat: Seat, action: &G::Action) -> Result<(), G::Refusal> {
    G::act(d, seat, action)?;
    answer_for_absent::<G>(d);
    Ok(())
}

/// The table after a seat resigned, and the entry that leads to it. Any seat may resign at any
/// time. The match goes on while two contenders are left; otherwise the last one wins.
pub fn resign<G: Rules>(
    table: &Table,
    seat: Seat,
    chance: &mut dyn Chance,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    still_playing(table, seat)?;
    let mut table = table.clone();
    let mut d = Dealer::new(&mut table, chance);
    resign_now::<G>(&mut d, seat);
    let entry = d.finish(G::VERSION, Some(seat), RESIGN, None);
    Ok((table, entry))
}

fn resign_now<G: Rules>(d: &mut Dealer, seat: Seat) {
    d.resign(seat);
    let mut contenders = d.contenders();
    match (contenders.next(), contenders.next()) {
        (last, None) => d.end(last),
        _ => answer_for_absent::<G>(d),
    }
}

/// The table after the time of a seat ran out for which the match waits, and the entry that leads
/// to it. The seat resigns, or the house answers for it once.
pub fn time_out<G: Rules>(
    table: &Table,
    seat: Seat,
    resigns: bool,
    chance: &mut dyn Chance,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    may_act(table, seat)?;
    if table.prompt(seat).is_none_or(|prompt| !prompt.must) {
        return Err(Refused::NotAsked);
    }
    let mut table = table.clone();
    let mut d = Dealer::new(&mut table, chance);
    d.time_out(seat);
    if resigns {
        resign_now::<G>(&mut d, seat);
    } else {
        // It may take several actions, such as the steps of a turn.
        for _ in 0..HOUSE_ACTIONS_MAX {
            answer_for::<G>(&mut d, seat);
            if d.prompt(seat).is_none_or(|prompt| !prompt.must || prompt.age == 0) {
                break;
            }
        }
        answer_for_absent::<G>(&mut d);
    }
    let entry = d.finish(G::VERSION, Some(seat), TIMEOUT, None);
    Ok((table, entry))
}

/// The table after seats were given so many milliseconds more to decide, and the entry that leads
/// to it.
pub fn add_time<G: Rules>(
    table: &Table,
    added: &[(Seat, u32)],
    chance: &mut dyn Chance,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    let mut after = table.clone();
    let mut d = Dealer::new(&mut after, chance);
    for &(seat, ms) in added {
        still_playing(table, seat)?;
        d.add_time(seat, ms);
    }
    let entry = d.finish(G::VERSION, None, ADD_TIME, None);
    Ok((after, entry))
}

pub(crate) fn still_playing<R>(table: &Table, seat: Seat) -> Result<(), Refused<R>> {
    match () {
        () if table.ended() => Err(Refused::MatchEnded),
        () if !table.has_seat(seat) => Err(Refused::NotSeated),
        () if table.resigned().has(seat) => Err(Refused::Resigned),
        () => Ok(()),
    }
}

/// As [`still_playing`], and the match is not paused.
pub(crate) fn may_act<R>(table: &Table, seat: Seat) -> Result<(), Refused<R>> {
    still_playing(table, seat)?;
    if table.is_paused() { Err(Refused::MatchPaused) } else { Ok(()) }
}

/// Whether a seat can act now: the match goes on, and the seat has a prompt.
pub fn can_act(table: &Table, seat: Seat) -> bool {
    is_asked::<Infallible>(table, seat).is_ok()
}

/// As [`may_act`], and the seat has a prompt.
fn is_asked<R>(table: &Table, seat: Seat) -> Result<(), Refused<R>> {
    may_act(table, seat)?;
    table.prompt(seat).map(|_| ()).ok_or(Refused::NotAsked)
}

/// Actions the house takes within one entry. A turn takes a few. A game that needs more would block
/// the service, so the match waits for the next entry instead, and the invariants report it.
pub(crate) const HOUSE_ACTIONS_MAX: usize = 1_000;

/// How often the house gives one standing answer of a seat within one entry. A seat that is asked
/// the same more often in one round is asked itself.
const STANDING_ANSWERS_MAX: usize = 16;

/// Answers for seats that resigned, and for seats that declared a standing answer, within the entry
/// of the action that asked them. So the log keeps one entry per action.
///
/// Within one entry, a standing answer is given in one round only. So an entry spans at most a
/// round even if every seat stands on everything, and then somebody is asked: no match plays itself
/// to its end, and no entry grows with the number of rounds.
pub(crate) fn answer_for_absent<G: Rules>(d: &mut Dealer) {
    if d.resigned().is_empty() && d.standing().is_empty() {
        return;
    }
    let mut given = Vec::new();
    for _ in 0..HOUSE_ACTIONS_MAX {
        d.close_optional_of_resigned();
        let Some(seat) = first_absent::<G>(d, &given) else { return };
        if !d.resigned().has(seat) {
            given.extend(Given::next(d, seat));
        }
        answer_for::<G>(d, seat);
    }
}

/// Gives the answer of the house for a seat that has to decide.
fn answer_for<G: Rules>(d: &mut Dealer, seat: Seat) {
    let passive = G::passive(d, seat);
    let action = passive.unwrap_or_else(|| chosen_by_chance::<G>(d, seat));
    let accepted = G::act(d, seat, &action);
    accepted.expect("what a game calls passive or legal it accepts");
}

/// A standing answer that the house gave.
#[derive(Clone, Copy)]
struct Given {
    seat: Seat,
    decision: DecisionId,
    round: u8,
}

impl Given {
    /// What the house would answer next for a seat.
    fn next(table: &Table, seat: Seat) -> Option<Given> {
        let decision = table.prompt(seat)?.decision;
        Some(Given { seat, decision, round: table.round() })
    }

    /// Whether the house may still give this answer in the entry in which it gave others.
    fn is_due(self, given: &[Given]) -> bool {
        let mut alike = given
            .iter()
            .filter(|it| (it.seat, it.decision) == (self.seat, self.decision))
            .peekable();
        alike.peek().is_none_or(|first| first.round == self.round)
            && alike.count() < STANDING_ANSWERS_MAX
    }
}

fn first_absent<G: Rules>(table: &Table, given: &[Given]) -> Option<Seat> {
    let mut asked = table.live().filter(|prompt| prompt.must).map(|prompt| prompt.seat);
    asked.find(|&seat| is_absent::<G>(table, seat, given))
}

/// Whether the house answers what a seat is asked.
fn is_absent<G: Rules>(table: &Table, seat: Seat, given: &[Given]) -> bool {
    let stands = || {
        let next = Given::next(table, seat);
        next.is_some_and(|it| table.stands(seat, it.decision) && it.is_due(given))
            && !G::concerns(table, seat)
    };
    table.resigned().has(seat) || (stands() && G::passive(table, seat).is_some())
}

fn chosen_by_chance<G: Rules>(d: &mut Dealer, seat: Seat) -> G::Action {
    let answers = answers::<G>(d, seat);
    choose(&answers, std::mem::discriminant, |_| 1, |limit| d.pick(limit)).clone()
}

fn answers<G: Rules>(table: &Table, seat: Seat) -> Vec<G::Action> {
    let mut legal = G::legal(table, seat);
    legal.retain(G::answers);
    legal
}

/// What the house would answer for a seat that has a prompt.
pub fn house_answer<G: Rules>(
    table: &Table,
    seat: Seat,
    chance: &mut dyn Chance,
) -> Option<G::Action> {
    G::passive(table, seat).or_else(|| any_of(answers::<G>(table, seat), chance))
}

/// Chooses one of `options` at random: first a kind, as often as its `weight` says, then an option
/// of this kind, each equally likely. If all options were equally likely, a seat with many cons to
/// run would hardly ever pass.
pub(crate) fn choose<T, K: PartialEq>(
    options: &[T],
    kind: impl Fn(&T) -> K,
    weight: impl Fn(&T) -> usize,
    mut below: impl FnMut(usize) -> usize,
) -> &T {
    assert!(!options.is_empty(), "`legal` lists no action for a seat that must act");
    let mut kinds: Vec<(K, usize, usize)> = Vec::new();
    for option in options {
        let its = kind(option);
        match kinds.iter_mut().find(|known| known.0 == its) {
            Some(known) => known.2 += 1,
            None => kinds.push((its, weight(option), 1)),
        }
    }
    let mut left = below(kinds.iter().map(|kind| kind.1).sum());
    let chosen = kinds.iter().find(|kind| {
        let is_it = left < kind.1;
        left = left.saturating_sub(kind.1);
        is_it
    });
    let (chosen, _, count) = chosen.expect("the number is below the sum of the weights");
    let mut alike = options.iter().filter(|option| kind(option) == *chosen);
    alike.nth(below(*count)).expect("counted before")
}
