//! What one look at a log after another shows.

use std::collections::BTreeMap;

use records::{End, Leaf};
use serde::{Deserialize, Serialize};
use tlog::{Checkpoint, Edge, Hash, Signed, leaf_hash};

/// How far a leaf's time may be after that of the checkpoint that has it. Times of checkpoints are
/// whole seconds, and processes agree on the time to a fraction of one.
const AHEAD_MAX_S: i64 = 5;

/// What is remembered between two looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The verifier key of the log.
    pub key: String,
    /// The last checkpoint, as it was served; empty before the first look.
    pub note: String,
    /// The full subtrees of its tree, in hexadecimal.
    edge: Vec<String>,
    /// The matches that were opened and not closed, with the time of their opening.
    under_way: BTreeMap<String, i64>,
    pub opened: u64,
    pub closed: u64,
    /// How those that were closed ended.
    #[serde(default)]
    pub ends: Ends,
    /// The same by the tag of the platform, in logs whose leaves have one.
    #[serde(default)]
    platforms: BTreeMap<String, Ends>,
    /// The tags of matches that are under way.
    #[serde(default)]
    tags: BTreeMap<String, String>,
    /// Leaves that were late, or dated back, by more than what is expected.
    #[serde(default)]
    pub late: u64,
}

/// How matches ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ends {
    pub won: u64,
    /// Nobody won, or it was ended without a result.
    pub not_won: u64,
    /// It was deleted before the deal.
    pub deleted: u64,
}

/// Of the matches whose end is known or overdue, how many came to no result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Aborts {
    /// Opened, and not closed for longer than a match may be under way.
    pub unclosed: u64,
    /// Closed without a winner.
    pub not_won: u64,
    /// Deleted before the deal.
    pub deleted: u64,
    /// Those of the log that are closed or overdue.
    pub of: u64,
    /// The share of the first three in the last, 0 to 1; 0 if there are none.
    pub rate: f64,
}

/// The same of the matches of one platform.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlatformAborts {
    /// What stands for it in this log, in hexadecimal.
    pub platform: String,
    #[serde(flatten)]
    pub aborts: Aborts,
}

/// What is expected of a service.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// How long a leaf may be late.
    pub late_s: i64,
    /// How long a match may be under way.
    pub under_way_s: i64,
    /// How old the newest checkpoint may be.
    pub stale_s: i64,
}

/// A thing that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    pub code: What,
    pub reason: String,
    /// Of the leaf that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum What {
    // === The service contradicts itself ===
    /// A checkpoint is not signed by the log's key.
    SignatureWrong,
    /// A checkpoint has fewer leaves than an earlier one.
    WentBack,
    /// Two checkpoints of one size have different hashes.
    TwoFaces,
    /// A checkpoint does not continue an earlier one.
    HistoryChanged,
    /// Leaves are served that are not those of the tree.
    LeavesDiffer,
    /// A checkpoint was signed before an earlier one with fewer leaves, as it says.
    TimeBackwards,
    /// A leaf is of a time after that of its checkpoint.
    LeafAhead,
    OpenedTwice,
    ClosedUnopened,
    ClosedBeforeOpened,

    // === Nothing is known to be wrong, but something is not as it should be ===
    /// A leaf is of a time long before the checkpoint that did not have it.
    LeafLate,
    /// A match was opened long ago and not closed.
    Unclosed,
    /// The newest checkpoint is old, or has no time.
    Stale,
    /// Too few witnesses cosigned the newest checkpoint.
    Unwitnessed,
    /// Another log followed, and the last leaves of this one were not seen.
    EndUnseen,
    /// A leaf of a later version.
    LeafUnknown,
    /// The log cannot be read.
    Unreadable,
}

impl What {
    /// Whether the service contradicts itself.
    pub fn is_wrong(self) -> bool {
        self < What::LeafLate
    }

    pub fn because(self, reason: impl Into<String>) -> Found {
        Found { code: self, reason: reason.into(), index: None }
    }
}

impl Ends {
    fn add(&mut self, end: End) {
        *match end {
            End::Won => &mut self.won,
            End::NotWon => &mut self.not_won,
            End::Deleted => &mut self.deleted,
        } += 1;
    }
}

