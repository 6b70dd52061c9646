//! Verifies that the service could have recorded a match: every digest follows from the covered
//! data and the seed; the rules lead from every action to exactly the recorded entry; and if the
//! rules have changed, every entry at least applies and reveals nothing hidden.
//!
//! A [`Verifier`] takes the entries of one match in order, and stores none of them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use clocks::Clocks;
use games::Game;
use games::notation::{self, headline};
use positions::{Digest, Position, Recorded};
use rows::{MatchId, Seed};
use serde::{Deserialize, Serialize};
use table::{
    ADD_TIME, Audit, ChaCha, Chance, Choice, Contribution, Entry, Event, LastAction, MatchChance,
    Motion, RESIGN, TAKE_BACK, TIMEOUT, Table,
};

use crate::creation::Creation;
use crate::digest::{Chain, Digested};

/// Verifies the entries of one match.
pub struct Verifier {
    game: &'static dyn Game,
    match_id: MatchId,
    seats: u8,
    options: BTreeMap<String, String>,
    seed: Option<Seed>,
    /// From the seed and the contributions, once they are known.
    chance: Option<MatchChance>,
    /// Computes the digests, if the seed is known.
    digests: Option<Chain>,
    fold: Fold,
    /// The action that a seat may take back.
    last: Option<LastAction>,
    /// `None` in a match without clocks.
    clocks: Option<Clocks>,
    verified: Verified,
}

/// The verified part of a match so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    pub entries: i64,
    pub choices: u64,
    pub is_over: bool,
    pub has_seed: bool,
    pub seed_commitment: Vec<u8>,
    /// The seats' contributions to its chance.
    pub contributions: Vec<Contribution>,
    /// The number of entries recorded before digests existed.
    pub without_digest: i64,
    /// The first entry for which the rules have changed since.
    pub earlier: Option<Difference>,
    /// The first entry that was decided by rules that this program does not know yet.
    pub later: Option<i64>,
}

/// An entry that the rules of this program would decide differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    pub position: i64,
    pub verb: String,
    /// The version of the rules under which it was decided; 0 if recorded before versions existed.
    pub rules: u32,
    /// The recorded and the computed outcome, for people.
    pub reason: String,
}

/// A verified entry.
pub struct VerifiedEntry {
    pub entry: Entry,
    /// Computed if the seed is known; otherwise as it was recorded.
    pub digest: Option<Digest>,
}

/// The table after the entries so far.
#[expect(clippy::large_enum_variant, reason = "there is one for each match that is verified")]
enum Fold {
    /// Every entry so far is what the rules give. Tests show that the rules pass [`Audit`], which
    /// costs more than everything else together, so it is skipped.
    Ruled(Option<Table>),
    Audited(Box<Audit>),
}

impl Verifier {
    /// `creation` belongs to a match of `game`, with a number of seats that the game allows.
    pub fn new(
        game: &'static dyn Game,
        creation: Creation<'_>,
        seed: Option<Seed>,
    ) -> Result<Verifier, String> {
        let seats = u8::try_from(creation.seats).ok().filter(|it| game.seats().contains(it));
        let seats = seats.ok_or_else(|| {
            format!("{} is not played with {} seats", game.name(), creation.seats)
        })?;
        if seed.is_some_and(|seed| {
            blake3::hash(&seed).as_bytes()[..] != creation.terms.seed_commitment
        }) {
            return Err("the seed does not match its commitment".to_owned());
        }
        Ok(Verifier {
            game,
            match_id: creation.match_id,
            seats,
            chance: None,
            clocks: Clocks::of(&creation.terms.options, seats),
            digests: seed.map(|seed| Chain::new(creation, &seed)),
            options: creation.terms.options.clone(),
            seed,
            fold: Fold::Ruled(None),
            last: None,
            verified: Verified {
                has_seed: seed.is_some(),
                seed_commitment: creation.terms.seed_commitment.to_vec(),
                ..Verified::default()
            },
        })
    }

