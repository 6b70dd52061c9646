//! The loop of an agent: lists due work, attempts it, and retries failures later.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use database::{Clock, pace};
use futures::StreamExt;
use futures::stream;
use metrics::{counter, gauge};
use time::OffsetDateTime;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::agent::{Agent, Due, Error, Outcome};

/// A gauge: the amount of due work when an agent last listed it, by `agent`; at most a batch.
pub const DUE: &str = "croupier_agents_due";
/// A gauge: for how long the oldest work has been due, in seconds, by `agent`. Work that failed and
/// waits for a retry is included. While nothing can be listed, it counts on.
pub const LATE: &str = "croupier_agents_late_seconds";
/// A counter: attempts, by `agent` and `outcome`.
pub const ATTEMPTS: &str = "croupier_agents_attempts_total";

/// The maximum amount of work that an agent does before it lists again.
const BATCH: usize = 512;

/// The timeout of an attempt and of a listing. It is longer than the writer's own retries, so it
/// expires only if something hangs.
const WAIT: Duration = Duration::from_secs(30);

/// The pause after the first failure; each further failure doubles it, up to the maximum.
const RETRY_AFTER: Duration = Duration::from_secs(1);
const RETRY_AFTER_MAX: Duration = Duration::from_secs(300);

/// The maximum number of remembered failures. More failures have a common cause, and all are
/// forgotten.
const FAILURES_MAX: usize = 1_000;

/// Work that failed recently, or was listed but not due because a read model lags behind.
struct Failures<K>(HashMap<K, Failure>);

struct Failure {
    count: u32,
    retry_at: Instant,
    /// Since when the work has been due; `None` if the last attempt found that it was not.
    due_since: Option<OffsetDateTime>,
}

/// Does due work until `stop` is cancelled. Attempts that have begun are completed.
pub async fn run<A: Agent>(agent: A, clock: Clock, stop: CancellationToken) {
    let agent = Arc::new(agent);
    let mut failures = Failures(HashMap::new());
    let mut is_failing = false;
    // Everything that was due before this was done.
    let mut done_until = clock.now();
    while !stop.is_cancelled() {
        let except = failures.waiting();
        let asked = timeout(WAIT, agent.due(BATCH, &except)).await;
        let is_full = match asked.unwrap_or_else(|_| Err("the question took too long".into())) {
            Ok(due) => {
                is_failing = false;
                let is_full = due.len() >= BATCH;
                gauge!(DUE, "agent" => A::NAME).set(due.len() as f64);
                let undone = due.iter().map(|it| it.since).chain(failures.due_since());
                done_until = undone.min().unwrap_or_else(|| clock.now());
                tell_late::<A>(done_until, clock.now());
                if !due.is_empty() {
                    pace::note_use();
                }
                let outcomes = attempt_all(&agent, due).await;
                // If everything failed, the agent pauses instead of listing again at once.
                let any_succeeded = outcomes.iter().any(|(_, outcome)| outcome.is_ok());
                for (due, outcome) in outcomes {
                    failures.note::<A>(due, outcome);
                }
                is_full && any_succeeded
            }
            Err(error) => {
                if !std::mem::replace(&mut is_failing, true) {
                    let error = &*error as &dyn std::error::Error;
                    tracing::warn!(agent = A::NAME, error, "cannot ask what is due, retrying");
                }
                tell_late::<A>(done_until, clock.now());
                false
            }
        };
        if !is_full {
            tokio::select! {
                () = stop.cancelled() => {}
                () = pace::pause(A::INTERVAL) => {}
                () = agent.woken() => {}
            }
        }
    }
}

fn tell_late<A: Agent>(done_until: OffsetDateTime, now: OffsetDateTime) {
    let late = (now - done_until).as_seconds_f64();
    gauge!(LATE, "agent" => A::NAME).set(late.max(0.0));
}

async fn attempt_all<A: Agent>(
    agent: &Arc<A>,
    due: Vec<Due<A::Key>>,
) -> Vec<(Due<A::Key>, Result<Outcome, Error>)> {
    let attempt = |due: Due<A::Key>| {
        let agent = agent.clone();
        async move {
            let attempted = timeout(WAIT, agent.attempt(due.key.clone())).await;
            (due, attempted.unwrap_or_else(|_| Err("the attempt took too long".into())))
        }
    };
    stream::iter(due.into_iter().map(attempt)).buffer_unordered(A::ATTEMPTS_MAX).collect().await
}

impl<K: Clone + Eq + std::hash::Hash + std::fmt::Debug> Failures<K> {
    /// The work that is not due for a retry yet.
    fn waiting(&self) -> Vec<K> {
        let now = Instant::now();
        let waiting = self.0.iter().filter(|(_, failure)| failure.retry_at > now);
        waiting.map(|(key, _)| key.clone()).collect()
    }

