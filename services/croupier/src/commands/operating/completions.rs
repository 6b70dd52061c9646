//! `croupier completions`: completion of commands in shells.

use clap::Command;
use clap_complete::{Shell, generate};

use crate::failure::Failure;
use crate::print;

/// Print a script with which a shell completes commands and options
///
/// For bash: `croupier completions bash > ~/.local/share/bash-completion/completions/croupier`; for
/// zsh, write it as `_croupier` to a folder of `$fpath`; for fish, to
/// `~/.config/fish/completions/croupier.fish`.
#[derive(clap::Args)]
pub struct Args {
    shell: Shell,
}

pub fn run(args: &Args, command: &mut Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(args.shell, command, "croupier", &mut script);
    Ok(print::raw(&script)?)
}