impl Aborts {
    fn new(unclosed: u64, Ends { won, not_won, deleted }: Ends) -> Aborts {
        let of = unclosed + won + not_won + deleted;
        let aborted = unclosed + not_won + deleted;
        let rate = if of == 0 { 0.0 } else { aborted as f64 / of as f64 };
        Aborts { unclosed, not_won, deleted, of, rate }
    }
}

impl State {
    pub fn of(key: String) -> State {
        State { key, ..State::default() }
    }

    /// How many matches are under way.
    pub fn under_way(&self) -> usize {
        self.under_way.len()
    }

    /// How many matches came to no result, at this time, in seconds since 1970.
    pub fn aborts(&self, now: i64, expected: &Expected) -> Aborts {
        Aborts::new(self.overdue_matches(now, expected).count() as u64, self.ends)
    }

    /// The same by platform, in a log that tells them apart: the one with the most matches first.
    pub fn aborts_by_platform(&self, now: i64, expected: &Expected) -> Vec<PlatformAborts> {
        let mut unclosed: BTreeMap<&String, u64> = BTreeMap::new();
        for (name, _) in self.overdue_matches(now, expected) {
            if let Some(tag) = self.tags.get(name) {
                *unclosed.entry(tag).or_default() += 1;
            }
        }
        let of = |(tag, ends): (&String, &Ends)| PlatformAborts {
            platform: tag.clone(),
            aborts: Aborts::new(unclosed.get(tag).copied().unwrap_or_default(), *ends),
        };
        let mut all: Vec<PlatformAborts> = self.platforms.iter().map(of).collect();
        all.sort_by_key(|it| std::cmp::Reverse(it.aborts.of));
        all
    }

    /// The matches that are under way for too long, and since when.
    fn overdue_matches(
        &self,
        now: i64,
        expected: &Expected,
    ) -> impl Iterator<Item = (&String, &i64)> {
        let since = (now - expected.under_way_s).saturating_mul(1_000_000);
        self.under_way.iter().filter(move |(_, time)| **time < since)
    }

    fn edge(&self, size: u64) -> Option<Edge> {
        let node = |it: &String| hex::decode(it).ok()?.try_into().ok();
        let nodes: Option<Vec<Hash>> = self.edge.iter().map(node).collect();
        Edge::new(size, nodes?)
    }

    /// Compares a checkpoint with the last one, before anything else of it is read. Empty if it may
    /// continue that one.
    pub fn compare(last: Option<&Signed>, new: &Signed) -> Vec<Found> {
        let Some(last) = last else { return Vec::new() };
        let (old, now) = (&last.checkpoint, &new.checkpoint);
        let mut found = Vec::new();
        if now.size < old.size {
            let reason = format!("it has {} leaves, and had {}", now.size, old.size);
            found.push(What::WentBack.because(reason));
        } else if now.size == old.size && now.root != old.root {
            let reason = format!("two checkpoints of {} leaves have different hashes", now.size);
            found.push(What::TwoFaces.because(reason));
        }
        if new.time.zip(last.time).is_some_and(|(new, last)| new < last) && now.size > old.size {
            let reason = "a checkpoint was signed before one with fewer leaves, as it says";
            found.push(What::TimeBackwards.because(reason));
        }
        found
    }

    /// Compares the last checkpoint that was seen of a log with the one with which it ended, as the
    /// statement says by which another log follows. Empty if all of it was seen.
    pub fn compare_end(last: Option<&Signed>, end: &Checkpoint) -> Vec<Found> {
        let Some(last) = last else { return Vec::new() };
        let seen = &last.checkpoint;
        let found = match () {
            () if end.size < seen.size => What::WentBack
                .because(format!("the log ended with {} leaves, and had {}", end.size, seen.size)),
            () if end.size > seen.size => What::EndUnseen.because(format!(
                "another log follows, and of the {} leaves of {} only {} were seen",
                end.size, end.origin, seen.size
            )),
            () if end.root != seen.root => What::TwoFaces
                .because(format!("the log ended with {} other leaves than were seen", end.size)),
            () => return Vec::new(),
        };
        vec![found]
    }

