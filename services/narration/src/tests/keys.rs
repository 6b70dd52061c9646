//! No key of the Fluent files is missing, unused or misspelt.

use super::games;
use crate::completeness::{problems_of_words, shown, texts};
use crate::words::shared;
use crate::{Language, PrimerSection, Titles};

#[test]
fn every_game_has_every_word_and_no_other() {
    let problems = games().flat_map(|game| problems_of_words(game, &Language::ALL));
    let problems: Vec<String> = problems.collect();
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn the_shared_words_are_the_same_in_every_language_and_all_used() {
    let mut problems = Vec::new();
    let all = Language::ALL.map(|it| texts(it.tag(), shared(it), &mut problems));
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
        for language in Language::ALL {
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
