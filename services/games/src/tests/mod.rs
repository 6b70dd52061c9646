//! What every game is held to, whatever its rules; its own rules are tested in its own folder.
//!
//! Nothing here names a game: all of it is found in the registry and in the folders.

/// Random play, every game at every number of seats.
mod invariants;

/// The numbers, names and sights that were ever published, frozen.
pub(crate) mod layouts;

/// Whole matches as text.
mod records;

/// What a new game must bring along.
mod registry;

/// The pages of rules, paragraph by paragraph.
mod rules;

/// The vocabulary of the games' own tests of their rules.
pub(crate) mod scene;

use std::path::PathBuf;

use crate::Game;

/// The folder of a game's code.
fn folder(game: &dyn Game) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src").join(game.name().replace('-', "_"))
}

#[expect(clippy::disallowed_methods, reason = "golden files are read")]
fn read(path: &std::path::Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

#[expect(clippy::disallowed_methods, reason = "golden files are written when that is asked for")]
fn write(path: &std::path::Path, text: &str) {
    let folder = path.parent().expect("a golden file lies in a folder");
    std::fs::create_dir_all(folder).expect("the folder can be made");
    std::fs::write(path, text).expect("the file can be written");
}

/// Files and folders, by name.
#[expect(clippy::disallowed_methods, reason = "golden files and games are found where they lie")]
fn list(folder: &std::path::Path) -> Vec<PathBuf> {
    let found = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = found.map(|it| it.expect("it is readable").path()).collect();
    paths.sort();
    paths
}

/// Whether golden files are to be written anew: `CROUPIER_BLESS=1 cargo nextest run -p games`.
#[expect(clippy::disallowed_methods, reason = "whoever runs the tests says so in the environment")]
fn bless() -> bool {
    std::env::var("CROUPIER_BLESS").is_ok_and(|it| it == "1")
}
