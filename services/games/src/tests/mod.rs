//! Tests that every game must pass. The rules of a game are tested in its own folder.
//!
//! Nothing here names a game: games are found in the registry and files in the folders. With
//! `CROUPIER_GAME=mountebank` in the environment the tests run on that game alone.

/// What actions name, and long lists in groups.
mod about;

/// Random play of every game at every number of seats.
mod invariants;

/// The published numbers, names and sights, which never change.
mod layouts;

/// The opinion of a player who does not look ahead.
mod opinions;

/// Whole matches as text.
mod records;

/// Everything that a new game must provide.
mod registry;

/// The pages of rules, paragraph by paragraph.
mod rules;

/// The parts of scores.
mod scores;

/// Set-ups by number of seats, and the pages as data.
mod set_ups;
mod timeouts;
mod versions;

/// Why actions are not legal, and what is certain about those that are.
mod why_not;

/// The vocabulary of the games' own tests of their rules.
pub(crate) mod scene;

use std::path::{Path, PathBuf};

pub(crate) use crate::notation;
use crate::{GAMES, Game};

/// The games to test: all of them, or the one that the environment names.
fn games() -> impl Iterator<Item = &'static dyn Game> {
    let only = variable("CROUPIER_GAME");
    if let Some(name) = &only {
        assert!(crate::find(name).is_some(), "CROUPIER_GAME={name}: there is no such game");
    }
    GAMES.iter().copied().filter(move |game| only.as_ref().is_none_or(|it| it == game.name()))
}

/// The folder of a game's code.
fn folder(game: &dyn Game) -> PathBuf {
    sources().join(game.name().replace('-', "_"))
}

/// The folder of a game, and those of the engines that its `mod.rs` names.
fn folders(game: &dyn Game) -> Vec<PathBuf> {
    let own = folder(game);
    let code = read(&own.join("mod.rs")).unwrap_or_default();
    let engines = list(&sources()).into_iter().filter(|it| {
        let name = it.file_name().expect("it has a name").to_string_lossy();
        let is_game = GAMES.iter().any(|game| folder(*game) == **it);
        !is_game && it.join("mod.rs").exists() && name != "tests" && code.contains(&*name)
    });
    engines.chain([own.clone()]).collect()
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// A file or folder as messages name it: from the root of the repository.
fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// The root of the repository.
fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    crates.ancestors().nth(2).expect("this crate is two folders deep").into()
}

#[expect(clippy::disallowed_methods, reason = "golden files are read")]
fn read(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

#[expect(clippy::disallowed_methods, reason = "golden files are written on request")]
fn write(path: &Path, text: &str) {
    let folder = path.parent().expect("a golden file is in a folder");
    std::fs::create_dir_all(folder).expect("the folder can be created");
    std::fs::write(path, text).expect("the file can be written");
}

/// Files and folders, by name.
#[expect(clippy::disallowed_methods, reason = "golden files and games are found by folder")]
fn list(folder: &Path) -> Vec<PathBuf> {
    let found = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = found.map(|it| it.expect("it is readable").path()).collect();
    paths.sort();
    paths
}

#[expect(clippy::disallowed_methods, reason = "the environment chooses what the tests do")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Whether golden files are written: `CROUPIER_BLESS=1 cargo nextest run -p croupier-games`. Each
/// file is written and checked by one test, so that no test reads a file while another writes it.
fn bless() -> bool {
    variable("CROUPIER_BLESS").is_some_and(|it| it == "1")
}

/// Fails with every problem at once.
#[track_caller]
fn none(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}