    /// Appends leaves. `None` if they do not lead to the checkpoint.
    pub fn append(
        &self,
        last: Option<&Signed>,
        new: &Signed,
        leaves: &[Vec<u8>],
        expected: &Expected,
    ) -> Option<(State, Vec<Found>)> {
        let from = last.map_or(0, |it| it.checkpoint.size);
        let mut edge = self.edge(from)?;
        leaves.iter().for_each(|leaf| edge.push(leaf_hash(leaf)));
        if edge.size() != new.checkpoint.size || edge.root() != new.checkpoint.root {
            return None;
        }
        let mut state = State {
            note: new.note.to_string(),
            edge: edge.nodes().iter().map(hex::encode).collect(),
            ..self.clone()
        };
        let times = (last.and_then(|it| it.time), new.time);
        let mut found = Vec::new();
        for (index, leaf) in (from..).zip(leaves) {
            let of_leaf = state.note_leaf(leaf, times, expected);
            found.extend(of_leaf.into_iter().map(|it| Found { index: Some(index), ..it }));
        }
        Some((state, found))
    }

    fn note_leaf(
        &mut self,
        leaf: &[u8],
        (before, since): (Option<u64>, Option<u64>),
        expected: &Expected,
    ) -> Vec<Found> {
        let Some(leaf) = Leaf::parse(leaf) else {
            return vec![What::LeafUnknown.because("a leaf that this release does not know")];
        };
        let mut found = Vec::new();
        let time_s = leaf.time_us().div_euclid(1_000_000);
        if since.is_some_and(|since| time_s > since.cast_signed() + AHEAD_MAX_S) {
            found.push(What::LeafAhead.because("it is of a time after that of its checkpoint"));
        }
        if let Some(late_s) = before.map(|it| it.cast_signed() - time_s)
            && late_s > expected.late_s
        {
            self.late += 1;
            let reason = format!(
                "it is of a time {late_s} s before a checkpoint that did not have it: it was late, \
                 or is dated back"
            );
            found.push(What::LeafLate.because(reason));
        }
        let name = hex::encode(leaf.match_hash());
        match leaf {
            Leaf::Opened(it) => {
                self.opened += 1;
                if let Some(tag) = it.platform.map(hex::encode) {
                    self.platforms.entry(tag.clone()).or_default();
                    self.tags.insert(name.clone(), tag);
                }
                if self.under_way.insert(name, it.time_us).is_some() {
                    found.push(What::OpenedTwice.because("the match had been opened"));
                }
            }
            Leaf::Closed(it) => {
                self.closed += 1;
                self.ends.add(it.end);
                if let Some(tag) = self.tags.remove(&name) {
                    self.platforms.entry(tag).or_default().add(it.end);
                }
                match self.under_way.remove(&name) {
                    None => {
                        let reason = "the match had not been opened, or had been closed";
                        found.push(What::ClosedUnopened.because(reason));
                    }
                    Some(opened) if it.time_us < opened => {
                        let reason = "the match ended before it was opened";
                        found.push(What::ClosedBeforeOpened.because(reason));
                    }
                    Some(_) => {}
                }
            }
        }
        found
    }

