//! Generates the action messages of every game from the protos in `proto/croupier/games`.

#![expect(clippy::disallowed_methods, reason = "a build script reads files; games do not")]

use std::{env, fs, path::PathBuf};

const ROOT: &str = "proto";

fn main() {
    let games = format!("{ROOT}/croupier/games");
    println!("cargo::rerun-if-changed={games}");
    println!("cargo::rerun-if-changed={ROOT}/croupier/table");
    let folders = fs::read_dir(&games).expect("the folder of the game protos exists");
    let mut protos: Vec<PathBuf> = folders
        .map(|folder| folder.expect("a folder is readable").path().join("v1/actions.proto"))
        .filter(|proto| proto.exists())
        .collect();
    protos.push(format!("{ROOT}/croupier/table/v1/actions.proto").into());
    protos.sort();
    let mut compiler = protox::Compiler::new([ROOT]).expect("the folder of the protos exists");
    compiler.include_imports(true).open_files(&protos).expect("the protos of the games compile");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("actions.binpb"), compiler.encode_file_descriptor_set())
        .expect("OUT_DIR is writable");
    tonic_prost_build::configure()
        .compile_fds(compiler.file_descriptor_set())
        .expect("Rust is generated from the protos of the games");
}
