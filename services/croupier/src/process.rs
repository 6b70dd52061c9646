//! What commands that run until they are stopped have in common: a log, and stopping on a signal.

use std::io::IsTerminal;

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
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Text => subscriber.with_target(false).init(),
        LogFormat::Json => subscriber.json().init(),
    }
}

/// Cancels `drain` on the first SIGTERM or SIGINT.
pub async fn stop_on_signal(drain: CancellationToken) {
    let mut terminate = signal(SignalKind::terminate()).expect("signals can be awaited");
    let mut interrupt = signal(SignalKind::interrupt()).expect("signals can be awaited");
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping: streams end, and calls in progress are completed");
    drain.cancel();
}
