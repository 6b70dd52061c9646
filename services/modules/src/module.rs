//! A game that is a module.

use std::{
    collections::BTreeMap,
    ops::RangeInclusive,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use games::{
    Chosen, Game, Legal, Messages, Opinion, ParsedAction, Playout, Refused, RulesPage, Step,
    Thinking,
};
use prost::Message;
use table::{
    ActionFilter, BadOption, ChaCha, Chance, Choice, Common, CommonRefusal, Contribution,
    DecisionId, Entry, Event, LastAction, Layout, MatchChance, Motion, OPEN, OptionSpec, Options,
    RESIGN, RefusalSpec, STAND, Seat, Small, TALK, TIMEOUT, Table, Viewer, apply_from_guest,
    can_act, common_reasons,
    contract::{
        self as pb, ACTION_BYTES_MAX, ENTRY_BYTES_MAX, LISTED_MAX, Method, SENTENCE_CHARS_MAX,
    },
    invariants::{self, Broken, Played},
    stored,
};
use wasmtime::Engine;

use crate::{
    description::Description,
    engine,
    faults::{Fault, LoadError},
    house::{NoRules, under},
    instance::{self, Instance},
    instances::{Instances, view},
    limits::Limits,
    trusted::Compiled,
};

/// A game that is a module, ready to be played. Copies are the same module.
#[derive(Clone)]
pub struct Module {
    description: Arc<Description>,
    instances: Arc<Instances>,
    /// Where bots think.
    thinking: Arc<Instances>,
    /// Where imagined tables are.
    imagining: Arc<Instances>,
}

/// What a guest made of an action, checked.
type Made = Result<(Entry, Table), Refused>;

/// What an entry must be.
struct Expected<'a> {
    seat: Option<Seat>,
    verb: &'static str,
    action: Option<&'a Bytes>,
}

impl Module {
    /// A module of compiled code. Its description is kept for as long as the program runs, so a
    /// module is loaded once.
    pub fn load(compiled: &Compiled, limits: Limits) -> Result<Module, LoadError> {
        static ENGINE: OnceLock<Engine> = OnceLock::new();
        let engine = ENGINE.get_or_init(|| {
            Engine::new(&engine::config()).expect("the settings of the engine are valid")
        });
        let module = compiled.load(engine).map_err(LoadError::OtherEngine)?;
        let pre = instance::link(&module).map_err(LoadError::Imports)?;
        let instances = Instances::new(pre, limits);
        let mut first = instances.start()?;
        let described = first.call(Method::Describe, &pb::DescribeRequest {}, None);
        let description = Description::of(described.map_err(LoadError::Describe)?)?;
        Ok(Module::of(Arc::new(description), instances))
    }

    fn of(description: Arc<Description>, instances: Arc<Instances>) -> Module {
        let (thinking, imagining) = (instances.thinking(), instances.imagining());
        Module { description, instances, thinking, imagining }
    }

    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The same module in other instances, which share nothing with those of this one.
    pub fn afresh(&self, limits: Limits) -> Module {
        Module::of(self.description.clone(), self.instances.afresh(limits))
    }

    pub fn limits(&self) -> Limits {
        self.instances.limits()
    }

    /// The most steps that a call has taken.
    pub fn steps_max(&self) -> u64 {
        self.instances.steps_max()
    }

    /// The linear memory of all instances in bytes.
    pub fn memory_bytes(&self) -> usize {
        let all = [&self.instances, &self.thinking, &self.imagining];
        all.iter().map(|it| it.memory_bytes()).sum()
    }

    /// A fault as the refusal that a caller gets.
    fn faulty(&self, fault: Fault) -> Refused {
        let message = format!("the module of {} failed: {fault}", self.description.name);
        Refused::Faulty { kind: fault.kind(), message }
    }
}

// === Decisions of the guest ===

