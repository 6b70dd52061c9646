//! How often a process looks for what others changed: less often while nobody uses it.
//!
//! See `docs/decisions/0105-a-process-that-nobody-uses-rests.md`.

use std::pin::pin;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

/// How long nobody has called, and no stream was open, before a process rests.
const REST_AFTER: Duration = Duration::from_secs(30);

/// How many times as long pauses are while a process rests, and the longest of them: within it,
/// what others changed is promised to be noticed.
const LONGER: u32 = 20;
const LONGEST: Duration = Duration::from_secs(20);

/// A process has one pace, as it has one database.
static PROCESS: Pace = Pace::new();

struct Pace {
    /// When this process was allowed to rest; others never do.
    allowed: OnceLock<Instant>,
    /// When somebody last used the process, in milliseconds since then.
    last_use_ms: AtomicU64,
    open_streams: AtomicUsize,
    /// Whether a pause is a long one, which the next use ends.
    is_resting: AtomicBool,
    used: Notify,
}

/// An open stream: while there is one, the process does not rest.
pub struct Held(&'static Pace);

/// Allows the process to rest while nobody calls. Processes that take no calls must not: they work
/// for those that do.
pub fn allow_rest() {
    PROCESS.allow_rest();
}

/// Somebody uses the process.
pub fn note_use() {
    PROCESS.note_use();
}

/// Somebody uses the process until this is dropped.
pub fn hold() -> Held {
    PROCESS.hold()
}

/// Whether nobody has used the process for a while.
pub fn rests() -> bool {
    PROCESS.rests()
}

/// A pause between two looks at what others may have changed. It is longer while the process rests,
/// and ends when somebody uses it.
pub async fn pause(usual: Duration) {
    PROCESS.pause(usual, resting(usual)).await;
}

/// The same for a look that must not be seldom: no pause is longer than `most`.
pub async fn pause_within(usual: Duration, most: Duration) {
    PROCESS.pause(usual, resting(usual).min(most)).await;
}

/// How long such a pause is if it begins now, at the longest.
pub fn longest_pause(usual: Duration) -> Duration {
    if PROCESS.rests() { resting(usual) } else { usual }
}

fn resting(usual: Duration) -> Duration {
    (usual * LONGER).min(LONGEST).max(usual)
}

impl Pace {
    const fn new() -> Pace {
        Pace {
            allowed: OnceLock::new(),
            last_use_ms: AtomicU64::new(0),
            open_streams: AtomicUsize::new(0),
            is_resting: AtomicBool::new(false),
            used: Notify::const_new(),
        }
    }

    fn allow_rest(&self) {
        self.allowed.get_or_init(Instant::now);
    }

    fn note_use(&self) {
        let Some(allowed) = self.allowed.get() else { return };
        self.last_use_ms.store(allowed.elapsed().as_millis() as u64, Ordering::SeqCst);
        if self.is_resting.load(Ordering::SeqCst) {
            self.is_resting.store(false, Ordering::SeqCst);
            self.used.notify_waiters();
        }
    }

    fn hold(&'static self) -> Held {
        self.open_streams.fetch_add(1, Ordering::SeqCst);
        self.note_use();
        Held(self)
    }

    fn rests(&self) -> bool {
        let Some(allowed) = self.allowed.get() else { return false };
        let last_use = Duration::from_millis(self.last_use_ms.load(Ordering::SeqCst));
        self.open_streams.load(Ordering::SeqCst) == 0
            && allowed.elapsed().saturating_sub(last_use) >= REST_AFTER
    }

    async fn pause(&self, usual: Duration, resting: Duration) {
        if !self.rests() {
            return sleep(usual).await;
        }
        let mut used = pin!(self.used.notified());
        used.as_mut().enable();
        self.is_resting.store(true, Ordering::SeqCst);
        // Whoever came in between may not have seen that there is somebody to notify.
        if !self.rests() {
            return sleep(usual).await;
        }
        tokio::select! {
            () = sleep(resting) => {}
            () = used => {}
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.note_use();
        self.0.open_streams.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Duration = Duration::from_secs(2);

    #[test]
    fn the_pauses_of_a_process_that_rests_have_a_limit() {
        for (usual_ms, longer_ms) in [(250, 5_000), (1_000, 20_000), (60_000, 60_000)] {
            assert_eq!(resting(Duration::from_millis(usual_ms)).as_millis(), longer_ms);
        }
    }

    /// How long a pause takes.
    async fn paused(pace: &Pace) -> Duration {
        let began = Instant::now();
        pace.pause(USUAL, resting(USUAL)).await;
        began.elapsed()
    }

    fn pace() -> &'static Pace {
        Box::leak(Box::new(Pace::new()))
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_are_longer_once_nobody_has_called_for_a_while() {
        let pace = pace();
        pace.allow_rest();
        assert_eq!(paused(pace).await, USUAL);
        sleep(REST_AFTER).await;
        assert_eq!(paused(pace).await, LONGEST);
        pace.note_use();
        assert_eq!(paused(pace).await, USUAL);
        sleep(REST_AFTER).await;
        assert_eq!(paused(pace).await, LONGEST);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_ends_every_long_pause() {
        let pace = pace();
        pace.allow_rest();
        sleep(REST_AFTER).await;
        let call = async {
            sleep(Duration::from_millis(300)).await;
            pace.note_use();
        };
        let (one, other, ()) = tokio::join!(paused(pace), paused(pace), call);
        assert_eq!([one, other], [Duration::from_millis(300); 2]);
    }

    #[tokio::test(start_paused = true)]
    async fn an_open_stream_keeps_a_process_awake() {
        let pace = pace();
        pace.allow_rest();
        let stream = pace.hold();
        sleep(REST_AFTER * 2).await;
        assert_eq!(paused(pace).await, USUAL);
        drop(stream);
        assert_eq!(paused(pace).await, USUAL);
        sleep(REST_AFTER).await;
        assert_eq!(paused(pace).await, LONGEST);
    }

    #[tokio::test(start_paused = true)]
    async fn a_process_that_takes_no_calls_never_rests() {
        let pace = pace();
        sleep(REST_AFTER * 10).await;
        pace.note_use();
        assert_eq!(paused(pace).await, USUAL);
    }
}
