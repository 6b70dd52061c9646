//! The log of a long-running command.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

/// Writes the log to standard error. `RUST_LOG` selects what is logged.
pub fn write_log(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env();
    // The client of NATS logs every attempt; relevant events are logged where it is used.
    // That of agents' protocol logs what they send; calls are counted where they are made.
    let quiet = "info,sqlx=warn,async_nats=off,rmcp=off";
    let filter = filter.unwrap_or_else(|_| EnvFilter::new(quiet));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Text => subscriber.with_target(false).init(),
        LogFormat::Json => subscriber.json().init(),
    }
}
