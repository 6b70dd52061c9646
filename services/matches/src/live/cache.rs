//! The cache of matches: those in use, and those used most recently.
//!
//! Two lists in order of recency, each bounded in bytes, decide which unused matches stay in
//! memory: one of the matches that are being played, and a small one of those that have ended. So a
//! match that ends makes room, and readers of old matches do not displace matches that are being
//! played.
//!
//! See `docs/decisions/0034-matches-in-memory-by-recency.md`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use accounts::ErasedSeat;
use hashlink::{DefaultHashBuilder, LinkedHashMap};
use rows::{MatchId, seat_of};

use super::live_match::LiveMatch;

/// Every [`LiveMatch`] of this process, and at most one current [`LiveMatch`] of each match.
pub(crate) struct Cache {
    /// By match id, so that threads rarely contend for a lock.
    shards: [Mutex<Shard>; SHARDS],
    /// How often players were erased, as far as this process knows.
    erasures: AtomicU64,
}

const SHARDS: usize = 16;

/// Ended matches get one part in this many of the memory: their players look at the result, and
/// readers page through them.
const ENDED_SHARE: usize = 8;

struct Shard {
    /// Every match that is held anywhere, including in the lists.
    held: HashMap<MatchId, Weak<LiveMatch>, DefaultHashBuilder>,
    /// When `held` has grown to this size, matches that are no longer held are removed.
    sweep_at: usize,
    played: Recent,
    ended: Recent,
    hits: u64,
    loads: u64,
}

/// The smallest size that is worth a sweep.
const SWEEP_MIN: usize = 64;

/// Matches by recency, the most recent last.
struct Recent {
    /// Each with its share of `bytes`.
    matches: LinkedHashMap<MatchId, (Arc<LiveMatch>, usize)>,
    bytes: usize,
    bytes_max: usize,
    evictions: u64,
}

/// How the memory for matches is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// Matches in memory, including those that only a caller holds.
    pub matches: usize,
    /// The estimated size of the matches in the lists.
    pub bytes: usize,
    /// How often a match was found in memory.
    pub hits: u64,
    /// How often a match was read from the database.
    pub loads: u64,
    /// How often a match was evicted to make room.
    pub evictions: u64,
}

impl Cache {
    pub fn new(bytes_max: usize) -> Cache {
        let bytes_max = bytes_max / SHARDS;
        let ended_max = bytes_max / ENDED_SHARE;
        let shard = |_| {
            Mutex::new(Shard {
                held: HashMap::default(),
                sweep_at: SWEEP_MIN,
                played: Recent::new(bytes_max - ended_max),
                ended: Recent::new(ended_max),
                hits: 0,
                loads: 0,
            })
        };
        Cache { shards: std::array::from_fn(shard), erasures: AtomicU64::new(0) }
    }

    /// How often players were erased, as far as this process knows. Names that were read before the
    /// count changed may be those of an erased player.
    pub fn erasures(&self) -> u64 {
        self.erasures.load(SeqCst)
    }

    /// Forgets the players of these seats. The count changes first: a reader that stores names and
    /// then finds the count unchanged has stored them before this looks for them.
    pub fn forget_players(&self, seats: &[ErasedSeat]) {
        self.erasures.fetch_add(1, SeqCst);
        for it in seats {
            if let Some(live) = self.peek(it.match_id) {
                match it.seat {
                    // A former player of the match: the next caller reads the match again.
                    ..0 => live.give_up(),
                    seat => live.forget(seat_of(seat), &it.pseudonym),
                }
            }
        }
    }

    /// The match, if it is in memory. Counts as its most recent use.
    pub fn find(&self, match_id: MatchId) -> Option<Arc<LiveMatch>> {
        let mut shard = self.lock(match_id);
        let live = shard.held.get(&match_id)?.upgrade()?;
        shard.hits += 1;
        let evicted = shard.use_now(&live);
        drop(shard);
        drop(evicted);
        Some(live)
    }

    /// The match, if it is in memory, without counting as a use.
    pub fn peek(&self, match_id: MatchId) -> Option<Arc<LiveMatch>> {
        self.lock(match_id).held.get(&match_id)?.upgrade()
    }

