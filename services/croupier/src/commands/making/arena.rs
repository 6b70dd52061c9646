//! `croupier game arena`: matches among the bots of a module in this process.

use bench::arena::{Lineups, run_in};

use super::module_file::ModuleFile;
use crate::commands::measuring::arena::tell;
use crate::failure::Failure;

/// Let the bots of a module play each other in this process, and compare their levels
///
/// Like `croupier arena` for a game that is a file.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    file: ModuleFile,
    #[command(flatten)]
    lineups: Lineups,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let game = Box::leak(Box::new(args.file.load()?));
    tell(&run_in(game, &args.lineups)?, args.lineups.json)
}
