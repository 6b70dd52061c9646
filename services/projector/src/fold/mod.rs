//! Matches folded from their entries, without I/O. Every read model is written from them.

mod state;
mod unreadable;

pub(crate) use state::MatchState;
pub(crate) use unreadable::Unreadable;
