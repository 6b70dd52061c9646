//! The parts of a table that a viewer does not know, for sampling.

use super::fold::{Table, UNSEEN};
use crate::{BackId, Piece, PlaceId, Small, Viewer, Viewers};

impl Table {
    /// A house's table with everything that this viewer sees. Unknown pieces have no place yet, and
    /// hidden purses are empty.
    pub(crate) fn imagined(&self) -> Table {
        let only = match self.viewer {
            Viewer::Seat(seat) => Viewers::only(seat),
            Viewer::House | Viewer::Spectator => Viewers::NOBODY,
        };
        let known = (0..self.at.len()).map(|n| (Piece(n as u8), self.at[n]));
        let shown = known.filter(|&(_, at)| at != UNSEEN && !self.sees(at));
        let shown = shown.map(|(piece, _)| (piece, only)).collect();
        let mut table = Table { viewer: Viewer::House, unseen: Vec::new(), shown, ..self.clone() };
        table.detach();
        table
    }
    /// The pieces whose places the viewer does not know.
    pub(crate) fn unplaced(&self) -> impl Iterator<Item = Piece> {
        let unplaced = self.at.iter().enumerate().filter(|(_, at)| **at == UNSEEN);
        unplaced.map(|(n, _)| Piece(n as u8))
    }
    /// How many unseen pieces with a back each place holds, where the viewer can count them.
    pub(crate) fn unseen_with(&self, back: BackId) -> impl Iterator<Item = (PlaceId, usize)> {
        let here = self.unseen.iter().filter(move |it| it.1 == back);
        here.map(|it| (it.0, it.2.into()))
    }
    pub(crate) fn unseen_at(&self, place: PlaceId, back: BackId) -> usize {
        self.unseen_with(back).find(|it| it.0 == place).map_or(0, |it| it.1)
    }
    /// The places whose pieces the viewer cannot count.
    pub(crate) fn uncounted(&self) -> impl Iterator<Item = PlaceId> {
        self.layout.places_of(self.seats).map(|row| row.id).filter(|&place| !self.counts(place))
    }
    pub(crate) fn put_down(&mut self, piece: Piece, place: PlaceId) {
        self.at[piece.index()] = place;
    }
}