    /// Adds a match that was loaded, unless a current one of the same id is already there. Returns
    /// the one that is there.
    pub fn add(&self, live: LiveMatch) -> Arc<LiveMatch> {
        let mut shard = self.lock(live.id());
        shard.loads += 1;
        let there = shard.held.get(&live.id()).and_then(Weak::upgrade);
        if let Some(there) = there.filter(|there| there.is_as_current_as(&live)) {
            return there;
        }
        let live = Arc::new(live);
        shard.hold(&live);
        let evicted = shard.use_now(&live);
        drop(shard);
        drop(evicted);
        live
    }

    /// Moves a match that has ended to the list of ended matches.
    pub fn ended(&self, live: &Arc<LiveMatch>) {
        let mut shard = self.lock(live.id());
        let evicted = shard.use_now(live);
        drop(shard);
        drop(evicted);
    }

    /// Removes a match and gives it up, because the record no longer has it as it is in memory.
    pub fn forget(&self, match_id: MatchId) {
        let mut shard = self.lock(match_id);
        let held = shard.held.remove(&match_id).and_then(|held| held.upgrade());
        shard.played.remove(match_id);
        shard.ended.remove(match_id);
        drop(shard);
        if let Some(live) = held {
            live.give_up();
        }
    }

    /// Every match that is in memory.
    pub fn all(&self) -> Vec<Arc<LiveMatch>> {
        let shards = self.shards.iter().map(|it| it.lock().expect("no holder of this lock panics"));
        shards
            .flat_map(|it| it.held.values().filter_map(Weak::upgrade).collect::<Vec<_>>())
            .collect()
    }

    pub fn memory_use(&self) -> MemoryUse {
        let mut sum = MemoryUse::default();
        for shard in &self.shards {
            let shard = shard.lock().expect("no holder of this lock panics");
            sum.matches += shard.held.values().filter(|live| live.strong_count() > 0).count();
            sum.bytes += shard.played.bytes + shard.ended.bytes;
            sum.hits += shard.hits;
            sum.loads += shard.loads;
            sum.evictions += shard.played.evictions + shard.ended.evictions;
        }
        sum
    }

    fn lock(&self, match_id: MatchId) -> MutexGuard<'_, Shard> {
        // All bytes of an id are equally random.
        let shard = usize::from(match_id.0.as_bytes()[15]) % SHARDS;
        self.shards[shard].lock().expect("no holder of this lock panics")
    }
}

/// Evicted matches. Dropping them takes a while, so it is done after the lock is released.
type Evicted = Vec<Arc<LiveMatch>>;

impl Shard {
    fn hold(&mut self, live: &Arc<LiveMatch>) {
        self.held.insert(live.id(), Arc::downgrade(live));
        if self.held.len() > self.sweep_at {
            self.held.retain(|_, live| live.strong_count() > 0);
            self.sweep_at = SWEEP_MIN.max(self.held.len() * 2);
        }
    }

    /// Puts the match last in its list, with the size that it has now.
    fn use_now(&mut self, live: &Arc<LiveMatch>) -> Evicted {
        let (list, other) = match live.has_ended() {
            true => (&mut self.ended, &mut self.played),
            false => (&mut self.played, &mut self.ended),
        };
        if !list.has_moved(live) {
            other.remove(live.id());
            list.insert(live);
        }
        list.evict()
    }
}

impl Recent {
    fn new(bytes_max: usize) -> Recent {
        Recent { matches: LinkedHashMap::new(), bytes: 0, bytes_max, evictions: 0 }
    }

    /// Makes the match the most recent, if it is in this list.
    fn has_moved(&mut self, live: &Arc<LiveMatch>) -> bool {
        let Some((there, counted)) = self.matches.to_back(&live.id()) else { return false };
        let bytes = live.bytes();
        self.bytes = self.bytes + bytes - *counted;
        *counted = bytes;
        if !Arc::ptr_eq(there, live) {
            *there = live.clone();
        }
        true
    }

    fn insert(&mut self, live: &Arc<LiveMatch>) {
        let bytes = live.bytes();
        self.matches.insert(live.id(), (live.clone(), bytes));
        self.bytes += bytes;
    }

