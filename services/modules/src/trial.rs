//! The trial of a module: matches at random, in which everything is checked that a host can see.
//!
//! Three modules play, which share no memory. The first plays the match. The second decides each
//! action again, in an instance that knows no other match, so that a module whose answers depend on
//! more than its request is noticed. The third lists actions and answers for the house, and never
//! sees more of the match than a seat does, so that a list cannot tell what the module remembers.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    ops::ControlFlow,
};

use bytes::Bytes;
use games::{Game, Legal, Refused, Thinking, attempts, is_common, notation, print_common};
use table::{
    ActionFilter, BadOption, ChaCha, Chance, Common, DecisionId, Entry, Event, Observation,
    Options, Prompt, Seat, Seats, Set, Small, Table, Viewer,
    hidden::{Change, Hidden, are_same_up_to_disclosure},
    invariants::{self, ACTIONS_MAX, Played},
    with_names,
};

use crate::Module;

/// The three modules that play.
pub struct Trial {
    module: Module,
    again: Module,
    blind: Module,
}

/// What the trial of a module found, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub reason: Reason,
    pub seats: u8,
    pub seed: u64,
    /// The options of the match, if it was opened.
    pub options: BTreeMap<String, String>,
    /// The position of the last entry, 1 for the opening; 0 if there is none.
    pub position: usize,
    pub detail: String,
    /// The last entries of the match in notation, as the house sees them.
    pub story: Vec<String>,
}

/// Why a module is not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A call failed; the kind of the fault.
    Fault(&'static str),
    /// Default options do not fit a number of seats.
    Options,
    /// A viewer is told by an event what is hidden from the viewer.
    LeaksByEvent,
    /// The number of events depends on what is hidden.
    LeaksByCount,
    /// What seats are asked depends on what is hidden.
    LeaksByPrompt,
    /// Whether an action is legal depends on what is hidden from its seat.
    LeaksByLegality,
    /// What a refusal says depends on what is hidden from the seat.
    LeaksByRefusal,
    /// Lists or answers of the house depend on more than what the seat sees.
    LeaksByList,
    /// The same request has different answers.
    NotDeterministic,
    /// An earlier table is not as it was.
    ChangesPast,
    /// An action that is listed as legal is refused.
    ListedRefused,
    /// An action that is not listed as legal is accepted.
    UnlistedAccepted,
    /// An action is listed in another form than it is recorded.
    NotCanonical,
    /// A seat that must act cannot.
    Stuck,
    /// The match does not end.
    Endless,
    /// The answer of the house is not legal.
    HouseAnswer,
    /// The choice of a bot is not legal.
    BotChoice,
    /// The match goes on after its end, or nobody wins.
    End,
    /// Texts are missing, or cannot be read.
    Words,
    /// The table cannot be drawn.
    Drawing,
    /// Not every number of seats was played in the time of the trial.
    TooSlow,
}

impl Reason {
    /// For programs.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Fault(kind) => kind,
            Reason::Options => "OPTIONS",
            Reason::LeaksByEvent => "LEAKS_BY_EVENT",
            Reason::LeaksByCount => "LEAKS_BY_COUNT",
            Reason::LeaksByPrompt => "LEAKS_BY_PROMPT",
            Reason::LeaksByLegality => "LEAKS_BY_LEGALITY",
            Reason::LeaksByRefusal => "LEAKS_BY_REFUSAL",
            Reason::LeaksByList => "LEAKS_BY_LIST",
            Reason::NotDeterministic => "NOT_DETERMINISTIC",
            Reason::ChangesPast => "CHANGES_PAST",
            Reason::ListedRefused => "LISTED_REFUSED",
            Reason::UnlistedAccepted => "UNLISTED_ACCEPTED",
            Reason::NotCanonical => "NOT_CANONICAL",
            Reason::Stuck => "STUCK",
            Reason::Endless => "ENDLESS",
            Reason::HouseAnswer => "HOUSE_ANSWER",
            Reason::BotChoice => "BOT_CHOICE",
            Reason::End => "END",
            Reason::Words => "WORDS",
            Reason::Drawing => "DRAWING",
            Reason::TooSlow => "TOO_SLOW",
        }
    }

    /// What should hold, and does not.
    pub fn sentence(self) -> &'static str {
        match self {
            Reason::Fault(_) => "every call is answered within its bounds",
            Reason::Options => "the default options fit every number of seats",
            Reason::LeaksByEvent => "no event tells what is hidden",
            Reason::LeaksByCount => "the number of events tells nothing that is hidden",
            Reason::LeaksByPrompt => "what seats are asked tells nothing that is hidden",
            Reason::LeaksByLegality => "what is legal depends only on what the seat sees",
            Reason::LeaksByRefusal => "refusals depend only on what the seat sees",
            Reason::LeaksByList => {
                "lists and answers of the house depend only on what the seat sees"
            }
            Reason::NotDeterministic => "the same request has the same answer",
            Reason::ChangesPast => "earlier tables stay as they were",
            Reason::ListedRefused => "an action that is listed as legal is accepted",
            Reason::UnlistedAccepted => "an action that is not listed as legal is refused",
            Reason::NotCanonical => "actions are listed as they are recorded",
            Reason::Stuck => "a seat that must act can",
            Reason::Endless => "the match ends",
            Reason::HouseAnswer => "the house's answer for a seat that must act is legal",
            Reason::BotChoice => "a bot's choice is legal, and a bot that must act chooses",
            Reason::End => "a match ends with a winner who has not resigned, and then is quiet",
            Reason::Words => "every text is there in each language of the game",
            Reason::Drawing => "the table can be drawn",
            Reason::TooSlow => "every number of seats is played in the time of the trial",
        }
    }
}

