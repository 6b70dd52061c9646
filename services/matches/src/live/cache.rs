//! The matches in memory: those in use, and the ones used most recently.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use quick_cache::sync::Cache;
use store::{MatchId, Store};

use super::LiveMatch;

/// Every [`LiveMatch`] of this process; never two current ones of one match.
pub(crate) struct LiveMatches {
    cached: Cache<MatchId, Arc<LiveMatch>>,
    used: Mutex<Used>,
}

/// Every match that somebody holds, the cache included.
struct Used {
    live: HashMap<MatchId, Weak<LiveMatch>>,
    /// At this size, matches that nobody holds are removed.
    sweep_at: usize,
}

/// Sweeping fewer matches than this is not worth it.
const SWEEP_MIN: usize = 1024;

impl LiveMatches {
    pub fn new(cached_max: usize) -> LiveMatches {
        let used = Used { live: HashMap::new(), sweep_at: SWEEP_MIN };
        LiveMatches { cached: Cache::new(cached_max), used: Mutex::new(used) }
    }

    pub fn find(&self, match_id: MatchId) -> Option<Arc<LiveMatch>> {
        if let Some(live) = self.cached.get(&match_id) {
            return Some(live);
        }
        let live = self.lock().live.get(&match_id)?.upgrade()?;
        self.cached.insert(match_id, live.clone());
        Some(live)
    }

    /// Adds `live`, or returns the one of the same match that is already there and current.
    pub fn add(&self, live: LiveMatch, store: &Store) -> Arc<LiveMatch> {
        let match_id = live.id();
        let mut used = self.lock();
        let there = used.live.get(&match_id).and_then(Weak::upgrade);
        if let Some(there) = there.filter(|there| there.is_current(store)) {
            return there;
        }
        let live = Arc::new(live);
        used.live.insert(match_id, Arc::downgrade(&live));
        if used.live.len() > used.sweep_at {
            used.live.retain(|_, live| live.strong_count() > 0);
            used.sweep_at = SWEEP_MIN.max(used.live.len() * 2);
        }
        drop(used);
        self.cached.insert(match_id, live.clone());
        live
    }

    /// Every match that is in memory.
    pub fn all(&self) -> Vec<Arc<LiveMatch>> {
        self.lock().live.values().filter_map(Weak::upgrade).collect()
    }

    pub fn count(&self) -> usize {
        self.lock().live.values().filter(|live| live.strong_count() > 0).count()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Used> {
        self.used.lock().expect("no holder of this lock panics")
    }
}
