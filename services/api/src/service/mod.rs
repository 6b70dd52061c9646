//! The contract's services, one a file: each turns a message into a request once, asks a use case, and renders the answer.

mod entries;
mod games;
mod matches;
mod tokens;

pub(crate) use entries::Entries;
pub(crate) use games::Games;
pub(crate) use matches::MatchesService;
pub(crate) use tokens::Tokens;
