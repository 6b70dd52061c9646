//! The `croupier` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    croupier::cli::main()
}
