//! Seats: their honor, their ISK, and their sides in a heist.

use std::ops::RangeInclusive;

use table::{Dealer, Seat, Table};

use super::{
    cards::disc,
    refusals::Refusal,
    vocabulary::{Coin::*, Corporation, Decision, Mark::*, Place::*},
};

/// §8.5
pub(super) const HONOR: RangeInclusive<i32> = 1..=13;

pub(super) fn honor(table: &Table, seat: Seat) -> i32 {
    table.coins(Honor, Track(seat))
}

/// §8.5
pub(super) fn move_honor(d: &mut Dealer, seats: impl IntoIterator<Item = Seat>, steps: i32) {
    for seat in seats {
        let now = honor(d, seat);
        let steps = (now + steps).clamp(*HONOR.start(), *HONOR.end()) - now;
        let (from, to) = if steps < 0 { (Track(seat), Reserve) } else { (Reserve, Track(seat)) };
        d.pay(Honor, from, to, steps.unsigned_abs());
    }
}

/// The millions in a stash.
pub(super) fn held(table: &Table, seat: Seat) -> u32 {
    table.coins(Million, Stash(seat)).max(0) as u32
}

/// §3.4, §3.7, §3.8
pub(super) fn holds(table: &Table, seat: Seat, millions: u32) -> Result<(), Refusal> {
    let held = held(table, seat);
    if millions > held { Err(Refusal::NotInStash { millions, held }) } else { Ok(()) }
}

/// §1.6: pays each seat an amount that is public, although stashes are private.
pub(super) fn gain(d: &mut Dealer, seats: impl IntoIterator<Item = Seat>, millions: u32) {
    for seat in seats {
        d.pay_aloud(Million, Reserve, Stash(seat), millions);
    }
}

/// The team, clockwise from the Heistmaster.
pub(super) fn members(table: &Table) -> Vec<Seat> {
    table.from(table.turn()).filter(|&seat| table.is_marked(Member(seat))).collect()
}

/// §5.4: the honorable members and the dishonorable ones, clockwise from the Heistmaster.
pub(super) fn sides(table: &Table) -> (Vec<Seat>, Vec<Seat>) {
    members(table).into_iter().partition(|&seat| table.lies(disc(seat, true), Revealed(seat)))
}

pub(super) fn bystanders(table: &Table) -> Vec<Seat> {
    table.seats().filter(|&seat| !table.is_marked(Member(seat))).collect()
}

pub(super) fn target(table: &Table) -> Corporation {
    table.get(Target).expect("a heist is under way")
}

/// Refuses an action that does not answer the seat's decision.
pub(super) fn answers(table: &Table, seat: Seat, decisions: &[Decision]) -> Result<(), Refusal> {
    let asked = table.decision(seat).expect("a seat acts only when it has a prompt");
    if decisions.contains(&asked) { Ok(()) } else { Err(Refusal::NotNow { asked }) }
}

pub(super) fn has_seat(table: &Table, seat: Seat) -> Result<(), Refusal> {
    let seats = table.seat_count();
    if table.has_seat(seat) { Ok(()) } else { Err(Refusal::NoSuchSeat { seat, seats }) }
}
