//! Rebuilds this crate after the pages were built.

use std::fs;
use std::path::Path;

fn main() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients/web/dist");
    // A folder that is missing would count as changed in every build. It may stay empty: then there
    // are no pages. If it cannot be made, builds only take longer.
    let _ = fs::create_dir_all(&dist);
    println!("cargo::rerun-if-changed={}", dist.display());
}
