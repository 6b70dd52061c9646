//! Labels of legal actions and sentences of refusals, from which a player can choose.

use std::collections::BTreeMap;

use games::{Game, Group};
use table::{Entry, PieceRow, Seat, Table, Viewer};

use super::{games, narrator, playout};
use crate::words::Args;
use crate::{Language, Narrator, SHORT_MAX};

/// The tables of random matches of a game, and the entries that led to them.
fn tables(game: &'static dyn Game) -> Vec<(u8, Table, Entry)> {
    let of = |(seats, seed)| {
        let steps = playout(game, seats, seed).into_iter().step_by(3);
        steps.map(move |(table, entry)| (seats, table, entry))
    };
    let (least, most) = (*game.seats().start(), *game.seats().end());
    [(least, 2), (most, 1), (most, 4)].into_iter().flat_map(of).collect()
}

/// Calls a function with each list of legal actions, as its seat is told of them.
fn each_list(mut call: impl FnMut(&str, &Narrator, &Table, &[games::Legal])) {
    for game in games() {
        for (seats, table, _) in tables(game) {
            for seat in table.seats() {
                let seen = table.seen_by(Viewer::Seat(seat));
                let legal = game.legal(&seen, seat).expect("native rules list");
                for language in Language::of_game(game) {
                    let narrator = narrator(game, language, seats, Viewer::Seat(seat));
                    let name = format!("{} {}", game.name(), language.tag());
                    call(&name, &narrator, &seen, &legal);
                }
            }
        }
    }
}

#[test]
fn no_two_actions_of_a_list_have_the_same_label_and_short_ones_are_short() {
    let (mut problems, mut lists, mut all) = (Vec::new(), 0, 0);
    let mut cut: BTreeMap<String, usize> = BTreeMap::new();
    each_list(|name, narrator, seen, legal| {
        lists += 1;
        let labels = narrator.labels(seen, legal);
        assert_eq!(labels.len(), legal.len());
        let copies = games::copies(narrator.game, seen, legal);
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for (nth, label) in labels.iter().enumerate() {
            if let Some(first) = copies[nth] {
                assert_eq!(*label, labels[first], "{name}");
                continue;
            }
            all += 1;
            if label.short.contains('…') {
                *cut.entry(name.to_owned()).or_default() += 1;
            }
            let long = known.insert(&label.long, nth);
            // A text may be the long and the short label of one action.
            let short = known.insert(&label.short, nth).filter(|&other| other != nth);
            if long.or(short).is_some() {
                problems.push(format!("{name}: {label:?} is twice in a list"));
            }
            let length = label.short.chars().count();
            if label.short.is_empty() || length > SHORT_MAX {
                problems.push(format!("{name}: {length} characters in {label:?}"));
            }
        }
    });
    problems.sort();
    problems.dedup();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(lists > 2_000, "only {lists} lists were read");
    // Mostly of teams, plays with a target, and deals.
    assert!(cut.values().sum::<usize>() * 5 < all, "of {all} short labels are cut: {cut:?}");
}

#[test]
fn no_two_groups_beside_each_other_have_the_same_title() {
    fn check(name: &str, narrator: &Narrator, seen: &Table, groups: &[Group]) {
        let mut titles = narrator.group_titles(seen, groups);
        assert_eq!(titles.len(), groups.len());
        for title in &titles {
            let length = title.chars().count();
            assert!((1..=SHORT_MAX).contains(&length), "{name}: {title}");
        }
        titles.sort();
        titles.dedup();
        assert_eq!(titles.len(), groups.len(), "{name}: {titles:?}");
        groups.iter().for_each(|it| check(name, narrator, seen, &it.groups));
    }
    each_list(|name, narrator, seen, legal| {
        let abouts: Vec<_> =
            legal.iter().map(|it| games::About::of(narrator.game, &it.action)).collect();
        check(name, narrator, seen, &games::groups(seen, legal, &abouts));
    });
}

