//! The contract's services, one per file. Each opens a call, parses its request, calls a use case
//! and renders the answer.
//!
//! Read in this order: how a call begins ([`calls`]) and how a stream ends ([`streaming`],
//! [`unread`], [`batches`]), then any service.

mod batches;
pub(crate) mod calls;
mod entries;
mod games;
mod history;
mod invitations;
mod matches;
mod modules;
mod platforms;
mod play;
mod players;
mod projections;
mod push;
mod search;
mod seeks;
mod streaming;
mod streams;
mod tokens;
mod unread;

pub(crate) use calls::Calls;
pub(crate) use entries::Entries;
pub(crate) use games::Games;
pub(crate) use history::History;
pub(crate) use invitations::Invitations;
pub(crate) use matches::MatchesService;
pub(crate) use modules::Modules;
pub use platforms::MetricsSource;
pub(crate) use platforms::Platforms;
pub(crate) use players::Players;
pub(crate) use projections::Projections;
pub(crate) use push::Pushes;
pub(crate) use search::Searches;
pub(crate) use seeks::Seeks;
pub(crate) use streams::Streams;
pub(crate) use tokens::Tokens;
pub(crate) use unread::Unread;
