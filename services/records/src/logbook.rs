//! Proofs of a transparency log, and what they show of many matches.

use std::collections::BTreeMap;

use rows::match_name;
use table::Entropy;
use time::OffsetDateTime;
use tlog::{Proof, VerifierKey};

use crate::blocks::Block;
use crate::code::{Answer, Code, Problem};
use crate::known::Known;
use crate::leaf::{Leaf, LeafKind, PlatformTag, match_hash};
use crate::log_report::{LogReport, LoggedMatch};
use crate::logged::{Found, Loggable, differs};
use crate::outcome::Outcome;
use crate::text::{match_id, rfc3339};

/// The matches that are listed one by one.
const LISTED_MAX: usize = 20;

/// A log, with the proofs that somebody kept of it.
pub struct Logbook {
    key: VerifierKey,
    /// By the hash of the match.
    kept: BTreeMap<([u8; 32], LeafKind), Vec<KeptProof>>,
    /// Whether a match without proofs is not proven.
    is_whole: bool,
    /// The tags under which the log has the platforms of the matches so far.
    platforms: BTreeMap<String, PlatformTag>,
    report: LogReport,
}

struct KeptProof {
    proof: Proof,
    came_first: bool,
}

impl Logbook {
    /// A log without kept proofs. If it is `whole`, a match of which it has no leaf is not proven.
    pub fn new(key: VerifierKey, is_whole: bool) -> Logbook {
        let report = LogReport { origin: key.name().to_owned(), ..LogReport::default() };
        let (kept, platforms) = (BTreeMap::new(), BTreeMap::new());
        Logbook { key, kept, is_whole, platforms, report }
    }

    /// Adds a proof that was kept. `came_first` says that it was there before one's own
    /// contribution to the chance of the match was sent, which nobody else can know.
    pub fn keep(&mut self, proof: Proof, came_first: bool) {
        if let Some(leaf) = Leaf::parse(&proof.leaf) {
            let of = self.kept.entry((*leaf.match_hash(), leaf.kind())).or_default();
            of.push(KeptProof { proof, came_first });
        }
    }

    pub fn report(self) -> LogReport {
        self.report
    }

    /// Whether something is to be compared with a match.
    pub fn concerns(&self, name: &str) -> bool {
        let has = |id| {
            let hash = match_hash(id);
            [LeafKind::Opened, LeafKind::Closed]
                .iter()
                .any(|kind| self.kept.contains_key(&(hash, *kind)))
        };
        self.is_whole || match_id(name).is_ok_and(has)
    }

    /// Compares a match with the kept proofs, if nothing else is wrong with it.
    pub fn compare_block(&mut self, block: &Block, known: &Known, outcome: &mut Outcome) {
        if outcome.answer() != Answer::Wrong
            && self.concerns(&outcome.name)
            && let Some(it) = Loggable::of(block)
        {
            self.compare(&it, known, outcome, |_| Ok(None));
        }
    }

    /// Compares a match with the kept proofs, and with those that `ask` gets from the log.
    pub fn compare(
        &mut self,
        it: &Loggable,
        known: &Known,
        outcome: &mut Outcome,
        ask: impl FnMut(LeafKind) -> Result<Option<Proof>, String>,
    ) {
        if let Err(problem) = self.try_compare(it, known, outcome, ask) {
            outcome.add(None, None, problem);
        }
    }

    fn try_compare(
        &mut self,
        it: &Loggable,
        known: &Known,
        outcome: &Outcome,
        mut ask: impl FnMut(LeafKind) -> Result<Option<Proof>, String>,
    ) -> Result<(), Problem> {
        let opened = self.all(it, LeafKind::Opened, &mut ask)?;
        let mut closed = Vec::new();
        if it.has_ended() {
            closed = self.all(it, LeafKind::Closed, &mut ask)?;
        }
        let (opened_index, closed_index) = (one_index(&opened)?, one_index(&closed)?);
        let platform = opened.iter().find_map(|(found, _)| found.platform);
        self.compare_platform(it.platform(), platform)?;
        self.report.opened += u64::from(opened_index.is_some());
        self.report.closed += u64::from(closed_index.is_some());
        let seconds = |(found, _): &(Found, bool)| -> Option<i64> {
            found.signed.time.and_then(|time| i64::try_from(time).ok())
        };
        let deal = it.deal_s();
        let first = opened.iter().filter_map(seconds).min();
        let is_before = first.zip(deal).is_some_and(|(time, deal)| time < deal);
        self.report.opened_before_deal += u64::from(is_before);
        // Times are whole seconds: a checkpoint of the second of the deal may be from before it.
        let came_first = opened
            .iter()
            .any(|it| it.1 && seconds(it).zip(deal).is_some_and(|(time, deal)| time <= deal));
        let is_proven = came_first && !known.contributions().is_empty();
        let chance = &mut self.report.chance;
        match outcome.verified.entropy() {
            None => {}
            Some(Entropy::ServiceOnly) => chance.service_only += 1,
            Some(_) if is_proven => chance.order_proven += 1,
            Some(_) => chance.order_not_proven += 1,
        }
        if self.report.matches.len() < LISTED_MAX {
            let time = first.and_then(|it| OffsetDateTime::from_unix_timestamp(it).ok());
            self.report.matches.push(LoggedMatch {
                name: match_name(it.match_id()),
                opened_index,
                closed_index,
                checkpoint_time: time.map(rfc3339),
                platform: platform.map(hex::encode),
                players: opened.iter().map(|(found, _)| found.players).max().unwrap_or_default(),
            });
        }
        Ok(())
    }

