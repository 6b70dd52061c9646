//! The end of the game.

use std::collections::BTreeSet;

use table::{Dealer, Seat, Seats, Small, Table};

use super::{
    Announcement, Card, Corporation, Mark::*, Place::*, cards::Fate, held, honor, move_honor,
    target,
};

/// §9.7: the number of players up to which only the lowest value of honor is eliminated.
const FEW: usize = 4;

/// §9.1, §9.2, §9.3: how the game ends with this turn, if it does, and who is eliminated then.
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
        d.announce(Announcement::IsEliminated, seat, 0);
    }
    for seat in d.seats() {
        d.score(seat, if eliminated.has(seat) { 0 } else { held(d, seat) as i32 });
    }
    d.end_by(|table, seat| (!eliminated.has(seat), held(table, seat), honor(table, seat)));
}

/// §9.5, §9.6, §9.7, §9.8; the honor of seats that resigned counts (§10.5).
fn eliminated(table: &Table, fate: Fate) -> Seats {
    let honors: BTreeSet<i32> = table.seats().map(|seat| honor(table, seat)).collect();
    let fatal: Vec<i32> = match fate {
        Fate::LowestHonor => honors.into_iter().take(1).collect(),
        Fate::HighestHonor => honors.into_iter().rev().take(1).collect(),
        Fate::TwoLowestHonors if table.seat_count() <= FEW => honors.into_iter().take(1).collect(),
        Fate::TwoLowestHonors => honors.into_iter().take(2).collect(),
    };
    let is_out = |seat: &Seat| fatal.contains(&honor(table, *seat));
    if table.contenders().all(|seat| is_out(&seat)) {
        return Seats::default();
    }
    table.seats().filter(is_out).collect()
}