/// What a check found.
type Found = (Reason, String);

/// What the caller does with each table that is checked, and its last entry.
pub type Watch<'a> = &'a mut dyn FnMut(&Table, &Entry) -> ControlFlow<Stop>;

/// Why a match is not played on.
#[derive(Debug)]
pub enum Stop {
    /// There is no more time.
    Time,
    Failure(Reason, String),
}

// Samples after each entry.
const CHANGES: usize = 3;
const ACCEPTED: usize = 3;
const REFUSED: usize = 3;
const GARBLED: usize = 2;

/// One in this many tables is one for which actions are made that no list need ever have had, and
/// so many of them are tried.
const MADE_FOR: usize = 8;
const MADE: usize = 4;

/// One in this many tables is that of a seat whose time runs out or that resigns, for a try.
const TRIED: usize = 8;

/// One in this many entries is a standing answer, or an answer of the house.
const ASIDES: usize = 16;

/// One in this many tables is that of a bot, which may make so many iterations.
const CHOSEN: usize = 8;
const ITERATIONS: u32 = 4;

/// One in this many choices includes seats that need not act.
const ANYBODY: usize = 4;

/// The positions of a match in which everything is checked, and one in how many of later ones: a
/// long match must not take the time of many short ones.
const CHECKED: usize = 1_000;
const CHECKED_LATER: usize = 16;

/// Actions and earlier tables that are kept, to try them again.
const KEPT_MAX: usize = 32;

/// The last entries that a failure tells.
const STORY_MAX: usize = 30;

/// Streams of chance that no match reaches.
const RANDOM: u64 = u64::MAX;
const TRIALS: u64 = 1 << 40;

impl Trial {
    pub fn new(module: &Module) -> Trial {
        // The guest's table is compared with that of the host after each entry.
        let limits = crate::Limits { instances: 1, compare_every: 1, ..module.limits() };
        let afresh = || module.afresh(limits);
        Trial { module: afresh(), again: afresh(), blind: afresh() }
    }

    /// The most steps that a call of a match took.
    pub fn steps_max(&self) -> u64 {
        self.module.steps_max()
    }

    /// Plays one match and checks it. The number of seats and the seed determine it. `None` if
    /// `watch` stopped it for lack of time.
    pub fn play(
        &mut self,
        seats: u8,
        seed: u64,
        watch: Watch,
    ) -> Result<Option<Played>, Box<Failure>> {
        let limits = self.again.limits();
        self.again = self.again.afresh(limits);
        let mut random = ChaCha::of(invariants::key(seed), RANDOM);
        let failed = |found: Found| {
            let (reason, detail) = found;
            let (options, story) = (BTreeMap::new(), Vec::new());
            Box::new(Failure { reason, seats, seed, options, position: 0, detail, story })
        };
        let options = options(&self.module, seats, seed, &mut random).map_err(failed)?;
        let chosen: BTreeMap<String, String> =
            options.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let opened = Match::open(self, seats, seed, &options, random);
        let mut playing = opened
            .map_err(|found| Box::new(Failure { options: chosen.clone(), ..*failed(found) }))?;
        // Debug output in details names pieces and places.
        with_names(self.module.layout(), || playing.until_over(watch)).map_err(
            |(reason, detail)| {
                Box::new(Failure {
                    reason,
                    seats,
                    seed,
                    options: chosen,
                    position: playing.position,
                    detail,
                    story: playing.story.into(),
                })
            },
        )
    }
}

/// The options of a match. The first seeds take each value of every option in turn, later ones any.
fn options(module: &Module, seats: u8, seed: u64, random: &mut ChaCha) -> Result<Options, Found> {
    let specs = module.options();
    let most = specs.iter().map(|spec| spec.values.len()).max().unwrap_or_default();
    let is_early = usize::try_from(seed).is_ok_and(|seed| seed < most);
    let mut given: BTreeMap<String, String> = specs
        .iter()
        .map(|spec| {
            let nth = if is_early { seed as usize } else { random.below(spec.values.len()) };
            (spec.name.to_owned(), spec.values[nth % spec.values.len()].to_owned())
        })
        .collect();
    loop {
        match module.check_options(&given, seats) {
            Ok(options) => return Ok(options),
            // Options may not fit each other: the one that does not gets its default.
            Err(BadOption::NotWithSeats { name, .. }) if given.remove(name).is_some() => {}
            Err(bad) => return Err((Reason::Options, bad.to_string())),
        }
    }
}