    /// Compares the tag of a match's platform with those of the matches before: one a platform.
    fn compare_platform(&mut self, name: &str, tag: Option<PlatformTag>) -> Result<(), Problem> {
        let Some(tag) = tag else { return Ok(()) };
        if self.platforms.get(name).is_some_and(|its| *its != tag) {
            return Err(differs("the log has it as of another platform than its other matches"));
        }
        if self.platforms.iter().any(|(other, its)| other != name && *its == tag) {
            return Err(differs("the log has it as of the platform of other matches"));
        }
        self.platforms.insert(name.to_owned(), tag);
        Ok(())
    }

    /// Every proof of a leaf, compared; each with whether it came before one's own contribution.
    fn all(
        &self,
        it: &Loggable,
        kind: LeafKind,
        ask: &mut impl FnMut(LeafKind) -> Result<Option<Proof>, String>,
    ) -> Result<Vec<(Found, bool)>, Problem> {
        let asked = ask(kind).map_err(|reason| Code::LogProofInvalid.because(reason))?;
        let mut found = Vec::new();
        for kept in self.kept.get(&(match_hash(it.match_id()), kind)).into_iter().flatten() {
            found.push((it.compare(kind, &kept.proof, &self.key)?, kept.came_first));
        }
        if let Some(proof) = asked {
            found.push((it.compare(kind, &proof, &self.key)?, false));
        }
        match found.is_empty() && self.is_whole {
            true => {
                let reason = format!("the log does not say that it was {}", kind.name());
                Err(Code::LogMissing.because(reason))
            }
            false => Ok(found),
        }
    }
}

/// A log has a leaf once.
fn one_index(found: &[(Found, bool)]) -> Result<Option<u64>, Problem> {
    let mut indices = found.iter().map(|(found, _)| found.index);
    let first = indices.next();
    match indices.all(|it| Some(it) == first) {
        true => Ok(first),
        false => Err(differs("the log has the leaf at two places")),
    }
}

#[cfg(test)]
mod tests {
    use table::{Contribution, Seat};
    use tlog::leaf_hash;

    use super::*;
    use crate::leaf::Opened;
    use crate::log_report::ChanceOrder;
    use crate::logged::tests::{closed, dealt_after, loggable, proof_of};
    use crate::look::tests::{key, signed_at};
    use crate::verified::Verified;

    fn logbook(is_whole: bool) -> Logbook {
        Logbook::new(key().verifier(), is_whole)
    }

    /// A proof of a log whose second leaf this is.
    fn proof(leaf: &Leaf, time_s: u64) -> Proof {
        let leaf = leaf.bytes();
        let before = leaf_hash(b"before");
        let note = signed_at(&[before, leaf_hash(&leaf)], time_s);
        Proof { leaf, index: 1, hashes: vec![before], note }
    }

    /// The leaves of a match that was dealt seven seconds after it was created.
    fn leaves() -> (Loggable, Leaf, Leaf) {
        let played = dealt_after(7);
        let opened = Leaf::Opened(Opened::of(&played.row));
        (loggable(&played), opened, Leaf::Closed(closed(&played, true)))
    }

    /// Of a match to whose chance a seat has contributed, or none.
    fn outcome(contributes: bool) -> Outcome {
        let seat = Seat::default();
        let given = Contribution { seat, bytes: vec![1].into(), after_commitment: true };
        let contributions = contributes.then_some(given).into_iter().collect();
        let verified = Verified { entries: 3, contributions, ..Verified::default() };
        Outcome { verified, ..Outcome::default() }
    }

    fn contributed() -> Known {
        Known::new(Vec::new(), BTreeMap::from([(0, vec![1])]))
    }

