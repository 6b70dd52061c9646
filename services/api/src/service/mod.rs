//! The contract's services, one a file: each turns a message into a request once, asks a use case, and renders the answer.

mod answers;
mod entries;
mod games;
mod history;
mod matches;
mod play;
mod players;
mod projections;
mod search;
mod streams;
mod tokens;

pub(crate) use entries::Entries;
pub(crate) use games::Games;
pub(crate) use history::History;
pub(crate) use matches::MatchesService;
pub(crate) use players::Players;
pub(crate) use projections::Projections;
pub(crate) use search::Searches;
pub(crate) use streams::Streams;
pub(crate) use tokens::Tokens;
