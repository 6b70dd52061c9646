//! What a browser is told.

use positions::Position;
use table::Seat;

use crate::summary::Summary;

/// A turn that has begun and is not over.
#[derive(Clone, Debug)]
pub struct PushTurn {
    pub seat: Seat,
    /// The entry that asked the seat.
    pub position: Position,
    /// The match as everybody may see it.
    pub summary: Summary,
}

/// A message to a browser.
#[derive(Clone, Debug)]
pub struct PushNotice {
    /// A BCP 47 tag.
    pub language: String,
    /// Names what is told: a message with the same tag takes the place of another one.
    pub tag: String,
    /// At least one.
    pub turns: Vec<PushTurn>,
}

/// Writes what a message says: JSON. It is shown on locked screens, so it says only what everybody
/// at the table knows.
pub type PushContent = fn(&PushNotice) -> Vec<u8>;
