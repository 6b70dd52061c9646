//! The end of a match says what each score consists of.

use table::{Seat, Small, Viewer};

use super::{games, narrator, playout};
use crate::{Language, Titles};

#[test]
fn the_end_of_a_match_tells_every_part_of_every_score() {
    let mut told = 0;
    for game in games() {
        for seed in 0..4 {
            let seats = *game.seats().start();
            let entries = playout(game, seats, seed);
            let (table, entry) = entries.last().expect("a match has entries");
            for language in Language::of_game(game) {
                let reader = Viewer::Seat(Seat::default());
                let narrator = narrator(game, language, seats, reader);
                let titles = Titles::of(game, language);
                let entry = narrator.entry(&entry.seen_by(reader, game.layout()));
                let drawn = narrator.table(&table.seen_by(reader));
                for seat in table.seats() {
                    let parts: Vec<_> =
                        table.score_parts().iter().filter(|part| part.seat == seat).collect();
                    assert_eq!(
                        parts.iter().map(|part| part.points).sum::<i32>(),
                        table.scores()[seat.index()]
                    );
                    for part in parts.iter().filter(|_| parts.len() > 1) {
                        let title = titles.score_part(part.announcement);
                        let points = part.points.abs().to_string();
                        for text in [&entry, &drawn] {
                            assert!(text.contains(&title), "{}: {title} in {text}", game.name());
                            assert!(text.contains(&points), "{}: {points} in {text}", game.name());
                        }
                        told += 1;
                    }
                }
            }
        }
    }
    assert!(told > 50, "only {told} parts were told");
}
