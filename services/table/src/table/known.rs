//! A table from what its viewer knows, for clients that keep it in a form of their own.

use super::fold::{ScorePart, Table, UNSEEN};
use crate::{
    BackId, CoinId, DecisionId, Layout, MarkId, Offer, Piece, PlaceId, Prompt, Seat, Seats, Small,
    Viewer,
};

/// What a viewer knows of a table: all that a view of it tells.
#[derive(Default)]
pub struct Known {
    pub pieces: Vec<(Piece, PlaceId)>,
    /// How many unseen pieces of each back a place holds.
    pub unseen: Vec<(PlaceId, BackId, u8)>,
    pub purses: Vec<(PlaceId, CoinId, i32)>,
    pub marks: Vec<(MarkId, i16)>,
    pub round: u8,
    pub phase: u8,
    pub turn: Seat,
    pub prompts: Vec<Prompt>,
    pub offers: Vec<Offer>,
    /// By seat.
    pub scores: Vec<i32>,
    pub score_parts: Vec<ScorePart>,
    pub resigned: Seats,
    pub standing: Vec<(Seat, DecisionId)>,
    pub is_paused: bool,
    pub winners: Option<Seats>,
}

impl Table {
    /// The table of a viewer who knows this much. No view tells the votes, the contributions and
    /// how often a seat spoke, which no list of actions reads. Ids are of the layout.
    pub fn of_known(layout: &'static Layout, seats: u8, viewer: Viewer, known: Known) -> Table {
        let mut table = Table::new(layout, seats, viewer);
        table.at.fill(UNSEEN);
        for (piece, place) in known.pieces {
            table.at[piece.index()] = place;
        }
        table.unseen = known.unseen;
        table.unseen.sort_unstable();
        for (place, coin, amount) in known.purses {
            if let Some(purse) = layout.purse(place, coin) {
                table.coins[purse] = amount;
            }
        }
        for (mark, value) in known.marks {
            table.marks[layout.marks.row(mark)] = value;
        }
        for (score, known) in table.scores.iter_mut().zip(known.scores) {
            *score = known;
        }
        table.round = known.round;
        table.phase = known.phase;
        table.turn = known.turn;
        table.prompts = known.prompts;
        table.offers = known.offers;
        table.score_parts = known.score_parts;
        table.resigned = known.resigned;
        table.standing = known.standing;
        table.is_paused = known.is_paused;
        table.winners = known.winners;
        table
    }
}