/// The number that tells copies of a card apart is on no card.
#[test]
fn no_text_names_the_number_of_a_copy() {
    let mut texts = 0;
    for game in games() {
        let layout = game.layout();
        let copies = layout.pieces().iter().filter(|row| {
            let is_copy = layout.pieces().iter().any(|other| {
                other.piece != row.piece
                    && layout.first_copy(other.piece) == layout.first_copy(row.piece)
            });
            is_copy && !row.copy().is_empty()
        });
        let copies = copies.collect::<Vec<_>>();
        for (seats, table, entry) in tables(game) {
            for language in Language::of_game(game) {
                let reader = Viewer::Seat(Seat::default());
                let narrator = narrator(game, language, seats, reader);
                let words = narrator.words;
                let title = |row: &&PieceRow| {
                    format!("{} {}", words.brief_piece(layout, row.piece), row.copy())
                };
                let numbered = copies.iter().map(title).collect::<Vec<_>>();
                let seen = table.seen_by(reader);
                let legal = game.legal(&seen, Seat::default()).expect("native rules list");
                let labels = narrator.labels(&seen, &legal).into_iter();
                let entry = entry.seen_by(reader, layout);
                let told = labels
                    .flat_map(|label| [label.long, label.short])
                    .chain(entry.prompts.iter().map(|prompt| narrator.prompt(prompt)))
                    .chain([narrator.entry(&entry), narrator.table(&seen)]);
                for text in told {
                    texts += 1;
                    let named = numbered.iter().find(|it| text.contains(it.as_str()));
                    assert_eq!(named, None, "{}: {text}", game.name());
                }
            }
        }
    }
    assert!(texts > 5_000, "only {texts} texts were read");
}

/// People count seats from 1. The numbers of the contract count from 0.
#[test]
fn seats_count_from_1_in_texts() {
    let mut firsts = 0;
    for game in games() {
        for (seats, table, entry) in tables(game) {
            for language in Language::of_game(game) {
                let nobody = vec![None; seats.into()];
                let narrator = Narrator::new(game, language, &nobody, None);
                let seen = table.seen_by(Viewer::Spectator);
                let entry = entry.seen_by(Viewer::Spectator, game.layout());
                let seat = |number: i64| {
                    let args = Args::new().number("number", number);
                    narrator.words.say("seat", &args).to_lowercase()
                };
                for text in [narrator.entry(&entry), narrator.table(&seen)] {
                    let text = text.to_lowercase();
                    assert!(!text.contains(&seat(0)), "{}: {text}", game.name());
                    firsts += usize::from(text.contains(&seat(1)));
                }
            }
        }
    }
    assert!(firsts > 500, "only {firsts} texts named the first seat");
}

#[test]
fn a_refusal_names_cards_jobs_and_skills() {
    let refusals = [
        (
            "DECIDE_FIRST",
            vec![("asked", "choose/keep")],
            "You must first choose which of the drawn cards to keep",
            "Erst musst du eine der gezogenen Karten behalten",
            "Vous devez d’abord choisir laquelle des cartes piochées garder",
        ),
        (
            "WRONG_TEAM",
            vec![("job", "skim-the-tolls"), ("missing", "speed speed"), ("spare", "")],
            "The team does not fit “Skim the Tolls”: it lacks speed and speed",
            "Das Team passt nicht zu „Zölle abschöpfen“: es fehlen Tempo und Tempo",
            "L’équipe ne convient pas à «\u{202f}Écrémer les péages\u{202f}»\u{202f}: il manque vitesse et vitesse",
        ),
        (
            "NOT_A_CHOICE",
            vec![("choice", "hacker/1"), ("choices", "hacker/2 thug/3")],
            "That is not one of the choices: the Hacker and the Thug",
            "Das steht nicht zur Wahl: „Hacker“ und „Schläger“",
            "Cela ne fait pas partie des choix\u{202f}: le Hacker et le Gros Bras",
        ),
    ];
    let Some(game) = games().find(|it| it.name() == "grifters") else { return };
    for (reason, facts, english, german, french) in refusals {
        for (tag, text) in [("en", english), ("de", german), ("fr", french)] {
            let language = Language::of(tag).expect("it has words");
            let narrator = narrator(game, language, 2, Viewer::Spectator);
            assert_eq!(narrator.refusal(reason, facts.iter().copied()).as_deref(), Some(text));
        }
    }
}
