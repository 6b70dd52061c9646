//! Compiles the descriptors of each game's actions, and lists the files of its words, which both
//! travel inside its module.

use std::{env, fs, path::PathBuf};

const GAMES: [&str; 5] = ["mountebank", "grifters", "you_dirty_rat", "among_thieves", "rigs"];

fn main() {
    let root = "../../proto";
    println!("cargo::rerun-if-changed={root}/croupier/games");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for game in GAMES {
        let proto = format!("{root}/croupier/games/{game}/v1/actions.proto");
        let mut compiler = protox::Compiler::new([root]).expect("the folder of the protos exists");
        compiler
            .include_imports(true)
            .open_files([proto])
            .expect("the protos of the games compile");
        fs::write(out.join(format!("{game}.binpb")), compiler.encode_file_descriptor_set())
            .expect("OUT_DIR is writable");
        fs::write(out.join(format!("{game}.words.rs")), words(game)).expect("OUT_DIR is writable");
    }
}

/// The words of a game by language, in Rust, as the build script of `games` lists them.
fn words(game: &str) -> String {
    let folder = format!("../games/src/{game}/words");
    println!("cargo::rerun-if-changed={folder}");
    let files = fs::read_dir(&folder).expect("the folder of the words exists");
    let mut tags: Vec<String> = files
        .map(|it| it.expect("a file is readable").path())
        .filter(|file| file.extension().is_some_and(|it| it == "ftl"))
        .map(|file| file.file_stem().expect("a file has a name").display().to_string())
        .collect();
    tags.sort();
    let row = |tag: &String| {
        let path = format!("/{folder}/{tag}.ftl");
        format!("({tag:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))),")
    };
    format!("&[{}]", tags.iter().map(row).collect::<String>())
}