/// A match of a trial.
struct Match<'a> {
    trial: &'a Trial,
    seats: u8,
    key: table::Seed,
    random: ChaCha,
    position: usize,
    table: Table,
    entry: Entry,
    guests: Vec<Viewer>,
    /// By guest: the table that it sees.
    seen: Vec<Table>,
    /// By seat: what it was told.
    known: Vec<Observation>,
    hidden: Hidden,
    standing: Vec<DecisionId>,
    /// The kinds of action of which lists had examples so far.
    examples: BTreeSet<&'static str>,
    /// Actions that were legal at an earlier position.
    pool: Vec<(Seat, Bytes)>,
    past: Vec<Past>,
    /// Whether time runs out, and answers stand, in this match. In the others all that happens are
    /// actions, so that none of this brings about an end.
    has_asides: bool,
    /// Whether seats resign in this match.
    resigns: bool,
    story: VecDeque<String>,
    played: Played,
}

/// An earlier table, what was done on it, and what became of that.
struct Past {
    table: Table,
    position: u64,
    seat: Seat,
    action: Bytes,
    entry: Entry,
}

/// Something that a seat does, or that happens to it.
#[derive(Debug)]
enum Step {
    Act(Bytes),
    Resign,
    TimeOut,
}

/// The legal actions of a seat.
type OfSeat = (Seat, Vec<Legal>);

