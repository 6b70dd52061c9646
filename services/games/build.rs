//! Generates the action messages of every game from the protos in `proto/croupier/games`, and lists
//! the files of its words.

#![expect(clippy::disallowed_methods, reason = "a build script reads files; games do not")]

use std::{
    env, fs,
    path::{Path, PathBuf},
};

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
    for folder in fs::read_dir("src").expect("the folder of the games exists") {
        let folder = folder.expect("a folder is readable").path();
        if folder.join("words").exists() {
            let words = words(&folder);
            let name = folder.file_name().expect("a folder has a name").display().to_string();
            fs::write(out.join(name + ".words.rs"), words).expect("OUT_DIR is writable");
        }
    }
}

/// The words of a game by language, in Rust: each file in its folder `words` is of one language.
fn words(folder: &Path) -> String {
    let folder = folder.join("words");
    println!("cargo::rerun-if-changed={}", folder.display());
    let files = fs::read_dir(&folder).expect("the folder of the words exists");
    let files = files.map(|it| it.expect("a file is readable").path());
    let mut tags: Vec<String> = files
        .filter(|file| file.extension().is_some_and(|it| it == "ftl"))
        .map(|file| file.file_stem().expect("a file has a name").display().to_string())
        .collect();
    tags.sort();
    let row = |tag: &String| {
        let path = format!("/{}/{tag}.ftl", folder.display());
        format!("({tag:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))),")
    };
    format!("&[{}]", tags.iter().map(row).collect::<String>())
}
