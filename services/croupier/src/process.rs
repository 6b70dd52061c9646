//! What commands that run until they are stopped have in common: a log, and stopping on a signal.

use std::io::IsTerminal;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

/// Writes the log to standard error. `RUST_LOG` selects what is logged.
pub fn write_log(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env();
    // The client of NATS reports every attempt; what matters of it is logged where it is used.
    let filter = filter.unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn,async_nats=off"));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Text => subscriber.with_target(false).init(),
        LogFormat::Json => subscriber.json().init(),
    }
}

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
