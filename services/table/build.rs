//! Generates the Rust types of the stored form of entries, those of the actions that every game
//! has, and those of the contract of a game.

fn main() {
    let root = "proto";
    let protos = [
        "croupier/store/v1/entry.proto",
        "croupier/table/v1/actions.proto",
        "croupier/rules/v1/rules.proto",
    ];
    let protos = protos.map(|proto| format!("{root}/{proto}"));
    protos.iter().for_each(|proto| println!("cargo::rerun-if-changed={proto}"));
    let files = protox::compile(&protos, [root]).expect("the protos compile");
    let config = tonic_prost_build::configure()
        .build_client(false)
        .build_server(false)
        .btree_map(".croupier.rules")
        .bytes(".");
    config.compile_fds(files).expect("Rust is generated from the protos");
}