impl<'a> Match<'a> {
    fn open(
        trial: &'a Trial,
        seats: u8,
        seed: u64,
        options: &Options,
        random: ChaCha,
    ) -> Result<Match<'a>, Found> {
        let key = invariants::key(seed);
        let deal = |module: &Module| {
            module.open(seats, options, &[], &mut ChaCha::of(key, 1)).map_err(fault)
        };
        let (first, again) = (deal(&trial.module)?, deal(&trial.again)?);
        must(Reason::NotDeterministic, first.1 == again.1, || {
            format!("{:?}\nor\n{:?}", first.1, again.1)
        })?;
        let (table, entry) = first;
        let layout = trial.module.layout();
        let guests: Vec<Viewer> = Viewer::guests(seats).collect();
        let decisions = layout.decisions().iter().map(|it| it.id);
        let mut known = Observation::each(layout, seats);
        known.iter_mut().for_each(|it| it.hear(&entry));
        let mut playing = Match {
            known,
            seen: guests.iter().map(|&guest| table.seen_by(guest)).collect(),
            hidden: Hidden::of(layout, seats),
            standing: decisions.filter(|&it| trial.module.may_stand(it)).collect(),
            trial,
            seats,
            key,
            random,
            position: 1,
            table,
            entry,
            guests,
            examples: BTreeSet::new(),
            pool: Vec::new(),
            past: Vec::new(),
            has_asides: seed % 2 == 1,
            resigns: seed % 4 == 3,
            story: VecDeque::new(),
            played: Played::default(),
        };
        playing.tell();
        Ok(playing)
    }

    fn until_over(&mut self, watch: Watch) -> Result<Option<Played>, Found> {
        loop {
            let is_checked =
                self.position <= CHECKED || self.position.is_multiple_of(CHECKED_LATER);
            if (is_checked || self.table.ended()) && self.watched(watch)?.is_break() {
                return Ok(None);
            }
            if self.table.ended() {
                self.the_end_is_quiet()?;
                return Ok(Some(std::mem::take(&mut self.played)));
            }
            must(Reason::Endless, self.played.actions < ACTIONS_MAX, || {
                format!("{ACTIONS_MAX} actions have been played")
            })?;
            let legal = self.legal()?;
            let examples = legal.iter().flat_map(|it| &it.1).filter(|it| it.open_ended);
            self.examples.extend(examples.map(|it| it.verb));
            self.seats_that_must_act_can(&legal)?;
            if is_checked {
                self.check(&legal)?;
            }
            self.advance(&legal)?;
        }
    }

    /// Breaks if there is no more time.
    fn watched(&self, watch: Watch) -> Result<ControlFlow<()>, Found> {
        match watch(&self.table, &self.entry) {
            ControlFlow::Continue(()) => Ok(ControlFlow::Continue(())),
            ControlFlow::Break(Stop::Time) => Ok(ControlFlow::Break(())),
            ControlFlow::Break(Stop::Failure(reason, detail)) => Err((reason, detail)),
        }
    }

    fn check(&mut self, legal: &[OfSeat]) -> Result<(), Found> {
        self.listed_actions_are_accepted(legal)?;
        self.the_house_answers(legal)?;
        self.bots_choose(legal)?;
        self.other_actions_are_refused(legal)?;
        self.made_actions_are_refused(legal)?;
        self.garbled_messages_do_no_harm(legal)?;
        self.secret_choices_look_alike(legal)?;
        for _ in 0..CHANGES {
            if let Some((seat, step)) = self.any_step(legal) {
                self.nobody_learns_what_they_cannot_see(seat, &step)?;
            }
        }
        self.the_past_stays()
    }

    fn chance(&self, stream: u64) -> ChaCha {
        ChaCha::of(self.key, stream)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    /// Adds the last entry to the story.
    fn tell(&mut self) {
        let layout = self.trial.module.layout();
        self.played.events += self.entry.events.len();
        let lines = self.entry.events.iter().map(|it| notation::line(it, layout));
        let events = lines.collect::<Vec<_>>().join("; ");
        let headline = notation::headline(&self.entry);
        self.story.push_back(format!("{} {headline}: {events}", self.position));
        if self.story.len() > STORY_MAX {
            self.story.pop_front();
        }
    }

    fn play(
        &self,
        module: &Module,
        table: &Table,
        (seat, action): (Seat, &Bytes),
        stream: u64,
    ) -> Result<(Table, Entry), Refused> {
        module.play(table, seat, action, &mut self.chance(stream))
    }

    // === Lists and answers ===

    /// The legal actions of the seats with prompts, from the module that sees no more than them.
    fn legal(&self) -> Result<Vec<OfSeat>, Found> {
        let mut all = Vec::new();
        for seat in self.table.contenders().filter(|&it| self.table.prompt(it).is_some()) {
            let seen = &self.seen[seat.index()];
            let listed = self.trial.blind.legal(seen, seat).map_err(fault)?;
            let known = self.trial.module.legal(&self.table, seat).map_err(fault)?;
            must(Reason::LeaksByList, listed == known, || {
                format!(
                    "seat {seat}: the module that decides lists {}, and another one, which sees \
                     only what the seat does, lists {}",
                    short(&known),
                    short(&listed)
                )
            })?;
            all.push((seat, listed));
        }
        Ok(all)
    }

    fn seats_that_must_act_can(&self, legal: &[OfSeat]) -> Result<(), Found> {
        let is_stuck = |seat: Seat| legal.iter().all(|it| it.0 != seat || it.1.is_empty());
        let stuck = self.table.live().find(|prompt| prompt.must && is_stuck(prompt.seat));
        must(Reason::Stuck, stuck.is_none(), || {
            format!("{:?} has no legal action", stuck.map(|it| it.seat))
        })?;
        let somebody = self.table.live().any(|prompt| prompt.must);
        must(Reason::Stuck, somebody, || "the match waits for nobody".to_owned())
    }

    fn the_house_answers(&mut self, legal: &[OfSeat]) -> Result<(), Found> {
        let asked: Vec<Seat> = self.table.live().filter(|it| it.must).map(|it| it.seat).collect();
        for seat in asked {
            let stream = TRIALS + self.position as u64;
            let answer = |module: &Module, table: &Table| {
                module.answer_for_house(table, seat, &mut self.chance(stream)).map_err(fault)
            };
            let answered = answer(&self.trial.blind, &self.seen[seat.index()])?;
            let known = answer(&self.trial.module, &self.table)?;
            must(Reason::LeaksByList, answered == known, || {
                format!("the house's answer for seat {seat}: {known:?} or {answered:?}")
            })?;
            let Some(action) = answered else {
                return Err((Reason::HouseAnswer, format!("seat {seat} has none")));
            };
            let accepted = self.play(&self.trial.module, &self.table, (seat, &action), stream);
            let (_, entry) = accepted.map_err(|refused| {
                let (reason, detail) = fault_or(Reason::HouseAnswer)(refused);
                (reason, format!("{action:?} of seat {seat}: {detail}"))
            })?;
            must(Reason::HouseAnswer, self.is_listed(legal, seat, &action, entry.verb), || {
                format!("{} {action:?} of seat {seat} is not listed", entry.verb)
            })?;
        }
        Ok(())
    }

    fn bots_choose(&mut self, legal: &[OfSeat]) -> Result<(), Found> {
        let module = &self.trial.module;
        let levels = module.own_levels().len();
        if levels == 0 || legal.is_empty() || !self.one_in(CHOSEN) {
            return Ok(());
        }
        let level = module.own_levels()[self.below(levels)];
        let seat = legal[self.below(legal.len())].0;
        let stream = TRIALS + self.position as u64;
        let mut left = ITERATIONS;
        let mut more = || {
            let goes_on = left > 0;
            left = left.saturating_sub(1);
            goes_on
        };
        let thinking = Thinking {
            level,
            observation: &self.known[seat.index()],
            iterations: ITERATIONS,
            more: &mut more,
            advises: false,
        };
        let chosen = module.choose(thinking, &mut self.chance(stream));
        let chosen = chosen.map_err(|refused| {
            let (reason, detail) = fault_or(Reason::BotChoice)(refused);
            let hint = match reason {
                Reason::Fault("TOO_LONG") => " (in matches that do not end, for example)",
                _ => "",
            };
            (reason, format!("{level} for seat {seat}: {detail}{hint}"))
        })?;
        let Some(action) = chosen.action else {
            let waits = self.table.prompt(seat).is_some_and(|it| !it.must);
            return must(Reason::BotChoice, waits, || {
                format!("{level} chooses nothing for seat {seat}, which must act")
            });
        };
        let accepted = self.play(&self.trial.module, &self.table, (seat, &action), stream);
        let (_, entry) = accepted.map_err(|refused| {
            let (reason, detail) = fault_or(Reason::BotChoice)(refused);
            (reason, format!("{level} chooses {action:?} for seat {seat}: {detail}"))
        })?;
        must(Reason::BotChoice, self.is_listed(legal, seat, &action, entry.verb), || {
            format!("{level} chooses {action:?} for seat {seat}, which is not listed")
        })
    }

    fn listed_actions_are_accepted(&mut self, legal: &[OfSeat]) -> Result<(), Found> {
        for trial in 0..ACCEPTED as u64 {
            let Some((seat, listed)) = self.pick(legal) else { return Ok(()) };
            let action = &listed.action;
            let parsed = self.trial.blind.parse(action).map_err(fault_or(Reason::NotCanonical))?;
            let same = parsed.canonical() == *action && parsed.verb() == listed.verb;
            must(Reason::NotCanonical, same, || {
                format!(
                    "{} {action:?} is parsed as {} {:?}",
                    listed.verb,
                    parsed.verb(),
                    parsed.canonical()
                )
            })?;
            let stream = TRIALS + trial;
            let played = self.play(&self.trial.module, &self.table, (seat, action), stream);
            played.map_err(|refused| {
                let (reason, detail) = fault_or(Reason::ListedRefused)(refused);
                (reason, format!("{} {action:?} of seat {seat}: {detail}", listed.verb))
            })?;
        }
        Ok(())
    }

    /// Tries actions that were legal earlier, and those of others.
    fn other_actions_are_refused(&mut self, legal: &[OfSeat]) -> Result<(), Found> {
        for _ in 0..REFUSED.min(self.pool.len()) {
            let nth = self.below(self.pool.len());
            let (_, action) = self.pool[nth].clone();
            let Some(seat) = Seat::nth(self.below(self.seats.into())) else { continue };
            self.is_refused_unless_listed(legal, seat, &action)?;
        }
        Ok(())
    }

    /// Tries actions that are made from the game's messages and from what a seat sees.
    fn made_actions_are_refused(&mut self, legal: &[OfSeat]) -> Result<(), Found> {
        if !self.one_in(MADE_FOR) {
            return Ok(());
        }
        let (blind, seat) = (&self.trial.blind, self.any_asked());
        let made = attempts(blind, &self.seen[seat.index()], seat, &Set::EMPTY, |_| false);
        for _ in 0..MADE.min(made.len()) {
            let nth = self.below(made.len());
            if let Some(action) = self.canonical(&made[nth])? {
                self.is_refused_unless_listed(legal, seat, &action)?;
            }
        }
        Ok(())
    }

    /// What a message is parsed as; `None` if it is malformed.
    fn canonical(&self, message: &[u8]) -> Result<Option<Bytes>, Found> {
        match self.trial.blind.parse(message) {
            Ok(parsed) => Ok(Some(parsed.canonical())),
            Err(Refused::Faulty { kind, message }) => Err((Reason::Fault(kind), message)),
            Err(_) => Ok(None),
        }
    }

    fn is_refused_unless_listed(
        &mut self,
        legal: &[OfSeat],
        seat: Seat,
        action: &Bytes,
    ) -> Result<(), Found> {
        let is_listed = legal.iter().any(|it| it.0 == seat && lists(&it.1, action));
        // No list has the actions of every game.
        if is_listed || is_common(action) {
            return Ok(());
        }
        match self.play(&self.trial.module, &self.table, (seat, action), TRIALS) {
            Err(Refused::Faulty { kind, message }) => Err((Reason::Fault(kind), message)),
            Err(_) => {
                self.played.refused += 1;
                self.nobody_learns_what_they_cannot_see(seat, &Step::Act(action.clone()))
            }
            Ok((_, entry)) => {
                let is_offered = self.is_listed(legal, seat, action, entry.verb)
                    || self.is_listed_for_its_verb(seat, action, entry.verb)?;
                must(Reason::UnlistedAccepted, is_offered, || {
                    format!("{} {action:?} of seat {seat}", entry.verb)
                })
            }
        }
    }

    /// Whether a list that asks for this kind of action has it, or has examples.
    fn is_listed_for_its_verb(
        &self,
        seat: Seat,
        action: &Bytes,
        verb: &str,
    ) -> Result<bool, Found> {
        let filter = ActionFilter { verb: Some(verb.to_owned()), ..ActionFilter::default() };
        let listed =
            self.trial.blind.list(&self.seen[seat.index()], seat, &filter).map_err(fault)?;
        let examples = listed.iter().any(|it| it.open_ended && it.verb == verb);
        Ok(examples || lists(&listed, action))
    }

    /// Whether an action of a seat is listed, or examples of its kind are or were: such an action
    /// may be legal where there is nothing to give as an example.
    fn is_listed(&self, legal: &[OfSeat], seat: Seat, action: &Bytes, verb: &str) -> bool {
        let is_listed = legal.iter().any(|it| it.0 == seat && lists(&it.1, action));
        is_listed || self.examples.contains(verb)
    }

    /// Parses bytes that may not be a message: those of an action with a byte replaced, often by
    /// its neighbour, such as another number.
    fn garbled_messages_do_no_harm(&mut self, legal: &[OfSeat]) -> Result<(), Found> {
        for _ in 0..GARBLED.min(self.pool.len()) {
            let nth = self.below(self.pool.len());
            let mut message = self.pool[nth].1.to_vec();
            if message.is_empty() || self.one_in(3) {
                message = (0..self.below(24)).map(|_| self.below(256) as u8).collect();
            } else {
                let at = self.below(message.len());
                message[at] = match self.below(4) {
                    0 => message[at].wrapping_sub(1),
                    1 => self.below(256) as u8,
                    _ => message[at].wrapping_add(1),
                };
            }
            let Some(canonical) = self.canonical(&message)? else { continue };
            self.played.garbled += 1;
            let again = self.trial.blind.parse(&canonical);
            let again = again.map_err(fault_or(Reason::NotCanonical))?.canonical();
            must(Reason::NotCanonical, again == canonical, || {
                format!("{canonical:?} is parsed as {again:?}")
            })?;
            let seat = self.any_asked();
            self.is_refused_unless_listed(legal, seat, &canonical)?;
        }
        Ok(())
    }

    // === Secrets ===

    /// Changes something that neither the actor nor some viewer can see. What the actor does, with
    /// the same chance, must give that viewer the same entry, up to the first event that discloses
    /// something by the rules, or be refused to the actor in the same words.
    fn nobody_learns_what_they_cannot_see(&mut self, seat: Seat, step: &Step) -> Result<(), Found> {
        if !self.table.resigned().is_empty() {
            // The house acts for a resigned seat by what that seat sees.
            return Ok(());
        }
        for change in self.hidden.changes(&self.table, &mut self.random) {
            if change.is_hidden_from(&self.seen[seat.index()])
                && let Some(other) = change.on(&self.table)
            {
                self.does_not_tell(seat, step, change, &other)?;
            }
        }
        Ok(())
    }

    fn does_not_tell(
        &mut self,
        seat: Seat,
        step: &Step,
        change: Change,
        other: &Table,
    ) -> Result<(), Found> {
        let act = |table: &Table| self.take(step, table, seat);
        let (here, there) = match (act(&self.table), act(other)) {
            (Ok((_, here)), Ok((_, there))) => (here, there),
            (Err(Refused::Faulty { kind, message }), _)
            | (_, Err(Refused::Faulty { kind, message })) => {
                let detail = format!("{step:?} of seat {seat}, {change:?}: {message}");
                return Err((Reason::Fault(kind), detail));
            }
            (Err(here), Err(there)) => {
                return must(Reason::LeaksByRefusal, here == there, || {
                    format!("{step:?} of seat {seat}: {here:?}\nor\n{there:?}\nwith {change:?}")
                });
            }
            (Err(refused), Ok(_)) | (Ok(_), Err(refused)) => {
                let detail = format!("{step:?} of seat {seat}, {change:?}: {refused}");
                return Err((Reason::LeaksByLegality, detail));
            }
        };
        let mut compared = 0;
        for (seen, &guest) in self.seen.iter().zip(&self.guests) {
            if !change.is_hidden_from(seen) {
                continue;
            }
            compared += 1;
            let redacted = |it: &Entry| it.seen_by(guest, seen.layout());
            let (here, there) = (redacted(&here), redacted(&there));
            let same = are_same_up_to_disclosure(&here, &there, seen);
            if !same {
                let again = act(&self.table).map_err(fault)?.1;
                must(Reason::NotDeterministic, redacted(&again) == here, || {
                    format!("{here:?}\nor\n{again:?}")
                })?;
            }
            must(leak(&here, &there), same, || {
                format!("{guest:?} is told {here:?}\nor\n{there:?}\nwith {change:?}")
            })?;
        }
        match change {
            Change::Swapped(..) => self.played.swaps += compared,
            Change::Paid { .. } => self.played.amounts += compared,
            Change::Moved { .. } => self.played.counts += compared,
        }
        Ok(())
    }

    /// Two choices of a seat that somebody else is told alike must leave the same questions: who is
    /// asked next, and what, would tell one from the other.
    fn secret_choices_look_alike(&mut self, legal: &[OfSeat]) -> Result<(), Found> {
        let Some((seat, one)) = self.pick(legal) else { return Ok(()) };
        let (_, listed) = legal.iter().find(|it| it.0 == seat).expect("it was picked from it");
        let alike: Vec<&Legal> = listed.iter().filter(|it| it.verb == one.verb).collect();
        let other = alike[self.below(alike.len())];
        let act = |it: &Legal| {
            self.take(&Step::Act(it.action.clone()), &self.table, seat).map(|it| it.1).ok()
        };
        let (Some(here), Some(there)) = (act(one), act(other)) else { return Ok(()) };
        if here.prompts == there.prompts || here.events == there.events {
            return Ok(());
        }
        for &guest in self.guests.iter().filter(|it| **it != Viewer::Seat(seat)) {
            let told = |it: &Entry| it.seen_by(guest, self.table.layout()).events;
            let same = told(&here);
            if same != told(&there) {
                continue;
            }
            // A seat may also choose in public who is asked: then each secret allows all of that.
            let entries: Vec<Entry> =
                alike.iter().filter_map(|it| act(it)).filter(|it| told(it) == same).collect();
            let asked = |events: &[Event]| -> Vec<&[Prompt]> {
                let of = entries.iter().filter(|it| it.events == *events);
                of.map(|it| it.prompts.as_slice()).collect()
            };
            let (of_one, of_other) = (asked(&here.events), asked(&there.events));
            let allows =
                |all: &[&[Prompt]], some: &[&[Prompt]]| some.iter().all(|it| all.contains(it));
            must(
                Reason::LeaksByPrompt,
                allows(&of_one, &of_other) && allows(&of_other, &of_one),
                || {
                    format!(
                        "{guest:?} is told {same:?} for both {:?} and {:?} of seat {seat}, and that \
                         {:?}\nor\n{:?} are asked",
                        one.action, other.action, here.prompts, there.prompts
                    )
                },
            )?;
        }
        Ok(())
    }

    /// Mostly a legal action; now and then a seat resigns, or its time runs out.
    fn any_step(&mut self, legal: &[OfSeat]) -> Option<(Seat, Step)> {
        match self.below(TRIED) {
            0 => Some((self.any_asked(), Step::Resign)),
            1 => Some((self.any_asked(), Step::TimeOut)),
            _ => self.pick(legal).map(|(seat, listed)| (seat, Step::Act(listed.action.clone()))),
        }
    }

    fn any_asked(&mut self) -> Seat {
        let asked: Vec<Seat> = self.table.live().filter(|it| it.must).map(|it| it.seat).collect();
        asked[self.below(asked.len())]
    }

    fn take(&self, step: &Step, table: &Table, seat: Seat) -> Result<(Table, Entry), Refused> {
        let (module, mut chance) = (&self.trial.module, self.chance(TRIALS));
        match step {
            Step::Act(action) => module.play(table, seat, action, &mut chance),
            Step::Resign => module.resign(table, seat, &mut chance),
            Step::TimeOut => module.time_out(table, seat, false, &mut chance),
        }
    }

    // === The record ===

    /// An earlier table, on which the module decided, still leads to the same entry.
    fn the_past_stays(&mut self) -> Result<(), Found> {
        if self.past.is_empty() || !self.one_in(2) {
            return Ok(());
        }
        let nth = self.below(self.past.len());
        let Past { table, position, seat, action, entry } = &self.past[nth];
        let play = || self.play(&self.trial.module, table, (*seat, action), *position);
        let (first, second) = (play(), play());
        let same = first.is_ok() == second.is_ok();
        must(Reason::NotDeterministic, same, || format!("position {position}"))?;
        let (_, again) = first.map_err(fault_or(Reason::ChangesPast))?;
        let (_, then) = second.map_err(fault_or(Reason::ChangesPast))?;
        must(Reason::NotDeterministic, again == then, || format!("{again:?}\nor\n{then:?}"))?;
        must(Reason::ChangesPast, again == *entry, || {
            format!("position {position}: {entry:?}\nor, decided again now,\n{again:?}")
        })
    }

    fn the_end_is_quiet(&mut self) -> Result<(), Found> {
        let table = &self.table;
        let winners: Seats = table.winners().expect("the match has ended");
        let deserving =
            winners.iter().all(|seat| table.has_seat(seat) && !table.resigned().has(seat));
        let is_quiet = table.prompts().is_empty();
        must(Reason::End, deserving && !winners.is_empty() && is_quiet, || {
            format!("{winners:?}, {:?}", table.prompts())
        })?;
        self.played.winners = winners;
        self.played.scores = table.scores().to_vec();
        let next = |module: &Module, table: &Table| {
            module.options_of_next(&BTreeMap::new(), table, &|seat| seat)
        };
        let spectator = self.seen.last().expect("spectators are guests");
        let same = next(&self.trial.module, table) == next(&self.trial.blind, spectator);
        must(Reason::LeaksByList, same, || "who begins the next match".to_owned())
    }

    // === Going on ===

    /// A legal action: seats and kinds of action are equally likely, and so are the actions of a
    /// kind.
    fn pick<'l>(&mut self, legal: &'l [OfSeat]) -> Option<(Seat, &'l Legal)> {
        let must = |seat: Seat| self.table.prompt(seat).is_some_and(|it| it.must);
        let only_must: Vec<&OfSeat> = legal.iter().filter(|it| must(it.0)).collect();
        let anybody: Vec<&OfSeat> = legal.iter().filter(|it| !it.1.is_empty()).collect();
        let from = if only_must.is_empty() || self.one_in(ANYBODY) { anybody } else { only_must };
        if from.is_empty() {
            return None;
        }
        let (seat, listed) = from[self.below(from.len())];
        let kinds = games::kinds_of(listed);
        let verb = kinds.get(self.below(kinds.len().max(1)))?.verb;
        let alike: Vec<&Legal> = listed.iter().filter(|it| it.verb == verb).collect();
        Some((*seat, alike[self.below(alike.len())]))
    }

    fn advance(&mut self, legal: &[OfSeat]) -> Result<(), Found> {
        let (next, stream) = (self.position + 1, self.position as u64 + 1);
        let tried = self.one_in(TRIED);
        let aside = self.one_in(ASIDES) && self.has_asides;
        let seat = self.any_asked();
        if tried {
            let resigned = self.twice(|it, chance| it.resign(&self.table, seat, chance), stream)?;
            if self.resigns {
                self.played.resigned += 1;
                return self.go_on(resigned, next);
            }
            let late =
                self.twice(|it, chance| it.time_out(&self.table, seat, false, chance), stream)?;
            if aside {
                return self.go_on(late, next);
            }
        }
        if aside && !self.standing.is_empty() {
            let nth = self.below(self.standing.len());
            let decision = self.standing[nth];
            let stand = Common::Stand { decision, on: !self.table.stands(seat, decision) };
            let message = print_common(&stand, self.table.layout());
            let stood =
                self.twice(|it, chance| it.play(&self.table, seat, &message, chance), stream)?;
            self.played.asides += 1;
            return self.go_on(stood, next);
        }
        let Some((seat, listed)) = self.pick(legal) else {
            return Err((Reason::Stuck, "no seat can act".to_owned()));
        };
        let action = &listed.action;
        let played = self.twice(|it, chance| it.play(&self.table, seat, action, chance), stream)?;
        let (table, entry) = (self.table.clone(), played.1.clone());
        let past = Past { table, position: stream, seat, action: action.clone(), entry };
        let nth = self.below(KEPT_MAX);
        keep(&mut self.past, past, nth);
        keep(&mut self.pool, (seat, action.clone()), nth);
        self.go_on(played, next)
    }

    /// Decides by the module, and again by one that knows no other match.
    fn twice(
        &self,
        decide: impl Fn(&Module, &mut dyn Chance) -> Result<(Table, Entry), Refused>,
        stream: u64,
    ) -> Result<(Table, Entry), Found> {
        let decide = |module: &Module| {
            decide(module, &mut self.chance(stream)).map_err(fault_or(Reason::ListedRefused))
        };
        let (first, again) = (decide(&self.trial.module)?, decide(&self.trial.again)?);
        must(Reason::NotDeterministic, first.1 == again.1 && first.0 == again.0, || {
            format!("{:?}\nor, by another instance,\n{:?}", first.1, again.1)
        })?;
        Ok(first)
    }

    fn go_on(&mut self, (table, entry): (Table, Entry), position: usize) -> Result<(), Found> {
        (self.table, self.entry, self.position) = (table, entry, position);
        self.known.iter_mut().for_each(|it| it.hear(&self.entry));
        self.seen = self.guests.iter().map(|&guest| self.table.seen_by(guest)).collect();
        self.played.actions += 1;
        self.tell();
        Ok(())
    }
}