impl Module {
    /// Calls a method about a table, which answers with an outcome.
    fn decide<A: Message + Default>(
        &self,
        table: &Table,
        method: Method,
        request: impl FnOnce(u32) -> Request,
        chance: &mut dyn Chance,
        outcome: fn(A) -> Option<pb::Outcome>,
        expected: &Expected,
    ) -> Result<(Table, Entry), Refused> {
        let decided = self.instances.on_table(table, |instance, handle| {
            let answer: A = request(handle).call(instance, method, chance)?;
            let outcome = outcome(answer).and_then(|it| it.kind).ok_or(Fault::Lacks("outcome"))?;
            match outcome {
                pb::outcome::Kind::Refusal(refusal) => {
                    Ok((Made::Err(self.refusal(refusal)?), None))
                }
                pb::outcome::Kind::Advance(advance) => {
                    let before = Before::Table(table);
                    let (entry, after) = self.check(instance, &before, &advance, expected)?;
                    Ok((Made::Ok((entry, after)), Some(advance.table)))
                }
            }
        });
        match decided.map_err(|fault| self.faulty(fault))? {
            (Ok((entry, after)), left) => {
                if let Some(left) = left {
                    self.instances.attach(&after, left);
                }
                Ok((after, entry))
            }
            (Err(refused), _) => Err(refused),
        }
    }

    /// The entry of an answer, and the table that it leads to, if the entry can be.
    fn check(
        &self,
        instance: &mut Instance,
        before: &Before,
        advance: &pb::Advance,
        expected: &Expected,
    ) -> Result<(Entry, Table), Fault> {
        let layout = self.layout();
        if advance.entry.len() > ENTRY_BYTES_MAX {
            return Err(Fault::AnswerTooLarge);
        }
        let mut entry = Entry::decode(&advance.entry, layout)?;
        let choices: &[Choice] = instance.choices();
        let same = [
            ("version of rules", entry.rules == self.description.rules),
            ("seat", entry.seat == expected.seat),
            ("verb", entry.verb == expected.verb),
            ("action", entry.action.as_ref() == expected.action),
            ("list of choices", entry.choices == choices),
            ("players", entry.players.is_empty()),
        ];
        if let Some(&(what, _)) = same.iter().find(|it| !it.1) {
            return Err(Fault::OtherEntry(what));
        }
        expected.check(&entry)?;
        let after = match before {
            Before::Table(table) => apply_from_guest(table, &mut entry)?,
            Before::Opening { seats, contributions } => {
                let given = |it: &Event| match it {
                    Event::Contributed(it) => Some((**it).clone()),
                    _ => None,
                };
                let given: Vec<Contribution> = entry.events.iter().filter_map(given).collect();
                if given != *contributions {
                    return Err(Fault::OtherEntry("contributions"));
                }
                apply_from_guest(&Table::new(layout, *seats, Viewer::House), &mut entry)?
            }
        };
        instance.entries += 1;
        if instance.entries.is_multiple_of(self.instances.limits().compare_every) {
            let request = pb::SnapshotRequest { table: advance.table };
            let answer: pb::SnapshotResponse = instance.call(Method::Snapshot, &request, None)?;
            // A guest may keep less than a table.
            if !answer.table.is_empty() {
                let seats = after.seat_count() as u8;
                // A table that cannot be read differs too.
                let same = Table::decode_view(&answer.table, layout, seats);
                if !same.is_ok_and(|it| it == after) {
                    return Err(Fault::TableDiffers);
                }
            }
        }
        Ok((entry, after))
    }

    /// A refusal with names of the description, or of every game.
    fn refusal(&self, refusal: pb::Refusal) -> Result<Refused, Fault> {
        let undescribed = |what, name: &str| Fault::Undescribed { what, name: cut(name, 40) };
        let own = self.description.refusals.iter().find(|it| it.reason == refusal.reason);
        let common = || common_reasons().into_iter().find(|it| it.0 == refusal.reason);
        let (reason, names) = match own {
            Some(own) => (own.reason, own.facts),
            None => common().ok_or_else(|| undescribed("reason", &refusal.reason))?,
        };
        if refusal.facts.len() > names.len() {
            return Err(undescribed("reason", &refusal.reason));
        }
        let facts = refusal.facts.iter().map(|fact| {
            let name = names.iter().find(|it| **it == fact.name);
            let name = name.ok_or_else(|| undescribed("fact", &fact.name))?;
            Ok((*name, cut(&fact.value, SENTENCE_CHARS_MAX)))
        });
        let facts = facts.collect::<Result<_, Fault>>()?;
        let message = cut(&refusal.message, SENTENCE_CHARS_MAX);
        Ok(match own {
            Some(_) => Refused::Rules { reason, message, facts },
            None => Refused::Table { reason, message, facts },
        })
    }

