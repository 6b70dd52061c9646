//! Verifies that the service could have recorded a match: what it proves by itself, and that the
//! rules lead from every action to exactly the recorded entry.
//!
//! A [`Verifier`] takes the entries of one match in order, and stores none of them.
//!
//! Records come from strangers. The rules only run on tables that they made themselves: after the
//! first entry that they do not give, or that other rules decided, the rest is folded and audited.
//! On a forged table they might not end. What they may choose is bounded by the recorded choices.
//! See `docs/decisions/0056-verification-has-three-answers.md`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use clocks::Clocks;
use games::Game;
use games::notation::{self, headline};
use positions::{Digest, Recorded};
use rows::{SeatRow, Seed};
use table::{
    ADD_TIME, Audit, Chance, Choice, Contribution, Entry, Event, LastAction, Motion, RESIGN,
    TAKE_BACK, TIMEOUT, Table,
};

use crate::body::{Body, not_canonical};
use crate::code::{Code, Problem, ensure};
use crate::creation::Creation;
use crate::proofs::Proofs;
use crate::verified::{Difference, Verified};

/// Verifies the entries of one match.
pub struct Verifier {
    proofs: Proofs,
    /// `None` if this program does not know the game, or can no longer read its entries.
    replay: Option<Replay>,
}

/// A verified entry.
pub struct VerifiedEntry {
    /// `None` if this release cannot read it.
    pub entry: Option<Entry>,
    /// Computed if the seed is known; otherwise as it was recorded.
    pub digest: Option<Digest>,
}

/// The match as the rules play it.
struct Replay {
    /// The rules of the version that decided the last entry, if they are here; otherwise those of
    /// this program.
    game: &'static dyn Game,
    /// Whether the match names the module that has its rules.
    is_of_module: bool,
    seats: u8,
    options: BTreeMap<String, String>,
    fold: Fold,
    /// The action that a seat may take back.
    last: Option<LastAction>,
    /// `None` in a match without clocks.
    clocks: Option<Clocks>,
}

/// The table after the entries so far.
#[expect(clippy::large_enum_variant, reason = "there is one for each match that is verified")]
enum Fold {
    /// Every entry so far is what the rules give. Tests show that the rules pass [`Audit`], which
    /// costs more than everything else together, so it is skipped.
    Ruled(Option<Table>),
    /// An entry is not what the rules give: they do not run any more.
    Audited(Box<Audit>),
}

impl Verifier {
    /// `seated` has the players of each seat. Fails if the game, which this program may not know,
    /// is not played with so many seats, or if the seed is not the promised one.
    pub fn new(
        game: Option<&'static dyn Game>,
        creation: Creation<'_>,
        seated: &[SeatRow],
        seed: Option<Seed>,
    ) -> Result<Verifier, Problem> {
        let mut proofs = Proofs::new(creation, seated, seed)?;
        let module = creation.terms.module().map(str::to_owned);
        proofs.verified.module = module.map(|module| (creation.game.to_owned(), module));
        let replay = game.map(|game| Replay::new(game, creation)).transpose()?;
        if replay.is_none() {
            proofs.verified.unknown_game = Some(creation.game.to_owned());
        }
        Ok(Verifier { proofs, replay })
    }

    /// Verifies the next entry, and that its line states the seat and the verb of its body. After
    /// an error the verifier cannot continue.
    pub fn next(
        &mut self,
        recorded: &Recorded,
        stated: Option<(Option<u64>, &str)>,
    ) -> Result<VerifiedEntry, Problem> {
        let position = self.proofs.check_place(recorded)?;
        let body = Body::read(&recorded.body)?;
        let is_stated = stated.is_none_or(|it| it == (body.seat, body.verb));
        ensure(is_stated, Code::BodyDiffers, || {
            "its seat or verb differs from its body".to_owned()
        })?;
        let digest = self.proofs.next(recorded, &body)?;
        let entry = self.replay(position, recorded, body.rules)?;
        self.proofs.advance(recorded, &body);
        Ok(VerifiedEntry { entry, digest })
    }

