//! Marks: how far each bucket was read or written, and how a log that went back is detected.
//!
//! A database can go back: a standby that lacked the last commits takes over, or an operator
//! restores a backup under a running service. Positions alone do not show it once the log has grown
//! again. So a mark also holds the digest of the entry at its position, and a reader that continues
//! after a mark first checks that the log still has that entry.
//!
//! If a mark is no longer valid, a new *epoch* begins. Data that this process read in an earlier
//! epoch may not be in the log any more, and must be read again.
//!
//! If one of several nodes is unreachable, the marks of its buckets are read once it is back.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use positions::{BUCKETS, Bucket, Mark, Marks};
use tokio::sync::watch;

/// Counts how often this process has seen the log go back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(u64);

impl Epoch {
    /// Never the current epoch.
    pub(crate) const UNKNOWN: Self = Self(u64::MAX);
}

/// The log does not, or no longer, contain entries that were read before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the record went back")]
pub struct WentBack {
    /// The last position in each bucket that can still be relied on.
    pub holds: Box<Marks>,
}

/// The marks of a process, and its epoch.
pub(crate) struct SharedMarks {
    marks: Mutex<Both>,
    /// Notified whenever a mark rises.
    pub rose: watch::Sender<()>,
    pub epoch: watch::Sender<Epoch>,
}

pub(crate) struct Both {
    /// Every entry up to these marks was read or written.
    pub high_water: Box<Marks>,
    /// The last entry that was read or written. If the log still has it, it has everything that
    /// this process knows.
    pub seen: Box<Marks>,
    /// The last of the marks that `seen` passed, to find where two histories part.
    pub passed: Box<[VecDeque<Mark>; BUCKETS]>,
    /// Where an earlier history diverged from the current one: the last known common mark, or the
    /// first of these if the log went back several times. A reader with an entry that the log lacks
    /// continues there, because the log may have other entries in place of the lost ones.
    pub parted: Box<Partings>,
}

/// By bucket; `None` if the log was not seen to go back.
pub(crate) type Partings = [Option<Mark>; BUCKETS];

/// How many marks are remembered in each bucket. If a log went back further, it is read again from
/// its beginning.
const PASSED_MAX: usize = 64;

impl Default for SharedMarks {
    fn default() -> Self {
        let start = Box::new([Mark::default(); BUCKETS]);
        let unknown = Box::new([None; BUCKETS]);
        let passed = Box::new(std::array::from_fn(|_| VecDeque::new()));
        let both = Both { high_water: start.clone(), seen: start, passed, parted: unknown };
        Self {
            marks: Mutex::new(both),
            rose: watch::Sender::new(()),
            epoch: watch::Sender::new(Epoch::default()),
        }
    }
}

impl SharedMarks {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Both> {
        self.marks.lock().expect("no holder of this lock panics")
    }

    pub(crate) fn all(&self) -> Marks {
        *self.lock().high_water
    }

    pub(crate) fn seen(&self) -> Marks {
        *self.lock().seen
    }

    pub(crate) fn parted(&self) -> Partings {
        *self.lock().parted
    }

    pub(crate) fn get(&self, bucket: Bucket) -> Mark {
        self.lock().high_water[bucket.index()]
    }

    /// Records that an entry was read.
    pub(crate) fn saw(&self, bucket: Bucket, mark: Mark) {
        self.lock().saw(bucket, mark);
    }

    /// Moves a mark from `old` to `new`, unless it has moved in the meantime.
    pub(crate) fn advance(&self, bucket: Bucket, old: Mark, new: Mark) {
        let mut marks = self.lock();
        let mark = &mut marks.high_water[bucket.index()];
        if *mark == old {
            *mark = new;
        }
        marks.saw(bucket, new);
    }

    /// Records that a peer wrote an entry for this process. The mark rises if the entry is the next
    /// one.
    pub(crate) fn wrote(&self, bucket: Bucket, new: Mark) {
        let mut marks = self.lock();
        let mark = &mut marks.high_water[bucket.index()];
        let is_next = mark.position + 1 == new.position;
        if is_next {
            *mark = new;
        }
        marks.saw(bucket, new);
        drop(marks);
        if is_next {
            self.notify();
        }
    }

    /// Raises marks that are lower than these.
    pub(crate) fn raise(&self, new: impl IntoIterator<Item = (Bucket, Mark)>) {
        let mut marks = self.lock();
        let mut has_risen = false;
        for (bucket, new) in new {
            let mark = &mut marks.high_water[bucket.index()];
            if mark.position < new.position {
                *mark = new;
                has_risen = true;
            }
            marks.saw(bucket, new);
        }
        drop(marks);
        if has_risen {
            self.notify();
        }
    }

