use std::path::PathBuf;

use crate::built;

/// `.ci/modules` compiles the sources if it finds Zig, and otherwise takes the module that is kept.
#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn what_is_kept_is_what_the_sources_compile_to() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pebbles");
    for name in ["pebbles.wasm", "faults.wasm", "cheats.wasm"] {
        let kept = std::fs::read(folder.join(name)).expect("it is kept");
        let made = built::read(&format!("pebbles/{name}"));
        assert!(kept == made, "{name} differs: `.ci/modules --bless` replaces it");
    }
}
