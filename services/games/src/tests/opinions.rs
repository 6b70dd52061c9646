use table::{Rules, Seat, Table, Viewer};

use super::games;
use crate::{WithRules, with_rules};

/// Matches of random play for each game and number of seats.
const MATCHES: u64 = 3;

#[test]
fn an_opinion_reads_no_more_than_its_seat_sees() {
    for game in games() {
        for seats in [*game.seats().start(), *game.seats().end()] {
            let (mut actions, mut liked) = (0, 0);
            for seed in 0..MATCHES {
                let options = game.check_options(&Default::default(), seats).expect("they fit");
                let chance = table::invariants::chance(seed);
                for step in game.playout(seats, &options, &chance).steps {
                    let counted = with_rules(game, Opinions { table: &step.before })
                        .expect("its rules are compiled in");
                    actions += counted.0;
                    liked += counted.1;
                }
            }
            let name = game.name();
            assert!(actions > 1_000, "{name}, {seats} seats: only {actions} actions");
            assert!(0 < liked && liked < actions, "{name}: {liked} of {actions} appeal");
        }
    }
}

struct Opinions<'a> {
    table: &'a Table,
}

impl WithRules for Opinions<'_> {
    /// The legal actions of all seats, and how many of them appeal.
    type Output = (usize, usize);

    fn run<G: Rules>(self) -> (usize, usize) {
        // So that its module has more levels of bots than `random`.
        assert!(G::HAS_OPINION, "{}", G::NAME);
        let (mut actions, mut liked) = (0, 0);
        let asked: Vec<Seat> = self.table.live().map(|prompt| prompt.seat).collect();
        for seat in asked {
            let seen = self.table.seen_by(Viewer::Seat(seat));
            assert_eq!(
                G::worth(self.table, seat),
                G::worth(&seen, seat),
                "{seat} {:?}",
                self.table
            );
            for action in G::legal(self.table, seat) {
                let appeal = G::appeal(self.table, seat, &action);
                let as_seen = G::appeal(&seen, seat, &action);
                assert_eq!(appeal, as_seen, "{} {seat} {action:?} {:?}", G::NAME, self.table);
                actions += 1;
                liked += usize::from(appeal > 0);
            }
        }
        (actions, liked)
    }
}
