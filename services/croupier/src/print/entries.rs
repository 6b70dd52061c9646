//! Entries as commands print them.

use std::io;

use contract::v1::event::Kind;
use contract::v1::{Entry, GetEntryResponse};

use super::lines::{json, line, wrap};

/// Prints entries: sentences for people, lines of JSON for programs.
#[derive(Clone, Copy)]
pub struct Printer {
    pub json: bool,
}

impl Printer {
    pub fn print(self, entry: &Entry) -> io::Result<()> {
        if self.json {
            return print_entry(entry);
        }
        let head = format!("{:>4}  ", entry.position);
        line(&wrap(&head, &entry.text))
    }
}

/// Prints the same as `GET /v1/matches/{match}/entries/{position}` returns.
fn print_entry(entry: &Entry) -> io::Result<()> {
    json("GetEntryResponse", &GetEntryResponse { entry: Some(entry.clone()) })
}

/// Says that entries which were printed are void.
pub fn went_back(position: i32) {
    eprintln!("The database lost entries: what was printed after position {position} is void.");
}

/// Says that entries of one of several matches which were printed are void.
pub fn match_went_back(name: &str, position: i32) {
    eprintln!(
        "The database lost entries: what was printed of {name} after position {position} is void."
    );
}

/// Whether this entry ends the match.
pub fn ends(entry: &Entry) -> bool {
    entry.events.iter().any(|event| matches!(event.kind, Some(Kind::Ended(_))))
}
