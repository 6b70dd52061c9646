//! Rebuilds the crate when a migration is added, because migrations are part of it.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