    /// Verifies an entry by the rules. Returns it, if this release can read it.
    fn replay(
        &mut self,
        position: i64,
        recorded: &Recorded,
        rules: u32,
    ) -> Result<Option<Entry>, Problem> {
        let Some(replay) = &mut self.replay else { return Ok(None) };
        let verified = &mut self.proofs.verified;
        if let Some(module) = replay.turn_to(rules) {
            verified.kept.insert(format!("{} {module}", replay.game.name()));
        }
        let is_later = rules > replay.game.rules_version();
        if is_later {
            verified.later.get_or_insert(position);
        }
        let entry = match Entry::decode(&recorded.body, replay.game.layout()) {
            Ok(entry) => entry,
            // A later release may have other pieces and events.
            Err(_) if is_later => {
                self.replay = None;
                return Ok(None);
            }
            Err(error) => {
                let name = replay.game.name();
                let reason = format!("its body is not an entry of {name}: {error}");
                return Err(Code::BodyInvalid.because(reason));
            }
        };
        if let Some(difference) = replay.next(position, recorded, &entry)? {
            verified.earlier.get_or_insert(difference);
        }
        Ok(Some(entry))
    }

    /// Verifies, after the last entry, that nothing is missing.
    pub fn check_end(&self) -> Result<(), Problem> {
        self.proofs.check_end()
    }

    pub fn finish(self) -> Verified {
        self.proofs.verified
    }

    pub fn verified(&self) -> &Verified {
        &self.proofs.verified
    }
}

impl Replay {
    fn new(game: &'static dyn Game, creation: Creation<'_>) -> Result<Replay, Problem> {
        let seats = u8::try_from(creation.seats).ok().filter(|it| game.seats().contains(it));
        let seats = seats.ok_or_else(|| {
            let reason = format!("{} is not played with {} seats", game.name(), creation.seats);
            Code::RulesBroken.because(reason)
        })?;
        Ok(Replay {
            game,
            is_of_module: creation.terms.module().is_some(),
            seats,
            options: creation.terms.options.clone(),
            fold: Fold::Ruled(None),
            last: None,
            clocks: Clocks::of(&creation.terms.options, seats),
        })
    }

    /// Goes on by the rules of the version that decided the next entry: those of this program, or
    /// a module that was kept of them. Returns the hash of a module that takes over.
    fn turn_to(&mut self, rules: u32) -> Option<String> {
        let Fold::Ruled(table) = &self.fold else { return None };
        if self.is_of_module || self.game.rules_version() == rules {
            return None;
        }
        let module = games::kept(self.game.name(), rules);
        let module = module.and_then(|it| Some((games::installed(&it)?, it)));
        let game = module.as_ref().map(|it| it.0).or_else(|| games::find(self.game.name()))?;
        if std::ptr::addr_eq(game, self.game) {
            return None;
        }
        // The layout of each version has what those of earlier ones have, under the same numbers.
        let moved = |it: &Table| Table::decode_kept(&it.encode(), game.layout(), self.seats).ok();
        let table = match table {
            Some(table) => Some(moved(table)?),
            None => None,
        };
        let last = self.last.take();
        self.last = last.and_then(|it| Some(LastAction { before: moved(&it.before)?, ..it }));
        self.fold = Fold::Ruled(table);
        self.game = game;
        module.map(|it| it.1)
    }

    /// Applies the next entry: as the rules decide it, otherwise as it was recorded. Returns how
    /// these rules would decide it, if earlier rules decided it differently. Speech stays sealed
    /// and the rules get a placeholder, so erased speech makes no difference.
    fn next(
        &mut self,
        position: i64,
        recorded: &Recorded,
        entry: &Entry,
    ) -> Result<Option<Difference>, Problem> {
        let version = self.game.rules_version();
        let may_rule = matches!(self.fold, Fold::Ruled(_)) && (1..=version).contains(&entry.rules);
        let failed = || "the rules of this program fail on it".to_owned();
        if may_rule {
            let timely = AssertUnwindSafe(|| self.check_time(recorded, entry));
            let timely = catch_unwind(timely).unwrap_or_else(|_| Err(failed()));
            timely.map_err(|reason| Code::RulesBroken.because(reason))?;
        }
        let ruled = may_rule.then(|| {
            let rule = AssertUnwindSafe(|| self.rule(recorded, entry));
            catch_unwind(rule).unwrap_or_else(|_| Err(failed()))
        });
        if ruled == Some(Ok(())) {
            return Ok(None);
        }
        let is_canonical = entry.encode() == recorded.body;
        ensure(is_canonical, Code::BodyInvalid, || not_canonical().reason)?;
        let difference = match ruled {
            Some(Err(reason)) if entry.rules == version => {
                let reason = format!("the rules lead to something else: {reason}");
                return Err(Code::RulesBroken.because(reason));
            }
            Some(Err(reason)) => {
                let (verb, rules) = (entry.verb.to_owned(), entry.rules);
                Some(Difference { position, verb, rules, reason })
            }
            Some(Ok(())) | None => None,
        };
        self.audit(entry, position)?;
        Ok(difference)
    }

