//! Entries from elsewhere, held to what every recorded match keeps, whatever rules it was played
//! by.

// A wildcard arm would decide for variants that do not exist yet as sound.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::{Entry, Layout, OPEN, Table, Viewer};

/// The fold of a match's entries, as the house and as everyone else sees it.
pub struct Audit {
    table: Table,
    seen: Vec<Table>,
}

/// What no recorded entry does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    #[error("a match begins with its opening, and it has one only")]
    Opening,
    #[error("it is of a seat that the match does not have")]
    NoSuchSeat,
    #[error("it follows the end of the match")]
    AfterTheEnd,
    #[error("it loses or doubles a piece")]
    PieceLost,
    #[error("it makes coins out of nothing")]
    CoinsMade,
    #[error("it takes more coins than there are")]
    Overdrawn,
    #[error("what a viewer is told of it does not lead to what that viewer sees")]
    Redaction,
}

impl Audit {
    pub fn new(layout: &'static Layout, seats: u8) -> Audit {
        let table = |viewer| Table::new(layout, seats, viewer);
        Audit { table: table(Viewer::House), seen: Viewer::guests(seats).map(table).collect() }
    }

    /// The table after the entries so far.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Lets the next entry take effect. After a refusal the audit is of no further use.
    pub fn apply(&mut self, entry: &Entry, is_first: bool) -> Result<(), Violation> {
        let layout = self.table.layout();
        let must = |holds: bool, otherwise| if holds { Ok(()) } else { Err(otherwise) };
        must((entry.verb == OPEN && entry.seat.is_none()) == is_first, Violation::Opening)?;
        let seats = entry.seat.into_iter().chain(entry.prompts.iter().map(|prompt| prompt.seat));
        must(seats.into_iter().all(|seat| self.table.has_seat(seat)), Violation::NoSuchSeat)?;
        must(!self.table.ended(), Violation::AfterTheEnd)?;
        self.table.apply(entry);
        must(self.table.piece_count() == layout.pieces().len(), Violation::PieceLost)?;
        must(self.table.balance().iter().all(|&sum| sum == 0), Violation::CoinsMade)?;
        must(self.table.overdrawn().is_none(), Violation::Overdrawn)?;
        for seen in &mut self.seen {
            seen.apply(&entry.seen_by(seen.viewer(), layout));
            must(*seen == self.table.seen_by(seen.viewer()), Violation::Redaction)?;
        }
        Ok(())
    }
}
