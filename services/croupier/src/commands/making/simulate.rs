//! `croupier game simulate`: random matches by a module.

use std::ops::ControlFlow;

use games::Game;
use modules::trial::Trial;
use table::invariants::{Broken, Played};

use super::module_file::ModuleFile;
use crate::commands::measuring::simulate::{Matches, simulate};
use crate::failure::Failure;

/// Play random matches by a module in this process and check every invariant of its trial
///
/// Like `croupier simulate` for a game that is a file.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    file: ModuleFile,
    #[command(flatten)]
    matches: Matches,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let module = args.file.load()?;
    let check = |seats: u8, seed: u64| -> Result<Played, Broken> {
        let played = Trial::new(&module).play(seats, seed, &mut |_, _| ControlFlow::Continue(()));
        let played = played.map_err(|failure| Broken {
            invariant: failure.reason.sentence(),
            game: module.name(),
            seats,
            seed,
            detail: failure.detail,
        });
        Ok(played?.expect("nothing stops it"))
    };
    let command = format!("croupier game simulate {}", args.file.path.display());
    simulate(&module, &check, &command, &args.matches)
}