    /// One of the game's own verbs.
    fn verb(&self, name: &str) -> Result<&'static str, Fault> {
        let verb = self.layout().verb(name).filter(|it| !table::COMMON_VERBS.contains(it));
        verb.ok_or_else(|| Fault::Undescribed { what: "verb", name: cut(name, 40) })
    }

    /// What a level of bots chose, with names of the description.
    fn chosen(&self, answer: pb::ChooseResponse) -> Result<Chosen, Fault> {
        let is_long = |it: &Bytes| it.len() > ACTION_BYTES_MAX;
        if answer.action.as_ref().is_some_and(is_long) || answer.opinions.len() > LISTED_MAX {
            return Err(Fault::AnswerTooLarge);
        }
        let opinion = |it: pb::Opinion| {
            let legal = |action| {
                let verb = self.verb(&it.verb)?;
                Ok::<_, Fault>(Legal { verb, action, open_ended: false })
            };
            // What is no chance is no estimate.
            let estimate = it.estimate.filter(|it| (0.0..=1.0).contains(it));
            Ok(Opinion { action: it.action.map(legal).transpose()?, estimate })
        };
        let opinions = answer.opinions.into_iter().map(opinion);
        Ok(Chosen { action: answer.action, opinions: opinions.collect::<Result<_, Fault>>()? })
    }

    fn stand(
        &self,
        table: &Table,
        seat: Seat,
        (decision, on): (DecisionId, bool),
        message: &Bytes,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        let request = |table| {
            Request::Stand(pb::StandRequest {
                table,
                seat: number(seat),
                decision: decision.number().into(),
                on,
                action: message.clone(),
            })
        };
        let expected = Expected { seat: Some(seat), verb: STAND, action: Some(message) };
        let outcome = |it: pb::StandResponse| it.outcome;
        self.decide(table, Method::Stand, request, chance, outcome, &expected)
    }
}

/// The table before an entry.
enum Before<'a> {
    Table(&'a Table),
    Opening { seats: u8, contributions: &'a [Contribution] },
}

/// A request about a table.
enum Request {
    Act(pb::ActRequest),
    Resign(pb::ResignRequest),
    TimeOut(pb::TimeOutRequest),
    Stand(pb::StandRequest),
}

impl Request {
    fn call<A: Message + Default>(
        &self,
        instance: &mut Instance,
        method: Method,
        chance: &mut dyn Chance,
    ) -> Result<A, Fault> {
        match self {
            Request::Act(request) => instance.call(method, request, Some(chance)),
            Request::Resign(request) => instance.call(method, request, Some(chance)),
            Request::TimeOut(request) => instance.call(method, request, Some(chance)),
            Request::Stand(request) => instance.call(method, request, Some(chance)),
        }
    }
}

impl Expected<'_> {
    /// Events that only certain entries have.
    fn check(&self, entry: &Entry) -> Result<(), Fault> {
        for (nth, event) in entry.events.iter().enumerate() {
            let fits = match event {
                Event::Resigned { seat } => {
                    Some(*seat) == self.seat && [RESIGN, TIMEOUT].contains(&self.verb)
                }
                Event::TimedOut { seat } => {
                    nth == 0 && Some(*seat) == self.seat && self.verb == TIMEOUT
                }
                Event::Stood { seat, .. } => {
                    self.verb == OPEN || nth == 0 && Some(*seat) == self.seat && self.verb == STAND
                }
                Event::Contributed(_) => self.verb == OPEN,
                _ => true,
            };
            if !fits {
                return Err(Fault::OtherEntry("kind of events"));
            }
        }
        Ok(())
    }
}

