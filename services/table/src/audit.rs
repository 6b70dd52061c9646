//! Checks entries from outside, such as those of a file, against the invariants of any recorded
//! match, under any version of its rules.

// A wildcard arm would treat future variants as sound.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::{Entry, Layout, OFFERED_MAX, OPEN, SEATS_MAX, Table, Viewer};

/// Folds a match's entries, for the house and for every other viewer, and checks each.
pub struct Audit {
    table: Table,
    seen: Vec<Table>,
}

/// Why an entry cannot be genuine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    #[error("a match begins with its opening and has only one")]
    Opening,
    #[error("it names a seat that the match does not have")]
    NoSuchSeat,
    #[error("it follows the end of the match")]
    AfterTheEnd,
    #[error("it loses or duplicates a piece")]
    PieceLost,
    #[error("it creates coins from nothing")]
    CoinsMade,
    #[error("it takes more coins than a place holds")]
    Overdrawn,
    #[error("it leaves more offers or contributions on the table than there can be")]
    TooMuch,
    #[error("its redacted form does not lead to the table that a viewer sees")]
    Redaction,
}

impl Audit {
    pub fn new(layout: &'static Layout, seats: u8) -> Audit {
        let table = |viewer| Table::new(layout, seats, viewer);
        Audit { table: table(Viewer::House), seen: Viewer::guests(seats).map(table).collect() }
    }

    /// An audit that starts at a table that is known to be sound: the house's.
    pub fn after(table: Table) -> Audit {
        let seats = table.seat_count() as u8;
        let seen = Viewer::guests(seats).map(|viewer| table.seen_by(viewer)).collect();
        Audit { table, seen }
    }

    /// The table after the entries so far.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Applies the next entry. After a violation the audit cannot continue.
    pub fn apply(&mut self, entry: &Entry, is_first: bool) -> Result<(), Violation> {
        let layout = self.table.layout();
        let must = |holds: bool, otherwise| if holds { Ok(()) } else { Err(otherwise) };
        must((entry.verb == OPEN && entry.seat.is_none()) == is_first, Violation::Opening)?;
        let seats = entry.seat.into_iter().chain(entry.prompts.iter().map(|prompt| prompt.seat));
        must(seats.into_iter().all(|seat| self.table.has_seat(seat)), Violation::NoSuchSeat)?;
        must(!self.table.ended(), Violation::AfterTheEnd)?;
        self.table.apply(entry);
        // A table takes bounded memory, so that an audit takes as long for each entry.
        let is_bounded = self.table.contributions().len() <= SEATS_MAX;
        must(is_bounded && self.table.offered() <= OFFERED_MAX, Violation::TooMuch)?;
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
