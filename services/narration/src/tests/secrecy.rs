//! No text tells its reader more than its reader knows.

use std::collections::BTreeSet;

use table::{Entry, Event, Face, Layout, Piece, PieceRow, Table, Viewer};

use super::{games, narrator, playout, told};
use crate::{Language, Titles};

/// The titles of some of the pieces.
fn titles_of<'a>(
    titled: &'a [(&PieceRow, String)],
    which: impl Fn(&PieceRow) -> bool,
) -> BTreeSet<&'a str> {
    titled.iter().filter(|(row, _)| which(row)).map(|(_, title)| title.as_str()).collect()
}

#[test]
fn no_text_names_a_piece_that_its_reader_does_not_see() {
    let mut texts = 0;
    for (game, language) in told() {
        let layout = game.layout();
        let titles = Titles::of(game, language);
        let titled = layout.pieces().iter().map(|row| (row, titles.piece(row).to_lowercase()));
        let titled = titled.collect::<Vec<_>>();
        let all = titles_of(&titled, |_| true);
        for seats in game.seats() {
            let entries = playout(game, seats, u64::from(seats));
            for viewer in Viewer::guests(seats) {
                let narrator = narrator(game, language, seats, viewer);
                let mut seen = Table::new(layout, seats, viewer);
                for (_, entry) in &entries {
                    let entry = entry.seen_by(viewer, layout);
                    let before = titles_of(&titled, |row| seen.at(row.piece).is_some());
                    seen.apply(&entry);
                    let after = titles_of(&titled, |row| seen.at(row.piece).is_some());
                    let told = table::with_names(layout, || format!("{:?}", entry.events));
                    // Pieces that events name may be shown, or go where they are not seen.
                    let named =
                        titles_of(&titled, |row| told.contains(&format!("Up({})", row.name)));
                    let text = narrator.entry(&entry).to_lowercase();
                    let known = &(&before | &after) | &named;
                    // A title may be the beginning of one that is known.
                    let without = |title: &str| {
                        let longer = known.iter().filter(|it| it.contains(title));
                        longer.fold(text.clone(), |text, it| text.replace(*it, "…"))
                    };
                    for title in all.difference(&known) {
                        assert!(
                            !names(&text, title) || !names(&without(title), title),
                            "{} {viewer:?}: {title:?} in {text:?}",
                            game.name()
                        );
                    }
                    texts += 1;
                }
            }
        }
    }
    assert!(texts > 500, "only {texts} texts were read");
}

/// Whether a text has these words, whole.
fn names(text: &str, title: &str) -> bool {
    let is_border = |it: Option<char>| it.is_none_or(|it| !it.is_alphanumeric());
    text.match_indices(title).any(|(at, _)| {
        is_border(text[..at].chars().next_back())
            && is_border(text[at + title.len()..].chars().next())
    })
}

/// The same entry in a world in which the pieces that a viewer does not see have changed places.
fn twin(entry: &Entry, viewer: Viewer, layout: &Layout, seen: &Table) -> Entry {
    let is_hidden = |piece: Piece| seen.at(piece).is_none();
    let other = |piece: Piece| {
        let mut others = layout.pieces().iter().rev().map(|row| row.piece);
        others.find(|&it| it != piece && is_hidden(it) && layout.alike(it, piece)).unwrap_or(piece)
    };
    let swapped = |event: &Event| match *event {
        Event::Moved { what: Face::Up(piece), from, to }
            if ![from, to].iter().any(|&place| layout.viewers(place).has(viewer)) =>
        {
            Event::Moved { what: Face::Up(other(piece)), from, to }
        }
        ref event => event.clone(),
    };
    Entry { events: entry.events.iter().map(swapped).collect(), ..entry.clone() }
}

#[test]
fn two_worlds_that_a_reader_cannot_distinguish_read_the_same() {
    let mut differed = 0;
    for game in games() {
        let layout = game.layout();
        let seats = *game.seats().end();
        let entries = playout(game, seats, 5);
        for viewer in Viewer::guests(seats) {
            let narrator = narrator(game, Language::ENGLISH, seats, viewer);
            let mut seen = Table::new(layout, seats, viewer);
            for (_, entry) in &entries {
                let twin = twin(entry, viewer, layout, &seen);
                differed += usize::from(twin != *entry);
                let told = entry.seen_by(viewer, layout);
                let told_there = twin.seen_by(viewer, layout);
                seen.apply(&told);
                assert_eq!(narrator.entry(&told), narrator.entry(&told_there), "{entry:?}");
            }
        }
    }
    assert!(differed > 10, "only {differed} entries had anything to hide");
}
