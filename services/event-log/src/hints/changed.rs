//! A set of buckets that have changed since it was last taken.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// A set of buckets, as bits, that have changed since the set was last taken.
#[derive(Default)]
pub(crate) struct ChangedBuckets {
    buckets: AtomicU64,
    added: Notify,
}

impl ChangedBuckets {
    pub(crate) const ALL: u64 = u64::MAX;

    pub(crate) fn add(&self, buckets: u64) {
        if buckets != 0 {
            self.buckets.fetch_or(buckets, Relaxed);
            self.added.notify_one();
        }
    }

    pub(crate) async fn take(&self) -> u64 {
        loop {
            match self.buckets.swap(0, Relaxed) {
                0 => self.added.notified().await,
                buckets => return buckets,
            }
        }
    }

    /// Takes the set, but not before this time.
    pub(crate) async fn take_from(&self, earliest: Instant) -> u64 {
        sleep_until(earliest).await;
        self.take().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use positions::Bucket;

    #[test]
    fn buckets_are_bits_of_one_word() {
        assert_eq!(Bucket::all().fold(0, |all, bucket| all | bucket.bit()), ChangedBuckets::ALL);
    }
}
