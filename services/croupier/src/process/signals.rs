//! Stopping on a signal.

use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Cancels `drain` on the first SIGTERM or SIGINT. After a SIGTERM, it cancels `leaving` first and
/// waits: load balancers notice that the process is leaving, and calls that they still send are
/// answered. A second signal ends the wait. Signals count from this call on, not from the first
/// poll of what it returns.
pub fn stop_on_signal(
    leaving: CancellationToken,
    wait: Duration,
    drain: CancellationToken,
) -> impl Future<Output = ()> + Send {
    let mut terminate = signal(SignalKind::terminate()).expect("signals can be awaited");
    let mut interrupt = signal(SignalKind::interrupt()).expect("signals can be awaited");
    async move {
        let wait = tokio::select! {
            _ = terminate.recv() => wait,
            _ = interrupt.recv() => Duration::ZERO,
        };
        leaving.cancel();
        if !wait.is_zero() {
            tracing::info!("leaving: not ready any more, and accepting calls for {wait:?}");
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        }
        tracing::info!("stopping: streams end, and calls in progress are completed");
        drain.cancel();
    }
}
