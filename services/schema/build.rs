//! Puts the migrations into the crate: a list of their files' names and texts, by version.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../migrations");
    println!("cargo::rerun-if-changed={}", folder.display());
    let files = fs::read_dir(&folder)?.map(|file| file.map(|it| it.path()));
    let mut files = files.collect::<Result<Vec<_>, _>>()?;
    files.retain(|path| path.extension().is_some_and(|it| it == "sql"));
    files.sort();
    let items = files.iter().map(|path| {
        format!("({:?}, include_str!({path:?})),\n", path.file_stem().unwrap_or_default())
    });
    let list = format!("[{}]", items.collect::<String>());
    fs::write(Path::new(&env::var("OUT_DIR")?).join("migrations.rs"), list)?;
    Ok(())
}
