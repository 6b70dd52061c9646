//! The invariants of RIGS and cards.

use table::{Component, Piece, Small, Table};

use super::{
    colony::{capacity, owner, rigs_at, rigs_on},
    vocabulary::{Decision, DisasterCard, Place::*, Plot, Resource},
};

pub(super) fn check(table: &Table) -> Result<(), String> {
    let name = |piece: Piece| table.layout().piece_name(piece);
    for plot in Plot::all() {
        let rigs = |it| rigs_at(table, Spots(plot, it));
        if Resource::all().filter(|&it| rigs(it) > 0).count() > 1 {
            return Err(format!("the RIGS on {} harvest two resources", name(plot.into())));
        }
        if Resource::all().any(|it| rigs(it) > capacity(table, plot, it)) {
            return Err(format!("two RIGS share a spot of {}", name(plot.into())));
        }
        if rigs_on(table, plot).is_some() && owner(table, plot).is_none() {
            return Err(format!("{} has RIGS and no owner", name(plot.into())));
        }
    }
    for seat in table.seats() {
        let salvages = (seat, Decision::Salvage.into());
        let mut prompts = table.prompts().iter().map(|prompt| (prompt.seat, prompt.decision));
        if rigs_at(table, Wreck(seat)) > 0 && !prompts.any(|prompt| prompt == salvages) {
            return Err(format!("seat {seat} is not asked where its lost RIGS go"));
        }
        if table.pieces::<DisasterCard>(Front(seat)).len() > 1 {
            return Err(format!("seat {seat} has two disasters in front of it"));
        }
    }
    match table.pieces::<Piece>(DisasterDeck).iter().find(|&it| DisasterCard::of(it).is_none()) {
        Some(other) => Err(format!("{} is in the disaster deck", name(other))),
        None => Ok(()),
    }
}
