//! The model `matches`: the public state of each match, and searching for matches.

mod find;
mod summaries;

pub use find::{Cursor, Filter, FoundMatch, State};
pub(super) use summaries::Summaries;
pub use summaries::{PublicState, StoredState};
