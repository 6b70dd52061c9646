//! The command line: the commands, and the exit status.

use std::pin::Pin;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::client::Service;
use crate::commands::auditing::{monitor, witness};
use crate::commands::files::{export, import, replay, verify};
use crate::commands::looking::{
    entries, game, games, lobby, matches, openapi, player, rules, standings, view, watch,
};
use crate::commands::making;
use crate::commands::measuring::{arena, bench, load, simulate};
use crate::commands::operating::{
    agents, archive, completions, migrate, modules, operator, platform, project, retention, term,
    transparency,
};
use crate::commands::playing::order::Order;
use crate::commands::playing::{
    act, create, delete, invite, join, leave, mcp, order, play, replace, seek, sign_in, token,
    undo, update, vote,
};
use crate::failure::Failure;
use crate::process::threads;
use crate::serve;

/// A game-state service for tabletop matches: it deals, enforces the rules, keeps hidden
/// information hidden and records every action
#[derive(Parser)]
#[command(name = "croupier", version = api::VERSION, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    service: Service,
}

#[derive(Subcommand)]
enum Command {
    Serve(Box<serve::Args>),
    Games(games::Args),
    Game(game::Args),
    Rules(rules::Args),
    Create(create::Args),
    Join(join::Args),
    Invite(invite::Args),
    Leave(leave::Args),
    Update(update::Args),
    Delete(delete::Args),
    Lobby(lobby::Args),
    Seek(seek::Args),
    Act(act::Args),
    Undo(undo::Args),
    Vote(vote::Args),
    /// Pause a match without a vote; clocks stop until it is resumed
    Pause(order::Args),
    /// Resume a match that is paused
    Resume(order::Args),
    /// End a match without a result
    End(order::Args),
    Replace(replace::Args),
    Play(play::Args),
    Watch(watch::Args),
    Matches(matches::Args),
    Entries(entries::Args),
    View(view::Args),
    Export(export::Args),
    Player(player::Args),
    Standings(standings::Args),
    Project(project::Args),
    Agents(agents::Args),
    Load(load::Args),
    Import(import::Args),
    Verify(verify::Args),
    Monitor(monitor::Args),
    Witness(witness::Args),
    Replay(replay::Args),
    Simulate(simulate::Args),
    Arena(::bench::arena::Args),
    Platform(platform::Args),
    Operator(operator::Args),
    Token(token::Args),
    SignIn(sign_in::Args),
    Mcp(mcp::Args),
    Migrate(migrate::Args),
    Retention(retention::Args),
    Archive(archive::Args),
    Term(term::Args),
    Transparency(transparency::Args),
    Openapi(openapi::Args),
    Bench(bench::Args),
    Completions(completions::Args),
}

/// Runs the command. Exits with 0 on success, 1 on failure, 2 if the command line is invalid, 3 if
/// nothing is wrong with what was verified but not everything is proven, and 130 if it was
/// interrupted.
pub fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Interrupted) => ExitCode::from(INTERRUPTED),
        // `croupier entries … | head` has printed all that is read.
        Err(failure) if failure.is_closed_output() => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("croupier: {}", api::error_chain(&failure));
            match failure {
                Failure::NotProven(_) => ExitCode::from(NOT_PROVEN),
                _ => ExitCode::from(if failure.is_usage() { 2 } else { 1 }),
            }
        }
    }
}

/// The exit status of a verification that finds nothing wrong and does not prove everything.
const NOT_PROVEN: u8 = 3;

/// The exit status that shells give to a program ended by SIGINT.
const INTERRUPTED: u8 = 130;

