//! `croupier game new`: a folder with a small complete game, to change into another one.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::print;

/// Make a folder with a small complete game, which is built to a module
///
/// Its README says what is in it. The game depends on the crate `croupier-game`: by its path if
/// this program was built in the tree that has it or `--library` names it, otherwise by the version
/// of this program.
#[derive(clap::Args)]
pub struct Args {
    /// The name of the game, such as `lucky-seven`: lower-case letters, digits and hyphens
    #[arg(value_parser = Name::of)]
    name: Name,
    /// The folder to make [default: the name]
    #[arg(long, value_name = "PATH")]
    folder: Option<PathBuf>,
    /// The folder of the crate `croupier-game`
    #[arg(long, value_name = "PATH")]
    library: Option<PathBuf>,
}

/// The name of a game, in kebab-case.
#[derive(Clone)]
struct Name(String);

/// What Rust does not let a crate be called.
const RESERVED: &str = " abstract alloc as async await become box break const continue core crate \
    do dyn else enum extern false final fn for gen if impl in let loop macro match mod move mut \
    override priv proc-macro pub ref return self static std struct super test trait true try type \
    typeof unsafe unsized use virtual where while yield ";

/// The crates that the game depends on.
const LIBRARIES: &str = " croupier-game prost prost-build protox strum thiserror ";

/// The files, whose game is called `new-game`.
const FILES: [(&str, &str); 13] = [
    ("Cargo.toml", include_str!("../../../template/Cargo.toml.txt")),
    (".gitignore", include_str!("../../../template/gitignore.txt")),
    ("README.md", include_str!("../../../template/README.md")),
    ("rules.md", include_str!("../../../template/rules.md")),
    ("build.rs", include_str!("../../../template/build.rs")),
    ("proto/actions.proto", include_str!("../../../template/proto/actions.proto")),
    ("src/lib.rs", include_str!("../../../template/src/lib.rs")),
    ("src/table.rs", include_str!("../../../template/src/table.rs")),
    ("src/actions.rs", include_str!("../../../template/src/actions.rs")),
    ("src/rules.rs", include_str!("../../../template/src/rules.rs")),
    ("tests/rules.rs", include_str!("../../../template/tests/rules.rs")),
    ("src/words/en.ftl", include_str!("../../../template/src/words/en.ftl")),
    ("src/words/de.ftl", include_str!("../../../template/src/words/de.ftl")),
];

pub fn run(args: &Args) -> Result<(), Failure> {
    let folder = args.folder.clone().unwrap_or_else(|| args.name.0.clone().into());
    check_is_free(&folder)?;
    let path = args.path_of_library();
    let library = dependency(path.as_deref())?;
    for (path, text) in FILES {
        let path = folder.join(path);
        let text = args.name.instead_of_new_game(text).replace(LIBRARY, &library);
        let parent = path.parent().expect("it is in the folder");
        fs::create_dir_all(parent).map_err(|source| failed(parent, source))?;
        fs::write(&path, text).map_err(|source| failed(&path, source))?;
    }
    let name = &args.name.0;
    print::line(&format!("A game is in {}. Next:\n", folder.display()))?;
    print::line(&format!("    cd {}", folder.display()))?;
    print::line("    cargo test")?;
    print::line("    croupier game build")?;
    print::line(&format!("    croupier game play {name}.wasm"))?;
    if path.is_none() {
        print::line(
            "\nThe crate `croupier-game` comes from crates.io. If cargo finds none there, name the one \
             of a clone: `--library PATH-OF-CLONE/services/game`.",
        )?;
    }
    Ok(())
}

/// A folder that is there must be empty.
fn check_is_free(folder: &Path) -> Result<(), Failure> {
    if !folder.exists() {
        return Ok(());
    }
    let told = folder.display();
    if !folder.is_dir() {
        return Err(Failure::Usage(format!("{told} is no folder; name another one with --folder")));
    }
    let mut entries = fs::read_dir(folder).map_err(|source| failed(folder, source))?;
    match entries.next() {
        None => Ok(()),
        Some(_) => Err(Failure::Usage(format!(
            "the folder {told} is not empty; name another one with --folder"
        ))),
    }
}

/// The dependency in the template.
const LIBRARY: &str = r#"croupier-game = "0.0.0""#;

impl Args {
    /// The folder of the library, if it is named or in the tree that has this program.
    fn path_of_library(&self) -> Option<PathBuf> {
        let in_tree = || -> Option<PathBuf> {
            // From target/debug, for example.
            let program = std::env::current_exe().ok()?;
            let found = program.parent()?.join("../../services/game");
            found.join("Cargo.toml").is_file().then_some(found)
        };
        self.library.clone().or_else(in_tree)
    }
}

/// The dependency on the library, as a line of `Cargo.toml`.
fn dependency(path: Option<&Path>) -> Result<String, Failure> {
    let Some(path) = path else {
        return Ok(format!("croupier-game = {:?}", env!("CARGO_PKG_VERSION")));
    };
    let whole = path.canonicalize().map_err(|source| failed(path, source))?;
    if !whole.join("Cargo.toml").is_file() {
        return Err(Failure::Usage(format!("{} has no Cargo.toml", path.display())));
    }
    // Strings of TOML are escaped as those of JSON.
    let quoted = serde_json::to_string(&whole.to_string_lossy()).expect("a text has a form");
    Ok(format!("croupier-game = {{ path = {quoted} }}"))
}

