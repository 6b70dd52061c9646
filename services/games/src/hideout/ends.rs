//! The end of the game: its causes, scores and ties.

use std::cmp::Reverse;

use table::{Dealer, Seat, Set, Small, Table};

use super::{
    nights::own_places,
    ruleset::Ruleset,
    vocabulary::{Announcement, Coin::IskToken, Colour, DeckEnd, Job, Mark, Place::*},
};

/// Why the game ends. Effects return it as an error, so that `?` skips the remaining effects, §9.3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    CoffersEmpty,
    JobsCompleted,
    DeckOut,
}

pub(super) fn deck_end(table: &Table) -> DeckEnd {
    table.get(Mark::DeckEnd).expect("set-up sets the mark")
}

/// §9.2, the end that is tested once a play is complete. The others occur within a text, where
/// coins are stolen and cards are drawn.
pub(super) fn after_play(table: &Table) -> Option<End> {
    let completed = Colour::all().all(|colour| table.is_bare(Jobs(colour)));
    completed.then_some(End::JobsCompleted)
}

/// Scores the seats and names the winners: §10.3, then §10.4; seats that are still tied share the
/// win, §10.5.
pub(super) fn finish<G: Ruleset>(d: &mut Dealer, end: End) {
    let reason = match end {
        End::CoffersEmpty => Announcement::CoffersEmpty,
        End::JobsCompleted => Announcement::JobsCompleted,
        End::DeckOut => Announcement::DeckOut,
    };
    d.announce(reason, d.turn(), 0);
    let totals: Vec<i32> = d.seats().map(|seat| total::<G>(d, seat)).collect();
    for (seat, points) in d.seats().zip(totals) {
        d.score(seat, points);
    }
    announce_ties(d);
    d.end_by(|table, seat| (points(table, seat), jobs(table, seat), Reverse(people(table, seat))));
}

/// §10.1, and one bonus for each colour, §10.2.
fn total<G: Ruleset>(d: &mut Dealer, seat: Seat) -> i32 {
    let done: Set<Job> = d.pieces(CompletedJobs(seat));
    let mut points = d.coins(IskToken, Stash(seat));
    d.announce(Announcement::StashHolds, seat, points as i16);
    for colour in Colour::all() {
        let bonus = G::BONUS[done.iter().filter(|job| job.colour() == colour).count()];
        if bonus > 0 {
            d.announce(Announcement::Bonus(colour), seat, bonus as i16);
        }
        points += bonus;
    }
    points
}

/// Announces the counts that break a tie. §11.2 A seat that resigned is not compared.
fn announce_ties(d: &mut Dealer) {
    let mut tied: Vec<Seat> = d.contenders().collect();
    retain_best(&mut tied, |seat| points(d, seat));
    if tied.len() > 1 {
        tied.iter()
            .for_each(|&seat| d.announce(Announcement::TieOnJobs, seat, jobs(d, seat) as i16));
        retain_best(&mut tied, |seat| jobs(d, seat));
    }
    if tied.len() > 1 {
        tied.iter()
            .for_each(|&seat| d.announce(Announcement::TieOnPeople, seat, people(d, seat) as i16));
    }
}

fn retain_best<K: Ord>(seats: &mut Vec<Seat>, standing: impl Fn(Seat) -> K) {
    let best = seats.iter().map(|&seat| standing(seat)).max();
    seats.retain(|&seat| Some(standing(seat)) == best);
}

fn points(table: &Table, seat: Seat) -> i32 {
    table.scores()[seat.index()]
}

fn jobs(table: &Table, seat: Seat) -> usize {
    table.count(CompletedJobs(seat))
}

/// §10.4
fn people(table: &Table, seat: Seat) -> usize {
    own_places(seat).map(|place| table.count(place)).sum()
}
