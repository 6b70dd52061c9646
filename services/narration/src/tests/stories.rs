//! The narration of whole matches, kept as golden texts: `CROUPIER_BLESS=1` writes them. Read them
//! before you commit them.

use std::path::{Path, PathBuf};

use table::{Seat, Viewer};

use super::{narrator, playout, told};
use crate::Language;

fn golden(game: &str, language: Language) -> PathBuf {
    let name = format!("src/tests/stories/{}.{}.txt", game.replace('-', "_"), language.tag());
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[test]
#[expect(clippy::disallowed_methods, reason = "golden files are read, and written on request")]
fn a_match_of_every_game_is_told_as_it_was_read() {
    let is_blessed = std::env::var("CROUPIER_BLESS").is_ok_and(|it| it == "1");
    let mut problems = Vec::new();
    for (game, language) in told() {
        let seats = *game.seats().start();
        let reader = Viewer::Seat(Seat::default());
        let narrator = narrator(game, language, seats, reader);
        let entries = playout(game, seats, 3);
        let mut story = String::new();
        for (position, (_, entry)) in (1..).zip(&entries) {
            let entry = entry.seen_by(reader, game.layout());
            story += &format!("{position} {}\n", narrator.entry(&entry));
        }
        for (table, _) in [&entries[entries.len() / 2], entries.last().expect("it was opened")] {
            story += &format!("\n{}\n", narrator.table(&table.seen_by(reader)));
        }
        let path = golden(game.name(), language);
        if is_blessed {
            std::fs::write(&path, &story).expect("it is written");
        } else if std::fs::read_to_string(&path).ok().as_ref() != Some(&story) {
            problems.push(format!("{} differs", path.display()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