    pub(crate) fn notify(&self) {
        self.rose.send_replace(());
    }

    pub(crate) fn has_receivers(&self) -> bool {
        self.rose.receiver_count() > 0
    }

    pub(crate) fn epoch(&self) -> Epoch {
        *self.epoch.borrow()
    }

    /// Begins the epoch after this one. Returns false if it has begun.
    pub(crate) fn leave_epoch(&self, epoch: Epoch) -> bool {
        self.epoch.send_if_modified(|current| {
            let begins = *current == epoch;
            current.0 += u64::from(begins);
            begins
        })
    }
}

impl Both {
    pub(crate) fn saw(&mut self, bucket: Bucket, mark: Mark) {
        let seen = &mut self.seen[bucket.index()];
        if seen.position < mark.position {
            *seen = mark;
            if mark.digest.is_some() {
                let passed = &mut self.passed[bucket.index()];
                if passed.len() == PASSED_MAX {
                    passed.pop_front();
                }
                passed.push_back(mark);
            }
        }
    }
}

/// The mark after which a reader continues that has an entry at `position` which the log lacks.
pub(crate) fn last_shared(parted: &Partings, bucket: Bucket, position: i64) -> Mark {
    parted[bucket.index()].filter(|parted| parted.position < position).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use positions::Digest;

    use super::*;

    fn mark(position: i64) -> Mark {
        Mark::new(position, Some(Digest::from([position as u8; 32])))
    }

    fn first() -> Bucket {
        Bucket::all().next().expect("there are buckets")
    }

    /// The position of the mark, and whether a reader was notified since it last looked.
    fn seen_by(reader: &mut watch::Receiver<()>, marks: &SharedMarks) -> (i64, bool) {
        let is_notified = reader.has_changed().expect("it is open");
        reader.mark_unchanged();
        (marks.get(first()).position, is_notified)
    }

    /// An entry before it may be another process's, which the follower must read.
    #[test]
    fn what_a_peer_wrote_raises_a_mark_to_the_next_entry_only() {
        let marks = SharedMarks::default();
        let mut rose = marks.rose.subscribe();
        let mut wrote = |position| {
            marks.wrote(first(), mark(position));
            seen_by(&mut rose, &marks)
        };
        assert_eq!(wrote(2), (0, false));
        assert_eq!(wrote(1), (1, true));
        assert_eq!(wrote(2), (2, true));
        assert_eq!(wrote(2), (2, false));
        assert_eq!(wrote(4), (2, false));
        assert_eq!(marks.seen()[first().index()], mark(4));
    }

    #[test]
    fn a_mark_that_has_moved_is_not_moved_back() {
        let marks = SharedMarks::default();
        marks.advance(first(), Mark::default(), mark(3));
        marks.advance(first(), Mark::default(), mark(2));
        assert_eq!(marks.get(first()), mark(3));
        marks.advance(first(), mark(3), mark(4));
        assert_eq!(marks.get(first()), mark(4));
    }

    #[test]
    fn readers_are_notified_when_a_mark_rises() {
        let marks = SharedMarks::default();
        let mut rose = marks.rose.subscribe();
        let mut raise = |position| {
            marks.raise([(first(), mark(position))]);
            seen_by(&mut rose, &marks)
        };
        assert_eq!(raise(2), (2, true));
        assert_eq!(raise(2), (2, false));
        assert_eq!(raise(1), (2, false));
        assert_eq!(raise(3), (3, true));
    }

    #[test]
    fn the_last_marks_that_were_passed_are_remembered_each_once() {
        let marks = SharedMarks::default();
        let last = PASSED_MAX as i64 + 2;
        for position in 1..=last {
            marks.saw(first(), mark(position));
            marks.saw(first(), mark(position));
            marks.saw(first(), mark(position - 1));
        }
        let both = marks.lock();
        assert_eq!(both.seen[first().index()], mark(last));
        assert!(both.passed[first().index()].iter().copied().eq((3..=last).map(mark)));
    }

    /// A reader that has lost entries before the parting may have lost any.
    #[test]
    fn who_read_past_the_parting_continues_there_and_others_at_the_start() {
        let mut parted: Partings = [None; BUCKETS];
        let after = |parted: &Partings, position| last_shared(parted, first(), position);
        assert_eq!(after(&parted, 7), Mark::default());
        parted[first().index()] = Some(mark(5));
        assert_eq!(after(&parted, 6), mark(5));
        for position in [4, 5] {
            assert_eq!(after(&parted, position), Mark::default());
        }
    }
}