    /// Removes the least recent matches until the others fit.
    fn evict(&mut self) -> Evicted {
        let mut evicted = Vec::new();
        while self.bytes > self.bytes_max
            && let Some((_, (live, counted))) = self.matches.pop_front()
        {
            self.bytes -= counted;
            self.evictions += 1;
            evicted.push(live);
        }
        evicted
    }

    fn remove(&mut self, match_id: MatchId) {
        if let Some((_, counted)) = self.matches.remove(&match_id) {
            self.bytes -= counted;
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::fixtures::Played;

    /// A match in the first shard, after its first `entries` entries.
    fn live(played: &Played, number: u32, entries: i64) -> LiveMatch {
        let match_id = MatchId(Uuid::from_u128(u128::from(number) << 32));
        let live = played.live_as(match_id);
        live.apply((1..=entries).map(|position| Arc::new(played.recorded(position))));
        live
    }

    fn id(number: u32) -> MatchId {
        MatchId(Uuid::from_u128(u128::from(number) << 32))
    }

    /// Room for `count` matches that have begun, in each shard.
    fn room_for(played: &Played, count: usize) -> Cache {
        let each = live(played, 0, 1).bytes();
        Cache::new((count * each + each / 2) * SHARDS * ENDED_SHARE / (ENDED_SHARE - 1))
    }

    fn in_memory(matches: &Cache, among: std::ops::Range<u32>) -> Vec<u32> {
        among.filter(|&number| matches.peek(id(number)).is_some()).collect()
    }

    #[test]
    fn played_matches_go_by_recency() {
        let played = Played::new();
        let matches = room_for(&played, 3);
        // Even though the first ones were used often.
        for number in 0..3 {
            matches.add(live(&played, number, 1));
        }
        for number in [0, 1, 2].repeat(10) {
            matches.find(id(number)).expect("it is in memory");
        }
        for number in 3..5 {
            matches.add(live(&played, number, 1));
        }
        assert_eq!(in_memory(&matches, 0..5), [2, 3, 4]);
        matches.find(id(2)).expect("it is in memory");
        matches.add(live(&played, 5, 1));
        assert_eq!(in_memory(&matches, 0..6), [2, 4, 5]);
        let memory = matches.memory_use();
        assert_eq!((memory.matches, memory.loads, memory.evictions), (3, 6, 3));
        assert_eq!(memory.hits, 31);
    }

    #[test]
    fn an_ended_match_makes_room_and_displaces_no_other() {
        let played = Played::new();
        let matches = room_for(&played, 3);
        let first = matches.add(live(&played, 0, 1));
        for number in 1..3 {
            matches.add(live(&played, number, 1));
        }
        first.apply((2..=played.last()).map(|position| Arc::new(played.recorded(position))));
        matches.ended(&first);
        drop(first);
        matches.add(live(&played, 3, 1));
        assert_eq!(in_memory(&matches, 1..4), [1, 2, 3]);
        for number in 4..40 {
            matches.add(live(&played, number, played.last()));
        }
        assert_eq!(in_memory(&matches, 1..4), [1, 2, 3]);
    }

    #[test]
    fn a_match_that_grows_is_counted_as_it_is_now() {
        let played = Played::new();
        let matches = room_for(&played, 8);
        let grown = matches.add(live(&played, 0, 1));
        let before = matches.memory_use().bytes;
        grown.apply((2..=played.last() - 1).map(|position| Arc::new(played.recorded(position))));
        matches.find(id(0)).expect("it is in memory");
        let after = matches.memory_use().bytes;
        assert!(after > before, "{after}");
        assert_eq!(after, grown.bytes());
    }

    #[test]
    fn a_match_in_use_is_never_there_twice() {
        let played = Played::new();
        let matches = room_for(&played, 1);
        let held = matches.add(live(&played, 0, 1));
        matches.add(live(&played, 1, 1));
        assert!(Arc::ptr_eq(&held, &matches.add(live(&played, 0, 1))), "evicted but held");
        assert!(Arc::ptr_eq(&held, &matches.find(id(0)).expect("it is held")));
        drop(held);
        matches.add(live(&played, 2, 1));
        assert!(matches.find(id(0)).is_none());
    }
}
