//! The end of the game.

use std::collections::BTreeSet;

use table::{Dealer, Seats, Small, Table};

use super::{
    cards::Fate,
    seats::{held, honor, move_honor, target},
    vocabulary::{Announcement, Card, Corporation, Mark::*, Place::*},
};

/// §9.7: the number of players up to which only the lowest value of honor is eliminated.
const FEW: usize = 4;

/// §9.1, §9.2, §9.3: whether and how the game ends with this turn, and who is eliminated.
pub(super) fn of_this_turn(table: &Table) -> Option<(Announcement, Fate)> {
    if table.pieces::<Card>(Payout).iter().any(Card::is_game_end) {
        let corporation = target(table);
        return Some((Announcement::GameEnd(corporation), corporation.fate()));
    }
    let empty = Corporation::all().find(|&it| table.is_bare(Deck(it)))?;
    Some((Announcement::DeckEmpty(empty), Fate::LowestHonor))
}

/// §9.4, §9.9, §9.10; §10.5: only seats that did not resign can win.
pub(super) fn end(d: &mut Dealer, (how, fate): (Announcement, Fate)) {
    d.announce(how, d.turn(), 0);
    for seat in d.seats() {
        let stash = d.pieces::<Card>(Stash(seat));
        stash.iter().for_each(|card| d.reveal(card));
        let icons = stash.iter().filter(|card| card.has_honor()).count();
        move_honor(d, [seat], icons as i32);
    }
    let eliminated = eliminated(d, fate);
    for seat in eliminated.iter() {
        d.mark(Eliminated(seat), 1);
        d.announce(Announcement::IsEliminated, seat, held(d, seat) as i16);
    }
    for seat in d.seats() {
        let held = held(d, seat);
        d.announce(Announcement::IskHeld, seat, held as i16);
        d.score(seat, if eliminated.has(seat) { 0 } else { held as i32 });
    }
    d.end_by(|table, seat| (!eliminated.has(seat), held(table, seat), honor(table, seat)));
}

/// §9.5, §9.6, §9.7, §9.8: the first of these eliminations that leaves a player who can win, if any
/// does. The honor of seats that resigned counts (§10.5).
fn eliminated(table: &Table, fate: Fate) -> Seats {
    let lowest = |values| having(table, honors(table).take(values));
    let eliminated = match fate {
        Fate::LowestHonor => vec![lowest(1)],
        Fate::HighestHonor => vec![having(table, honors(table).rev().take(1))],
        Fate::TwoLowestHonors if table.seat_count() <= FEW => vec![lowest(1)],
        Fate::TwoLowestHonors => vec![lowest(2), lowest(1)],
    };
    let leaves_a_winner = |out: &Seats| table.contenders().any(|seat| !out.has(seat));
    eliminated.into_iter().find(leaves_a_winner).unwrap_or_default()
}

/// The values of honor on the track, the lowest first.
fn honors(table: &Table) -> impl DoubleEndedIterator<Item = i32> + use<> {
    table.seats().map(|seat| honor(table, seat)).collect::<BTreeSet<_>>().into_iter()
}

fn having(table: &Table, honors: impl Iterator<Item = i32>) -> Seats {
    let honors: Vec<i32> = honors.collect();
    table.seats().filter(|&seat| honors.contains(&honor(table, seat))).collect()
}