fn run(Cli { command, service }: Cli) -> Result<(), Failure> {
    match command {
        Command::Serve(args) => {
            client(Box::pin(async { Ok(serve::run(*args, &service.data).await?) }))
        }
        Command::Games(args) => client(Box::pin(games::run(args, &service))),
        Command::Game(args) => match args.command {
            Some(game::Command::New(args)) => making::new::run(&args),
            Some(game::Command::Build(args)) => making::build::run(&args),
            Some(game::Command::Check(args)) => making::check::run(&args),
            Some(game::Command::Simulate(args)) => making::simulate::run(&args),
            Some(game::Command::Arena(args)) => making::arena::run(&args),
            Some(game::Command::Play(args)) => client(Box::pin(making::play::run(args, &service))),
            Some(game::Command::Add(args)) => client(Box::pin(modules::add(args, &service))),
            Some(game::Command::List(args)) => client(Box::pin(modules::list(args, &service))),
            Some(game::Command::Retire(args)) => client(Box::pin(modules::retire(args, &service))),
            Some(game::Command::Save(args)) => client(Box::pin(modules::save(args, &service))),
            None => client(Box::pin(game::run(args, &service))),
        },
        Command::Rules(args) => client(Box::pin(rules::run(args, &service))),
        Command::Create(args) => client(Box::pin(create::run(args, &service))),
        Command::Join(args) => client(Box::pin(join::run(args, &service))),
        Command::Invite(args) => client(Box::pin(invite::run(args, &service))),
        Command::Leave(args) => client(Box::pin(leave::run(args, &service))),
        Command::Update(args) => client(Box::pin(update::run(args, &service))),
        Command::Delete(args) => client(Box::pin(delete::run(args, &service))),
        Command::Lobby(args) => client(Box::pin(lobby::run(args, &service))),
        Command::Seek(args) => client(Box::pin(seek::run(args, &service))),
        Command::Act(args) => client(Box::pin(act::run(args, &service))),
        Command::Undo(args) => client(Box::pin(undo::run(args, &service))),
        Command::Vote(args) => client(Box::pin(vote::run(args, &service))),
        Command::Pause(args) => client(Box::pin(order::run(Order::Pause, args, &service))),
        Command::Resume(args) => client(Box::pin(order::run(Order::Resume, args, &service))),
        Command::End(args) => client(Box::pin(order::run(Order::End, args, &service))),
        Command::Replace(args) => client(Box::pin(replace::run(args, &service))),
        Command::Play(args) => client(Box::pin(play::run(args, &service))),
        Command::Watch(args) => client(Box::pin(watch::run(args, &service))),
        Command::Matches(args) => client(Box::pin(matches::run(args, &service))),
        Command::Entries(args) => client(Box::pin(entries::run(args, &service))),
        Command::View(args) => client(Box::pin(view::run(args, &service))),
        Command::Export(args) => client(Box::pin(export::run(args, &service))),
        Command::Player(args) => client(Box::pin(player::run(args, &service))),
        Command::Standings(args) => client(Box::pin(standings::run(args, &service))),
        Command::Project(args) => server(Box::pin(project::run(args, &service))),
        Command::Agents(args) => server(Box::pin(agents::run(args, &service))),
        Command::Load(args) => server(Box::pin(load::run(args, &service))),
        Command::Import(args) => client(Box::pin(import::run(args, &service))),
        Command::Verify(args) => verify::run(&args, &service),
        Command::Monitor(args) => client(Box::pin(monitor::run(args, &service))),
        Command::Witness(args) => client(Box::pin(witness::run(args))),
        Command::Replay(args) => replay::run(&args),
        Command::Simulate(args) => simulate::run(args),
        Command::Arena(args) => arena::run(&args),
        Command::Platform(args) => client(Box::pin(platform::run(args, &service))),
        Command::Operator(args) => client(Box::pin(operator::run(args, &service))),
        Command::Token(args) => client(Box::pin(token::run(args, &service))),
        Command::SignIn(args) => client(Box::pin(sign_in::run(args, &service))),
        Command::Mcp(args) => client(Box::pin(mcp::run(args, &service))),
        Command::Migrate(args) => client(Box::pin(migrate::run(args, &service))),
        Command::Retention(args) => server(Box::pin(retention::run(args, &service))),
        Command::Archive(args) => server(Box::pin(archive::run(args, &service))),
        Command::Term(args) => client(Box::pin(term::run(args, &service))),
        Command::Transparency(args) => client(Box::pin(transparency::run(args, &service))),
        Command::Openapi(args) => openapi::run(args),
        Command::Bench(args) => client(Box::pin(bench::run(args, &service))),
        Command::Completions(args) => completions::run(&args, &mut Cli::command()),
    }
}

/// A command that waits. Boxed, so that a runtime is compiled once for all of them.
type Waiting<'a> = Pin<Box<dyn Future<Output = Result<(), Failure>> + 'a>>;

/// Runs a command that works on the database, on every processor.
fn server(command: Waiting<'_>) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(Failure::Threads)?.block_on(command)
}

/// Runs a command on this thread.
fn client(command: Waiting<'_>) -> Result<(), Failure> {
    threads::runtime().map_err(Failure::Threads)?.block_on(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