    #[test]
    fn what_the_log_has_of_matches_is_counted() {
        let (it, opened, closed) = leaves();
        // The second of the checkpoint, whether the proof came before the contribution, and whether
        // who verifies has contributed at all.
        type Kept = (u64, bool, Known);
        let counted = |kept: Option<Kept>, outcome: Outcome| {
            let mut logbook = logbook(false);
            let known = kept.as_ref().map_or_else(Known::default, |kept| kept.2.clone());
            if let Some((time_s, came_first, _)) = kept {
                logbook.keep(proof(&opened, time_s), came_first);
                logbook.keep(proof(&closed, time_s), false);
            }
            for _ in 0..2 {
                logbook.try_compare(&it, &known, &outcome, |_| Ok(None)).expect("it agrees");
            }
            logbook.report()
        };
        let expect = |kept: Option<Kept>, contributes, before_deal: u64, chance| {
            let leaves = if kept.is_some() { 2 } else { 0 };
            let report = counted(kept, outcome(contributes));
            let leaves = [leaves, leaves, before_deal];
            assert_eq!([report.opened, report.closed, report.opened_before_deal], leaves);
            assert_eq!(report.chance, chance);
        };
        let none = ChanceOrder::default();
        let service_only = ChanceOrder { service_only: 2, ..none.clone() };
        let proven = ChanceOrder { order_proven: 2, ..none.clone() };
        let not_proven = ChanceOrder { order_not_proven: 2, ..none.clone() };
        let kept = |time_s, came_first| Some((time_s, came_first, contributed()));
        expect(None, true, 0, not_proven.clone());
        expect(kept(6, true), false, 2, service_only);
        expect(kept(6, true), true, 2, proven.clone());
        expect(kept(7, true), true, 0, proven);
        expect(kept(8, true), true, 0, not_proven.clone());
        expect(kept(6, false), true, 2, not_proven.clone());
        expect(Some((6, true, Known::default())), true, 2, not_proven);
        assert_eq!(counted(None, Outcome::default()).chance, none, "nothing was dealt");

        let report = counted(kept(6, false), outcome(false));
        let first = LoggedMatch {
            name: match_name(it.match_id()),
            opened_index: Some(1),
            closed_index: Some(1),
            checkpoint_time: Some("1970-01-01T00:00:06Z".to_owned()),
            platform: None,
            players: 2,
        };
        assert_eq!(report.matches, [first.clone(), first]);
    }

    #[test]
    fn the_first_matches_are_listed_and_all_are_counted() {
        let (it, ..) = leaves();
        let mut logbook = logbook(false);
        for _ in 0..=LISTED_MAX {
            let compared =
                logbook.try_compare(&it, &Known::default(), &outcome(false), |_| Ok(None));
            compared.expect("nothing is known of it");
        }
        let report = logbook.report();
        assert_eq!(report.matches.len(), LISTED_MAX);
        assert_eq!(report.chance.service_only, LISTED_MAX as u64 + 1);
    }

    #[test]
    fn a_leaf_has_one_index_and_a_whole_log_has_every_leaf() {
        let (it, opened, closed) = leaves();
        let compared = |mut logbook: Logbook, asked: Result<bool, String>| {
            let ask = |kind| {
                let leaf = if kind == LeafKind::Opened { &opened } else { &closed };
                asked.clone().map(|is_there| is_there.then(|| proof(leaf, 6)))
            };
            let mut outcome = outcome(false);
            logbook.compare(&it, &Known::default(), &mut outcome, ask);
            let found = [outcome.wrong, outcome.unproven].concat();
            found.iter().map(|it| it.code).collect::<Vec<_>>()
        };
        assert_eq!(compared(logbook(false), Ok(false)), []);
        assert_eq!(compared(logbook(true), Ok(false)), [Code::LogMissing]);
        assert_eq!(compared(logbook(true), Ok(true)), []);
        let away = Err("it does not answer".to_owned());
        assert_eq!(compared(logbook(false), away), [Code::LogProofInvalid]);
        let keeping = |kept: Proof| {
            let mut logbook = logbook(false);
            logbook.keep(kept, false);
            logbook
        };
        assert_eq!(compared(keeping(proof(&opened, 5)), Ok(true)), []);
        let at_first = proof_of(&opened);
        assert_eq!(compared(keeping(at_first), Ok(true)), [Code::LogDiffers]);
    }

    #[test]
    fn a_log_concerns_matches_with_kept_proofs_and_a_whole_log_every_match() {
        let (it, opened, closed) = leaves();
        let name = match_name(it.match_id());
        assert!(!logbook(false).concerns(&name));
        for leaf in [opened, closed] {
            let mut logbook = logbook(false);
            logbook.keep(proof(&leaf, 6), false);
            assert!(logbook.concerns(&name));
            assert!(!logbook.concerns("matches/00000000-0000-0000-0000-000000000007"));
            assert!(!logbook.concerns("nothing"));
        }
        assert!(logbook(true).concerns(&name));
    }

    #[test]
    fn a_log_has_a_platform_under_one_tag() {
        let mut logbook = logbook(false);
        let mut code = |name: &str, tag: Option<u8>| {
            let compared = logbook.compare_platform(name, tag.map(|it| [it; 16]));
            compared.err().map(|it| it.code)
        };
        assert_eq!(code("acme", None), None);
        assert_eq!(code("acme", Some(1)), None);
        assert_eq!(code("other", Some(2)), None);
        assert_eq!(code("acme", Some(1)), None);
        assert_eq!(code("acme", Some(2)), Some(Code::LogDiffers));
        assert_eq!(code("third", Some(1)), Some(Code::LogDiffers));
    }
}
