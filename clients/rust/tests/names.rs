//! `docs/sdks.md` tells what each client calls what: this client has each of those names, and no
//! other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// What a name begins with, and the type whose methods follow.
const HANDLES: [(&str, &str); 13] = [
    ("croupier", "Croupier"),
    ("croupier.games()", "Games"),
    ("croupier.matches()", "Matches"),
    ("croupier.history()", "History"),
    ("croupier.seeks()", "Seeks"),
    ("croupier.streams()", "Streams"),
    ("list", "Pages"),
    ("match", "MatchHandle"),
    ("live", "Live"),
    ("player", "PlayerHandle"),
    ("subscription", "SubscriptionHandle"),
    ("refusal", "Refusal"),
    ("Fold", "Fold"),
];
/// No operations: how any list is refined, and how a fold begins.
const REFINING: [&str; 3] = ["Pages.with", "Pages.language", "Fold.of"];

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(package().join("../../docs/sdks.md")).expect("the page")
}

fn source(module: &str) -> String {
    fs::read_to_string(package().join("src").join(module)).expect("a source")
}

/// The texts between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The names of the tables in the column of this client.
fn named(page: &str) -> Vec<&str> {
    let (mut names, mut column) = (Vec::new(), None);
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if cells.get(1) == Some(&"to") {
            column = cells.iter().position(|cell| *cell == "Rust");
        } else if line.is_empty() {
            column = None;
        } else if let Some(column) = column {
            names.extend(quoted(cells[column]));
        }
    }
    names
}

fn identifier(text: &str) -> &str {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').next().unwrap_or_default()
}

/// The public methods of each type, and the public items of each module.
fn members() -> BTreeMap<String, BTreeSet<String>> {
    let mut members: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in fs::read_dir(package().join("src")).expect("the sources") {
        let path = file.expect("a file").path();
        let module = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut owner = module.clone();
        for line in fs::read_to_string(&path).expect("a source").lines() {
            if let Some(head) = line.strip_prefix("impl") {
                let generic = head.strip_prefix('<').and_then(|it| it.split_once("> "));
                owner = identifier(generic.map_or(head.trim_start(), |it| it.1)).to_owned();
            } else if line == "}" {
                owner.clone_from(&module);
            }
            let declared = ["pub fn ", "pub async fn ", "pub struct "]
                .iter()
                .find_map(|it| line.trim_start().strip_prefix(it));
            if let Some(declared) = declared {
                members.entry(owner.clone()).or_default().insert(identifier(declared).to_owned());
            }
        }
    }
    members
}

/// The type or module, and the name in it.
fn split(name: &str) -> (&str, &str) {
    let (first, last) = match name.rsplit_once("::") {
        Some(parts) => parts,
        None => name.rsplit_once('.').unwrap_or(("options", name)),
    };
    let known = HANDLES.iter().find(|(handle, _)| *handle == first);
    (known.map_or(first, |(_, owner)| owner), last)
}

#[test]
fn the_client_has_every_name_of_the_page() {
    let (page, members, verify) = (page(), members(), source("verify.rs"));
    let names = named(&page);
    assert!(names.len() > 100, "{} names", names.len());
    let is_there = |name: &str| {
        let (owner, member) = split(name);
        let is_exported = owner == "verify" && verify.contains(&format!(" {member},"));
        is_exported || members.get(owner).is_some_and(|it| it.contains(member))
    };
    let missing: Vec<&str> = names.into_iter().filter(|name| !is_there(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_page_has_every_operation_of_the_client() {
    let (page, members) = (page(), members());
    let told: BTreeSet<(&str, &str)> = named(&page).into_iter().map(split).collect();
    let missing: Vec<String> = HANDLES
        .iter()
        .flat_map(|(_, owner)| members[*owner].iter().map(move |it| (*owner, &**it)))
        .filter(|it| !told.contains(it))
        .map(|(owner, member)| format!("{owner}.{member}"))
        .filter(|it| !REFINING.contains(&&**it))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_calls_that_are_repeated_without_a_request_id_are_those_of_the_page() {
    let (page, calls) = (page(), source("calls.rs"));
    let told = page.split_once("or is one of ").and_then(|it| it.1.split_once(". One attempt"));
    let listed = calls.split_once("const REPEATABLE").and_then(|it| it.1.split_once("];"));
    let listed: Vec<&str> = listed.expect("a list").0.split('"').skip(1).step_by(2).collect();
    assert_eq!(quoted(told.expect("a list").0).collect::<Vec<_>>(), listed);
}
