//! Whether a module failed lately, or took long. What it is asked is then computed where nobody
//! else waits for it.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// How long a suspicion lasts. A module that misbehaves now and then holds up a caller's thread for
/// one call each time.
const LASTS: Duration = Duration::from_secs(600);

#[derive(Default)]
pub(crate) struct Suspicion {
    /// When it was raised last, in milliseconds of [`now`]; 0 if never.
    raised: AtomicU64,
}

impl Suspicion {
    pub(crate) fn raise(&self) {
        self.raised.store(now(), Relaxed);
    }

    pub(crate) fn is_raised(&self) -> bool {
        match self.raised.load(Relaxed) {
            0 => false,
            raised => now().saturating_sub(raised) < LASTS.as_millis() as u64,
        }
    }
}

/// Milliseconds since this was asked first, and one more.
fn now() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_millis() as u64 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suspicion_is_raised_once_there_is_a_reason() {
        let suspicion = Suspicion::default();
        assert!(!suspicion.is_raised());
        suspicion.raise();
        assert!(suspicion.is_raised());
    }
}
