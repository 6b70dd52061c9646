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

/// Deals come before the team, because it ends them (§3.5).
const DEAL: i32 = 100 * MILLION;

// === The team ===

/// A place on the team that was paid for, in points of honor.
const PLACE: i32 = 33;

/// §3.1: oneself, and those who do not betray as far as the track tells, or who paid for a place.
fn assemble(table: &Table, seat: Seat, team: Seats) -> i32 {
    let place = |it: Seat| if has_paid(table, it) { PLACE } else { 0 };
    let others = team.iter().filter(|&it| it != seat);
    let partners: i32 = others.map(|it| honor(table, it) + place(it)).sum();
    if team.has(seat) { 10 * MILLION + partners } else { partners }
}

/// An offer that was made and is no longer open was accepted, as far as the Heistmaster accepts
/// every gift.
fn has_paid(table: &Table, seat: Seat) -> bool {
    table.is_marked(OffersMade(seat)) && !table.offers().iter().any(|offer| offer.by == seat)
}

/// What a seat keeps that pays for a place, in millions.
const KEPT: u32 = 5;

/// §3.7: one offer in a turn. Once heists pay for it, a seat pays for a place on the team; before,
/// the Heistmaster asks for something.
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

/// §4.1: what lies on the deck, what the heist may pay, and who would be eliminated (§9).
fn blackmail(table: &Table, seat: Seat, corporation: Corporation) -> i32 {
    let team = members(table);
    let pot = table.coins(Million, Pot(corporation)) * MILLION;
    let share =
        if team.contains(&seat) { card(table, corporation) } else { -card(table, corporation) / 2 };
    pot + share + end(table, seat, corporation, team.len())
}

/// How many cards of a deck are left when its last tier begins, §2.2, and the tier before it.
fn tiers(table: &Table) -> (usize, usize) {
    if table.seat_count() >= SEVEN { (8, 15) } else { (6, 11) }
}

/// What the next card of a deck is worth on average, §1.2.
fn card(table: &Table, corporation: Corporation) -> i32 {
    let (third, second) = tiers(table);
    match table.count(Deck(corporation)) {
        left if left > second => 18,
        left if left > third => 34,
        _ => 50,
    }
}

/// How welcome the end would be that a heist may bring, §9.1, §9.3.
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

/// What a seat has more honor than the last before it spends any.
const CUSHION: i32 = 7;

/// §8.2, §8.4: betrayal takes the payout from the others and costs honor, which is worth more:
/// the least honorable are eliminated, §9.3. Where the most honorable may be, §9.6, it is welcome.
fn betray(table: &Table, seat: Seat) -> i32 {
    let corporation = target(table);
    let is_near = table.count(Deck(corporation)) <= tiers(table).0;
    if corporation.fate() == Fate::HighestHonor && is_near {
        return 1;
    }
    full_honor(table, seat) - extremes(table, seat).0 - CUSHION
}

/// The least and the most honor of the others.
fn extremes(table: &Table, seat: Seat) -> (i32, i32) {
    let others = table.others(seat).map(|it| honor(table, it));
    others.fold((*HONOR.end(), *HONOR.start()), |(least, most), it| (least.min(it), most.max(it)))
}

// === The position ===

/// The stash, as far as the seat would live to have it (§9.9). Only its own cards are looked at.
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