    /// Verifies the next entry. After an error the verifier cannot continue.
    pub fn next(&mut self, recorded: &Recorded) -> Result<VerifiedEntry, String> {
        let position = self.verified.entries + 1;
        if recorded.position != Position(position) {
            return Err(format!("position {position} is next, not {}", recorded.position.0));
        }
        let entry = Entry::decode(&recorded.body, self.game.layout()).map_err(|error| {
            format!("its body is not an entry of {}: {error}", self.game.name())
        })?;
        let digest = self.digest(recorded, &entry)?;
        self.choices(position, &entry)?;
        self.check_time(recorded, &entry)?;
        let last = self.last_after(&entry, position);
        self.apply(position, &entry, &recorded.body)?;
        self.last = last;
        self.run_clocks(recorded, &entry);
        if position == 1 {
            self.verified.contributions = contributions(&entry);
        }
        self.verified.entries = position;
        self.verified.is_over |= entry.winners().is_some();
        Ok(VerifiedEntry { entry, digest })
    }

    pub fn finish(self) -> Verified {
        self.verified
    }

    pub fn verified(&self) -> &Verified {
        &self.verified
    }

    fn digest(&mut self, recorded: &Recorded, entry: &Entry) -> Result<Option<Digest>, String> {
        let is_first_without = self.verified.without_digest == self.verified.entries;
        match recorded.digest {
            None if entry.rules > 0 => return Err("it has no digest".to_owned()),
            None if is_first_without => self.verified.without_digest += 1,
            None => return Err("it has no digest, but the entry before it has one".to_owned()),
            Some(_) => {}
        }
        let Some(digests) = &mut self.digests else { return Ok(recorded.digest) };
        let digest = digests.next(Digested::of(recorded, entry.seat.map(u8::from)));
        if recorded.digest.is_some_and(|recorded| recorded != digest) {
            return Err("its digest is wrong: this entry, one before it, or what the match was \
                        created with has been altered"
                .to_owned());
        }
        Ok(Some(digest))
    }

    /// Verifies that the choices of an entry follow from the chance of the match.
    fn choices(&mut self, position: i64, entry: &Entry) -> Result<(), String> {
        if entry.rules == 0 {
            if !entry.choices.is_empty() {
                return Err("it has choices, but no version of rules".to_owned());
            }
            return Ok(());
        }
        if position == 1
            && let Some(seed) = &self.seed
        {
            let contributions = contributions(entry);
            self.chance = Some(MatchChance::new(self.match_id.0.as_bytes(), seed, &contributions));
        }
        if let Some(chance) = &self.chance
            && !entry.choices.is_empty()
        {
            let mut chance = chance.after(self.verified.choices);
            for (n, &Choice { bound, value }) in entry.choices.iter().enumerate() {
                let drawn = chance.below(bound as usize);
                if drawn != value as usize {
                    return Err(format!(
                        "its choice {} among {bound} is {value}, but the chance of the match gives \
                         {drawn}: it does not follow from the seed and the contributions",
                        n + 1
                    ));
                }
            }
        }
        self.verified.choices += entry.choices.len() as u64;
        Ok(())
    }

    /// Verifies that a timeout was not recorded before the seat's time had run out.
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

    fn run_clocks(&mut self, recorded: &Recorded, entry: &Entry) {
        let table = match &self.fold {
            Fold::Ruled(last) => last.as_ref(),
            Fold::Audited(audit) => Some(audit.table()),
        };
        if let Some((clocks, table)) = self.clocks.as_mut().zip(table) {
            clocks.apply(entry, recorded.create_time, table);
        }
    }

    /// Applies an entry: as the rules decide it, otherwise as it was recorded. Speech stays sealed
    /// and the rules get a placeholder, so erased speech makes no difference.
    fn apply(&mut self, position: i64, entry: &Entry, body: &[u8]) -> Result<(), String> {
        let unsealed = entry.unsealed();
        let is_recorded = |decided: &Entry| match &unsealed {
            Cow::Borrowed(_) => decided.encode() == body,
            Cow::Owned(unsealed) => decided == unsealed && entry.encode() == body,
        };
        let decided = self.decide(&unsealed, position);
        let reason = match decided {
            None => None,
            Some(Ok((table, decided))) if is_recorded(&decided) => {
                if let Fold::Ruled(last) = &mut self.fold {
                    *last = Some(table);
                    return Ok(());
                }
                None
            }
            Some(Ok((_, decided))) => Some(difference(&unsealed, &decided, self.game)),
            Some(Err(reason)) => Some(reason),
        };
        if entry.encode()[..] != *body {
            return Err("its body is not in the canonical encoding".to_owned());
        }
        if let Some(reason) = &reason
            && entry.rules == self.game.rules_version()
        {
            return Err(format!("the rules lead to something else: {reason}"));
        }
        self.audit(entry, position)?;
        let Some(reason) = reason else { return Ok(()) };
        if self.verified.earlier.is_none() {
            let verb = entry.verb.to_owned();
            let rules = entry.rules;
            self.verified.earlier = Some(Difference { position, verb, rules, reason });
        }
        Ok(())
    }

