//! The outcome of verification, for one match and for all together.

use std::borrow::BorrowMut;
use std::collections::{BTreeMap, BTreeSet};

use rows::match_name;
use serde::{Deserialize, Serialize};
use table::Entropy;

use crate::code::{Answer, Code, Problem};
use crate::known::Known;
use crate::line::LineError;
use crate::log_report::LogReport;
use crate::players::PlayerCounts;
use crate::verified::Verified;

/// The outcome of verifying one match.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// `matches/{match}`; empty if the lines do not name it.
    pub name: String,
    /// What was verified before the first error.
    pub verified: Verified,
    pub wrong: Vec<Finding>,
    /// Why it is not proven although nothing is wrong.
    pub unproven: Vec<Finding>,
    /// The receipts that agree with it, by their sources.
    pub receipts: Vec<String>,
    /// The last position for which a receipt agrees; 0 if none does. Nothing up to it was changed
    /// or cut off since the receipt was signed.
    pub anchored: i64,
}

/// A reason why a match is not what the service recorded, or is not proven.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The file, or the match that the service was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// `matches/{match}`; empty if it is not known.
    #[serde(rename = "match")]
    pub name: String,
    /// The line of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<i64>,
    /// The file of the receipt that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    pub code: Code,
    pub reason: String,
}

/// The outcomes of many matches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub matches: u64,
    pub entries: u64,
    pub choices: u64,
    /// Matches of which everything was verified.
    pub proven: u64,
    /// Matches with which nothing is known to be wrong, but not everything was verified.
    pub not_proven: u64,
    pub wrong_matches: u64,
    /// Matches to whose chance seats contributed, after the service had committed itself.
    pub shared: u64,
    /// The same, where some contributions may have been known to the service before.
    pub shared_unordered: u64,
    /// Matches to whose chance no seat contributed.
    pub service_only: u64,
    /// Players of the seats, also earlier ones, who are those that the entries commit to.
    pub players_proven: u64,
    /// Players who were erased since, whose commitments cannot be checked.
    pub players_erased: u64,
    /// Players to whom no entry commits.
    pub players_not_covered: u64,
    /// Matches whose last entry a receipt confirms.
    pub anchored: u64,
    /// The receipts that agree with the record.
    pub receipts: BTreeSet<String>,
    /// The first [`LISTED_MAX`].
    pub wrong: Vec<Finding>,
    /// The first [`LISTED_MAX`].
    pub unproven: Vec<Finding>,
    /// How many matches are not proven for each reason.
    pub unproven_counts: BTreeMap<Code, u64>,
    /// Matches that have not ended and that this program's rules would have played differently.
    pub unfinished_with_changed_rules: u64,
    /// How many matches are by the rules of a module, at least in part: by game, with the hash of
    /// the module.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub modules: BTreeMap<String, u64>,
    /// What a transparency log shows, if the matches were compared with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<LogReport>,
}

/// The maximum number listed of each kind.
pub const LISTED_MAX: usize = 1000;

impl Finding {
    /// With this reason, and nothing about the place.
    pub fn of(Problem { code, reason }: Problem) -> Finding {
        let name = String::new();
        Finding { source: None, name, line: None, position: None, receipt: None, code, reason }
    }

    /// With this reason, of something that could not be read as a whole.
    pub fn of_source(source: &str, code: Code, reason: impl Into<String>) -> Finding {
        Finding { source: Some(source.to_owned()), ..Finding::of(code.because(reason)) }
    }
}

impl From<LineError> for Finding {
    fn from(LineError { line, problem }: LineError) -> Finding {
        Finding { line: Some(line), ..Finding::of(problem) }
    }
}

impl Outcome {
    /// Adds why the match is wrong, or not proven.
    pub fn add(&mut self, line: Option<usize>, position: Option<i64>, problem: Problem) {
        let list = match problem.code.answer() {
            Answer::Wrong => &mut self.wrong,
            Answer::NotProven | Answer::Proven => &mut self.unproven,
        };
        let name = self.name.clone();
        list.push(Finding { name, line, position, ..Finding::of(problem) });
    }

    /// Everything must be verified for a proof.
    pub fn answer(&self) -> Answer {
        match () {
            () if !self.wrong.is_empty() => Answer::Wrong,
            () if !self.unproven.is_empty() => Answer::NotProven,
            () => Answer::Proven,
        }
    }

    /// Checks that this is the match that the service was asked for, and complete: a service tells
    /// the record of a match only after its end.
    pub fn expect(&mut self, name: &str, may_be_unfinished: bool) {
        if self.name != name {
            let reason = format!("the service was asked for {name}");
            self.add(None, None, Code::OtherMatch.because(reason));
        }
        let is_unfinished = self.unproven.iter().any(|it| it.code == Code::Unfinished);
        if is_unfinished && !may_be_unfinished {
            let reason = "the record of a match that has ended was asked for, and it has no end";
            let end = self.verified.entries + 1;
            self.add(None, Some(end), Code::Incomplete.because(reason));
        }
    }
}