/// The table as the seat sees it. A guest is shown no more, so no answer can tell more.
fn seen_by(table: &Table, seat: Seat) -> pb::View {
    match table.viewer() {
        Viewer::House => view(&table.seen_by(Viewer::Seat(seat))),
        Viewer::Seat(_) | Viewer::Spectator => view(table),
    }
}

fn number(seat: Seat) -> u32 {
    u8::from(seat).into()
}

fn cut(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}

// === As any game ===

impl Game for Module {
    fn name(&self) -> &'static str {
        self.description.name
    }
    fn words(&self, language: &str) -> Option<&'static str> {
        self.description.words.iter().find(|it| it.0 == language).map(|it| it.1)
    }
    fn seats(&self) -> RangeInclusive<u8> {
        self.description.seats.clone()
    }
    fn rules_version(&self) -> u32 {
        self.description.rules
    }
    fn options(&self) -> Vec<&'static OptionSpec> {
        self.description.options.iter().collect()
    }
    fn action_message(&self) -> String {
        self.description.action_message.clone()
    }
    fn messages(&self) -> &'static Messages {
        self.description.messages
    }
    fn layout(&self) -> &'static Layout {
        self.description.layout
    }
    fn refusals(&self) -> Vec<RefusalSpec> {
        self.description.refusals.clone()
    }
    fn rules_page(&self) -> RulesPage {
        self.description.rules_page
    }

    fn check_options(
        &self,
        given: &BTreeMap<String, String>,
        seats: u8,
    ) -> Result<Options, BadOption> {
        let specs = self.description.options.iter();
        let options = Options::each(&self.description.seats, specs, given, seats)?;
        let request = pb::CheckOptionsRequest { seats: seats.into(), options: chosen(&options) };
        let checked = self.instances.call(|instance| {
            instance.call::<pb::CheckOptionsResponse>(Method::CheckOptions, &request, None)
        });
        // A module that fails here accepts no options, as if they did not fit.
        let misfit = match checked {
            Ok(checked) if checked.misfit.is_empty() => return Ok(options),
            Ok(checked) => options.iter().find(|it| it.0 == checked.misfit),
            Err(_) => None,
        };
        let (name, value) = misfit.unwrap_or_else(|| (TALK, options.get(TALK)));
        Err(BadOption::NotWithSeats { name, value, seats })
    }

    fn open(
        &self,
        seats: u8,
        options: &Options,
        contributions: &[Contribution],
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        let request = pb::OpenRequest {
            seats: seats.into(),
            options: chosen(options),
            contributions: contributions.iter().map(stored::contributed).collect(),
        };
        let expected = Expected { seat: None, verb: OPEN, action: None };
        let opened = self.instances.leaving(|instance| {
            let answer: pb::OpenResponse = instance.call(Method::Open, &request, Some(chance))?;
            let Some(pb::outcome::Kind::Advance(advance)) = answer.outcome.and_then(|it| it.kind)
            else {
                return Err(Fault::Lacks("opening"));
            };
            let before = Before::Opening { seats, contributions };
            let (entry, table) = self.check(instance, &before, &advance, &expected)?;
            Ok(((table, entry), advance.table))
        });
        let ((table, entry), left) = opened.map_err(|fault| self.faulty(fault))?;
        self.instances.attach(&table, left);
        Ok((table, entry))
    }

    fn best_of(&self, seats: u8) -> Option<u8> {
        let nth = seats.checked_sub(*self.description.seats.start())?;
        let most = *self.description.best_of.get(usize::from(nth))?;
        u8::try_from(most).ok().filter(|it| *it > 0)
    }

    fn options_of_next(
        &self,
        options: &BTreeMap<String, String>,
        ended: &Table,
        moved: &dyn Fn(Seat) -> Seat,
    ) -> BTreeMap<String, String> {
        let first = || {
            let view = view(&ended.seen_by(Viewer::Spectator));
            let request = pb::NameNextBeginnerRequest { view: Some(view) };
            let named = self.instances.call(|instance| {
                let method = Method::NameNextBeginner;
                instance.call::<pb::NameNextBeginnerResponse>(method, &request, None)
            });
            // Rules that fail name nobody: the next match begins as any.
            let seat = named.ok()?.seat.and_then(|it| Seat::nth(it as usize))?;
            Some(seat).filter(|it| ended.has_seat(*it))
        };
        games::options_of_next(&self.options(), options, first, moved)
    }

    fn parse(&self, message: &[u8]) -> Result<Box<dyn ParsedAction>, Refused> {
        if let Some(action) = games::parse_common(message, self.layout()) {
            let action = action.map_err(|malformed| Refused::Malformed(malformed.0))?;
            let message = games::print_common(&action, self.layout());
            return Ok(Box::new(CommonOfModule { module: self.clone(), action, message }));
        }
        let request = pb::ParseRequest { action: Bytes::copy_from_slice(message) };
        let parsed = self.instances.call(|instance| {
            let parsed: pb::ParseResponse = instance.call(Method::Parse, &request, None)?;
            if parsed.verb.is_empty() {
                return Ok(Err(Refused::Malformed(cut(&parsed.malformed, SENTENCE_CHARS_MAX))));
            }
            let is_own = parsed.canonical.len() <= ACTION_BYTES_MAX
                && games::parse_common(&parsed.canonical, self.layout()).is_none();
            if !is_own {
                return Err(Fault::OtherEntry("action"));
            }
            Ok(Ok((self.verb(&parsed.verb)?, parsed.canonical)))
        });
        let (verb, canonical) = parsed.map_err(|fault| self.faulty(fault))??;
        Ok(Box::new(ActionOfModule { module: self.clone(), verb, canonical }))
    }

    fn resign(
        &self,
        table: &Table,
        seat: Seat,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        table::still_playing::<CommonRefusal>(table, seat).map_err(games::refused)?;
        let request = |table| Request::Resign(pb::ResignRequest { table, seat: number(seat) });
        let expected = Expected { seat: Some(seat), verb: RESIGN, action: None };
        let outcome = |it: pb::ResignResponse| it.outcome;
        self.decide(table, Method::Resign, request, chance, outcome, &expected)
    }

    fn take_back(
        &self,
        table: &Table,
        last: Option<&LastAction>,
        seat: Seat,
    ) -> Result<(Table, Entry), Refused> {
        under(self.description.rules, table::take_back::<NoRules>(table, last, seat))
    }

    fn vote(
        &self,
        table: &Table,
        seat: Seat,
        motion: Motion,
        on: bool,
    ) -> Result<(Table, Entry), Refused> {
        under(self.description.rules, table::vote::<NoRules>(table, seat, motion, on))
    }

    fn order(&self, table: &Table, motion: Motion) -> Result<(Table, Entry), Refused> {
        under(self.description.rules, table::order::<NoRules>(table, motion))
    }

    fn replace(&self, table: &Table, seat: Seat, is_gone: bool) -> Result<(Table, Entry), Refused> {
        under(self.description.rules, table::replace::<NoRules>(table, seat, is_gone))
    }

    fn time_out(
        &self,
        table: &Table,
        seat: Seat,
        resigns: bool,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        table::is_waited_for::<CommonRefusal>(table, seat).map_err(games::refused)?;
        let request =
            |table| Request::TimeOut(pb::TimeOutRequest { table, seat: number(seat), resigns });
        let expected = Expected { seat: Some(seat), verb: TIMEOUT, action: None };
        let outcome = |it: pb::TimeOutResponse| it.outcome;
        self.decide(table, Method::TimeOut, request, chance, outcome, &expected)
    }

    fn add_time(
        &self,
        table: &Table,
        added: &[(Seat, u32)],
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        under(self.description.rules, table::add_time::<NoRules>(table, added, chance))
    }

    fn list(
        &self,
        table: &Table,
        seat: Seat,
        filter: &ActionFilter,
    ) -> Result<Vec<Legal>, Refused> {
        if !can_act(table, seat) {
            return Ok(Vec::new());
        }
        let request = pb::ListRequest {
            view: Some(seen_by(table, seat)),
            seat: number(seat),
            verb: filter.verb.clone().unwrap_or_default(),
            pieces: filter.pieces.iter().map(|it| it.index() as u32).collect(),
        };
        let listed = self.instances.call(|instance| {
            let listed: pb::ListResponse = instance.call(Method::List, &request, None)?;
            if listed.actions.len() > LISTED_MAX {
                return Err(Fault::AnswerTooLarge);
            }
            let legal = listed.actions.into_iter().map(|it| {
                let verb = self.verb(&it.verb)?;
                Ok(Legal { verb, action: it.action, open_ended: it.is_example })
            });
            legal.collect()
        });
        listed.map_err(|fault| self.faulty(fault))
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
        let request =
            pb::AnswerForHouseRequest { view: Some(seen_by(table, seat)), seat: number(seat) };
        let answered = self.instances.call(|instance| {
            let method = Method::AnswerForHouse;
            instance.call::<pb::AnswerForHouseResponse>(method, &request, Some(chance))
        });
        Ok(answered.map_err(|fault| self.faulty(fault))?.action)
    }

    fn for_imagined(&self) -> Option<Box<dyn Game>> {
        Some(Box::new(Module { instances: self.imagining.clone(), ..self.clone() }))
    }

    fn may_stand(&self, decision: DecisionId) -> bool {
        self.description.standing.contains(&decision)
    }

    fn own_levels(&self) -> &[&'static str] {
        &self.description.levels
    }

    fn choose(&self, thinking: Thinking, chance: &mut dyn Chance) -> Result<Chosen, Refused> {
        let Thinking { level, observation, iterations, more, advises } = thinking;
        if !can_act(observation.table(), observation.seat()) {
            return Ok(Chosen::default());
        }
        let request = pb::ChooseRequest {
            level: level.to_owned(),
            observation: Some(observation.describe()),
            iterations,
            advises,
        };
        let Limits { fuel, fuel_of_choice, .. } = self.limits();
        let fuel = if self.is_suspect() { fuel } else { fuel_of_choice };
        let chosen = self.thinking.call_afresh(|instance| {
            let answer = instance.choose(&request, chance, more, fuel)?;
            self.chosen(answer)
        });
        chosen.map_err(|fault| self.faulty(fault))
    }

    fn is_suspect(&self) -> bool {
        self.instances.is_suspect()
    }

    /// Checks what a host can see of a match: that entries fit, and that the match ends. The trial
    /// of a module on its admission checks more.
    fn check_invariants(&self, seats: u8, seed: u64) -> Result<Played, Broken> {
        let broken = |refused: Refused| Broken {
            invariant: "what is legal is accepted",
            game: self.description.name,
            seats,
            seed,
            detail: refused.to_string(),
        };
        let options = self.check_options(&BTreeMap::new(), seats).expect("the defaults fit");
        let chance = MatchChance::new(&[0; 16], &invariants::key(seed), &[]);
        let mut random = ChaCha::of(invariants::key(seed), u64::MAX);
        let playout = self.play_at_random(seats, &options, &chance, &mut random);
        let steps = playout.map_err(broken)?.steps;
        Ok(Played { actions: steps.len(), ..Played::default() })
    }

    /// Panics if the module fails: it is for measurements and tests.
    fn playout(&self, seats: u8, options: &Options, chance: &MatchChance) -> Playout {
        let mut random = chance.after(u64::MAX);
        let playout = self.play_at_random(seats, options, chance, &mut random);
        playout.unwrap_or_else(|refused| panic!("{refused}"))
    }

    /// Panics if the module fails: it is for measurements and tests.
    fn playout_in_place(&self, table: &mut Table, chance: &mut dyn Chance) -> usize {
        let mut actions = 0;
        while !table.ended() {
            let step = self.any(table, chance).and_then(|(seat, action)| {
                self.play(table, seat, &action, chance).map(|(after, _)| after)
            });
            *table = step.unwrap_or_else(|refused| panic!("{refused}"));
            actions += 1;
        }
        actions
    }
}

