//! The tables of the rules pages agree with the deal, and the pages can be read as data.

use std::collections::BTreeMap;

use super::{games, none};
use crate::{Game, PlaceSetUp, SetUp, set_ups};

/// The quantity that a row of a page's table counts.
enum Count {
    /// Pieces in each place of this kind.
    PiecesInEach(&'static str),
    /// Pieces in all places of this kind together.
    Pieces(&'static str),
    /// Places of this kind where there are pieces.
    Places(&'static str),
    /// Coins in each place of this kind.
    CoinsInEach(&'static str),
    /// Coins in all places of this kind together.
    Coins(&'static str),
}

use Count::*;

/// The rows that count what is laid out, by their titles. The other rows state rules.
const ROWS: &[(&str, &[(&str, Count)])] = &[
    (
        "mountebank",
        &[
            ("cards in each hand", PiecesInEach("hand")),
            ("draft area", Pieces("draft")),
            ("deck", Pieces("deck")),
        ],
    ),
    (
        "grifters",
        &[
            ("tokens in `coffers` after set-up", Coins("coffers")),
            ("tokens in each `stash`", CoinsInEach("stash")),
            ("stacks of jobs", Places("jobs")),
            ("jobs", Pieces("jobs")),
            ("cards in each hand", PiecesInEach("hand")),
            ("cards left in the `deck`", Pieces("deck")),
        ],
    ),
    (
        "you-dirty-rat",
        &[
            ("tokens in `town-stash` after set-up", Coins("town-stash")),
            ("tokens in each `stash`", CoinsInEach("stash")),
            ("stacks of heists", Places("heists")),
            ("heists", Pieces("heists")),
            ("cards in each hand", PiecesInEach("hand")),
            ("cards left in the `deck`", Pieces("deck")),
        ],
    ),
    (
        "among-thieves",
        &[
            ("cards in each corporation's deck", PiecesInEach("deck")),
            ("event cards", Pieces("event-deck")),
            ("cards in the box", Pieces("box")),
            ("honor of each seat", CoinsInEach("track")),
        ],
    ),
    (
        "rigs",
        &[
            ("plots for each", PiecesInEach("owned")),
            ("plots left in the deck", Pieces("plot-deck")),
        ],
    ),
];

#[test]
fn pages_count_what_is_laid_out() {
    let mut wrong = Vec::new();
    for game in games() {
        let name = game.name();
        let rows = ROWS.iter().find(|it| it.0 == name);
        let rows = rows.unwrap_or_else(|| panic!("{name}: name the rows of its table here")).1;
        let cells = cells(game);
        for set_up in set_ups(game) {
            for (title, count) in rows {
                let written = &cells[&(title.to_string(), set_up.seats)];
                let (usual, variant) = written.split_once(" (").unwrap_or((written, ""));
                // The table writes other options as `42 (26 with …)`.
                let other = set_up.options.values().any(|value| variant.contains(value.as_str()));
                let written = if other { variant } else { usual };
                let leading = written.split([' ', ':']).next().expect("there is a first word");
                let counted = count.of(&set_up);
                if leading != counted {
                    let (seats, options) = (set_up.seats, &set_up.options);
                    wrong.push(format!(
                        "{name}, {seats} seats, {options:?}: {title} is {counted}, not {leading}"
                    ));
                }
            }
        }
    }
    none(wrong);
}

impl Count {
    fn of(&self, set_up: &SetUp) -> String {
        let pieces = |it: &PlaceSetUp| (*it.pieces.start() as i32, *it.pieces.end() as i32);
        let coins = |it: &PlaceSetUp| {
            it.coins
                .iter()
                .fold((0, 0), |sum, (_, amounts)| (sum.0 + amounts.start(), sum.1 + amounts.end()))
        };
        let at = |kind: &str, count: &dyn Fn(&PlaceSetUp) -> (i32, i32)| -> Vec<(i32, i32)> {
            let is_of_kind = |it: &&PlaceSetUp| it.place.split('/').next() == Some(kind);
            let counts = set_up.places.iter().filter(is_of_kind).map(count);
            counts.filter(|it| *it != (0, 0)).collect()
        };
        match self {
            PiecesInEach(kind) => in_each(&at(kind, &pieces)),
            CoinsInEach(kind) => in_each(&at(kind, &coins)),
            Pieces(kind) => total(&at(kind, &pieces)),
            Coins(kind) => total(&at(kind, &coins)),
            Places(kind) => at(kind, &pieces).len().to_string(),
        }
    }
}

fn in_each(counts: &[(i32, i32)]) -> String {
    match counts {
        [] => "0".to_owned(),
        [first, rest @ ..] if rest.iter().all(|it| it == first) => total(&[*first]),
        _ => format!("{counts:?}"),
    }
}

fn total(counts: &[(i32, i32)]) -> String {
    let (least, most) = counts.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// The cells of the page's table, by their title and the number of seats. Seats are the columns of
/// some tables and the rows of others.
fn cells(game: &dyn Game) -> BTreeMap<(String, u8), String> {
    let page = game.rules_page().0;
    let (_, part) = page.split_once("\n## Set-up by number of seats\n").expect("it has a table");
    let part = part.split("\n## ").next().expect("there is a first part");
    let rows = part.lines().filter(|line| line.starts_with('|') && !line.contains("---"));
    let rows: Vec<Vec<&str>> =
        rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect();
    let (head, rows) = rows.split_first().expect("it has a head");
    let seats = |cell: &str| cell.split(' ').next().and_then(|seats| seats.parse::<u8>().ok());
    let mut cells = BTreeMap::new();
    for row in rows {
        for (title, cell) in head.iter().zip(row).skip(1) {
            let (title, seats) = match seats(title) {
                Some(seats) => (row[0], seats),
                None => (*title, seats(row[0]).expect("a number of seats")),
            };
            cells.insert((title.to_owned(), seats), cell.to_string());
        }
    }
    cells
}

/// §2.2 of Mountebank's page, §2.5 of Among Thieves': chance decides within bounds.
#[test]
fn what_chance_decides_shows_its_least_and_its_most() {
    let of = |game: &str, seats: u8, place: &str| {
        let game = crate::find(game).expect("a game");
        let set_up = set_ups(game).into_iter().find(|it| it.seats == seats).expect("a set-up");
        let place = set_up.places.into_iter().find(|it| it.place == place).expect("it is used");
        place.coins
    };
    assert_eq!(of("mountebank", 2, "crown/moons"), [("token".to_owned(), 1..=3)]);
    for seats in 3..=8 {
        for seat in 0..seats {
            let coins = of("among-thieves", seats, &format!("stash/{seat}"));
            assert_eq!(coins.iter().map(|it| it.1.clone()).collect::<Vec<_>>(), [2..=4]);
        }
    }
}

#[test]
fn pages_can_be_read_as_data() {
    let mut wrong = Vec::new();
    for game in games() {
        let (name, page) = (game.name(), game.rules_page());
        let sections = page.sections();
        let numbers: Vec<u32> = sections.iter().map(|section| section.number).collect();
        if numbers != (1..=sections.len() as u32).collect::<Vec<_>>() {
            wrong.push(format!("{name}: the sections have the numbers {numbers:?}"));
        }
        if sections.iter().filter(|section| section.is_about_end()).count() != 1 {
            wrong.push(format!("{name}: one section has `end` in its title"));
        }
        let mut listed = Vec::new();
        for section in &sections {
            for paragraph in &section.paragraphs {
                if !paragraph.number.starts_with(&format!("{}.", section.number)) {
                    wrong.push(format!(
                        "{name}: {} is in section {}",
                        paragraph.number, section.number
                    ));
                }
                if paragraph.text.is_empty() {
                    wrong.push(format!("{name}: {} says nothing", paragraph.number));
                }
                listed.push(paragraph.number);
            }
        }
        let written = page.0.matches("*Ruling:*").count();
        let paragraphs = sections.iter().flat_map(|section| &section.paragraphs);
        let rulings = paragraphs.filter(|it| !it.ruling.is_empty()).count();
        if rulings == 0 || rulings > written {
            wrong.push(format!("{name}: {rulings} paragraphs have a ruling, of {written}"));
        }
        let numbered = page.0.lines().filter(|line| {
            let number = line.strip_prefix("**").and_then(|it| it.split_once("**"));
            number.is_some_and(|it| it.0.split('.').all(|it| it.parse::<u32>().is_ok()))
        });
        let count = numbered.count();
        if count != listed.len() {
            wrong.push(format!("{name}: {} of {count} paragraphs are read", listed.len()));
        }
    }
    none(wrong);
}

#[test]
fn a_ruling_is_told_from_its_rule() {
    let page = crate::find("mountebank").expect("a game").rules_page();
    let sections = page.sections();
    let paragraph = &sections[0].paragraphs[4];
    assert_eq!((sections[0].title, paragraph.number), ("Components", "1.5"));
    assert!(paragraph.text.ends_with("the `winnings` are public."), "{}", paragraph.text);
    assert!(paragraph.ruling.starts_with("the rulebook only says"), "{}", paragraph.ruling);
    let table = &sections[0].paragraphs[1];
    assert!(table.text.contains("| `ace` |"), "a table belongs to the paragraph before it");
}
