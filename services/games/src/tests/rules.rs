//! Every paragraph of a game's rules page is cited by its code and by its tests.
//!
//! The page is `docs/games/<game>.md`; a paragraph begins with its number, `**4.2** …`. A comment
//! cites it as `§4.2`: in the code above the function that enforces it, in the tests above the test
//! that fails when it is broken. Behavior of the table, such as resignation, is cited where the
//! game relies on it.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use super::{folders, games, list, none, read, root, shown};
use crate::{GAMES, Game};

#[test]
fn every_paragraph_is_cited_by_code_and_by_a_test() {
    let mut wrong = Vec::new();
    for game in games() {
        let (page, sources) = (page(game), sources(game));
        for (what, in_tests) in [("code", false), ("test", true)] {
            let citing = sources.iter().filter(|source| source.is_test == in_tests);
            let cited: BTreeSet<Paragraph> = citing
                .flat_map(|source| citations(&source.text).into_iter().map(|it| it.1))
                .collect();
            let missing: Vec<String> = page.difference(&cited).map(Paragraph::to_string).collect();
            if !missing.is_empty() {
                wrong.push(format!("{}: no {what} cites {}", game.name(), missing.join(", ")));
            }
        }
    }
    none(wrong);
}

#[test]
fn every_citation_names_a_paragraph() {
    let mut wrong = Vec::new();
    for folder in list(&super::sources()) {
        // The files of an engine cite the pages of every game that uses it.
        let users = GAMES.iter().filter(|game| folders(**game).contains(&folder));
        let pages: BTreeSet<Paragraph> = users.flat_map(|game| page(*game)).collect();
        if pages.is_empty() {
            continue;
        }
        for source in sources_in(&folder) {
            let unknown = citations(&source.text).into_iter().filter(|it| !pages.contains(&it.1));
            wrong.extend(
                unknown.map(|(line, it)| format!("{}:{line}: no page has {it}", source.path)),
            );
        }
    }
    none(wrong);
}

#[test]
fn every_game_has_a_page_with_numbered_paragraphs() {
    for game in games() {
        let path = page_path(game);
        let name = shown(&path);
        let text = read(&path).unwrap_or_else(|| panic!("{name} is missing"));
        assert!(!page(game).is_empty(), "{name} has no paragraph such as `**1.1** …`");
        let mut seen = BTreeSet::new();
        let twice = paragraphs(&text).find(|it| !seen.insert(*it));
        assert_eq!(twice, None, "{name} has two paragraphs of one number");
    }
}

/// The number of a paragraph: section, then paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Paragraph(u16, u16);

impl Paragraph {
    /// The number that a text begins with, such as `4.2` of `4.2, and`.
    fn at_start_of(text: &str) -> Option<Paragraph> {
        let (section, rest) = text.split_once('.')?;
        let digits = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
        Some(Paragraph(section.parse().ok()?, rest[..digits].parse().ok()?))
    }
}

impl std::fmt::Display for Paragraph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "§{}.{}", self.0, self.1)
    }
}

struct Source {
    path: String,
    text: String,
    is_test: bool,
}

fn page_path(game: &dyn Game) -> PathBuf {
    root().join("docs/games").join(game.name().replace('-', "_")).with_extension("md")
}

fn page(game: &dyn Game) -> BTreeSet<Paragraph> {
    read(&page_path(game)).iter().flat_map(|text| paragraphs(text)).collect()
}

fn paragraphs(text: &str) -> impl Iterator<Item = Paragraph> {
    text.lines().filter_map(|line| Paragraph::at_start_of(line.strip_prefix("**")?))
}

/// The citations in the comments of a file, each with its line.
fn citations(text: &str) -> Vec<(usize, Paragraph)> {
    let comments =
        text.lines().zip(1..).filter_map(|(line, n)| Some((line.split_once("//")?.1, n)));
    let cited = comments.flat_map(|(comment, n)| {
        comment.split('§').skip(1).filter_map(Paragraph::at_start_of).map(move |it| (n, it))
    });
    cited.collect()
}

fn sources(game: &dyn Game) -> Vec<Source> {
    folders(game).iter().flat_map(|folder| sources_in(folder)).collect()
}

fn sources_in(folder: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    for path in list(folder) {
        if path.is_dir() {
            sources.extend(sources_in(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = read(&path).expect("a source is text");
            let path = shown(&path);
            let is_test = path.split('/').any(|it| ["tests", "tests.rs"].contains(&it));
            sources.push(Source { path, text, is_test });
        }
    }
    sources
}

#[test]
fn citations_are_found_in_comments_alone() {
    let text = "/// §4.2, and §4.10: text\nlet x = \"§9.9\"; // §1.3.\n§7.7";
    let found: Vec<String> = citations(text).iter().map(|(n, it)| format!("{n} {it}")).collect();
    assert_eq!(found, ["1 §4.2", "1 §4.10", "2 §1.3"]);
}