impl Module {
    /// A seat for which the match waits, and one of its legal actions.
    fn any(&self, table: &Table, chance: &mut dyn Chance) -> Result<(Seat, Bytes), Refused> {
        let asked: Vec<Seat> = table.live().filter(|it| it.must).map(|it| it.seat).collect();
        if asked.is_empty() {
            return Err(stuck("the match waits for nobody".to_owned()));
        }
        let seat = asked[chance.below(asked.len())];
        let listed = self.legal(table, seat)?;
        let kinds = games::kinds_of(&listed);
        if kinds.is_empty() {
            return Err(stuck(format!("seat {seat} must act, and may do nothing")));
        }
        let verb = kinds[chance.below(kinds.len())].verb;
        let alike: Vec<&Legal> = listed.iter().filter(|it| it.verb == verb).collect();
        Ok((seat, alike[chance.below(alike.len())].action.clone()))
    }

    fn play_at_random(
        &self,
        seats: u8,
        options: &Options,
        chance: &MatchChance,
        random: &mut dyn Chance,
    ) -> Result<Playout, Refused> {
        /// Far more than any match has.
        const ACTIONS_MAX: usize = 100_000;
        let opening = self.open(seats, options, &[], &mut chance.after(0))?;
        let (mut table, mut choices) = (opening.0.clone(), opening.1.choices.len() as u64);
        let mut steps = Vec::new();
        while !table.ended() {
            if steps.len() == ACTIONS_MAX {
                return Err(stuck("the match does not end".to_owned()));
            }
            let (seat, action) = self.any(&table, random)?;
            let (after, entry) = self.play(&table, seat, &action, &mut chance.after(choices))?;
            choices += entry.choices.len() as u64;
            let before = std::mem::replace(&mut table, after.clone());
            steps.push(Step { before, seat, action, after, entry });
        }
        Ok(Playout { opening, steps })
    }
}

