//! Compiles a module: WebAssembly on standard input, machine code for the host's engine on standard
//! output. It reads a stranger's bytes, so it first gives up all that it does not need.

use std::{
    io::{Read, Write},
    process::ExitCode,
};

use rustix::process::{Resource, Rlimit, setrlimit};

mod charge;
#[path = "../../src/engine.rs"]
mod engine;

/// As in `croupier/rules/v1`.
const MODULE_BYTES_MAX: u64 = 8 << 20;

/// Seconds of CPU. The largest built-in game takes two.
const CPU_S: u64 = 60;
/// Bytes of address space. The largest built-in game takes 300 MB.
const MEMORY_BYTES: u64 = 2 << 30;

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("--version") {
        println!("{}", engine::ENGINE);
        return ExitCode::SUCCESS;
    }
    match limit().and_then(|()| compile()) {
        Ok(code) => match std::io::stdout().lock().write_all(&code) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fails(&error),
        },
        Err(error) => fails(&error),
    }
}

fn fails(error: &dyn std::fmt::Display) -> ExitCode {
    // Some errors have lines of bytes.
    let said = format!("{error:#}");
    eprintln!("{}", said.split_whitespace().collect::<Vec<_>>().join(" "));
    ExitCode::FAILURE
}

/// No files, no processes, no core, bounded time and memory.
fn limit() -> wasmtime::Result<()> {
    let limits = [
        (Resource::Cpu, CPU_S),
        (Resource::As, MEMORY_BYTES),
        (Resource::Core, 0),
        (Resource::Nproc, 0),
        (Resource::Nofile, 3),
    ];
    for (resource, most) in limits {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
            .map_err(|error| wasmtime::Error::msg(format!("cannot limit itself: {error}")))?;
    }
    Ok(())
}

fn compile() -> wasmtime::Result<Vec<u8>> {
    let mut module = Vec::new();
    let stdin = std::io::stdin().lock();
    stdin.take(MODULE_BYTES_MAX + 1).read_to_end(&mut module).map_err(wasmtime::Error::msg)?;
    if module.len() as u64 > MODULE_BYTES_MAX {
        return Err(wasmtime::Error::msg("the module is too large"));
    }
    let mut config = engine::config();
    // Processors differ in the bits of a value that is no number.
    config.cranelift_nan_canonicalization(true);
    wasmtime::Engine::new(&config)?.precompile_module(&charge::charged(&module))
}
