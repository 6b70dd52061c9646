//! Generates the Rust types of the stored form of entries.

fn main() {
    let (root, entry) = ("../../proto", "../../proto/croupier/store/v1/entry.proto");
    println!("cargo::rerun-if-changed={entry}");
    let files = protox::compile([entry], [root]).expect("the proto of the stored form compiles");
    let config = tonic_prost_build::configure().bytes(".");
    config.compile_fds(files).expect("Rust is generated from the proto of the stored form");
}
