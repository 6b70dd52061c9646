//! `layout.txt` freezes everything that a game has published: stored matches hold its numbers and
//! were redacted by its sights. It begins with the game's name.

use table::Sight;

use super::{bless, folder, games, none, read, shown, write};
use crate::Game;

#[test]
fn published_numbers_names_and_sights_never_change() {
    let mut problems = Vec::new();
    for game in games() {
        let path = folder(game).join("layout.txt");
        let (frozen, current) = (read(&path).unwrap_or_default(), text(game));
        match compare(&frozen, &current) {
            Compared::Same => {}
            Compared::LineLost(line) => problems.push(format!(
                "{}: {} removed the line {line:?}, or changed it to {:?}. Lines may only be added. \
                 If this is intended and no match was ever stored under this layout, delete the \
                 file and bless",
                shown(&path),
                game.name(),
                current.lines().find(|it| it.split(':').next() == line.split(':').next())
            )),
            _ if bless() => write(&path, &current),
            differs => problems.push(format!(
                "{}: {}. Check who sees each place, then let CROUPIER_BLESS=1 write the file",
                shown(&path),
                match differs {
                    Compared::OtherGame("") => "there is no layout yet".to_owned(),
                    Compared::OtherGame(first) =>
                        format!("this is not the layout of {}: it begins {first:?}", game.name()),
                    _ => format!("it lacks lines of the layout of {}", game.name()),
                }
            )),
        }
    }
    none(problems);
}

#[derive(Debug, PartialEq)]
enum Compared<'a> {
    Same,
    /// The file is missing, or a copy from another game's folder.
    OtherGame(&'a str),
    LinesAdded,
    LineLost(&'a str),
}

/// The frozen layout of a new game would accept any sight, so this mistake needs a test of its own.
#[test]
fn no_hand_is_seen_by_everyone() {
    for game in games() {
        for place in game.layout().places().iter().filter(|it| it.name.starts_with("hand")) {
            assert_ne!(place.sight, Sight::All, "{}: {}", game.name(), place.name);
        }
    }
}

fn text(game: &dyn Game) -> String {
    format!("layout of {}\n{}", game.name(), game.layout())
}

/// Compares two layouts line by line; the first line names the game.
fn compare<'a>(frozen: &'a str, current: &str) -> Compared<'a> {
    let first = frozen.lines().next().unwrap_or_default();
    let lost = frozen.lines().find(|line| !current.lines().any(|it| it == *line));
    match lost {
        _ if Some(first) != current.lines().next() => Compared::OtherGame(first),
        Some(line) => Compared::LineLost(line),
        None if frozen == current => Compared::Same,
        None => Compared::LinesAdded,
    }
}

#[test]
fn lines_may_be_added_and_never_changed_or_removed() {
    let frozen = "layout of whist\nplace 0 deck: seen by nobody\nplace 1 hand/0: seen by seat 0\n";
    let lost = |current: &str| matches!(compare(frozen, current), Compared::LineLost(_));
    let longer = format!("{frozen}place 65 hand/1: seen by seat 1\n");
    assert_eq!(compare(frozen, frozen), Compared::Same);
    assert_eq!(compare(frozen, &longer), Compared::LinesAdded);
    assert!(lost("layout of whist\nplace 0 deck: seen by nobody\n"));
    assert!(lost(&frozen.replace("seat 0", "all")));
    assert!(lost(&frozen.replace("place 1", "place 2")));
    let copied = frozen.replace("whist", "bridge");
    assert_eq!(compare(&copied, frozen), Compared::OtherGame("layout of bridge"));
    assert_eq!(compare("", frozen), Compared::OtherGame(""));
}

#[test]
fn a_hidden_place_declared_public_is_noticed() {
    for game in games() {
        let frozen = text(game);
        let hidden =
            |line: &&str| line.contains("seen by seat ") || line.contains("seen by nobody");
        for line in frozen.lines().filter(hidden) {
            let (place, _) = line.split_once("seen by ").expect("just matched");
            let mistaken = frozen.replace(line, &format!("{place}seen by all"));
            assert_eq!(compare(&frozen, &mistaken), Compared::LineLost(line), "{}", game.name());
        }
        assert!(frozen.lines().any(|line| hidden(&line)), "{} has no secrets", game.name());
    }
}
