//! Whether several platforms call.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use tokio::time::Instant;

/// Whether several platforms call this process at present.
pub(super) struct Company {
    began: Instant,
    /// The number of the platform that called last.
    last: AtomicUsize,
    /// When the last but one was another, in milliseconds; 0 for never.
    shared_ms: AtomicU64,
}

/// How long another platform is expected to call again.
const COMPANY: Duration = Duration::from_secs(1);

impl Company {
    pub fn new() -> Company {
        Company {
            began: Instant::now(),
            last: AtomicUsize::new(usize::MAX),
            shared_ms: AtomicU64::new(0),
        }
    }

    /// A platform calls.
    pub fn note(&self, platform: usize) {
        if self.last.load(Relaxed) != platform {
            let last = self.last.swap(platform, Relaxed);
            if last != platform && last != usize::MAX {
                self.shared_ms.store(self.now_ms(), Relaxed);
            }
        }
    }

    pub fn is_shared(&self) -> bool {
        let shared_ms = self.shared_ms.load(Relaxed);
        shared_ms > 0 && self.now_ms() - shared_ms < COMPANY.as_millis() as u64
    }

    fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_platform_is_in_company_while_another_calls() {
        let company = Company::new();
        company.note(3);
        company.note(3);
        assert!(!company.is_shared());
        company.note(0);
        assert!(company.is_shared());
    }
}
