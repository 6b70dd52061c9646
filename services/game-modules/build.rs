//! Compiles the descriptors of each game's actions, which travel inside its module.

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
    }
}
