//! The invariants of a table of either game.

use table::{Seat, Set, Small, Table};

use super::{
    cards::SPECIALISTS,
    nights::own_places,
    set_up::COFFERS,
    vocabulary::{
        Choice, Coin::IskToken, Colour, Decision, DeckEnd, Job, Mark, Person, Place, Place::*,
    },
};

pub(super) fn check(table: &Table) -> Result<(), String> {
    let found = [
        coin_error(table),
        deck_error(table),
        box_error(table),
        table.seats().find_map(|seat| seat_error(table, seat)),
    ];
    found.into_iter().flatten().next().map_or(Ok(()), Err)
}

/// §1.4, §9.1
fn coin_error(table: &Table) -> Option<String> {
    let issued = -table.coins(IskToken, Box);
    let due = COFFERS[table.seat_count() - 2] as i32;
    if issued != due {
        return Some(format!("{issued} coins are in play instead of {due}"));
    }
    let goes_on = table.coins(IskToken, Coffers) == 0 && !table.ended();
    goes_on.then(|| "the match continues although the Coffers are empty".into())
}

/// §9.4
fn deck_error(table: &Table) -> Option<String> {
    let ends = table.get(Mark::DeckEnd) == Some(DeckEnd::BothPilesEmpty) && !table.ended();
    let exhausted = table.is_bare(Deck) && table.is_bare(Discard);
    (ends && exhausted).then(|| "the match continues although both piles are empty".into())
}

/// §2.2 The box holds whole stacks, and one copy of each specialist type or none.
fn box_error(table: &Table) -> Option<String> {
    let boxed: Set<Job> = table.pieces(Box);
    let split =
        |colour: &Colour| boxed.iter().filter(|job| job.colour() == *colour).count() % 4 > 0;
    if let Some(colour) = Colour::all().find(split) {
        return Some(format!("only a part of the {colour:?} stack is in the box"));
    }
    let people: Set<Person> = table.pieces(Box);
    let specialists = people.iter().filter(|card| !card.is_ringleader()).count();
    (![0, SPECIALISTS].contains(&specialists))
        .then(|| format!("{specialists} specialists are in the box"))
}

/// §8.23; drawn cards exist only while one of them is being chosen.
fn seat_error(table: &Table, seat: Seat) -> Option<String> {
    let own: Vec<Place> = own_places(seat).collect();
    let lost = |card: &Person| !own.iter().any(|&place| table.lies(*card, place));
    if let Some(card) = Person::ringleaders(seat.index()).find(lost) {
        return Some(format!("{card:?} has left seat {seat}"));
    }
    let keeps = table.decision(seat) == Some(Decision::Choose(Choice::Keep)) || table.ended();
    (!keeps && !table.is_bare(DrawnCards(seat)))
        .then(|| format!("seat {seat} has drawn cards and is not asked to keep one"))
}
