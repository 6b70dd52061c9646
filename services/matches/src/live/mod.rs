//! Matches in memory, each a cache of its log: loaded on first use, advanced by entries, and
//! dropped when memory is short.

mod apply;
mod bot_queue;
mod cache;
mod current;
mod head;
mod live_match;
mod loading;
mod log;
mod pages;
mod past;
mod reduced;
mod refresh;
mod roles;
mod seats;
mod sink;
mod snapshots;
mod state;
mod told;
mod too_long;
mod unsaved;

pub(crate) use bot_queue::{BotQueue, QUEUE_MAX};
pub use cache::MemoryUse;
pub(crate) use current::Source;
pub(crate) use head::Head;
pub use head::opened_at;
pub(crate) use live_match::{LiveMatch, RequestStatus};
pub(crate) use loading::LiveMatches;
pub(crate) use pages::{PAGE_MAX, Pages};
pub(crate) use roles::Hold;
pub use sink::{Options, Sink};
