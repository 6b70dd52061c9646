//! The rules as tests, and the invariants of every game.

use std::collections::BTreeMap;

use croupier_game::table::{
    ChaCha, Options, Rules, Seat, Table, Viewer, invariants, open, play,
};
use new_game::{
    NewGame,
    actions::Action,
    rules::Refusal,
    table::{Card, Place::*},
};

fn opened(seats: u8, seed: u8) -> Table {
    let options = Options::of::<NewGame>(&BTreeMap::new(), seats).expect("the defaults fit");
    open::<NewGame>(seats, &options, &[], &mut ChaCha::of([seed; 32], 1)).0
}

fn on_turn(table: &Table) -> Seat {
    table.live().next().expect("a seat is asked").seat
}

fn act(table: &Table, action: &Action) -> Table {
    let played = play::<NewGame>(table, on_turn(table), action, &mut ChaCha::of([7; 32], 2));
    played.expect("it is legal").0
}

/// Nobody learns what is hidden, no card is lost, seats can act, the match ends, and more.
#[test]
fn the_invariants_of_every_game_hold() {
    for seats in NewGame::SEATS {
        for seed in 0..20 {
            invariants::check::<NewGame>(seats, seed).unwrap_or_else(|broken| panic!("{broken}"));
        }
    }
}

/// §3.1
#[test]
fn a_turn_begins_with_a_card() {
    let table = opened(2, 1);
    assert_eq!(table.count(Row(on_turn(&table))), 1);
    assert_eq!(table.count(Deck), 23);
}

/// §3.2
#[test]
fn a_value_that_comes_twice_costs_the_row() {
    let busts = (0..20).filter(|&seed| {
        let mut table = opened(2, seed);
        let seat = on_turn(&table);
        while on_turn(&table) == seat {
            table = act(&table, &Action::Draw);
        }
        table.is_bare(Kept(seat)) && table.is_bare(Row(seat)) && table.count(Discard) > 1
    });
    assert_eq!(busts.count(), 20);
}

/// §3.3
#[test]
fn a_row_keeps_one_card() {
    let table = opened(2, 1);
    let seat = on_turn(&table);
    let card = table.pieces::<Card>(Row(seat)).iter().next().expect("it has a card");
    let dropped = play::<NewGame>(&table, seat, &Action::Drop { card }, &mut ChaCha::of([7; 32], 2));
    let refused = dropped.err().expect("it is refused");
    assert_eq!(refused.to_string(), Refusal::LastCard.to_string());
}

/// §1.2, §3.4
#[test]
fn only_its_seat_sees_what_is_kept() {
    let table = opened(2, 1);
    let seat = on_turn(&table);
    let table = act(&table, &Action::Keep);
    let seen = |viewer| table.seen_by(viewer).pieces::<Card>(Kept(seat)).len();
    assert_eq!((seen(Viewer::Seat(seat)), seen(Viewer::Spectator)), (1, 0));
    assert_ne!(on_turn(&table), seat);
}