fn keep<T>(kept: &mut Vec<T>, it: T, nth: usize) {
    if kept.len() < KEPT_MAX { kept.push(it) } else { kept[nth] = it }
}

fn lists(legal: &[Legal], action: &Bytes) -> bool {
    legal.iter().any(|it| it.action == *action)
}

/// In what two entries for the same viewer differ.
fn leak(here: &Entry, there: &Entry) -> Reason {
    let (one, other) = (&here.events, &there.events);
    match () {
        () if one == other && here.prompts != there.prompts => Reason::LeaksByPrompt,
        () if one.len() != other.len() => Reason::LeaksByCount,
        () => Reason::LeaksByEvent,
    }
}

fn must(reason: Reason, kept: bool, detail: impl FnOnce() -> String) -> Result<(), Found> {
    if kept { Ok(()) } else { Err((reason, detail())) }
}

fn fault(refused: Refused) -> Found {
    fault_or(Reason::ListedRefused)(refused)
}

/// A fault of the module, or a refusal where there should be none.
fn fault_or(reason: Reason) -> impl Fn(Refused) -> Found {
    move |refused| match refused {
        Refused::Faulty { kind, message } => (Reason::Fault(kind), message),
        other => (reason, other.to_string()),
    }
}

fn short(legal: &[Legal]) -> String {
    let shown = legal.iter().take(4).map(|it| format!("{} {:?}", it.verb, it.action));
    format!("{} actions ({})", legal.len(), shown.collect::<Vec<_>>().join(", "))
}
