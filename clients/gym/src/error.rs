//! What can be wrong with a call. Python raises a class of its own for each kind.

use table::Seat;

#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("there is no game {name:?}; there are {known}")]
    UnknownGame { name: String, known: String },
    #[error("{0}")]
    BadOptions(String),
    #[error("the match has ended: reset it, or begin another")]
    Ended,
    #[error("a match of {seats} seats has no seat {seat}; seats are counted from 0")]
    NoSuchSeat { seat: i64, seats: u8 },
    #[error(
        "{index} is not the index of a legal action: seat {seat} has {count} of them, counted from 0"
    )]
    IllegalAction { index: i64, seat: Seat, count: usize },
    #[error("match {nth} of the vector: {fault}")]
    OfVector { nth: usize, fault: Box<Fault> },
    #[error("{0}")]
    BadShape(String),
    #[error("the rules refuse the action: {0}")]
    Refused(String),
    #[error("{0}")]
    NoRecord(String),
    #[error("{0}")]
    BadRecord(String),
}
