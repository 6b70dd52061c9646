//! Generates the Rust types of the stored form of entries, and those of the actions that every game
//! has.

fn main() {
    let root = "proto";
    let protos = ["croupier/store/v1/entry.proto", "croupier/table/v1/actions.proto"];
    let protos = protos.map(|proto| format!("{root}/{proto}"));
    protos.iter().for_each(|proto| println!("cargo::rerun-if-changed={proto}"));
    let files = protox::compile(&protos, [root]).expect("the protos compile");
    let config = tonic_prost_build::configure().bytes(".");
    config.compile_fds(files).expect("Rust is generated from the protos");
}
