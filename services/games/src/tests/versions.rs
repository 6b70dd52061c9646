//! A version of a game's rules has a fixed behavior for good: matches name the version that they
//! were played under. A game's `versions.txt` has a line for each version, with a fingerprint of
//! many random matches. A change of behavior raises the version, and `CROUPIER_BLESS=1` adds its
//! line. Lines never change.

use std::collections::BTreeMap;

use table::{Entry, TALK, invariants::chance};

use super::{bless, folder, games, none, read, shown, write};
use crate::Game;

/// Matches at random for each number of seats. Options differ from one to the next.
const MATCHES: u64 = 40;

#[test]
fn changed_rules_have_another_version() {
    let mut problems = Vec::new();
    for game in games() {
        let path = folder(game).join("versions.txt");
        let known = read(&path).unwrap_or_default();
        let line = format!("{} {}", game.rules_version(), fingerprint(game));
        let lines: Vec<&str> = known.lines().collect();
        let next = lines.len() as u32 + 1;
        if lines.last() == Some(&line.as_str()) && game.rules_version() + 1 == next {
            continue;
        }
        if game.rules_version() != next {
            problems.push(format!(
                "{}: the rules of {} lead to something else than version {} of them did. Make them \
                 version {next}: a match keeps the version that it was played under",
                shown(&path),
                game.name(),
                game.rules_version()
            ));
        } else if bless() {
            write(&path, &format!("{known}{line}\n"));
        } else {
            problems.push(format!("{}: let CROUPIER_BLESS=1 add {line:?}", shown(&path)));
        }
    }
    none(problems);
}

/// A fingerprint of the rules' behavior, independent of their version number.
fn fingerprint(game: &dyn Game) -> String {
    let mut hash = blake3::Hasher::new();
    let mut add = |entry: &Entry| {
        hash.update(&Entry { rules: 0, ..entry.clone() }.without_asked().encode());
    };
    for seats in game.seats() {
        for seed in 0..MATCHES {
            let options = options(game, seed);
            let Ok(options) = game.check_options(&options, seats) else { continue };
            let played = game.playout(seats, &options, &chance(seed));
            add(&played.opening.1);
            played.steps.iter().for_each(|step| add(&step.entry));
        }
    }
    hash.finalize().to_hex()[..32].to_owned()
}

/// The options of the match with this number: each in turn.
fn options(game: &dyn Game, number: u64) -> BTreeMap<String, String> {
    let rules = game.options().into_iter().filter(|spec| spec.name != TALK);
    let chosen = rules.map(|spec| {
        let nth = number as usize % spec.values.len();
        (spec.name.to_owned(), spec.values[nth].to_owned())
    });
    chosen.collect()
}
