//! The `croupier` command.

use std::process::ExitCode;

/// The system's own took a fifth of the service's time while actions were accepted. This one does
/// not give memory back that is needed again in a moment.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    croupier::cli::main()
}
