//! `croupier game build`: the module of a game in Rust.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use table::contract::MODULE_BYTES_MAX;

use crate::failure::Failure;
use crate::print;

/// Build the module of a game in Rust, such as one that `croupier game new` made
///
/// Runs `cargo build` for WebAssembly, and leaves the module in the game's folder.
#[derive(clap::Args)]
pub struct Args {
    /// The folder of the game
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// Do not look for crates on the network
    #[arg(long)]
    offline: bool,
}

const TARGET: &str = "wasm32-unknown-unknown";

pub fn run(args: &Args) -> Result<(), Failure> {
    let folder = &args.folder;
    if !folder.join("Cargo.toml").is_file() {
        let path = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        return Err(Failure::Usage(format!(
            "{} is not the folder of a game: it has no Cargo.toml",
            path.display()
        )));
    }
    has_target(folder)?;
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--lib", "--release", "--target", TARGET]);
    cargo.arg("--message-format=json-render-diagnostics");
    cargo.args(args.offline.then_some("--offline")).stderr(Stdio::inherit());
    let built = run_in(folder, cargo)?;
    if !built.status.success() {
        return Err(Failure::Negative(
            "the game was not built, for the reason that cargo gives above".to_owned(),
        ));
    }
    let made = module(&built.stdout).ok_or_else(|| {
        Failure::Negative(
            "cargo made no module: Cargo.toml must list \"cdylib\" as a crate-type of the library"
                .to_owned(),
        )
    })?;
    let name = made.file_stem().unwrap_or_default().to_string_lossy().replace('_', "-");
    let module = folder.join(format!("{name}.wasm"));
    let copied = fs::copy(&made, &module);
    let bytes = copied.map_err(|source| Failure::Path { path: module.clone(), source })?;
    let path = module.strip_prefix(".").unwrap_or(&module).display();
    print::line(&format!("{path}: {} KB", bytes.div_ceil(1024)))?;
    if bytes > MODULE_BYTES_MAX as u64 {
        let most = MODULE_BYTES_MAX >> 20;
        return Err(Failure::Negative(format!("a module must not be larger than {most} MB")));
    }
    Ok(print::line(&format!("Next: croupier game check {path}"))?)
}

/// Fails with what to do if Rust cannot build for WebAssembly.
fn has_target(folder: &Path) -> Result<(), Failure> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", TARGET]);
    let printed = run_in(folder, rustc)?;
    let library = PathBuf::from(String::from_utf8_lossy(&printed.stdout).trim());
    if printed.status.success() && library.is_dir() {
        return Ok(());
    }
    Err(Failure::Negative(format!(
        "Rust has no target for WebAssembly yet; `rustup target add {TARGET}` installs it"
    )))
}

fn run_in(folder: &Path, mut command: Command) -> Result<Output, Failure> {
    command.current_dir(folder).stdin(Stdio::null()).output().map_err(|source| {
        let program = command.get_program().to_string_lossy();
        match source.kind() {
            ErrorKind::NotFound => Failure::Negative(format!(
                "there is no {program} here; https://rustup.rs says how to install Rust"
            )),
            _ => Failure::Path { path: program.into_owned().into(), source },
        }
    })
}

/// The module among the messages of cargo, each a line of JSON.
fn module(messages: &[u8]) -> Option<PathBuf> {
    let messages = String::from_utf8_lossy(messages);
    let read = messages.lines().filter_map(|it| serde_json::from_str(it).ok());
    let artifacts = read.filter(|it: &serde_json::Value| it["reason"] == "compiler-artifact");
    let files = artifacts.filter_map(|it| it["filenames"].as_array().cloned()).flatten();
    let mut paths = files.filter_map(|it| it.as_str().map(PathBuf::from));
    paths.rfind(|it| it.extension().is_some_and(|it| it == "wasm"))
}
