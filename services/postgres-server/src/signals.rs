//! The state that the supervisor shares with the handle: the server's process, and whether to stop.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

#[derive(Default)]
pub(crate) struct Signals {
    state: Mutex<State>,
    stopping: Condvar,
}

#[derive(Default)]
pub(crate) struct State {
    /// The server's process, from its start until just before it is reaped, so that a signal never
    /// reaches a later process with the same number.
    pub(crate) server: Option<Pid>,
    pub(crate) is_stopping: bool,
}

impl Signals {
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn stop(&self, signal: Signal) {
        let mut state = self.lock();
        state.is_stopping = true;
        self.stopping.notify_all();
        if let Some(server) = state.server {
            let _ = kill_process(server, signal);
        }
    }

    /// Waits, or returns early on a stop. Returns whether there was one.
    pub(crate) fn pause(&self, wait: Duration) -> bool {
        let paused =
            self.stopping.wait_timeout_while(self.lock(), wait, |state| !state.is_stopping);
        paused.unwrap_or_else(PoisonError::into_inner).0.is_stopping
    }
}
