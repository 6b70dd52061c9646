//! The command line: what can be asked for, and how the answer ends.

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::client::{Failure, Service};
use crate::commands::{
    bench, entries, export, import, load, matches, platform, play, player, project, replay,
    simulate, standings, view, watch,
};
use crate::{serve, threads};

/// Deals tabletop matches, enforces their rules, keeps their secrets and remembers everything.
#[derive(Parser)]
#[command(name = "croupier", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    service: Service,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Args),
    Play(play::Args),
    Watch(watch::Args),
    Matches(matches::Args),
    Entries(entries::Args),
    View(view::Args),
    Export(export::Args),
    Player(player::Args),
    Standings(standings::Args),
    Project(project::Args),
    Load(load::Args),
    Import(import::Args),
    Replay(replay::Args),
    Simulate(simulate::Args),
    Platform(platform::Args),
    Bench(bench::Args),
}

/// Runs what the command line asks for. Exits with 0 if it was done, 1 if it failed, 2 if it made
/// no sense.
pub fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has read enough.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("croupier: {}", api::error_chain(&failure));
            ExitCode::from(if matches!(failure, Failure::Usage(_)) { 2 } else { 1 })
        }
    }
}

fn run(Cli { command, service }: Cli) -> Result<(), Failure> {
    match command {
        Command::Serve(args) => {
            threads::runtime()?.block_on(async { Ok(serve::run(args, &service.data).await?) })
        }
        Command::Play(args) => client(play::run(args, &service)),
        Command::Watch(args) => client(watch::run(args, &service)),
        Command::Matches(args) => client(matches::run(args, &service)),
        Command::Entries(args) => client(entries::run(args, &service)),
        Command::View(args) => client(view::run(args, &service)),
        Command::Export(args) => client(export::run(args, &service)),
        Command::Player(args) => client(player::run(args, &service)),
        Command::Standings(args) => client(standings::run(args, &service)),
        Command::Project(args) => server(project::run(args, &service)),
        Command::Load(args) => server(load::run(args, &service)),
        Command::Import(args) => client(import::run(args, &service)),
        Command::Replay(args) => replay::run(&args),
        Command::Simulate(args) => simulate::run(args),
        Command::Platform(args) => client(platform::run(args, &service)),
        Command::Bench(args) => bench::run(args, &service),
    }
}

/// Runs a command that works on the database itself, on every processor.
fn server(service: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(service)
}

/// Runs a command that talks to the service; it does one thing at a time.
fn client(command: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    threads::runtime()?.block_on(command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
