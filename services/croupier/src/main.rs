//! The `croupier` command.

use std::process::ExitCode;

/// The system's own takes a fifth of the processor while actions are accepted; this one less than half of that, and unlike
/// others it does not give memory back that is needed again in a moment.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    croupier::cli::main()
}
