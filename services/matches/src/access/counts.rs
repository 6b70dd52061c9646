//! Counters of open streams and consumers.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::error::Error;

/// The retry delay of a caller with too many streams or subscriptions: one of them must end first.
pub(super) const QUOTA_DELAY: Duration = Duration::from_secs(1);

/// Fails if a limit is exhausted.
pub(super) fn quota(limit: &'static str, value: u32, used: usize) -> Result<(), Error> {
    if used < value as usize {
        return Ok(());
    }
    Err(Error::QuotaExceeded { limit, value, delay: QUOTA_DELAY })
}

/// Counts one more until the result is dropped. Fails if there are `value` already.
pub(super) fn count(
    limit: &'static str,
    value: u32,
    used: &Arc<AtomicUsize>,
) -> Result<Counted, Error> {
    let counted = Counted(used.clone());
    quota(limit, value, used.fetch_add(1, Relaxed))?;
    Ok(counted)
}

pub(super) struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// Counts by key, without the keys whose count is zero.
pub(super) struct Counts<Key>(Arc<Mutex<HashMap<Key, usize>>>);

/// Counts one of its key until it is dropped.
pub(crate) struct CountedKey<Key: Eq + Hash> {
    counts: Arc<Mutex<HashMap<Key, usize>>>,
    key: Key,
}

impl<Key> Default for Counts<Key> {
    fn default() -> Self {
        Counts(Arc::default())
    }
}

impl<Key: Clone + Eq + Hash> Counts<Key> {
    pub fn add(&self, key: Key, limit: &'static str, value: u32) -> Result<CountedKey<Key>, Error> {
        let mut counts = self.0.lock().expect("no holder of this lock panics");
        quota(limit, value, counts.get(&key).copied().unwrap_or(0))?;
        *counts.entry(key.clone()).or_default() += 1;
        Ok(CountedKey { counts: self.0.clone(), key })
    }
}

impl<Key: Eq + Hash> Drop for CountedKey<Key> {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().expect("no holder of this lock panics");
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}
