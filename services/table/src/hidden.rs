//! What is hidden on a table, for checks that nobody learns it: changes that some viewers cannot
//! notice, and whether entries tell such viewers the difference.

// A wildcard arm would treat future variants as harmless.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::{Chance, CoinId, Entry, Event, Face, Layout, Piece, PlaceId, Table, Viewer, Viewers};

/// Whether an event, as a guest receives it, names nothing that is hidden from the guest. It is
/// independent of the redaction, in order to check it.
pub fn names_nothing_hidden(event: &Event, guest: Viewer, layout: &Layout) -> bool {
    let sees = |place| layout.viewers(place).has(guest);
    let counts = |place| layout.counters(place).has(guest);
    match *event {
        Event::Moved { what: Face::Up(_), from, to } => sees(from) || sees(to),
        Event::Moved { what: Face::Down(_), from, to } => counts(from) || counts(to),
        Event::Shown { what: Face::Up(_), at, to } => sees(at) || to.has(guest),
        Event::Shown { what: Face::Down(_), at, to: _ } => counts(at),
        Event::Gathered { from, to } => counts(from) || !counts(to),
        Event::Paid { coin: _, amount: Some(_), from, to, aloud } => {
            aloud || sees(from) || sees(to)
        }
        Event::Said { seat: _, speech: Some(ref speech) } => speech.to.has(guest),
        Event::Moved { what: Face::Uncounted, from: _, to: _ }
        | Event::Shown { what: Face::Uncounted, at: _, to: _ }
        | Event::Paid { coin: _, amount: None, from: _, to: _, aloud: _ }
        | Event::Said { seat: _, speech: None }
        | Event::Stood { seat: _, decision: _, on: _ }
        | Event::Contributed(_)
        | Event::Marked { mark: _, value: _ }
        | Event::Rolled { seat: _, value: _ }
        | Event::Announced { announcement: _, seat: _, value: _ }
        | Event::RoundBegan(_)
        | Event::PhaseBegan(_)
        | Event::TurnBegan(_)
        | Event::Offered(_)
        | Event::OfferClosed { by: _ }
        | Event::Scored { seat: _, points: _ }
        | Event::Resigned { seat: _ }
        | Event::TimedOut { seat: _ }
        | Event::TimeAdded { seat: _, ms: _ }
        | Event::Ended { winners: _ }
        | Event::TookBack { age: _ }
        | Event::Voted { seat: _, motion: _, on: _ }
        | Event::Paused { by: _ }
        | Event::Resumed { by: _ }
        | Event::Abandoned
        | Event::Replaced { seat: _ } => true,
    }
}

/// A change of the real table that some viewers cannot notice.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    Swapped(Piece, Piece),
    Paid { coin: CoinId, from: PlaceId, to: PlaceId, amount: u32 },
    Moved { piece: Piece, from: PlaceId, to: PlaceId },
}

impl Change {
    /// Whether the viewer of this table cannot notice the change.
    pub fn is_hidden_from(&self, seen: &Table) -> bool {
        let (layout, viewer) = (seen.layout(), seen.viewer());
        match *self {
            Change::Swapped(p, q) => seen.at(p).is_none() && seen.at(q).is_none(),
            Change::Paid { coin: _, from, to, amount: _ } => {
                !layout.viewers(from).or(layout.viewers(to)).has(viewer)
            }
            Change::Moved { piece, from, to } => {
                let counters = layout.counters(from).or(layout.counters(to));
                seen.at(piece).is_none() && !counters.has(viewer)
            }
        }
    }

    /// The house's table with this change; `None` if an open offer shows everyone that a purse
    /// holds more.
    pub fn on(&self, table: &Table) -> Option<Table> {
        match *self {
            Change::Swapped(p, q) => Some(table.swapped(p, q)),
            Change::Paid { coin, from, to, amount } => {
                let mut other = table.clone();
                let (amount, aloud) = (Some(amount), false);
                other.apply_event(&Event::Paid { coin, from, to, amount, aloud });
                other.offers().iter().all(|offer| other.can_settle(&offer.give)).then_some(other)
            }
            Change::Moved { piece, from, to } => {
                let mut other = table.clone();
                other.apply_event(&Event::Moved { what: Face::Up(piece), from, to });
                Some(other)
            }
        }
    }
}

/// What can change on the tables of a match without some viewers noticing.
#[derive(Clone, Debug)]
pub struct Hidden {
    pieces: usize,
    /// Purses that some viewer cannot see.
    purses: Vec<(PlaceId, CoinId)>,
    /// Places whose pieces some viewer cannot count.
    uncounted: Vec<PlaceId>,
}

impl Hidden {
    pub fn of(layout: &Layout, seats: u8) -> Hidden {
        let purses = layout.purses().iter().filter(|purse| !purse.is_bank);
        let purses = purses.filter(|purse| is_private(layout, seats, purse.place, Layout::viewers));
        let places = layout.places_of(seats).map(|place| place.id);
        Hidden {
            pieces: layout.pieces().len(),
            purses: purses.map(|purse| (purse.place, purse.coin)).collect(),
            uncounted: places
                .filter(|&place| is_private(layout, seats, place, Layout::counters))
                .collect(),
        }
    }