fn failed(path: &Path, source: std::io::Error) -> Failure {
    Failure::Path { path: path.to_owned(), source }
}

impl Name {
    fn of(name: &str) -> Result<Name, String> {
        let is_part = |it: &str| {
            !it.is_empty() && it.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
        };
        let is_among = |names: &str| names.contains(&format!(" {name} "));
        let begins_well = name.starts_with(|it: char| it.is_ascii_lowercase());
        let misfit = if name.len() > 40 || !begins_well || !name.split('-').all(is_part) {
            "a name has 1 to 40 lower-case letters, digits and single hyphens, and begins with a \
             letter"
        } else if is_among(RESERVED) {
            "Rust reserves this name; choose another one"
        } else if is_among(LIBRARIES) {
            "a library that the game depends on has this name; choose another one"
        } else if games::find(name).is_some() {
            "a built-in game has this name; choose another one"
        } else {
            return Ok(Name(name.to_owned()));
        };
        Err(misfit.to_owned())
    }

    fn instead_of_new_game(&self, text: &str) -> String {
        let pascal: String = self.0.split('-').map(capital).collect();
        let title = capital(&self.0.replace('-', " "));
        text.replace("new-game", &self.0)
            .replace("new_game", &self.0.replace('-', "_"))
            .replace("NewGame", &pascal)
            .replace("New game", &title)
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_game_has_its_name_in_each_form() {
        let name = Name::of("lucky-7").expect("it is a name");
        let text = "new-game new_game NewGame New game";
        assert_eq!(name.instead_of_new_game(text), "lucky-7 lucky_7 Lucky7 Lucky 7");
    }

    #[test]
    fn what_is_no_name_of_a_game_and_of_a_crate_is_refused() {
        let bad = ["", "7", "Go", "go-", "go--on", "go_on", "-", "g\u{f6}"];
        let taken = ["match", "proc-macro", "prost", "croupier-game", "mountebank"];
        let long = "g".repeat(41);
        for name in bad.into_iter().chain(taken).chain([&long[..]]) {
            assert!(Name::of(name).is_err(), "{name}");
        }
        for name in ["g", "lucky-7", "x-2y", "among-us", &long[..40]] {
            assert!(Name::of(name).is_ok(), "{name}");
        }
    }

    fn in_tree(path: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    #[test]
    fn every_file_of_the_template_is_written() {
        let (mut folders, mut count) = (vec![in_tree("template")], 0);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("it is a folder") {
                let path = entry.expect("it can be read").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = read(&path);
                assert!(FILES.iter().any(|it| it.1 == text), "{}", path.display());
                count += 1;
            }
        }
        assert_eq!(count, FILES.len());
    }

    #[test]
    fn the_template_asks_for_what_the_library_needs() {
        let (of_template, of_tree) = (FILES[0].1, read(&in_tree("../../Cargo.toml")));
        let version = concat!("rust-version = \"", env!("CARGO_PKG_RUST_VERSION"), "\"");
        assert!(of_template.contains(version), "{version}");
        for library in ["prost", "protox", "strum", "thiserror"] {
            let line = of_tree.lines().find(|it| it.starts_with(&format!("{library} = ")));
            assert!(of_template.lines().any(|it| Some(it) == line), "{line:?}");
        }
    }

    /// Its commands are run by `tests/tutorial`.
    #[test]
    fn the_changes_of_the_tutorial_fit_the_template() {
        let name = Name::of("press-on").expect("it is a name");
        let mut files: BTreeMap<&str, Vec<String>> = FILES
            .iter()
            .map(|(path, text)| (*path, name.instead_of_new_game(text)))
            .map(|(path, text)| (path, text.lines().map(str::to_owned).collect()))
            .collect();
        let page = read(&in_tree("../../docs/add-a-game.md"));
        let changes: Vec<&str> =
            page.split("\n```diff\n").skip(1).filter_map(|it| it.split("\n```").next()).collect();
        assert!(changes.len() >= 7, "{}", changes.len());
        for change in changes {
            for of_file in format!("\n{change}").split("\n--- a/").skip(1) {
                let (path, hunks) = of_file.split_once('\n').expect("it has hunks");
                let lines = files.get_mut(path).unwrap_or_else(|| panic!("there is no {path}"));
                hunks.split("\n@@ ").skip(1).for_each(|hunk| apply(hunk, lines, path));
            }
        }
    }

    /// Applies a hunk such as `-20,2 +20,3 @@` and its lines, where it says.
    fn apply(hunk: &str, lines: &mut Vec<String>, path: &str) {
        let (head, body) = hunk.split_once(" @@\n").expect("a hunk has a head");
        // Those above have been applied already.
        let (_, place) = head.split_once(" +").expect("a head has two places");
        let at = place.split(',').next().and_then(|it| it.parse::<usize>().ok());
        let at = at.expect("a place is a number") - 1;
        let side = |other: char| -> Vec<String> {
            // An editor may have removed the space of an empty line.
            let lines = body.split('\n').map(|it| if it.is_empty() { " " } else { it });
            lines.filter(|it| !it.starts_with(other)).map(|it| it[1..].to_owned()).collect()
        };
        let (before, after) = (side('+'), side('-'));
        let found = lines.get(at..at + before.len()).unwrap_or_default();
        assert_eq!(found, before, "{path}, line {}", at + 1);
        lines.splice(at..at + before.len(), after);
    }
}
