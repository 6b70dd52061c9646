//! The house's answers when the time of a seat has run out.

use table::{Table, invariants::chance, top_layer};

use super::games;

/// Otherwise the seat would run out of time again for the same prompt.
#[test]
fn a_timeout_answers_what_the_seat_was_asked() {
    for game in games() {
        for seats in [*game.seats().start(), *game.seats().end()] {
            let options = game.check_options(&Default::default(), seats);
            let played = game.playout(seats, &options.expect("the defaults fit"), &chance(1));
            for step in &played.steps {
                check(game, &step.before);
            }
        }
    }
}

fn check(game: &dyn crate::Game, table: &Table) {
    let asked: Vec<_> = table.live().filter(|prompt| prompt.must).copied().collect();
    for prompt in asked {
        let mut dice = chance(2).after(0);
        let (_, entry) = game.time_out(table, prompt.seat, false, &mut dice).expect("it must");
        let is_open = |it: &table::Prompt| it.seat == prompt.seat && it.must && it.age > 0;
        let top = top_layer(&entry.prompts);
        let open = entry.prompts.iter().find(|it| is_open(it) && it.layer == top);
        assert_eq!(open, None, "{}: {:?} in\n{table:?}", game.name(), entry.events);
    }
}