    /// Since when work has been due that failed and is not listed until its retry.
    fn due_since(&self) -> impl Iterator<Item = OffsetDateTime> {
        let now = Instant::now();
        let waiting = self.0.values().filter(move |failure| failure.retry_at > now);
        waiting.filter_map(|failure| failure.due_since)
    }

    fn note<A: Agent<Key = K>>(&mut self, due: Due<K>, outcome: Result<Outcome, Error>) {
        let Due { key, since } = due;
        let name = match &outcome {
            Ok(Outcome::Won) => "won",
            Ok(Outcome::Lost) => "lost",
            Err(_) => "failed",
        };
        counter!(ATTEMPTS, "agent" => A::NAME, "outcome" => name).increment(1);
        if matches!(outcome, Ok(Outcome::Won)) {
            self.0.remove(&key);
            return;
        }
        if self.0.len() >= FAILURES_MAX {
            self.0.clear();
        }
        let first = Failure { count: 0, retry_at: Instant::now(), due_since: None };
        let failure = self.0.entry(key.clone()).or_insert(first);
        failure.retry_at = Instant::now() + retry_after(failure.count);
        failure.due_since = outcome.is_err().then_some(since);
        failure.count += 1;
        if let Err(error) = outcome
            && failure.count == 1
        {
            let error = &*error as &dyn std::error::Error;
            tracing::warn!(agent = A::NAME, ?key, error, "an attempt failed, retrying");
        }
    }
}

/// The pause after a failure, given the number of failures before it.
fn retry_after(failures: u32) -> Duration {
    RETRY_AFTER.saturating_mul(1 << failures.min(16)).min(RETRY_AFTER_MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Mutex;

    use super::*;

    /// Squares are due until they are done; those of `broken` never are.
    struct Squares {
        left: Mutex<HashSet<u32>>,
        broken: HashSet<u32>,
        tried: Mutex<Vec<u32>>,
        stop: CancellationToken,
    }

    impl Agent for Arc<Squares> {
        type Key = u32;
        const NAME: &'static str = "squares";
        const INTERVAL: Duration = Duration::from_millis(1);
        const ATTEMPTS_MAX: usize = 4;

        async fn due(&self, most: usize, except: &[u32]) -> Result<Vec<Due<u32>>, Error> {
            let left = self.left.lock().expect("nobody panics");
            if left.iter().all(|key| self.broken.contains(key)) {
                self.stop.cancel();
            }
            let left = left.iter().filter(|key| !except.contains(key)).take(most);
            let since = OffsetDateTime::UNIX_EPOCH;
            Ok(left.map(|&key| Due { key, since }).collect())
        }

        async fn attempt(&self, key: u32) -> Result<Outcome, Error> {
            self.tried.lock().expect("nobody panics").push(key);
            if self.broken.contains(&key) {
                return Err("it is broken".into());
            }
            let is_won = self.left.lock().expect("nobody panics").remove(&key);
            Ok(if is_won { Outcome::Won } else { Outcome::Lost })
        }
    }

    #[tokio::test]
    async fn what_fails_delays_nothing_else() {
        let stop = CancellationToken::new();
        let squares = Arc::new(Squares {
            left: Mutex::new((0..2_000).collect()),
            broken: (0..600).collect(),
            tried: Mutex::default(),
            stop: stop.clone(),
        });
        let running = run(squares.clone(), Clock::new(None), stop);
        timeout(Duration::from_secs(60), running).await.expect("everything else is done");
        let tried = squares.tried.lock().expect("nobody panics");
        let done: HashSet<u32> = tried.iter().copied().filter(|key| *key >= 600).collect();
        assert_eq!(done.len(), 1_400);
        assert_eq!(tried.iter().filter(|key| **key >= 600).count(), 1_400, "each once");
    }

    #[test]
    fn work_that_failed_is_late_until_it_is_done_or_no_longer_due() {
        let mut failures = Failures(HashMap::new());
        let since = OffsetDateTime::UNIX_EPOCH;
        let late = |failures: &Failures<u32>| failures.due_since().collect::<Vec<_>>();
        for (outcome, expected) in [
            (Err("it is broken".into()), vec![since]),
            (Ok(Outcome::Lost), vec![]),
            (Err("it is broken".into()), vec![since]),
            (Ok(Outcome::Won), vec![]),
        ] {
            failures.note::<Arc<Squares>>(Due { key: 7, since }, outcome);
            assert_eq!(late(&failures), expected);
        }
    }

    #[test]
    fn pauses_grow_and_are_bounded() {
        let pauses: Vec<u64> = (0..10).map(|count| retry_after(count).as_secs()).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
        assert_eq!(retry_after(u32::MAX), RETRY_AFTER_MAX);
    }
}