/// The matches of one file, or of one answer of a service, which are added to a tally, its own or
/// one with others.
pub struct Source<T> {
    tally: T,
    name: String,
    /// The match that the service was asked for, and whether it may be unfinished.
    asked: Option<bool>,
    matches: u64,
}

impl<T: BorrowMut<Tally>> Source<T> {
    pub fn file(tally: T, name: &str) -> Source<T> {
        Source { tally, name: name.to_owned(), asked: None, matches: 0 }
    }

    /// The answer of a service that was asked for the record of the match with this name.
    pub fn answer(tally: T, name: &str, may_be_unfinished: bool) -> Source<T> {
        let asked = Some(may_be_unfinished);
        Source { tally, name: name.to_owned(), asked, matches: 0 }
    }

    pub fn tally(&self) -> &Tally {
        self.tally.borrow()
    }

    /// Adds the next match.
    pub fn add(&mut self, mut outcome: Outcome) {
        if let Some(may_be_unfinished) = self.asked {
            outcome.expect(&self.name, may_be_unfinished);
        }
        for finding in outcome.wrong.iter_mut().chain(&mut outcome.unproven) {
            finding.source = Some(self.name.clone());
        }
        self.matches += 1;
        self.tally.borrow_mut().add(&outcome);
    }

    /// Ends it, after its last match or an error.
    pub fn end(mut self, read: Result<(), LineError>) -> T {
        let finding = match (read, self.asked) {
            (Err(error), _) => Finding::from(error),
            (Ok(()), _) if self.matches > 0 => return self.tally,
            (Ok(()), None) => Finding::of(Code::NoMatch.because("there is no match in it")),
            (Ok(()), Some(_)) => {
                let name = &self.name;
                let reason = format!("the service was asked for {name}, and tells no match");
                Finding::of(Code::OtherMatch.because(reason))
            }
        };
        self.tally.borrow_mut().list(&[Finding { source: Some(self.name), ..finding }]);
        self.tally
    }
}

/// The answer with all that it stands on, as `croupier verify --json` prints it.
#[derive(Serialize)]
pub struct Report<'t> {
    answer: Answer,
    /// Verifiers that share no code with this one do not know the rules.
    checks_rules: bool,
    #[serde(flatten)]
    tally: &'t Tally,
}

impl<'t> From<&'t Tally> for Report<'t> {
    fn from(tally: &'t Tally) -> Report<'t> {
        Report { answer: tally.answer(), checks_rules: true, tally }
    }
}

impl Tally {
    pub fn add(&mut self, it: &Outcome) {
        let entries = it.verified.entries;
        self.matches += 1;
        if !it.verified.is_result_only {
            self.entries += entries.unsigned_abs();
        }
        self.choices += it.verified.choices;
        let module = it.verified.module.iter().map(|(game, module)| format!("{game} {module}"));
        for module in module.chain(it.verified.kept.iter().cloned()) {
            *self.modules.entry(module).or_default() += 1;
        }
        match it.verified.entropy() {
            Some(Entropy::Shared) => self.shared += 1,
            Some(Entropy::SharedOrderNotProven) => self.shared_unordered += 1,
            Some(Entropy::ServiceOnly) => self.service_only += 1,
            None => {}
        }
        let PlayerCounts { proven, erased, not_covered } = it.verified.players;
        self.players_proven += proven;
        self.players_erased += erased;
        self.players_not_covered += not_covered;
        self.anchored += u64::from(entries > 0 && it.anchored == entries);
        self.receipts.extend(it.receipts.iter().cloned());
        match it.answer() {
            Answer::Proven => self.proven += 1,
            Answer::NotProven => {
                self.not_proven += 1;
                let has = |code| it.unproven.iter().any(|it| it.code == code);
                let differs = has(Code::RulesChanged) && has(Code::Unfinished);
                self.unfinished_with_changed_rules += u64::from(differs);
                self.list(&it.unproven);
            }
            Answer::Wrong => {
                self.wrong_matches += 1;
                self.list(&it.wrong);
            }
        }
    }

    /// The answer about all matches together. Without a match nothing is proven.
    pub fn answer(&self) -> Answer {
        match () {
            () if !self.wrong.is_empty() => Answer::Wrong,
            () if self.matches == 0 || !self.unproven.is_empty() => Answer::NotProven,
            () => Answer::Proven,
        }
    }

