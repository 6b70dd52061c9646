//! The gate of a thread that serves connections. While several platforms call, calls begin in
//! turns: some in each round of the thread, in which every other task that can run does so once.
//!
//! So a platform that calls without end keeps no more tasks in the thread's queue than the others
//! do, however many of its calls wait here. A thread that has nothing else to do lets calls pass as
//! they come, and a platform that calls alone passes no gate.
//!
//! See `docs/decisions/0058-what-a-call-costs-is-what-it-pays.md`.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::yield_now;
use tokio::time::{Instant, timeout};

use super::turns::Turns;
use crate::error::Error;

/// How many calls begin in a round of the thread.
const EACH_ROUND: usize = 1;

/// How long a call waits at most.
const WAIT_MAX: Duration = Duration::from_secs(2);

/// What each call counts. `Turns` compares, so only that they are alike matters.
const CALL: Duration = Duration::from_micros(1);

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

    fn is_shared(&self) -> bool {
        let shared_ms = self.shared_ms.load(Relaxed);
        shared_ms > 0 && self.now_ms() - shared_ms < COMPANY.as_millis() as u64
    }

    fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64 + 1
    }
}

/// The gate of one thread. Cheap to clone.
#[derive(Clone)]
pub struct Gate {
    company: Arc<Company>,
    state: Arc<Mutex<State>>,
}

struct State {
    turns: Turns<(), oneshot::Sender<()>>,
    /// Whether calls have begun in this round, and a task will let others pass in the next one.
    is_closed: bool,
}

impl Gate {
    pub(super) fn new(company: Arc<Company>) -> Gate {
        let state = State { turns: Turns::new(), is_closed: false };
        Gate { company, state: Arc::new(Mutex::new(state)) }
    }

    /// Waits for the turn of a call of a platform. Fails if that takes too long.
    pub(super) async fn pass(&self, platform: usize) -> Result<(), Error> {
        if !self.company.is_shared() {
            return Ok(());
        }
        let passing = {
            let mut state = self.lock();
            if !std::mem::replace(&mut state.is_closed, true) {
                state.turns.take(platform);
                state.turns.finish(platform, CALL);
                #[expect(clippy::disallowed_methods, reason = "it ends when no call waits")]
                tokio::spawn(self.clone().open());
                return Ok(());
            }
            let (pass, passing) = oneshot::channel();
            state.turns.push(platform, (), pass);
            passing
        };
        let passed = timeout(WAIT_MAX, passing).await;
        passed.map_err(|_| Error::Overloaded)?.map_err(|_| Error::ShuttingDown)
    }

    /// Lets calls pass, some in each round, until none waits.
    async fn open(self) {
        loop {
            yield_now().await;
            let mut state = self.lock();
            let mut passed = 0;
            while passed < EACH_ROUND {
                let Some((platform, pass)) = state.turns.next(|_| true) else {
                    state.is_closed = false;
                    return;
                };
                // Whoever gave up counts nothing.
                let has_passed = pass.send(()).is_ok();
                state.turns.finish(platform, if has_passed { CALL } else { Duration::ZERO });
                passed += usize::from(has_passed);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock panics")
    }
}

#[cfg(test)]
mod tests {
    use futures::future::join_all;

    use super::*;

    fn shared() -> Arc<Company> {
        let company = Company::new();
        company.note(0);
        company.note(1);
        Arc::new(company)
    }

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
    async fn who_calls_alone_does_not_wait() {
        let gate = Gate::new(Arc::new(Company::new()));
        for _ in 0..10 {
            let passed = futures::poll!(Box::pin(gate.pass(0)));
            assert!(passed.is_ready());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_calls_little_goes_before_who_calls_much() {
        let (gate, order) = (Gate::new(shared()), Mutex::new(Vec::new()));
        let pass = async |platform: usize| {
            gate.pass(platform).await.expect("there is time");
            order.lock().expect("nobody panics").push(platform);
        };
        let much = join_all((0..500).map(|_| pass(0)));
        tokio::join!(much, pass(1));
        let order = order.into_inner().expect("nobody panics");
        let little = order.iter().position(|it| *it == 1).expect("it passed");
        assert!(little <= 3, "after {little} of {}", order.len());
    }

    /// The tasks of calls that were let pass run before more are.
    #[tokio::test(start_paused = true)]
    async fn calls_begin_no_faster_than_the_thread_works() {
        let (gate, under_way) = (Gate::new(shared()), Arc::new(AtomicUsize::new(0)));
        let call = async |_| {
            gate.pass(0).await.expect("there is time");
            let most = under_way.fetch_add(1, Relaxed) + 1;
            for _ in 0..3 {
                yield_now().await;
            }
            under_way.fetch_sub(1, Relaxed);
            most
        };
        let most = join_all((0..500).map(call)).await.into_iter().max().expect("there are some");
        assert!(most <= 8, "{most} were under way at once");
    }
}
