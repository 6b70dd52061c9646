//! Rebuilds this crate after the pages were built.

use std::fs;
use std::path::Path;

fn main() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients/web/dist");
    // A missing folder would count as changed in every build. It may stay empty, which means no
    // pages. If it cannot be created, builds only take longer.
    let _ = fs::create_dir_all(&dist);
    println!("cargo::rerun-if-changed={}", dist.display());
}