    /// Plays an entry and advances, if it is what the rules give; otherwise tells how they differ.
    fn rule(&mut self, recorded: &Recorded, entry: &Entry) -> Result<(), String> {
        let unsealed = entry.unsealed();
        let mut chance = Recalled { choices: entry.choices.iter(), otherwise: None };
        let play = AssertUnwindSafe(|| self.play(&unsealed, &mut chance));
        let played = catch_unwind(play);
        if let Some(reason) = chance.otherwise {
            return Err(reason);
        }
        let (table, decided) = played.unwrap_or_else(|panic| resume_unwind(panic))?;
        let decided = Entry { rules: entry.rules, players: entry.players.clone(), ..decided };
        // Releases that did not count when a seat was asked again recorded nothing about it.
        let decided = if entry.counts_asked() { decided } else { decided.without_asked() };
        let is_recorded = match &unsealed {
            Cow::Borrowed(_) => decided.encode() == recorded.body,
            Cow::Owned(unsealed) => decided == *unsealed && entry.encode() == recorded.body,
        };
        if !is_recorded {
            return Err(difference(&unsealed, &decided, self.game));
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.apply(entry, recorded.create_time, &table);
        }
        self.last = self.last_after(entry);
        self.fold = Fold::Ruled(Some(table));
        Ok(())
    }

    /// Fails if a timeout was recorded before the seat's time had run out.
    fn check_time(&self, recorded: &Recorded, entry: &Entry) -> Result<(), String> {
        if entry.verb != TIMEOUT {
            return Ok(());
        }
        let (clocks, seat) = (self.clocks.as_ref(), entry.seat);
        let deadline = clocks.zip(seat).and_then(|(clocks, seat)| clocks.deadline(seat));
        match deadline {
            Some(deadline) if recorded.create_time < deadline => {
                Err(format!("the time of the seat runs out at {deadline}, and not before"))
            }
            Some(_) => Ok(()),
            None => Err("no time of its seat can run out".to_owned()),
        }
    }

    /// The action that may be taken back after an entry, which is not applied yet. Actions that
    /// involved chance never may.
    fn last_after(&mut self, entry: &Entry) -> Option<LastAction> {
        if entry.is_aside() {
            let last = self.last.take();
            return last.map(|last| LastAction { age: last.age + 1, ..last });
        }
        if entry.action.is_none() || !entry.choices.is_empty() {
            return None;
        }
        let Fold::Ruled(Some(before)) = &self.fold else { return None };
        Some(LastAction { before: before.clone(), entry: entry.clone(), age: 1 })
    }

    /// Folds an entry without the rules, and checks the invariants of any rules.
    fn audit(&mut self, entry: &Entry, position: i64) -> Result<(), Problem> {
        if let Fold::Ruled(last) = &mut self.fold {
            let audit = match last.take() {
                Some(table) => Audit::after(table),
                None => Audit::new(self.game.layout(), self.seats),
            };
            self.fold = Fold::Audited(Box::new(audit));
        }
        let Fold::Audited(audit) = &mut self.fold else { unreachable!("it was set above") };
        let apply = AssertUnwindSafe(|| audit.apply(entry, position == 1));
        let applied =
            catch_unwind(apply).map_err(|_| Code::RulesBroken.because("no table can follow it"))?;
        applied.map_err(|violation| Code::RulesBroken.because(violation.to_string()))
    }

