//! Making a game: its folder and its module, as far as no compiler of Rust is needed. The tutorial
//! in `docs/add-a-game.md` does the rest, by `make tutorial`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The exit status, the output and the error output of `croupier game` in a folder, whose own
/// folder `bin` has the only programs there are.
fn game(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.arg("game").args(arguments).current_dir(folder).env("PATH", folder.join("bin"));
    let output = command.stdin(Stdio::null()).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A command fails with this exit status, and says this alone.
#[track_caller]
fn check_failure(folder: &Path, arguments: &[&str], status: i32, sentence: &str) {
    let (ended, output, said) = game(folder, arguments);
    assert_eq!((ended, said), (Some(status), format!("croupier: {sentence}\n")), "{output}");
}

fn write(folder: &Path, path: &str, text: &str) {
    fs::create_dir_all(folder.join(path).parent().expect("it is in the folder")).expect("a folder");
    fs::write(folder.join(path), text).expect("it is written");
}

fn read(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).expect("it was written")
}

fn program(folder: &Path, name: &str, script: &str) {
    write(folder, &format!("bin/{name}"), &format!("#!/bin/sh\n{script}\n"));
    let path = folder.join("bin").join(name);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[test]
fn a_new_game_is_a_folder_with_its_name_in_every_file() {
    let folder = TempDir::new().expect("a folder");
    let (status, output, said) = game(folder.path(), &["new", "lucky-seven"]);
    assert_eq!((status, &said[..]), (Some(0), ""));
    assert!(output.contains("    cd lucky-seven\n    cargo test\n"), "{output}");
    let made = folder.path().join("lucky-seven");
    let cargo = read(&made, "Cargo.toml");
    assert!(cargo.contains("name = \"lucky-seven\""), "{cargo}");
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/../game");
    let library = fs::canonicalize(library).expect("the crate is there");
    let dependency = format!("croupier-game = {{ path = {:?} }}", library.display().to_string());
    assert!(cargo.contains(&dependency), "{cargo}");
    assert!(read(&made, "src/lib.rs").contains("pub use rules::LuckySeven;"));
    assert!(read(&made, "proto/actions.proto").contains("package croupier.games.lucky_seven.v1;"));
    assert!(read(&made, "src/words/en.ftl").starts_with("game = Lucky seven\n"));
    assert!(read(&made, "src/words/de.ftl").contains("primer-1"));
    for path in [".gitignore", "README.md", "rules.md", "tests/rules.rs", "src/rules.rs"] {
        assert!(!read(&made, path).to_lowercase().contains("new game"), "{path}");
    }
}

#[test]
fn a_new_game_replaces_nothing() {
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), "lucky-seven/notes.txt", "mine");
    write(folder.path(), "dice", "mine");
    let new = ["new", "lucky-seven"];
    let sentence = "the folder lucky-seven is not empty; name another one with --folder";
    check_failure(folder.path(), &new, 2, sentence);
    let sentence = "dice is no folder; name another one with --folder";
    check_failure(folder.path(), &[&new[..], &["--folder", "dice"]].concat(), 2, sentence);
    let sentence = "bin has no Cargo.toml";
    write(folder.path(), "bin/readme", "no crate");
    let with_library = [&new[..], &["--folder", "here", "--library", "bin"]].concat();
    check_failure(folder.path(), &with_library, 2, sentence);
    assert_eq!(
        read(folder.path(), "lucky-seven/notes.txt") + &read(folder.path(), "dice"),
        "minemine"
    );
    assert!(!folder.path().join("here").exists());

    // An empty folder is fine.
    fs::create_dir(folder.path().join("empty")).expect("it is new");
    let made = game(folder.path(), &[&new[..], &["--folder", "empty"]].concat());
    assert_eq!(made.0, Some(0), "{}", made.2);
}

#[test]
fn a_name_that_no_game_can_have_is_refused_with_the_reason() {
    let folder = TempDir::new().expect("a folder");
    let form = "a name has 1 to 40 lower-case letters, digits and single hyphens, and begins with \
                a letter";
    for (name, sentence) in [
        ("Lucky", form),
        ("lucky--seven", form),
        ("7-up", form),
        ("match", "Rust reserves this name; choose another one"),
        ("prost", "a library that the game depends on has this name; choose another one"),
        ("rigs", "a built-in game has this name; choose another one"),
    ] {
        let (status, _, said) = game(folder.path(), &["new", name]);
        let told = said.lines().next().unwrap_or_default();
        let whole = format!("error: invalid value '{name}' for '<NAME>': {sentence}");
        assert_eq!((status, told), (Some(2), &whole[..]));
    }
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 0);
}

#[test]
fn a_game_that_cannot_be_built_is_told_why() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let whole = folder.display();
    let sentence = format!("{whole} is not the folder of a game: it has no Cargo.toml");
    check_failure(folder, &["build", &whole.to_string()], 2, &sentence);
    write(folder, "Cargo.toml", "");
    let build = ["build"];
    let missing = "here; https://rustup.rs says how to install Rust";
    check_failure(folder, &build, 1, &format!("there is no rustc {missing}"));
    program(folder, "rustc", "echo /nowhere/lib");
    let sentence = "Rust has no target for WebAssembly yet; `rustup target add \
                    wasm32-unknown-unknown` installs it";
    check_failure(folder, &build, 1, sentence);
    program(folder, "rustc", &format!("echo '{whole}'"));
    check_failure(folder, &build, 1, &format!("there is no cargo {missing}"));
    program(folder, "cargo", "exit 101");
    let sentence = "the game was not built, for the reason that cargo gives above";
    check_failure(folder, &build, 1, sentence);
    program(folder, "cargo", "echo '{\"reason\": \"build-finished\"}'");
    let sentence = "cargo made no module: Cargo.toml must list \"cdylib\" as a crate-type of the \
                    library";
    check_failure(folder, &build, 1, sentence);
    let made = format!(
        r#"{{"reason": "compiler-artifact", "filenames": ["{whole}/out/lucky_seven.wasm"]}}"#
    );
    program(folder, "cargo", &format!("echo '{made}'"));
    write(folder, "out/lucky_seven.wasm", "a module");
    let (status, output, said) = game(folder, &build);
    assert_eq!((status, &said[..]), (Some(0), ""));
    assert_eq!(output, "lucky-seven.wasm: 1 KB\nNext: croupier game check lucky-seven.wasm\n");
    assert_eq!(read(folder, "lucky-seven.wasm"), "a module");
}