    /// What is not as it should be at this time, in seconds since 1970.
    pub fn overdue(&self, newest: &Signed, now: i64, expected: &Expected) -> Vec<Found> {
        let mut found = Vec::new();
        match newest.time {
            None => found.push(What::Stale.because("the newest checkpoint has no time")),
            Some(time) => {
                let age_s = now - time.cast_signed();
                if age_s > expected.stale_s {
                    let reason = format!("the newest checkpoint was signed {age_s} s ago");
                    found.push(What::Stale.because(reason));
                }
            }
        }
        let unclosed = self.overdue_matches(now, expected).count();
        let longest = self.overdue_matches(now, expected).min_by_key(|(_, time)| **time);
        if let Some((name, time)) = longest {
            let days = (now - time.div_euclid(1_000_000)) / 86_400;
            let reason = format!(
                "{unclosed} matches were opened long ago and not closed; the longest, {name}, {days} \
                 days ago"
            );
            found.push(What::Unclosed.because(reason));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::{Closed, Opened};
    use tlog::{Note, SigningKey};

    const EXPECTED: Expected = Expected { late_s: 300, under_way_s: 86_400, stale_s: 600 };

    const HOUR_US: i64 = 3_600_000_000;

    fn opened(nth: u8, time_us: i64) -> Vec<u8> {
        let (match_hash, digest, seed_commitment) = ([nth; 32], [2; 32], [3; 32]);
        let (platform, players) = (None, vec![None, None]);
        let leaf = Opened { match_hash, time_us, digest, seed_commitment, platform, players };
        Leaf::Opened(leaf).bytes()
    }

    /// Of a match of a platform in a log that tells them apart.
    fn opened_of(platform: u8, nth: u8, time_us: i64) -> Vec<u8> {
        let Some(Leaf::Opened(it)) = Leaf::parse(&opened(nth, time_us)) else { panic!("a leaf") };
        Leaf::Opened(Opened { platform: Some([platform; 16]), ..it }).bytes()
    }

    fn closed(nth: u8, time_us: i64) -> Vec<u8> {
        let (match_hash, digest) = ([nth; 32], [4; 32]);
        Leaf::Closed(Closed { match_hash, time_us, digest, position: 5, end: End::Won }).bytes()
    }

    fn aborted(nth: u8, time_us: i64) -> Vec<u8> {
        let (match_hash, digest) = ([nth; 32], [4; 32]);
        Leaf::Closed(Closed { match_hash, time_us, digest, position: 5, end: End::NotWon }).bytes()
    }

    fn signed(leaves: &[Vec<u8>], time: u64) -> Signed {
        let key = SigningKey::new("log.example/a", &[7; 32]).expect("a name");
        let mut edge = Edge::default();
        leaves.iter().for_each(|leaf| edge.push(leaf_hash(leaf)));
        let (size, root) = (edge.size(), edge.root());
        let checkpoint = Checkpoint { origin: "log.example/a".into(), size, root };
        Signed::verify(&checkpoint.sign(&key, time).to_string(), &key.verifier()).expect("it is")
    }

    /// What is found in the leaves after the first one, which was seen at two o'clock.
    #[track_caller]
    fn check(more: &[Vec<u8>], expected: &[What]) {
        let first = vec![opened(1, HOUR_US)];
        let last = signed(&first, 7_200);
        let appended = State::default().append(None, &last, &first, &EXPECTED);
        let (state, found) = appended.expect("it fits");
        assert_eq!((found, state.under_way()), (vec![], 1));
        let new = signed(&[&first, more].concat(), 10_800);
        let (_, found) = state.append(Some(&last), &new, more, &EXPECTED).expect("it fits");
        let codes: Vec<What> = found.iter().map(|it| it.code).collect();
        assert_eq!(codes, expected, "{found:?}");
        assert!(found.iter().all(|it| it.index.is_some_and(|index| index > 0)));
    }

    #[test]
    fn leaves_that_contradict_each_other_or_their_checkpoint_are_found() {
        let at = |hours: i64| hours * HOUR_US;
        check(&[closed(1, at(2)), opened(2, at(3))], &[]);
        check(&[opened(1, at(2))], &[What::OpenedTwice]);
        check(&[closed(2, at(2))], &[What::ClosedUnopened]);
        check(&[closed(1, at(2)), closed(1, at(2))], &[What::ClosedUnopened]);
        check(&[closed(1, at(1) - 1)], &[What::LeafLate, What::ClosedBeforeOpened]);
        check(&[opened(2, at(3) + 6_000_000)], &[What::LeafAhead]);
        check(&[opened(2, at(2) - 301_000_000)], &[What::LeafLate]);
        check(&[opened(2, at(2) - 299_000_000)], &[]);
        check(&[b"later".to_vec()], &[What::LeafUnknown]);
    }

    #[test]
    fn another_history_is_found() {
        let leaves = vec![opened(1, HOUR_US), opened(2, HOUR_US)];
        let other = vec![opened(3, HOUR_US), opened(2, HOUR_US), closed(2, HOUR_US)];
        let last = signed(&leaves, 7_200);
        let codes = |new: &Signed| -> Vec<What> {
            State::compare(Some(&last), new).iter().map(|it| it.code).collect()
        };
        assert_eq!(codes(&signed(&leaves[..1], 7_300)), [What::WentBack]);
        assert_eq!(codes(&signed(&other[..2], 7_300)), [What::TwoFaces]);
        assert_eq!(codes(&signed(&other, 7_300)), []);
        assert_eq!(codes(&signed(&other, 7_100)), [What::TimeBackwards]);
        assert_eq!(codes(&signed(&leaves, 7_100)), []);
        let appended = State::default().append(None, &last, &leaves, &EXPECTED);
        let (state, _) = appended.expect("it fits");
        let new = signed(&other, 7_300);
        assert_eq!(state.append(Some(&last), &new, &other[2..], &EXPECTED), None);
    }

    #[test]
    fn the_end_of_a_log_is_the_one_that_was_seen() {
        let leaves = vec![opened(1, HOUR_US), opened(2, HOUR_US)];
        let seen = signed(&leaves, 7_200);
        let codes = |end: &[Vec<u8>]| -> Vec<What> {
            let end = signed(end, 7_300).checkpoint;
            State::compare_end(Some(&seen), &end).iter().map(|it| it.code).collect()
        };
        assert_eq!(codes(&leaves), []);
        assert_eq!(codes(&leaves[..1]), [What::WentBack]);
        assert_eq!(codes(&[opened(3, HOUR_US), opened(2, HOUR_US)]), [What::TwoFaces]);
        let longer = [&leaves[..], &[closed(1, HOUR_US)]].concat();
        assert_eq!(codes(&longer), [What::EndUnseen]);
        assert_eq!(State::compare_end(None, &seen.checkpoint), []);
    }

    #[test]
    fn what_is_overdue_is_found() {
        let leaves = vec![opened(1, HOUR_US)];
        let newest = signed(&leaves, 7_200);
        let appended = State::default().append(None, &newest, &leaves, &EXPECTED);
        let (state, _) = appended.expect("it fits");
        let codes = |newest: &Signed, now| -> Vec<What> {
            state.overdue(newest, now, &EXPECTED).iter().map(|it| it.code).collect()
        };
        assert_eq!(codes(&newest, 7_300), []);
        assert_eq!(codes(&newest, 7_801), [What::Stale]);
        assert_eq!(codes(&signed(&leaves, 90_000), 90_001), [What::Unclosed]);
        let timeless = Signed { time: None, note: Note::unsigned(String::new()), ..newest };
        assert_eq!(codes(&timeless, 7_300), [What::Stale]);
    }

    #[test]
    fn matches_that_came_to_no_result_are_counted() {
        let leaves = vec![
            opened(1, HOUR_US),
            opened(2, HOUR_US),
            opened(3, HOUR_US),
            opened(4, 30 * HOUR_US),
            closed(1, 2 * HOUR_US),
            aborted(2, 2 * HOUR_US),
        ];
        let newest = signed(&leaves, 109_000);
        let appended = State::default().append(None, &newest, &leaves, &EXPECTED);
        let (state, _) = appended.expect("it fits");
        let aborts = state.aborts(109_000, &EXPECTED);
        // The third is overdue, and the fourth is not.
        assert_eq!((aborts.unclosed, aborts.not_won, aborts.deleted, aborts.of), (1, 1, 0, 3));
        assert!((aborts.rate - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(State::default().aborts(0, &EXPECTED).rate, 0.0);
    }

    #[test]
    fn matches_without_a_result_are_counted_by_platform() {
        let leaves = vec![
            opened_of(1, 1, HOUR_US),
            opened_of(2, 2, HOUR_US),
            opened_of(2, 3, HOUR_US),
            opened_of(2, 4, 30 * HOUR_US),
            closed(1, 2 * HOUR_US),
            aborted(2, 2 * HOUR_US),
        ];
        let newest = signed(&leaves, 109_000);
        let appended = State::default().append(None, &newest, &leaves, &EXPECTED);
        let (state, _) = appended.expect("it fits");
        // A later look begins with what was stored.
        let stored = serde_json::to_string(&state).expect("it is plain");
        let state: State = serde_json::from_str(&stored).expect("it was stored");
        let found = state.aborts_by_platform(109_000, &EXPECTED);
        let of = |it: &PlatformAborts| {
            let Aborts { unclosed, not_won, of, .. } = it.aborts;
            (it.platform.clone(), unclosed, not_won, of)
        };
        let found: Vec<_> = found.iter().map(of).collect();
        assert_eq!(found, [("02".repeat(16), 1, 1, 2), ("01".repeat(16), 0, 0, 1)]);
        assert_eq!(State::default().aborts_by_platform(0, &EXPECTED), []);
    }
}