    fn play(&self, entry: &Entry, chance: &mut dyn Chance) -> Result<(Table, Entry), String> {
        let Fold::Ruled(table) = &self.fold else {
            return Err("the rules have stopped".to_owned());
        };
        let table = table.as_ref();
        let refused = |refused: games::Refused| {
            format!("the record has {:?}, which the rules refuse: {refused}", headline(entry))
        };
        let unknown = || format!("the rules know no entry such as {:?} here", headline(entry));
        match (table, entry.seat, &entry.action) {
            (None, None, None) => {
                let options = self.game.check_options(&self.options, self.seats);
                let options =
                    options.map_err(|bad| format!("the rules refuse an option: {bad}"))?;
                let opened = self.game.open(self.seats, &options, &contributions(entry), chance);
                opened.map_err(refused)
            }
            (Some(table), Some(seat), Some(action)) => {
                self.game.play(table, seat, action, chance).map_err(refused)
            }
            (Some(table), Some(seat), None) if entry.verb == RESIGN => {
                self.game.resign(table, seat, chance).map_err(refused)
            }
            (Some(table), Some(seat), None) if entry.verb == TIMEOUT => {
                let resigned = |it: &Event| *it == Event::Resigned { seat };
                let resigns = entry.events.iter().any(resigned);
                self.game.time_out(table, seat, resigns, chance).map_err(refused)
            }
            (Some(table), None, None) if entry.verb == ADD_TIME => {
                let added = entry.events.iter().filter_map(|it| match *it {
                    Event::TimeAdded { seat, ms } => Some((seat, ms)),
                    _ => None,
                });
                self.game.add_time(table, &added.collect::<Vec<_>>(), chance).map_err(refused)
            }
            (Some(table), Some(seat), None) if entry.verb == TAKE_BACK => {
                self.game.take_back(table, self.last.as_ref(), seat).map_err(refused)
            }
            (Some(table), seat, None) => match (entry.events.first(), seat) {
                (Some(&Event::Voted { seat: by, motion, on }), Some(seat)) if by == seat => {
                    self.game.vote(table, seat, motion, on).map_err(refused)
                }
                // Whether its player was gone is not recorded.
                (Some(&Event::Replaced { seat }), None) => {
                    self.game.replace(table, seat, true).map_err(refused)
                }
                (_, None) if let Some(motion) = Motion::ordered_by(entry.verb) => {
                    self.game.order(table, motion).map_err(refused)
                }
                _ => Err(unknown()),
            },
            _ => Err(unknown()),
        }
    }
}

/// Chance that repeats the choices of an entry. The rules stop at the first choice that the entry
/// does not have: whatever they were given instead, they might choose again for ever.
struct Recalled<'a> {
    choices: std::slice::Iter<'a, Choice>,
    /// Why the rules' choices differ from the recorded ones.
    otherwise: Option<String>,
}

impl Chance for Recalled<'_> {
    fn below(&mut self, limit: usize) -> usize {
        let otherwise = match self.choices.next() {
            Some(it) if it.bound as usize == limit => return it.value as usize,
            Some(it) => format!(
                "the record has a choice among {}, where the rules choose among {limit}",
                it.bound
            ),
            None => format!("the rules choose among {limit}, where the record has no more choices"),
        };
        self.otherwise = Some(otherwise);
        // Unwinds to `Replay::rule` without a message, since nothing has failed.
        resume_unwind(Box::new(()))
    }
}

/// The seats' contributions to the chance of the match, from its first entry.
fn contributions(opening: &Entry) -> Vec<Contribution> {
    let contributed = opening.events.iter().map_while(|event| match event {
        Event::Contributed(it) => Some((**it).clone()),
        _ => None,
    });
    contributed.collect()
}

/// The first difference between the recorded entry and the rules' entry.
fn difference(recorded: &Entry, given: &Entry, game: &dyn Game) -> String {
    let layout = game.layout();
    let (here, there) = (headline(recorded), headline(given));
    if here != there {
        return format!("the record has {here:?}, the rules give {there:?}");
    }
    if recorded.action != given.action {
        return format!("in {here:?}, the rules write the action in other bytes");
    }
    let count = recorded.events.len().max(given.events.len());
    let differs = |&n: &usize| recorded.events.get(n) != given.events.get(n);
    if let Some(n) = (0..count).find(differs) {
        let line = |entry: &Entry| match entry.events.get(n) {
            Some(event) => format!("{:?}", notation::line(event, layout)),
            None => "nothing more".to_owned(),
        };
        let (recorded, given) = (line(recorded), line(given));
        return format!("in {here:?}, event {} is {recorded}, where the rules give {given}", n + 1);
    }
    let prompts = |entry: &Entry| {
        let prompts = entry.prompts.iter().map(|prompt| {
            let (decision, optional) =
                (layout.decision_name(prompt.decision), if prompt.must { "" } else { "may " });
            let asked = prompt.asked.map_or("not".to_owned(), |asked| format!("{asked} ago"));
            format!("seat {} {optional}{decision}, age {}, asked {asked}", prompt.seat, prompt.age)
        });
        format!("[{}]", prompts.collect::<Vec<_>>().join("; "))
    };
    if recorded.prompts != given.prompts {
        let (recorded, given) = (prompts(recorded), prompts(given));
        return format!("after {here:?} the prompts are {recorded}, where the rules give {given}");
    }
    if recorded.choices != given.choices {
        return format!("in {here:?}, the record has choices that the rules do not make");
    }
    format!("{here:?} is the same, but recorded in other bytes")
}