    /// The action that may be taken back after an entry, which is not applied yet. Actions that
    /// involved chance never may.
    fn last_after(&mut self, entry: &Entry, position: i64) -> Option<LastAction> {
        if entry.is_aside() {
            let last = self.last.take();
            return last.map(|last| LastAction { age: last.age + 1, ..last });
        }
        if entry.action.is_none() || !entry.choices.is_empty() {
            return None;
        }
        let before = self.table(position)?.clone();
        Some(LastAction { before, entry: entry.clone(), age: 1 })
    }

    /// The table before the entry at a position.
    fn table(&self, position: i64) -> Option<&Table> {
        match &self.fold {
            Fold::Ruled(last) => last.as_ref(),
            Fold::Audited(audit) => (position > 1).then(|| audit.table()),
        }
    }

    /// Checks the invariants of any rules.
    fn audit(&mut self, entry: &Entry, position: i64) -> Result<(), String> {
        if let Fold::Ruled(last) = &mut self.fold {
            let audit = match last.take() {
                Some(table) => Audit::after(table),
                None => Audit::new(self.game.layout(), self.seats),
            };
            self.fold = Fold::Audited(Box::new(audit));
        }
        let Fold::Audited(audit) = &mut self.fold else { unreachable!("it was set above") };
        let apply = AssertUnwindSafe(|| audit.apply(entry, position == 1));
        let applied = catch_unwind(apply).map_err(|_| "no table can follow it".to_owned())?;
        applied.map_err(|violation| violation.to_string())
    }

    /// The rules' outcome for the action of an entry, or their refusal; `None` if it cannot be
    /// computed: the rules are of a later version, or an earlier release's chance needs the seed.
    fn decide(&mut self, entry: &Entry, position: i64) -> Option<Result<(Table, Entry), String>> {
        if entry.rules > self.game.rules_version() {
            self.verified.later.get_or_insert(position);
            return None;
        }
        if entry.rules == 0 {
            let mut chance = ChaCha::of(self.seed?, position.unsigned_abs());
            let decided = self.play_safely(entry, position, &mut chance);
            return Some(decided.map(|(table, decided)| {
                (table, Entry { rules: 0, choices: Vec::new(), ..decided })
            }));
        }
        let mut chance = Recalled { choices: entry.choices.iter(), otherwise: None };
        let decided = self.play_safely(entry, position, &mut chance);
        let decided = match chance.otherwise {
            Some(reason) => Err(reason),
            None => decided,
        };
        let version = entry.rules;
        Some(decided.map(|(table, decided)| (table, Entry { rules: version, ..decided })))
    }

    /// Rules of another version may have left a table that this program's rules do not expect, and
    /// [`Recalled`] stops rules that choose more than was recorded.
    fn play_safely(
        &self,
        entry: &Entry,
        position: i64,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), String> {
        let play = AssertUnwindSafe(|| self.play(entry, position, chance));
        catch_unwind(play)
            .unwrap_or_else(|_| Err("the rules of this program fail on it".to_owned()))
    }

    fn play(
        &self,
        entry: &Entry,
        position: i64,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), String> {
        let table = self.table(position);
        let refused = |refused: games::Refused| {
            format!("the record has {:?}, which the rules refuse: {refused}", headline(entry))
        };
        let unknown = || format!("the rules know no entry such as {:?} here", headline(entry));
        match (table, entry.seat, &entry.action) {
            (None, None, None) => {
                let options = self.game.check_options(&self.options, self.seats);
                let options =
                    options.map_err(|bad| format!("the rules refuse an option: {bad}"))?;
                Ok(self.game.open(self.seats, &options, &contributions(entry), chance))
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
        // Unwinds to `play_safely` without a message, since nothing has failed.
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
            format!("seat {} {optional}{decision}, age {}", prompt.seat, prompt.age)
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
