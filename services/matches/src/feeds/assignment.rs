//! The buckets that a stream reads, and its position in each.

use deliveries::Leased;
use event_log::Window;
use positions::{BUCKETS, Bucket, Mark, Marks};

/// The buckets that a stream reads, and its position in each.
pub(crate) struct Assignment {
    /// The position in each bucket; the start in buckets that are not assigned.
    pub(super) at: Marks,
    is_assigned: [bool; BUCKETS],
}

impl Assignment {
    pub(crate) fn new(leased: &[Leased]) -> Assignment {
        let at = [Mark::default(); BUCKETS];
        let mut assignment = Assignment { at, is_assigned: [false; BUCKETS] };
        assignment.assign(leased);
        assignment
    }

    /// Every bucket, from these positions.
    pub(crate) fn all(at: Marks) -> Assignment {
        Assignment { at, is_assigned: [true; BUCKETS] }
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
        for Leased { bucket, acknowledged } in leased {
            let n = bucket.index();
            self.is_assigned[n] = true;
            if !before[n] || self.at[n].position < *acknowledged {
                self.at[n] = Mark::new(*acknowledged, None);
            }
        }
        for n in (0..BUCKETS).filter(|&n| !self.is_assigned[n]) {
            self.at[n] = Mark::default();
        }
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
        leased.map(|&(n, acknowledged)| Leased { bucket: bucket(n), acknowledged }).collect()
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
}