fn stuck(message: String) -> Refused {
    Refused::Faulty { kind: "STUCK", message }
}

fn chosen(options: &Options) -> BTreeMap<String, String> {
    options.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// An action of the game itself.
struct ActionOfModule {
    module: Module,
    verb: &'static str,
    canonical: Bytes,
}

impl ParsedAction for ActionOfModule {
    fn verb(&self) -> &'static str {
        self.verb
    }

    fn canonical(&self) -> Bytes {
        self.canonical.clone()
    }

    fn play(
        &self,
        table: &Table,
        seat: Seat,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused> {
        table::is_asked::<CommonRefusal>(table, seat).map_err(games::refused)?;
        let request = |table| {
            let action = self.canonical.clone();
            Request::Act(pb::ActRequest { table, seat: number(seat), action })
        };
        let expected =
            Expected { seat: Some(seat), verb: self.verb, action: Some(&self.canonical) };
        let outcome = |it: pb::ActResponse| it.outcome;
        self.module.decide(table, Method::Act, request, chance, outcome, &expected)
    }
}

/// An action that every game has.
struct CommonOfModule {
    module: Module,
    action: Common,
    message: Bytes,
}

impl ParsedAction for CommonOfModule {
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
        match self.action {
            Common::Say { .. } => {
                let said = self.action.play::<NoRules>(table, seat, self.message.clone(), chance);
                under(self.module.description.rules, said)
            }
            Common::Stand { decision, on } => {
                table::may_act::<CommonRefusal>(table, seat).map_err(games::refused)?;
                let refused = |it: CommonRefusal| Err(games::refused::<CommonRefusal>(it.into()));
                if !self.module.may_stand(decision) {
                    let decision = table.layout().decision_name(decision).to_owned();
                    return refused(CommonRefusal::NoStandingAnswer { decision });
                }
                if table.stands(seat, decision) == on {
                    return refused(CommonRefusal::NothingChanges);
                }
                self.module.stand(table, seat, (decision, on), &self.message, chance)
            }
        }
    }
}