    /// Refuses receipts that belong to none of the matches, and those that contradict each other.
    /// Call it after the last match.
    pub fn close(&mut self, known: &Known) {
        let contradicts = self.wrong.iter().filter_map(|it| it.receipt.clone());
        let contradicts: BTreeSet<String> = contradicts.collect();
        for receipt in known.receipts() {
            let (source, name) = (&receipt.source, match_name(receipt.match_id));
            if !contradicts.contains(source) && !self.receipts.contains(source) {
                let reason = format!("the receipt is for another match: {name} is not here");
                let (receipt, position) = (Some(source.clone()), Some(receipt.position));
                let problem = Code::ReceiptOfOtherMatch.because(reason);
                self.list(&[Finding { name, position, receipt, ..Finding::of(problem) }]);
            }
        }
        self.compare_receipts(known);
    }

    /// Compares receipts with each other: the service signs one digest for an entry in a term.
    pub fn compare_receipts(&mut self, known: &Known) {
        for (receipt, differs) in known.contradictions() {
            self.list(&[Finding {
                name: match_name(receipt.match_id),
                position: Some(receipt.position),
                receipt: Some(receipt.source.clone()),
                ..Finding::of(differs.problem())
            }]);
        }
    }

    /// Adds findings, of matches or outside of them.
    pub fn list(&mut self, findings: &[Finding]) {
        for it in findings {
            let list = match it.code.answer() {
                Answer::Wrong => &mut self.wrong,
                Answer::NotProven | Answer::Proven => {
                    *self.unproven_counts.entry(it.code).or_default() += 1;
                    &mut self.unproven
                }
            };
            if list.len() < LISTED_MAX {
                list.push(it.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use table::{Contribution, Seat};

    use super::*;
    use crate::verified::Difference;

    /// Of a match that is over and was verified.
    fn whole() -> Outcome {
        with(|_| {})
    }

    fn with(change: impl FnOnce(&mut Verified)) -> Outcome {
        let mut verified = Verified {
            entries: 3,
            choices: 5,
            is_over: true,
            has_seed: true,
            ..Verified::default()
        };
        change(&mut verified);
        let mut outcome = Outcome { name: "matches/7".to_owned(), ..Outcome::default() };
        verified.gaps().into_iter().for_each(|(position, gap)| outcome.add(None, position, gap));
        Outcome { verified, ..outcome }
    }

    fn difference() -> Difference {
        let (verb, reason) = ("con".to_owned(), "the rules changed".to_owned());
        Difference { position: 2, verb, rules: 1, reason }
    }

    fn wrong() -> Problem {
        Code::DigestWrong.because("it is wrong")
    }

    /// Of as many matches.
    fn tally<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Tally {
        let mut tally = Tally::default();
        outcomes.into_iter().for_each(|it| tally.add(it));
        tally
    }

    /// Of two matches alike.
    fn twice(outcome: Outcome) -> Tally {
        tally([&outcome, &outcome])
    }

    #[test]
    fn each_match_is_counted_as_what_it_is() {
        let two = Tally { matches: 2, entries: 6, choices: 10, ..Tally::default() };
        let proven = || Tally { proven: 2, service_only: 2, ..two.clone() };
        assert_eq!(twice(whole()), proven());
        assert_eq!(proven().answer(), Answer::Proven);
        let shared = |after: &[bool]| {
            with(|it| {
                let contribution = |&after_commitment: &bool| Contribution {
                    seat: Seat::default(),
                    bytes: vec![1].into(),
                    after_commitment,
                };
                it.contributions = after.iter().map(contribution).collect();
            })
        };
        let counted = Tally { service_only: 0, shared: 2, ..proven() };
        assert_eq!(twice(shared(&[true, true])), counted);
        let counted = Tally { service_only: 0, shared_unordered: 2, ..proven() };
        assert_eq!(twice(shared(&[true, false])), counted);
        let agrees = |anchored| Outcome { receipts: vec!["r".to_owned()], anchored, ..whole() };
        let receipts = BTreeSet::from(["r".to_owned()]);
        let counted = Tally { receipts: receipts.clone(), ..proven() };
        assert_eq!(twice(agrees(2)), counted);
        assert_eq!(twice(agrees(3)), Tally { anchored: 2, ..counted });

        // Of these not everything could be verified.
        type Change = fn(&mut Verified);
        let changes: [(Change, &[Code]); 6] = [
            (|it| it.is_over = false, &[Code::Unfinished]),
            (|it| it.is_without_proofs = true, &[Code::NoProofs]),
            (|it| it.later = Some(2), &[Code::RulesUnknown]),
            (|it| it.unknown_game = Some("go".to_owned()), &[Code::GameUnknown]),
            (|it| it.earlier = Some(difference()), &[Code::RulesChanged]),
            (
                |it| (it.earlier, it.is_over) = (Some(difference()), false),
                &[Code::RulesChanged, Code::Unfinished],
            ),
        ];
        for (change, codes) in changes {
            let outcome = with(change);
            assert_eq!(outcome.answer(), Answer::NotProven);
            let unproven = [&outcome.unproven[..], &outcome.unproven].concat();
            let counted = Tally {
                not_proven: 2,
                service_only: 2,
                unproven,
                unproven_counts: codes.iter().map(|&code| (code, 2)).collect(),
                unfinished_with_changed_rules: if codes.len() > 1 { 2 } else { 0 },
                ..two.clone()
            };
            assert_eq!(counted.answer(), Answer::NotProven);
            assert_eq!(twice(outcome), counted);
        }

        let mut outcome = with(|it| it.is_over = false);
        outcome.add(Some(4), Some(2), wrong());
        assert_eq!(outcome.answer(), Answer::Wrong);
        let listed = [&outcome.wrong[..], &outcome.wrong].concat();
        let counted =
            Tally { wrong_matches: 2, service_only: 2, wrong: listed.clone(), ..two.clone() };
        assert_eq!(counted.answer(), Answer::Wrong);
        assert_eq!(twice(outcome), counted);

        // Nothing but the result is kept of these, and still receipts agree with it or do not.
        let result = |it: &mut Verified| it.is_result_only = true;
        let kept = Outcome { receipts: vec!["r".to_owned()], ..with(result) };
        let tallied = twice(kept);
        assert_eq!((tallied.matches, tallied.entries, tallied.not_proven), (2, 0, 2));
        assert_eq!((tallied.service_only, &tallied.receipts), (0, &receipts));
        assert_eq!(tallied.unproven_counts, BTreeMap::from([(Code::ResultOnly, 2)]));
    }

    #[test]
    fn without_a_match_nothing_is_proven() {
        assert_eq!(Tally::default().answer(), Answer::NotProven);
    }

    #[test]
    fn the_record_of_a_service_is_that_of_the_match_and_complete() {
        let expected = |mut outcome: Outcome, name, may_be_unfinished| {
            outcome.expect(name, may_be_unfinished);
            let code = outcome.wrong.first().map(|it| it.code);
            (outcome.answer(), code)
        };
        assert_eq!(expected(whole(), "matches/7", false), (Answer::Proven, None));
        let other = (Answer::Wrong, Some(Code::OtherMatch));
        assert_eq!(expected(whole(), "matches/8", true), other);
        let unfinished = || with(|it| it.is_over = false);
        let incomplete = (Answer::Wrong, Some(Code::Incomplete));
        assert_eq!(expected(unfinished(), "matches/7", false), incomplete);
        assert_eq!(expected(unfinished(), "matches/7", true), (Answer::NotProven, None));
    }

    #[test]
    fn the_first_thousand_of_a_kind_are_listed_and_all_are_counted() {
        let count = LISTED_MAX + 1;
        let earlier = with(|it| it.earlier = Some(difference()));
        let all = tally(std::iter::repeat_n(&earlier, count));
        assert_eq!((all.not_proven, all.unproven.len()), (count as u64, LISTED_MAX));
        assert_eq!(all.unproven_counts[&Code::RulesChanged], count as u64);
        let mut outcome = whole();
        outcome.add(None, None, wrong());
        let all = tally(std::iter::repeat_n(&outcome, count));
        assert_eq!((all.wrong_matches, all.wrong.len()), (count as u64, LISTED_MAX));
    }
    #[test]
    fn players_and_modules_are_counted_and_without_entries_nothing_is_anchored() {
        let all = twice(with(|it| {
            it.players = PlayerCounts { proven: 1, erased: 2, not_covered: 3 };
            it.kept = BTreeSet::from(["con 1f".to_owned()]);
        }));
        assert_eq!((all.players_proven, all.players_erased, all.players_not_covered), (2, 4, 6));
        assert_eq!(all.modules, BTreeMap::from([("con 1f".to_owned(), 2)]));
        assert_eq!(twice(with(|it| it.entries = 0)).anchored, 0);
    }

    #[test]
    fn a_finding_names_its_source_and_line() {
        let broken = Err(LineError { line: 7, problem: wrong() });
        let all = Source::file(Tally::default(), "evening.jsonl").end(broken);
        let places: Vec<_> = all.wrong.iter().map(|it| (it.source.as_deref(), it.line)).collect();
        assert_eq!(places, [(Some("evening.jsonl"), Some(7))]);
        let finding = Finding::of_source("key.json", Code::DigestWrong, "it is wrong");
        let expected = Finding { source: Some("key.json".to_owned()), ..Finding::of(wrong()) };
        assert_eq!(finding, expected);
    }
}
