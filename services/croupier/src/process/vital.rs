//! Tasks that a process cannot do without.
//!
//! A process whose writer has died refuses every action, but looks alive to its supervisor. So if a
//! vital task ends before it is told to, the process drains and exits with a failure, and its
//! supervisor restarts it. Every task that lives as long as the process is vital: clippy.toml
//! forbids starting others without a reason.

use std::sync::{Arc, OnceLock};

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Watches over the vital tasks of a process. Cheap to clone.
#[derive(Clone)]
pub struct Vital {
    drain: CancellationToken,
    ended: Arc<OnceLock<String>>,
    /// The task that fails on request, in tests.
    failing: Option<Arc<str>>,
}

/// A vital task ended.
#[derive(Debug, thiserror::Error)]
#[error("the {0} ended unexpectedly")]
pub struct Ended(String);

impl Vital {
    /// Cancels `drain` when a task has ended unexpectedly.
    pub fn new(drain: CancellationToken) -> Vital {
        Vital { drain, ended: Arc::default(), failing: None }
    }

    /// Lets a task panic soon after it has started.
    pub fn failing(self, task: Option<&str>) -> Vital {
        Vital { failing: task.map(Into::into), ..self }
    }

    /// Starts a task that ends only once `stop` is cancelled, on the runtime of the caller.
    pub fn spawn<T: Send + 'static>(
        &self,
        name: impl Into<String>,
        stop: &CancellationToken,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        #[expect(clippy::disallowed_methods, reason = "it is watched")]
        tokio::spawn(self.clone().run(name.into(), stop.clone(), task))
    }

    /// Runs a task that ends only once `stop` is cancelled.
    pub async fn run<T>(
        self,
        name: impl Into<String>,
        stop: CancellationToken,
        task: impl Future<Output = T>,
    ) -> T {
        let name = name.into();
        let fails = self.failing.as_deref() == Some(&name);
        // Dropped after the watch: dropping the task may end other tasks, which must not be
        // reported as the cause.
        let mut task = std::pin::pin!(task);
        let mut watch = Watch { vital: self, name, stop, has_ended: false };
        let ended = tokio::select! {
            ended = &mut task => ended,
            () = fail(&watch.name), if fails => unreachable!("it panics"),
        };
        watch.has_ended = true;
        ended
    }

    /// Fails if a task has ended unexpectedly.
    pub fn check(&self) -> Result<(), Ended> {
        self.ended.get().map_or(Ok(()), |name| Err(Ended(name.clone())))
    }
}

async fn fail(name: &str) {
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    panic!("the {name} fails on request");
}

/// Dropped when the task ends in any way.
struct Watch {
    vital: Vital,
    name: String,
    stop: CancellationToken,
    has_ended: bool,
}

impl Drop for Watch {
    fn drop(&mut self) {
        let is_early = self.has_ended && !self.stop.is_cancelled();
        if !is_early && !std::thread::panicking() {
            return;
        }
        if self.vital.ended.set(self.name.clone()).is_ok() {
            tracing::error!("the {} ended unexpectedly: this process stops", self.name);
        }
        self.vital.drain.cancel();
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "these tasks end with their test")]
mod tests {
    use super::*;

    async fn check(stop_first: bool, task: impl Future<Output = ()> + Send + 'static) -> bool {
        let (drain, stop) = (CancellationToken::new(), CancellationToken::new());
        if stop_first {
            stop.cancel();
        }
        let vital = Vital::new(drain.clone());
        let _ = tokio::spawn(vital.clone().run("task", stop, task)).await;
        assert_eq!(vital.check().is_err(), drain.is_cancelled());
        drain.is_cancelled()
    }

    #[tokio::test]
    async fn a_task_that_ends_or_panics_ends_the_process() {
        assert!(check(false, async {}).await);
        assert!(check(false, async { panic!("a mistake") }).await);
        assert!(check(true, async { panic!("a mistake") }).await, "also while it stops");
        assert!(!check(true, async {}).await, "it was told to");
    }

    #[tokio::test]
    async fn a_task_that_is_dropped_with_its_runtime_ends_nothing() {
        let drain = CancellationToken::new();
        let task = tokio::spawn(Vital::new(drain.clone()).run(
            "task",
            CancellationToken::new(),
            std::future::pending::<()>(),
        ));
        tokio::task::yield_now().await;
        task.abort();
        assert!(task.await.is_err_and(|error| error.is_cancelled()) && !drain.is_cancelled());
    }
}
