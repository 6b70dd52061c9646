//! The use cases of the service: creating and playing matches, and reading what happened in them.
//!
//! The log alone decides what was accepted: an entry's key is its match and position, so of two
//! processes that record the same position one gets a conflict. A match in memory ([`live`]) is a
//! cache of its log, and any number of processes may serve one match.
//!
//! In reading order:
//!
//! - Who calls, and what a grant permits: [`caller`]. How much of it: [`budgets`], [`fair`].
//! - Matches in memory, and how they are loaded: [`live`], [`rows`].
//! - Writing: [`create`], [`play`], [`play_stream`], [`detached`], [`tags`].
//! - Reading one match: [`queries`], [`entries`], [`replay`], [`reveal`].
//! - Reading across matches: [`players`], [`search`].
//! - All of a platform's entries as a stream: [`stream`], [`subscribe`].

mod budgets;
mod caller;
mod create;
mod detached;
mod entries;
mod error;
mod fair;
#[cfg(test)]
mod fixtures;
mod live;
mod play;
mod play_stream;
mod players;
mod queries;
mod replay;
mod reveal;
mod rows;
mod search;
mod stream;
mod subscribe;
mod tags;

use std::sync::Arc;

use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

pub use budgets::{Budgets, Limits};
pub use caller::{Caller, Grant, RequestedViewer};
pub use create::{Joined, NewMatch};
pub use entries::{EntryStream, RedactedEntry};
pub use error::Error;
pub use play::Action;
pub use play_stream::{ActionStream, Submission, Submitted};
pub use projector::{
    ConsistencyToken, Cursor, Filter, Holding, League, Model, Opponent, Outcome, Player,
    Projection, Standing, StandingCursor, State,
};
pub use queries::{AsOf, LegalActions, Summary, SummaryPage, View};
pub use replay::ReplaySpeed;
pub use reveal::Reveal;
pub use search::{Search, SearchCursor, SearchPage};
pub use store::{Heads, MatchId, Position, TAGS_MAX, Tags};
pub use stream::{Batch, BatchStream, EntryFilter, StreamError, StreamStart, StreamTiming};
pub use subscribe::{NewSubscription, Subscription, SubscriptionPage};

use live::LiveMatches;

#[derive(Clone, Debug)]
pub struct Options {
    /// How many matches stay in memory when nothing uses them. A match takes a few kilobytes.
    pub cached_max: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { cached_max: 10_000 }
    }
}

/// Every use case of the service, over one store. Cheap to clone.
#[derive(Clone)]
pub struct Matches(Arc<Inner>);

struct Inner {
    store: store::Store,
    writer: store::append::Handle,
    follower: store::follow::Handle,
    projector: projector::Reader,
    live: Arc<LiveMatches>,
    budgets: Budgets,
    /// Cancelled when the service stops; streams then end with [`Error::ShuttingDown`].
    drain: CancellationToken,
}

impl Matches {
    /// `follower` must deliver the entries of other processes to `sink`.
    pub fn new(
        store: store::Store,
        writer: store::append::Handle,
        follower: store::follow::Handle,
        projector: projector::Reader,
        sink: Sink,
        drain: CancellationToken,
    ) -> Matches {
        Matches(Arc::new(Inner {
            store,
            writer,
            follower,
            projector,
            live: sink.0,
            budgets: Budgets::default(),
            drain,
        }))
    }

    pub fn store(&self) -> &store::Store {
        &self.0.store
    }
}

/// Receives the entries that other processes record, for the matches in memory. Cheap to clone.
#[derive(Clone)]
pub struct Sink(Arc<LiveMatches>);

impl Sink {
    pub fn new(options: &Options) -> Sink {
        Sink(Arc::new(LiveMatches::new(options.cached_max)))
    }

    /// How many matches are in memory.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// Applies entries that another process recorded. Matches not in memory are skipped.
    pub fn deliver(&self, entries: &[(MatchId, store::Recorded)]) {
        for (match_id, recorded) in entries {
            if let Some(live) = self.0.find(*match_id) {
                live.apply_remote(recorded);
            }
        }
    }
}

/// The current time, in microseconds, as the log stores it.
fn now() -> OffsetDateTime {
    let now = OffsetDateTime::now_utc();
    now.replace_microsecond(now.microsecond()).expect("microseconds of the same second")
}
