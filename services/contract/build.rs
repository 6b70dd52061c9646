//! Generates the messages, servers and clients of the contract, and the descriptors from which
//! REST, Connect, reflection and OpenAPI are served.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use prost_types::{DescriptorProto, FileDescriptorSet};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../proto");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed={}", root.display());

    // The contract is what clients see; the stored form of entries is not part of it.
    let mut files = Vec::new();
    protos(&root.join("croupier/v1"), &mut files)?;
    protos(&root.join("croupier/games"), &mut files)?;
    // No message refers to the details of errors.
    protos(&root.join("google/rpc"), &mut files)?;
    files.sort();

    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_imports(true).include_source_info(true).open_files(&files)?;

    // Encoded by the compiler itself: descriptors of `prost_types` would lose the options that
    // extensions add, such as the HTTP rules.
    fs::write(out.join("descriptors.bin"), compiler.encode_file_descriptor_set())?;

    let descriptors = compiler.file_descriptor_set();
    fs::write(out.join("words.rs"), words(&descriptors))?;
    tonic_prost_build::configure()
        .codec_path("::transcoder::Codec")
        .extern_path(".croupier.v1.Action", "crate::action::Action")
        .extern_path(".google.rpc", "::tonic_types::pb")
        .compile_fds(descriptors)?;
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

/// Implements `InWords` for every request that has a field `language`.
fn words(descriptors: &FileDescriptorSet) -> String {
    let files = descriptors.file.iter().filter(|file| file.package() == "croupier.v1");
    let has_language =
        |it: &&DescriptorProto| it.field.iter().any(|field| field.name() == "language");
    let requests = files.flat_map(|file| &file.message_type).filter(has_language);
    requests
        .map(|request| {
            format!(
                "impl InWords for v1::{} {{
                    fn language(&self) -> &str {{
                        &self.language
                    }}

                    fn set_language(&mut self, language: &str) {{
                        language.clone_into(&mut self.language);
                    }}
                }}\n",
                request.name()
            )
        })
        .collect()
}
