//! How long to wait between attempts: longer each time, at random, and never busy.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

const PAUSE_MIN: Duration = Duration::from_millis(100);

pub(crate) struct Backoff {
    ceiling: Duration,
    max: Duration,
}

impl Backoff {
    pub(crate) fn new(max: Duration) -> Backoff {
        Backoff { ceiling: PAUSE_MIN, max }
    }

    /// Starts over, after an attempt that succeeded.
    pub(crate) fn reset(&mut self) {
        self.ceiling = PAUSE_MIN;
    }

    /// The next pause: at least what the service asked for, and spread so that crowds disperse.
    pub(crate) fn next(&mut self, at_least: Option<Duration>) -> Duration {
        let spread = self.ceiling.mul_f64(0.5 + random() / 2.0);
        self.ceiling = (self.ceiling * 2).min(self.max);
        spread.max(at_least.unwrap_or_default().mul_f64(1.0 + random() / 4.0))
    }
}

/// From 0 to 1.
fn random() -> f64 {
    RandomState::new().hash_one(()) as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_limit_and_are_never_shorter_than_the_service_asks() {
        let mut backoff = Backoff::new(Duration::from_secs(1));
        let pauses: Vec<Duration> = (0..20).map(|_| backoff.next(None)).collect();
        assert!(pauses[0] >= PAUSE_MIN / 2 && pauses[0] <= PAUSE_MIN);
        assert!(pauses[10..].iter().all(|it| (500..=1000).contains(&it.as_millis())));
        assert!(backoff.next(Some(Duration::from_secs(3))) >= Duration::from_secs(3));
    }
}
