//! The sink to which the follower delivers entries of other processes.

use std::sync::Arc;

use positions::Recorded;
use rows::MatchId;

use super::bot_queue::BotQueue;
use super::cache::{Cache, MemoryUse};

#[derive(Clone, Debug)]
pub struct Options {
    /// The memory for unused matches. A match takes about ten kilobytes.
    pub cache_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { cache_bytes: 256 << 20 }
    }
}

/// Receives the entries that other processes record, for the matches in memory. Cheap to clone.
#[derive(Clone)]
pub struct Sink {
    pub(crate) cache: Arc<Cache>,
    pub(crate) bots: Arc<BotQueue>,
}

impl Sink {
    pub fn new(options: &Options) -> Sink {
        Sink { cache: Arc::new(Cache::new(options.cache_bytes)), bots: Arc::default() }
    }

    /// How the memory for matches is used.
    pub fn memory_use(&self) -> MemoryUse {
        self.cache.memory_use()
    }

    /// Applies entries that another process recorded. Matches not in memory are skipped.
    pub fn deliver(&self, entries: &[(MatchId, Recorded)]) {
        for (match_id, recorded) in entries {
            if let Some(live) = self.cache.peek(*match_id) {
                live.apply_remote(recorded);
                if live.has_ended() {
                    self.cache.ended(&live);
                } else if live.has_bots() {
                    self.bots.add_remote(&live);
                }
            }
        }
    }
}
