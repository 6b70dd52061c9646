//! Counters of a writer.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use metrics::{Histogram, histogram};

/// Counts since the writer started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub entries: u64,
    /// Commits. Batches grow with the load.
    pub batches: u64,
    /// Batches refused by a key: another process was faster.
    pub conflicts: u64,
    /// Pauses after a batch, to let a competing process go first.
    pub pauses: u64,
    /// Attempts that ended without an answer from the database.
    pub failures: u64,
    /// Drafts that the database refused.
    pub refused: u64,
    /// Drafts refused because the queue was full.
    pub shed: u64,
    /// Drafts passed to the peer that writes for others.
    pub forwarded: u64,
    /// Forwarded drafts that the peer did not answer, so this process wrote them.
    pub handed_back: u64,
}

/// A histogram: entries per batch.
pub const BATCH_ENTRIES: &str = "croupier_append_batch_entries";
/// A histogram: the duration of an append in seconds, for every outcome.
pub const APPEND_DURATION: &str = "croupier_append_duration_seconds";
/// The counts of a writer.
pub(super) struct Counters {
    pub entries: AtomicU64,
    pub batches: AtomicU64,
    pub conflicts: AtomicU64,
    pub pauses: AtomicU64,
    pub failures: AtomicU64,
    pub refused: AtomicU64,
    pub shed: AtomicU64,
    pub forwarded: AtomicU64,
    pub handed_back: AtomicU64,
    /// Entries per batch.
    pub batch_entries: Histogram,
    /// From the call of [`Handle::append`] to its answer.
    pub append_seconds: Histogram,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            entries: AtomicU64::default(),
            batches: AtomicU64::default(),
            conflicts: AtomicU64::default(),
            pauses: AtomicU64::default(),
            failures: AtomicU64::default(),
            refused: AtomicU64::default(),
            shed: AtomicU64::default(),
            forwarded: AtomicU64::default(),
            handed_back: AtomicU64::default(),
            batch_entries: histogram!(BATCH_ENTRIES),
            append_seconds: histogram!(APPEND_DURATION),
        }
    }
}

impl Counters {
    pub(super) fn statistics(&self) -> Statistics {
        Statistics {
            entries: self.entries.load(Relaxed),
            batches: self.batches.load(Relaxed),
            conflicts: self.conflicts.load(Relaxed),
            pauses: self.pauses.load(Relaxed),
            failures: self.failures.load(Relaxed),
            refused: self.refused.load(Relaxed),
            shed: self.shed.load(Relaxed),
            forwarded: self.forwarded.load(Relaxed),
            handed_back: self.handed_back.load(Relaxed),
        }
    }
}
