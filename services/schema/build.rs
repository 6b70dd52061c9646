//! The migrations are part of the crate: a new one is reason to build it again.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
