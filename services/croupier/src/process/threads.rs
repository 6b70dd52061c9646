//! Threads with one runtime each, so that a task stays on the thread that started it.

use std::{io, thread};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

#[derive(Debug, thiserror::Error)]
#[error("cannot start a thread")]
pub struct Error(#[source] io::Error);

/// The thread of the store's tasks: the writer, the follower and the batched reads. On a separate
/// thread, busy connections do not delay them.
pub struct StoreThread {
    tasks: Handle,
    stop: CancellationToken,
    thread: Option<Running<()>>,
}

impl StoreThread {
    /// A thread of its own, or the current one.
    pub fn start(is_own: bool) -> Result<StoreThread, Error> {
        if !is_own {
            return Ok(StoreThread::of_caller());
        }
        let stop = CancellationToken::new();
        let runtime = runtime().map_err(Error)?;
        let tasks = runtime.handle().clone();
        let stopped = stop.clone();
        let thread = start_on(runtime, "store", async move || stopped.cancelled().await)?;
        Ok(StoreThread { tasks, stop, thread: Some(thread) })
    }

    /// The runtime of the caller.
    pub fn of_caller() -> StoreThread {
        let stop = CancellationToken::new();
        StoreThread { tasks: Handle::current(), stop, thread: None }
    }

    pub fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        #[expect(
            clippy::disallowed_methods,
            reason = "what it starts is vital, or awaited at once"
        )]
        self.tasks.spawn(task)
    }

    /// Ends the thread. Its tasks have ended before.
    pub async fn end(self) {
        self.stop.cancel();
        if let Some(thread) = self.thread {
            thread.ended().await;
        }
    }
}

/// A runtime that runs all its tasks on the current thread.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// A running thread.
pub struct Running<T>(oneshot::Receiver<T>);

impl<T> Running<T> {
    /// Waits for the thread to end. Returns its result, or `None` if it panicked.
    pub async fn ended(self) -> Option<T> {
        self.0.await.ok()
    }
}

/// Starts a thread with a runtime of its own.
pub fn start<T: Send + 'static>(
    name: &str,
    work: impl AsyncFnOnce() -> T + Send + 'static,
) -> Result<Running<T>, Error> {
    start_on(runtime().map_err(Error)?, name, work)
}

fn start_on<T: Send + 'static>(
    runtime: Runtime,
    name: &str,
    work: impl AsyncFnOnce() -> T + Send + 'static,
) -> Result<Running<T>, Error> {
    let (send, result) = oneshot::channel();
    let run = move || {
        // The receiver is gone if the service could not be started.
        let _ = send.send(runtime.block_on(work()));
    };
    thread::Builder::new().name(name.to_owned()).spawn(run).map_err(Error)?;
    Ok(Running(result))
}
