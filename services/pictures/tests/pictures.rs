//! Pictures of every game.

use std::collections::BTreeSet;

use games::Game;
use narration::{Language, Narrator};
use pictures::{HEIGHT, Picture, WIDTH, WIDTH_MAX, WIDTH_MIN};
use table::hidden::Hidden;
use table::invariants::chance;
use table::{Seat, Table, Viewer};

const NAMES: [&str; 8] = ["Ada", "Bruno", "Cleo", "Dario", "Elif", "Farid", "Greta", "Hugo"];

fn narrator(game: &'static dyn Game, seats: u8, viewer: Viewer) -> Narrator {
    let names: Vec<Option<&str>> = NAMES[..seats.into()].iter().map(|it| Some(*it)).collect();
    let reader: Option<Seat> = if let Viewer::Seat(seat) = viewer { Some(seat) } else { None };
    Narrator::new(game, Language::ENGLISH, &names, reader)
}

fn picture(game: &'static dyn Game, table: &Table, viewer: Viewer) -> Picture {
    let seen = table.seen_by(viewer);
    Picture::of(&narrator(game, table.seat_count() as u8, viewer), &seen)
}

/// The tables of a match played at random.
fn tables(game: &'static dyn Game, seats: u8, seed: u64) -> Vec<Table> {
    let options = game.check_options(&Default::default(), seats).expect("the defaults fit");
    let playout = game.playout(seats, &options, &chance(seed));
    let steps = playout.steps.into_iter().map(|step| step.after);
    std::iter::once(playout.opening.0).chain(steps).collect()
}

/// The size of a PNG and its pixels.
fn decoded(png: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("it is small")];
    let info = reader.next_frame(&mut pixels).expect("it has a picture");
    (info.width, info.height, pixels)
}

#[test]
fn every_table_of_every_game_has_a_picture() {
    for game in games::GAMES.iter().copied() {
        for seats in game.seats() {
            let tables = tables(game, seats, u64::from(seats));
            let mut pictures = BTreeSet::new();
            let step = (tables.len() / 8).max(1);
            for table in tables.iter().step_by(step).chain(tables.last()) {
                for viewer in Viewer::guests(seats).take(2) {
                    let svg = picture(game, table, viewer).svg();
                    assert!(svg.len() < 200_000, "{}: {} bytes", game.name(), svg.len());
                    pictures.insert(svg);
                }
            }
            assert!(pictures.len() >= 8, "{}: {} pictures", game.name(), pictures.len());
            if seats != *game.seats().end() {
                continue;
            }
            let middle = picture(game, &tables[tables.len() / 2], Viewer::Spectator);
            for (asked, width) in
                [(0, WIDTH_MIN), (600, 600), (WIDTH, WIDTH), (u32::MAX, WIDTH_MAX)]
            {
                let png = middle.png(asked);
                let (wide, high, pixels) = decoded(&png);
                assert_eq!((wide, high), (width, (width * HEIGHT).div_ceil(WIDTH)));
                let colors: BTreeSet<&[u8]> = pixels.chunks(3).collect();
                assert!(colors.len() > 40, "{}: {} colors", game.name(), colors.len());
                assert!(png.len() < 600_000, "{}: {} bytes", game.name(), png.len());
            }
        }
    }
}

#[test]
fn in_two_worlds_that_a_viewer_cannot_tell_apart_the_picture_is_the_same() {
    for game in games::GAMES.iter().copied() {
        let seats = *game.seats().end();
        let hidden = Hidden::of(game.layout(), seats);
        let (mut random, mut compared, mut noticed) = (chance(7).after(0), 0, 0);
        let tables = tables(game, seats, 7);
        for table in tables.iter().step_by((tables.len() / 8).max(1)) {
            let seen_by =
                |viewer| (viewer, table.seen_by(viewer), picture(game, table, viewer).svg());
            let viewers = Viewer::guests(seats).map(seen_by).collect::<Vec<_>>();
            let twins =
                (0..16).flat_map(|_| hidden.changes(table, &mut random)).collect::<Vec<_>>();
            for change in twins {
                let Some(other) = change.on(table) else { continue };
                for (viewer, seen, here) in &viewers {
                    let is_hidden = change.is_hidden_from(seen);
                    let same = *here == picture(game, &other, *viewer).svg();
                    assert!(same || !is_hidden, "{} shows {change:?} to {viewer:?}", game.name());
                    compared += usize::from(is_hidden);
                    noticed += usize::from(!is_hidden && !same);
                }
            }
        }
        assert!(compared > 5 && noticed > 2, "{}: {compared} and {noticed}", game.name());
    }
}

#[test]
fn names_are_text_and_nothing_else() {
    let game = games::GAMES[0];
    let table = &tables(game, 2, 1)[0];
    let long = "W".repeat(64);
    let names = [Some("</text><script>alert(\"1\")</script>\u{0}&amp;"), Some(long.as_str())];
    let narrator = Narrator::new(game, Language::ENGLISH, &names, None);
    let picture = Picture::of(&narrator, &table.seen_by(Viewer::Spectator));
    let svg = picture.svg();
    assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script") && !svg.contains('\0'));
    assert!(!svg.contains(&long), "a long name is cut");
    decoded(&picture.png(600));
}
