//! The value of a position.

use table::{Seat, Small, Table};

use super::{
    karma::keep,
    mind::{CREDIT, DIE, Mind},
};
use crate::rigs::{
    colony::{plots, rigs_at, stock},
    vocabulary::{Coin::*, Karma, Place::*},
};

/// §18, in credits: the seat's present worth, and the output of its RIGS until the end.
pub(in crate::rigs) fn worth(table: &Table, seat: Seat) -> i32 {
    if table.ended() {
        return table.scores()[seat.index()];
    }
    let mind = Mind::of(table, seat);
    let credits = table.coins(Credit, Purse(seat)) * CREDIT;
    let lands: i32 = plots(table, seat).map(|plot| mind.plot(plot)).sum();
    let rigs = rigs_at(table, Warehouse(seat)) as i32 * mind.idle_rig();
    let cards: i32 = table.pieces::<Karma>(Hand(seat)).iter().map(keep).sum();
    let held = stock(table, seat).iter();
    let stored: i32 = held.map(|(resource, amount)| mind.stored(resource, amount as i32)).sum();
    let cards = if mind.left > 2 { cards / 3 } else { 0 };
    (credits + lands + rigs + stored + cards - mind.owed() * 4 * DIE) / CREDIT
}
