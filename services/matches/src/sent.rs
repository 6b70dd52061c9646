//! What a stream has sent lately, to name the matches that lost entries when the record went back.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use positions::{BUCKETS, Bucket, Heads, Marks, Term};
use rows::{MatchId, Tags};

use crate::happening::Happening;

/// How many matches a stream remembers: of a platform, what a failover loses in a second; of a
/// player, the matches that a person plays at a time.
pub(crate) const OF_PLATFORM_MAX: usize = 1024;
pub(crate) const OF_PLAYER_MAX: usize = 64;

/// How many streams a process remembers that were closed.
const CLOSED_MAX: usize = 64;

/// The entries that a stream sends. Streams of the same key send the same entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub platform: String,
    pub games: Vec<String>,
    pub players: Vec<String>,
    pub tags: Tags,
    pub verbs: Vec<String>,
    pub happenings: Vec<Happening>,
    /// The subscription, if it is one.
    pub subscription: Option<String>,
}

/// The matches of which a stream has sent entries lately.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    /// By match: the bucket position of the last entry that was sent, and the number of the note.
    last: HashMap<MatchId, (i64, u64)>,
    notes: u64,
    max: usize,
    /// By bucket: every match is known of which an entry was sent after the first position, up to
    /// the second one.
    since: Heads,
    until: Heads,
}

impl Sent {
    pub fn new(max: usize) -> Sent {
        let (since, until) = ([0; BUCKETS], [0; BUCKETS]);
        Sent { last: HashMap::new(), notes: 0, max, since, until }
    }

    /// The stream continues in a bucket after a position.
    pub fn begin(&mut self, bucket: Bucket, position: i64) {
        let n = bucket.index();
        if position < self.since[n] || self.until[n] < position {
            (self.since[n], self.until[n]) = (position, position);
        }
    }

    pub fn note(&mut self, match_id: MatchId, position: i64) {
        self.notes += 1;
        self.last.insert(match_id, (position, self.notes));
        if self.last.len() > 2 * self.max {
            let mut notes: Vec<u64> = self.last.values().map(|it| it.1).collect();
            let kept = *notes.select_nth_unstable(self.max).1;
            let since = &mut self.since;
            self.last.retain(|match_id, (position, note)| {
                if *note < kept {
                    let since = &mut since[Bucket::of(*match_id).index()];
                    *since = (*position).max(*since);
                }
                *note >= kept
            });
        }
    }

    /// The stream has sent everything up to these positions.
    pub fn reach(&mut self, at: &Marks) {
        for (until, mark) in self.until.iter_mut().zip(at) {
            *until = mark.position.max(*until);
        }
    }

    /// The matches of which entries were sent after the last ones that are still valid, in the
    /// buckets that lost some, and whether these are all. They are forgotten.
    pub fn take_void(&mut self, lost: &[Bucket], holds: &Marks) -> (Vec<MatchId>, bool) {
        let last_valid = |bucket: Bucket| holds[bucket.index()].position;
        let mut is_complete = true;
        for &bucket in lost {
            let n = bucket.index();
            is_complete &= self.since[n] <= last_valid(bucket);
            self.since[n] = self.since[n].min(last_valid(bucket));
            self.until[n] = last_valid(bucket);
        }
        let mut matches = Vec::new();
        self.last.retain(|match_id, (position, _)| {
            let bucket = Bucket::of(*match_id);
            let is_void = lost.contains(&bucket) && *position > last_valid(bucket);
            if is_void {
                matches.push(*match_id);
            }
            !is_void
        });
        (matches, is_complete)
    }
}

/// What streams of platforms have sent that were closed, for those that continue them: a client
/// whose stream ended with the database's failover comes back.
#[derive(Default)]
pub(crate) struct ClosedStreams(Mutex<VecDeque<Closed>>);

struct Closed {
    key: Key,
    /// The term in which it last sent something.
    term: Term,
    sent: Sent,
}

impl ClosedStreams {
    pub(crate) fn put(&self, key: Key, term: Term, sent: Sent) {
        let mut closed = self.0.lock().expect("no holder of this lock panics");
        if closed.len() == CLOSED_MAX {
            closed.pop_front();
        }
        closed.push_back(Closed { key, term, sent });
    }

    /// The last one of this key. What a client was told in another term is of another history.
    pub(crate) fn take(&self, key: &Key, term: Term) -> Option<Sent> {
        let mut closed = self.0.lock().expect("no holder of this lock panics");
        let at = closed.iter().rposition(|it| it.key == *key && it.term == term)?;
        closed.remove(at).map(|it| it.sent)
    }
}

#[cfg(test)]
mod tests {
    use positions::Mark;
    use uuid::Uuid;

    use super::*;

    fn matches_of_a_bucket(count: usize) -> (Bucket, Vec<MatchId>) {
        let id = |number| MatchId(Uuid::from_u128(number));
        let bucket = Bucket::of(id(1));
        let ids = (1..).map(id).filter(|it| Bucket::of(*it) == bucket);
        (bucket, ids.take(count).collect())
    }

    fn holds(bucket: Bucket, position: i64) -> Marks {
        let mut holds = [Mark::default(); BUCKETS];
        holds[bucket.index()] = Mark::new(position, None);
        holds
    }

    #[test]
    fn the_matches_with_entries_after_the_last_valid_one_are_void_once() {
        let (bucket, ids) = matches_of_a_bucket(3);
        let mut sent = Sent::new(8);
        for (position, id) in (1..).zip(&ids) {
            sent.note(*id, position);
        }
        let (mut void, is_complete) = sent.take_void(&[bucket], &holds(bucket, 1));
        void.sort_unstable();
        assert_eq!((&void[..], is_complete), (&ids[1..], true));
        assert_eq!(sent.take_void(&[bucket], &holds(bucket, 1)), (Vec::new(), true));
    }

    #[test]
    fn what_was_sent_before_or_is_forgotten_is_said_to_be_missing() {
        let (bucket, ids) = matches_of_a_bucket(20);
        let mut sent = Sent::new(4);
        sent.begin(bucket, 5);
        assert_eq!(sent.clone().take_void(&[bucket], &holds(bucket, 4)), (Vec::new(), false));
        for (position, id) in (6..).zip(&ids) {
            sent.note(*id, position);
        }
        assert!(sent.last.len() <= 8);
        assert!(!sent.clone().take_void(&[bucket], &holds(bucket, 6)).1);
        let (void, is_complete) = sent.take_void(&[bucket], &holds(bucket, 23));
        assert_eq!((void.len(), is_complete), (2, true));
    }

    #[test]
    fn a_stream_that_continues_elsewhere_knows_nothing_of_what_was_between() {
        let (bucket, _) = matches_of_a_bucket(1);
        let mut sent = Sent::new(4);
        sent.reach(&holds(bucket, 9));
        sent.begin(bucket, 7);
        assert!(sent.clone().take_void(&[bucket], &holds(bucket, 3)).1);
        sent.begin(bucket, 12);
        assert!(!sent.take_void(&[bucket], &holds(bucket, 3)).1);
    }
}
