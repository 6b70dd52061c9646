//! The buckets that a stream reads, and its position in each.

use std::collections::BTreeMap;

use deliveries::Leased;
use event_log::Window;
use positions::{BUCKETS, Bucket, Mark, Marks, Term};

/// The buckets that a stream reads, and its position in each.
pub(crate) struct Assignment {
    /// The position in each bucket; the start in buckets that are not assigned.
    pub(super) at: Marks,
    is_assigned: [bool; BUCKETS],
    /// The buckets whose positions were stored, and not yet compared with the record, each with the
    /// term in which it was acknowledged.
    pub(super) unchecked: BTreeMap<Bucket, Term>,
    /// What was acknowledged before this term is not followed: it may be void.
    pub(super) since: Term,
}

impl Assignment {
    pub(crate) fn new(leased: &[Leased]) -> Assignment {
        let at = [Mark::default(); BUCKETS];
        let mut assignment = Assignment { is_assigned: [false; BUCKETS], ..Assignment::all(at) };
        assignment.assign(leased);
        assignment
    }

    /// Every bucket, from these positions.
    pub(crate) fn all(at: Marks) -> Assignment {
        let (unchecked, since) = (BTreeMap::new(), Term::UNKNOWN);
        Assignment { at, is_assigned: [true; BUCKETS], unchecked, since }
    }

    pub(crate) fn at(&self) -> Marks {
        self.at
    }

    /// The assigned buckets.
    pub(crate) fn buckets(&self) -> impl Iterator<Item = Bucket> {
        Bucket::all().filter(|bucket| self.is_assigned[bucket.index()])
    }

    /// Sets the position in an assigned bucket, forward or back.
    pub(crate) fn set(&mut self, bucket: Bucket, mark: Mark) {
        self.at[bucket.index()] = mark;
    }

    /// Assigns exactly these buckets. A bucket that was assigned before keeps its position.
    pub(crate) fn assign(&mut self, leased: &[Leased]) {
        let before = std::mem::replace(&mut self.is_assigned, [false; BUCKETS]);
        for &Leased { bucket, acknowledged, term } in leased {
            let n = bucket.index();
            self.is_assigned[n] = true;
            let is_ahead = self.at[n].position < acknowledged.position && self.since <= term;
            if !before[n] || is_ahead {
                self.at[n] = acknowledged;
                self.unchecked.insert(bucket, term);
            }
        }
        for n in (0..BUCKETS).filter(|&n| !self.is_assigned[n]) {
            self.at[n] = Mark::default();
        }
        self.unchecked.retain(|bucket, _| self.is_assigned[bucket.index()]);
    }

    /// How many positions the stream is behind these heads.
    pub(super) fn behind(&self, heads: &Marks) -> i64 {
        let behind = self.buckets().map(|bucket| {
            let n = bucket.index();
            heads[n].position - self.at[n].position
        });
        behind.filter(|behind| *behind > 0).sum()
    }

    /// The windows to read next: a part of each bucket that is behind its head, together about
    /// `reach` positions.
    pub(super) fn windows(&self, heads: &Marks, reach: usize) -> Vec<Window> {
        let is_behind = |bucket: &Bucket| {
            let n = bucket.index();
            self.is_assigned[n] && self.at[n].position < heads[n].position
        };
        let buckets: Vec<Bucket> = Bucket::all().filter(is_behind).collect();
        let each = reach.div_ceil(buckets.len().max(1)) as i64;
        let window = |bucket: Bucket| {
            let after = self.at[bucket.index()].position;
            let head = heads[bucket.index()].position;
            Window { bucket, after, until: head.min(after + each) }
        };
        buckets.into_iter().map(window).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REACH: usize = 4096;

    fn leased(buckets: &[(usize, i64)]) -> Vec<Leased> {
        let bucket = |n: usize| Bucket::all().nth(n).expect("there are more buckets");
        let leased = buckets.iter();
        let leased = leased.map(|&(n, position)| Leased {
            bucket: bucket(n),
            acknowledged: Mark::new(position, None),
            term: Term::UNKNOWN,
        });
        leased.collect()
    }

    fn windows(assignment: &Assignment, heads: &[i64; BUCKETS]) -> Vec<(usize, i64, i64)> {
        let heads = heads.map(|position| Mark::new(position, None));
        let windows = assignment.windows(&heads, REACH).into_iter();
        windows.map(|it| (it.bucket.index(), it.after, it.until)).collect()
    }

    #[test]
    fn only_assigned_buckets_that_are_behind_are_read() {
        let assignment = Assignment::new(&leased(&[(1, 5), (2, 7)]));
        let mut heads = [9; BUCKETS];
        heads[2] = 7;
        assert_eq!(windows(&assignment, &heads), [(1, 5, 9)]);
    }

    #[test]
    fn a_read_is_bounded_and_shared_by_the_buckets() {
        let assignment = Assignment::new(&leased(&[(1, 0), (2, 0)]));
        let half = REACH as i64 / 2;
        let heads = [REACH as i64; BUCKETS];
        assert_eq!(windows(&assignment, &heads), [(1, 0, half), (2, 0, half)]);
    }

    #[test]
    fn a_bucket_that_stays_assigned_continues_where_it_is() {
        let mut assignment = Assignment::new(&leased(&[(1, 5), (2, 5)]));
        assignment.at[1] = Mark::new(8, None);
        assignment.assign(&leased(&[(1, 6), (3, 4)]));
        assert_eq!(windows(&assignment, &[9; BUCKETS]), [(1, 8, 9), (3, 4, 9)]);
        assert_eq!(assignment.at()[2].position, 0, "a bucket that is not assigned has no position");
        assignment.assign(&leased(&[(1, 9), (2, 6)]));
        assert_eq!(assignment.at()[1].position, 9, "another consumer acknowledged more");
        let again = assignment.at()[2].position;
        assert_eq!(again, 6, "assigned again, it starts from what is acknowledged");
    }

    #[test]
    fn what_was_acknowledged_before_the_record_went_back_is_not_followed() {
        let mut assignment = Assignment::new(&leased(&[(1, 8)]));
        (assignment.at[1], assignment.since) = (Mark::new(5, None), Term(2));
        assignment.assign(&leased(&[(1, 8)]));
        assert_eq!(windows(&assignment, &[9; BUCKETS]), [(1, 5, 9)]);
        let [later] = leased(&[(1, 7)])[..] else { panic!("one bucket") };
        assignment.assign(&[Leased { term: Term(2), ..later }]);
        assert_eq!(windows(&assignment, &[9; BUCKETS]), [(1, 7, 9)]);
    }
}
