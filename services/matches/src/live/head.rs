//! The head of a match: its last entry and the table after it.

use std::sync::Arc;

use clocks::Clocks;
use positions::{Digest, Position};
use table::{Prompt, Seat, Table};
use time::OffsetDateTime;

/// The last entry's position and time, and the table after it.
#[derive(Clone)]
pub(crate) struct Head {
    pub position: Position,
    /// `None` before the deal.
    pub table: Option<Arc<Table>>,
    /// `None` in a match without clocks.
    pub clocks: Option<Arc<Clocks>>,
    pub update_time: Option<OffsetDateTime>,
    /// The digest of the last entry; before the first entry, that of the match as it was created.
    pub digest: Digest,
}

impl Head {
    /// The position of the entry that opened the prompt that a seat can answer now.
    pub fn prompt(&self, seat: Seat) -> Option<Position> {
        let prompt = self.table.as_ref()?.prompt(seat)?;
        Some(opened_at(prompt, self.position))
    }
}

/// The position of the entry that opened a prompt, given that the prompt is open at `position`.
pub fn opened_at(prompt: &Prompt, position: Position) -> Position {
    Position(position.0 - i64::from(prompt.age))
}