    /// Changes at random: one of each kind that is possible on this table.
    pub fn changes(&self, table: &Table, random: &mut dyn Chance) -> Vec<Change> {
        let picked = [
            self.pick_swap(table, random),
            self.pick_payment(table, random),
            self.pick_move(table, random),
        ];
        picked.into_iter().flatten().collect()
    }

    fn pick_swap(&self, table: &Table, random: &mut dyn Chance) -> Option<Change> {
        if self.pieces == 0 {
            return None;
        }
        let mut piece = || Piece(random.below(self.pieces) as u8);
        let (p, q) = (piece(), piece());
        (p != q && table.layout().alike(p, q)).then_some(Change::Swapped(p, q))
    }

    fn pick_payment(&self, table: &Table, random: &mut dyn Chance) -> Option<Change> {
        let purses = &self.purses;
        if purses.len() < 2 {
            return None;
        }
        let (from, coin) = purses[random.below(purses.len())];
        let (to, its) = purses[random.below(purses.len())];
        let held = usize::try_from(table.coins(coin, from)).ok()?;
        if held == 0 || its != coin || to == from {
            return None;
        }
        // Often the whole amount, because some rules depend on whether a purse is empty.
        let is_all = random.below(2) == 0;
        let amount = if is_all { held } else { 1 + random.below(held) };
        Some(Change::Paid { coin, from, to, amount: amount as u32 })
    }

    fn pick_move(&self, table: &Table, random: &mut dyn Chance) -> Option<Change> {
        if self.uncounted.len() < 2 {
            return None;
        }
        let mut place = || self.uncounted[random.below(self.uncounted.len())];
        let (from, to) = (place(), place());
        let pieces: Vec<Piece> = table.pieces::<Piece>(from).iter().collect();
        if pieces.is_empty() || from == to {
            return None;
        }
        Some(Change::Moved { piece: pieces[random.below(pieces.len())], from, to })
    }
}

/// Whether a place of this match has a restricted set of `viewers`.
fn is_private(
    layout: &Layout,
    seats: u8,
    place: PlaceId,
    viewers: impl Fn(&Layout, PlaceId) -> Viewers,
) -> bool {
    viewers(layout, place) != Viewers::ALL && layout.places_of(seats).any(|it| it.id == place)
}

/// Whether a guest's two entries are equal up to the first event with which the rules disclose
/// something. Later events may depend on the disclosure and differ.
pub fn are_same_up_to_disclosure(here: &Entry, there: &Entry, seen: &Table) -> bool {
    let length = here.events.len().max(there.events.len());
    let differ = |n: &usize| here.events.get(*n) != there.events.get(*n);
    let Some(first) = (0..length).find(differ) else { return here == there };
    let events = [(here, here.events.get(first)), (there, there.events.get(first))];
    events.iter().any(|(entry, event)| event.is_some_and(|it| discloses(it, entry, seen)))
}

/// Whether this event discloses, by the rules, something that a guest could not see before: a piece
/// is turned up, an amount is paid aloud, the layout declares the disclosure, or final points and
/// their parts are counted.
pub(crate) fn discloses(event: &Event, entry: &Entry, seen: &Table) -> bool {
    match *event {
        Event::Moved { what: Face::Up(piece), .. } | Event::Shown { what: Face::Up(piece), .. } => {
            seen.at(piece).is_none()
        }
        Event::Paid { coin, from, to, amount, aloud } => {
            let layout = seen.layout();
            let is_private = layout.viewers(from).or(layout.viewers(to)) != Viewers::ALL;
            aloud || amount.is_some() && is_private && layout.discloses_in(coin)
        }
        Event::Announced { announcement, value, .. } => {
            let is_part = seen.layout().score_points(announcement, value) != 0;
            seen.layout().discloses_with(announcement) || is_part && entry.winners().is_some()
        }
        Event::Scored { .. } => entry.winners().is_some(),
        Event::Moved { what: Face::Down(_) | Face::Uncounted, .. }
        | Event::Shown { what: Face::Down(_) | Face::Uncounted, .. }
        | Event::Gathered { .. }
        | Event::Marked { .. }
        | Event::Rolled { .. }
        | Event::RoundBegan(_)
        | Event::PhaseBegan(_)
        | Event::TurnBegan(_)
        | Event::Offered(_)
        | Event::OfferClosed { .. }
        | Event::Said { .. }
        | Event::Stood { .. }
        | Event::Contributed(_)
        | Event::Resigned { .. }
        | Event::TimedOut { .. }
        | Event::TimeAdded { .. }
        | Event::Ended { .. }
        | Event::TookBack { .. }
        | Event::Voted { .. }
        | Event::Paused { .. }
        | Event::Resumed { .. }
        | Event::Abandoned
        | Event::Replaced { .. } => false,
    }
}
