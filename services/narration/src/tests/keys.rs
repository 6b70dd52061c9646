//! No key of the Fluent files is missing, unused or misspelt.

use std::path::Path;

use super::{games, told};
use crate::completeness::{problems_of_words, shown, texts};
use crate::{Language, PrimerSection, Titles};

#[test]
fn every_game_has_every_word_and_no_other() {
    let problems = games().flat_map(|game| problems_of_words(game, &Language::of_game(game)));
    let problems: Vec<String> = problems.collect();
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn the_shared_words_are_the_same_in_every_language_and_all_used() {
    let mut problems = Vec::new();
    let all = Language::ALL.map(|it| texts(it.tag(), it.shared(), &mut problems));
    let code = [
        include_str!("../actions.rs"),
        include_str!("../clauses.rs"),
        include_str!("../drawing.rs"),
        include_str!("../entries.rs"),
        include_str!("../people.rs"),
        include_str!("../summary.rs"),
        include_str!("../primer.rs"),
        include_str!("../things.rs"),
        include_str!("../titles.rs"),
        include_str!("../words.rs"),
    ];
    let code = code.concat();
    for (language, texts) in Language::ALL.iter().zip(&all) {
        for key in texts.keys() {
            if !all.iter().all(|it| it.contains_key(key)) {
                problems.push(format!("only {} has {}", language.tag(), shown(key)));
            }
            let is_by_name =
                ["verb-", "option-", "refusal-"].iter().any(|it| key.0.starts_with(it));
            if !is_by_name && !code.contains(&format!("\"{}\"", key.0)) {
                problems.push(format!("{} is not used", shown(key)));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Otherwise its words would be compiled in and never told.
#[test]
fn every_file_of_words_is_of_a_language() {
    let is_known = |tag: &str| Language::ALL.iter().any(|it| it.tag() == tag);
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let shared = services.join("narration/src/words");
    let folders = services.join("games/src").read_dir().expect("the folder of the games exists");
    let of_games = folders.map(|it| it.expect("a folder is readable").path().join("words"));
    let mut files = 0;
    for folder in of_games.filter(|it| it.exists()).chain([shared]) {
        for file in folder.read_dir().expect("it exists") {
            let file = file.expect("a file is readable").path();
            let tag = file.file_stem().expect("a file has a name").display().to_string();
            assert!(is_known(&tag), "{} is of no language that is declared", file.display());
            files += 1;
        }
    }
    assert!(files > 12, "only {files} files were found");
}

/// After spaces, it would be part of the text above it.
#[test]
fn a_comment_begins_its_line() {
    for (game, language) in told() {
        let lines = [game.words(language.tag()).unwrap_or_default(), language.shared()];
        for line in lines.into_iter().flat_map(str::lines) {
            let is_text = line.starts_with(' ') && line.trim_start().starts_with('#');
            assert!(!is_text, "{} {}: {line}", game.name(), language.tag());
        }
    }
}

/// A language with a space there, such as French, has one that does not break.
#[test]
fn no_line_breaks_before_a_mark_or_inside_quotation_marks() {
    for language in Language::ALL {
        let of_games = games().filter_map(|game| game.words(language.tag()));
        for line in of_games.chain([language.shared()]).flat_map(str::lines) {
            // The space after the key of a variant is not part of its text.
            let text = line.replace("] ", "]");
            let breaks = [" :", " ;", " !", " ?", " »", "« "].iter().any(|it| text.contains(it));
            assert!(line.starts_with('#') || !breaks, "{}: {line}", language.tag());
        }
    }
}

#[test]
fn the_name_of_a_copy_begins_with_that_of_its_card() {
    for game in games() {
        for row in game.layout().pieces() {
            assert!(row.name.starts_with(&row.words), "{}: {}", game.name(), row.name);
        }
    }
}

#[test]
fn every_game_has_a_cover_and_a_primer_that_is_read_in_three_minutes() {
    for game in games() {
        for language in Language::of_game(game) {
            let titles = Titles::of(game, language);
            let primer = titles.primer();
            let told = |it: &PrimerSection| format!("{} {}", it.title, it.text);
            let words: usize = primer.iter().map(|it| told(it).split_whitespace().count()).sum();
            assert!((300..=650).contains(&words), "{}, {language:?}: {words} words", game.name());
            let (duration, difficulty) = titles.effort();
            assert!(!duration.is_empty() && !difficulty.is_empty(), "{}", game.name());
            assert_eq!(titles.cover().len(), 3, "{}", game.name());
        }
    }
}
