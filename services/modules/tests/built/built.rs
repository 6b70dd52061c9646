//! The modules that `.ci/modules` made, and the compiler.

use std::{fs, path::PathBuf, time::Duration};

use modules::{Compiled, Limits, Module, compiling::Compiler};

fn folder() -> PathBuf {
    let target = option_env!("CARGO_TARGET_DIR").map(PathBuf::from);
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    target.map_or_else(|| root.join("target"), |it| root.join(it)).join("modules")
}

pub fn read(name: &str) -> Vec<u8> {
    let path = folder().join(name);
    fs::read(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; `.ci/modules` makes it", path.display()))
}

/// A built-in game as WebAssembly.
pub fn wasm(name: &str) -> Vec<u8> {
    read(&format!("{}.wasm", name.replace('-', "_")))
}

/// A built-in game, compiled.
pub fn compiled(name: &str) -> Compiled {
    Compiled::trust(read(&format!("{}.code", name.replace('-', "_"))))
}

pub fn module(name: &str, limits: Limits) -> Module {
    Module::load(&compiled(name), limits).expect("a built-in game is a good module")
}

/// `tests/pebbles/pebbles.c`: a module in C, of 9 KB.
pub fn pebbles(limits: Limits) -> Module {
    in_c("pebbles", limits)
}

/// `tests/pebbles/faults.c`: the same game with actions that misbehave.
pub fn faults(limits: Limits) -> Module {
    in_c("faults", limits)
}

fn in_c(name: &str, limits: Limits) -> Module {
    let compiled = Compiled::trust(read(&format!("pebbles/{name}.code")));
    Module::load(&compiled, limits).expect("it is a good module")
}

pub fn compiler() -> Compiler {
    Compiler {
        program: folder().join("croupier-module-compiler"),
        patience: Duration::from_secs(60),
    }
}
