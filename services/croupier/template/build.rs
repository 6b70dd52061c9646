//! Generates the messages of actions, and their descriptors, which travel inside the module.

use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=proto");
    let mut compiler = protox::Compiler::new(["proto"]).expect("the folder exists");
    compiler.open_file("actions.proto").expect("the messages compile");
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("actions.binpb"), compiler.encode_file_descriptor_set())
        .expect("the folder can be written");
    prost_build::Config::new()
        .compile_fds(compiler.file_descriptor_set())
        .expect("Rust is generated from the messages");
}
