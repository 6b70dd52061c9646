//! The pace of calls. While several platforms call, calls begin in turns, spread over time by what
//! they cost the threads that serve connections. So a platform that calls without end waits for the
//! others and leaves these threads room for them, and one that calls alone is not slowed.
//!
//! See `docs/decisions/0058-what-a-call-costs-is-what-it-pays.md`.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout};

use super::turns::Turns;
use crate::error::Error;

/// The share of a processor's time that calls may take while several platforms call. The rest is
/// for actions and streams; `croupier bench neighbours` shows what it does.
const SHARE: f64 = 0.35;

/// What a call costs besides the time of its handler: receiving it, and sending its answer.
const OVERHEAD: Duration = Duration::from_micros(250);

/// How much may begin at once after a pause.
const BURST: Duration = Duration::from_millis(10);

/// How long a call waits at most.
const WAIT_MAX: Duration = Duration::from_secs(2);

/// The weight of the last call in the mean cost of a platform's calls, inverted.
const MEMORY: u64 = 16;

/// Whether several platforms call at present.
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

/// The mean cost of a platform's calls.
pub(super) struct MeanCost(AtomicU64);

impl MeanCost {
    pub fn new() -> MeanCost {
        MeanCost(AtomicU64::new(0))
    }

    /// A call took this much CPU time of a thread.
    pub fn add(&self, took: Duration) {
        let took_ns = took.as_nanos() as u64;
        let mean_ns = self.0.load(Relaxed);
        // Of concurrent updates one is lost, which does not matter to a mean.
        self.0.store(mean_ns - mean_ns / MEMORY + took_ns / MEMORY, Relaxed);
    }

    fn get(&self) -> Duration {
        Duration::from_nanos(self.0.load(Relaxed)) + OVERHEAD
    }
}

/// The gate that calls pass in turns while several platforms call.
#[derive(Clone)]
pub(super) struct Gate(Arc<Mutex<State>>);

struct State {
    /// The calls that wait, and what they cost.
    turns: Turns<(), (Duration, oneshot::Sender<()>)>,
    /// When the next call may pass.
    free: Instant,
    /// Whether a task lets calls pass.
    is_opening: bool,
}

impl Gate {
    pub fn new() -> Gate {
        let state = State { turns: Turns::new(), free: Instant::now(), is_opening: false };
        Gate(Arc::new(Mutex::new(state)))
    }

    /// Waits for the turn of a call. Fails if that takes too long.
    pub async fn pass(&self, platform: usize, cost: &MeanCost) -> Result<(), Error> {
        let cost = cost.get();
        let passing = {
            let mut state = self.lock();
            let now = Instant::now();
            if !state.is_opening && state.free <= now {
                state.turns.take(platform);
                state.passed(now, platform, cost);
                return Ok(());
            }
            let (pass, passing) = oneshot::channel();
            state.turns.push(platform, (), (cost, pass));
            if !std::mem::replace(&mut state.is_opening, true) {
                #[expect(clippy::disallowed_methods, reason = "it ends when no call waits")]
                tokio::spawn(self.clone().open());
            }
            passing
        };
        let passed = timeout(WAIT_MAX, passing).await;
        passed.map_err(|_| Error::Overloaded)?.map_err(|_| Error::ShuttingDown)
    }

    /// Lets calls pass until none waits.
    async fn open(self) {
        loop {
            let free = self.lock().free;
            sleep_until(free).await;
            let mut state = self.lock();
            let now = Instant::now();
            while state.free <= now {
                let Some((platform, (cost, pass))) = state.turns.next(|_| true) else {
                    state.is_opening = false;
                    return;
                };
                // Whoever gave up costs nothing.
                match pass.send(()) {
                    Ok(()) => state.passed(now, platform, cost),
                    Err(()) => state.turns.finish(platform, Duration::ZERO),
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no holder of this lock panics")
    }
}

impl State {
    fn passed(&mut self, now: Instant, platform: usize, cost: Duration) {
        self.turns.finish(platform, cost);
        let since = now.checked_sub(BURST).unwrap_or(now);
        self.free = self.free.max(since) + cost.div_f64(SHARE);
    }
}

#[cfg(test)]
mod tests {
    use futures::future::join_all;

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

    #[tokio::test(start_paused = true)]
    async fn who_calls_little_goes_before_who_calls_much() {
        let (gate, cost) = (Gate::new(), MeanCost::new());
        (0..200).for_each(|_| cost.add(Duration::from_millis(1)));
        let began = Instant::now();
        let much = (0..500).map(|_| async {
            gate.pass(0, &cost).await.expect("there is time");
            began.elapsed()
        });
        let little = async {
            tokio::task::yield_now().await;
            gate.pass(1, &cost).await.expect("there is time");
            began.elapsed()
        };
        let (much, little) = tokio::join!(join_all(much), little);
        let last = much.into_iter().max().expect("there are some");
        assert!(little * 10 < last, "{little:?} and {last:?}");
    }
}
