//! Karma cards (§12), which interrupt everything else and are resolved first.
//!
//! A card is played on an [`Aim`](super::actions::Aim). While it is resolved it is on the stage,
//! and marks record its player and its target; cards that redirect a Sabotage follow it there.

// Where cards are.
pub(super) mod hands;

pub(super) mod stage;

pub(super) mod in_play;

// Their effects.
mod destruction;

mod wealth;

mod protection;

pub(super) mod sabotage;

pub(super) mod play;
