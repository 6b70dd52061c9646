//! How a player who does not look ahead values choices, offers and positions. Values are in tenths
//! of a million.

use table::{Seat, Seats, Small, Table};

use super::{
    actions::{Action, Terms},
    cards::{Fate, SEVEN},
    seats::{HONOR, held, honor, members, target},
    vocabulary::{Card, Coin::*, Corporation, Mark::*, Place::*},
};

const MILLION: i32 = 10;

pub(super) fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
    match *action {
        Action::Assemble { team } => assemble(table, seat, team),
        Action::Blackmail { corporation } => blackmail(table, seat, corporation),
        Action::Choose { honorable: true } => 0,
        Action::Choose { honorable: false } => betray(table, seat),
        // §7.16
        Action::Favor { seat: other } => {
            if other == seat {
                MILLION
            } else {
                -honor(table, other)
            }
        }
        // §3.3: a gift binds nobody.
        Action::Pay { .. } | Action::Withdraw => -1,
        Action::Offer { to, terms, .. } => offer(table, seat, to, terms),
        Action::Accept { terms, .. } => {
            if terms.give > terms.take {
                DEAL
            } else {
                -1
            }
        }
        Action::Refuse { by } => {
            let offer = table.offers().iter().find(|it| (it.by, it.to) == (by, seat));
            offer.map(Terms::of).map_or(-1, |it| if it.give > it.take { -1 } else { 1 })
        }
    }
}

/// Deals come before the choice of the team, which ends them (§3.5).
const DEAL: i32 = 100 * MILLION;

// === The team ===

/// The value of a place on the team that was paid for, in points of honor.
const PLACE: i32 = 33;

/// §3.1: prefers itself, seats that are unlikely to betray by their honor, and seats that paid for
/// a place.
fn assemble(table: &Table, seat: Seat, team: Seats) -> i32 {
    let place = |it: Seat| if has_paid(table, it) { PLACE } else { 0 };
    let others = team.iter().filter(|&it| it != seat);
    let partners: i32 = others.map(|it| honor(table, it) + place(it)).sum();
    if team.has(seat) { 10 * MILLION + partners } else { partners }
}

/// Whether a seat's offer is no longer open, which means accepted, since the Heistmaster accepts
/// every gift.
fn has_paid(table: &Table, seat: Seat) -> bool {
    table.is_marked(OffersMade(seat)) && !table.offers().iter().any(|offer| offer.by == seat)
}

/// The millions that a seat keeps when it pays for a place.
const KEPT: u32 = 5;

/// §3.7: one offer per turn. A seat pays for a place on the team once heists are worth it; before
/// that, the Heistmaster asks for payment.
fn offer(table: &Table, seat: Seat, to: Seat, terms: Terms) -> i32 {
    if table.is_marked(OffersMade(seat)) {
        return -1;
    }
    let pays = Corporation::all().any(|it| card(table, it) > 3 * MILLION);
    let gives = terms.give > 0;
    match () {
        () if seat == table.turn() && !pays && !gives => DEAL + honor(table, to),
        () if to == table.turn() && pays && gives && held(table, seat) > KEPT => 1,
        () => -1,
    }
}

// === The corporation ===

/// §4.1: the pot, the expected payout, and who would be eliminated (§9).
fn blackmail(table: &Table, seat: Seat, corporation: Corporation) -> i32 {
    let team = members(table);
    let pot = table.coins(Million, Pot(corporation)) * MILLION;
    let share =
        if team.contains(&seat) { card(table, corporation) } else { -card(table, corporation) / 2 };
    pot + share + end(table, seat, corporation, team.len())
}

/// §2.2: how many cards of a deck are left when its last tier begins, and when the tier before it
/// begins.
fn tiers(table: &Table) -> (usize, usize) {
    if table.seat_count() >= SEVEN { (8, 15) } else { (6, 11) }
}

/// §1.2: the average value of the next card of a deck.
fn card(table: &Table, corporation: Corporation) -> i32 {
    let (third, second) = tiers(table);
    match table.count(Deck(corporation)) {
        left if left > second => 18,
        left if left > third => 34,
        _ => 50,
    }
}

/// §9.1, §9.3: the value of the end of the game that a heist may cause.
fn end(table: &Table, seat: Seat, corporation: Corporation, team: usize) -> i32 {
    let left = table.count(Deck(corporation));
    if left > tiers(table).0 {
        return 0;
    }
    let fate = if left <= team { Fate::LowestHonor } else { corporation.fate() };
    let chance = (team.min(left) * 100 / left.max(1)) as i32;
    if is_doomed(table, seat, fate) { -3 * chance } else { chance }
}

/// §9.4: its honor, with the icons of the cards in its own stash.
fn full_honor(table: &Table, seat: Seat) -> i32 {
    let icons = table.pieces::<Card>(Stash(seat)).iter().filter(|it| it.has_honor()).count();
    (honor(table, seat) + icons as i32).min(*HONOR.end())
}

fn is_doomed(table: &Table, seat: Seat, fate: Fate) -> bool {
    let (own, (least, most)) = (full_honor(table, seat), extremes(table, seat));
    match fate {
        Fate::LowestHonor | Fate::TwoLowestHonors => own <= least,
        Fate::HighestHonor => own >= most,
    }
}

// === The choice ===

/// By how much a seat's honor must exceed the lowest before it spends any.
const CUSHION: i32 = 7;

/// §8.2, §8.4: betrayal takes the payout from the others and costs honor, which is worth more,
/// because the least honorable are eliminated, §9.3. If the most honorable may be eliminated, §9.6,
/// losing honor is good.
fn betray(table: &Table, seat: Seat) -> i32 {
    let corporation = target(table);
    let is_near = table.count(Deck(corporation)) <= tiers(table).0;
    if corporation.fate() == Fate::HighestHonor && is_near {
        return 1;
    }
    full_honor(table, seat) - extremes(table, seat).0 - CUSHION
}

/// The lowest and the highest honor of the others.
fn extremes(table: &Table, seat: Seat) -> (i32, i32) {
    let others = table.others(seat).map(|it| honor(table, it));
    others.fold((*HONOR.end(), *HONOR.start()), |(least, most), it| (least.min(it), most.max(it)))
}

// === The position ===

/// The stash, weighted by the chance that the seat is not eliminated (§9.9). It reads only the
/// seat's own cards.
pub(super) fn worth(table: &Table, seat: Seat) -> i32 {
    if table.ended() {
        return table.scores()[seat.index()];
    }
    let (own, (least, most)) = (full_honor(table, seat), extremes(table, seat));
    let held = held(table, seat) as i32;
    match () {
        () if own <= least => held / 4,
        () if own == least + 1 => held * 3 / 4,
        () if own > most => held * 7 / 8,
        () => held,
    }
}
