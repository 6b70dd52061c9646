//! Turns the contract into code, and into the descriptors from which REST, Connect, reflection and
//! OpenAPI are served.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../proto");
    println!("cargo::rerun-if-changed={}", root.display());

    // The contract is what clients see; how the log writes its bodies is no part of it.
    let mut files = Vec::new();
    protos(&root.join("croupier/v1"), &mut files)?;
    protos(&root.join("croupier/games"), &mut files)?;
    // No message refers to the details of errors.
    protos(&root.join("google/rpc"), &mut files)?;
    files.sort();

    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_imports(true).include_source_info(true).open_files(&files)?;

    // Encoded by the compiler itself: descriptors of `prost_types` would lose the options that
    // extensions add, so every HTTP rule.
    fs::write(
        PathBuf::from(env::var("OUT_DIR")?).join("descriptors.bin"),
        compiler.encode_file_descriptor_set(),
    )?;

    tonic_prost_build::configure()
        .codec_path("crate::domain::Codec")
        .extern_path(".croupier.v1.Action", "crate::action::Action")
        .extern_path(".google.rpc", "::tonic_types::pb")
        .compile_fds(compiler.file_descriptor_set())?;
    Ok(())
}

fn protos(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            protos(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "proto") {
            files.push(path);
        }
    }
    Ok(())
}
