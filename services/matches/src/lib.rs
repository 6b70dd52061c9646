//! The use cases: create, join, play, look, recount, watch.
//!
//! A match in memory ([`live`]) is a cache and nothing more: the keys of the log decide what was
//! accepted, so any number of processes may serve one match. Read in this order: who asks
//! ([`caller`]), what is kept at hand ([`live`]), how a match comes about ([`create`]), how an
//! action is accepted ([`play`]) and many of them are ([`play_stream`]), what can be looked at
//! ([`queries`]) and recounted ([`entries`], [`replay`]), what a platform notes about its matches
//! ([`tags`]), what is asked across them ([`players`], [`search`]), and all that they have to tell
//! ([`stream`], [`subscribe`]).

mod caller;
mod create;
mod detached;
mod entries;
mod error;
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
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub use caller::{Caller, Grant, Wanted};
pub use create::{Joined, NewMatch};
pub use entries::{EntryStream, RedactedEntry};
pub use error::Error;
pub use play::Action;
pub use play_stream::{ActionStream, Submission, Submitted};
pub use projector::{
    ConsistencyToken, Cursor, Filter, Holding, League, Model, Opponent, Outcome, Player,
    Projection, Standing, StandingCursor, State,
};
pub use queries::{LegalActions, Moment, Summary, SummaryPage, View};
pub use replay::Pace;
pub use reveal::Reveal;
pub use search::{Search, SearchCursor, SearchPage};
pub use store::{Heads, MatchId, Position, TAGS_MAX, Tags};
pub use stream::{Batch, BatchStream, Broken, Choice, Start, Terms};
pub use subscribe::{NewSubscription, Subscription, SubscriptionPage};

use live::LiveMatches;

#[derive(Clone, Debug)]
pub struct Options {
    /// How many matches stay in memory although nobody watches them. A match is a few kilobytes.
    pub cached_max: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { cached_max: 10_000 }
    }
}

/// Every use case of the service, over one log. Cheap to clone.
#[derive(Clone)]
pub struct Matches(Arc<Inner>);

struct Inner {
    store: store::Store,
    writer: store::append::Handle,
    follower: store::follow::Handle,
    projector: projector::Reader,
    live: Arc<LiveMatches>,
    in_flight: Semaphore,
    /// Cancelled when the service stops: streams end with [`Error::ShuttingDown`].
    drain: CancellationToken,
}

impl Matches {
    /// `follower` delivers to [`Matches::sink`] what other processes recorded.
    pub fn new(
        store: store::Store,
        writer: store::append::Handle,
        follower: store::follow::Handle,
        projector: projector::Reader,
        live: Sink,
        drain: CancellationToken,
    ) -> Matches {
        let in_flight = Semaphore::new(play::IN_FLIGHT_MAX);
        Matches(Arc::new(Inner {
            store,
            writer,
            follower,
            projector,
            live: live.0,
            in_flight,
            drain,
        }))
    }

    pub fn store(&self) -> &store::Store {
        &self.0.store
    }
}

/// The matches in memory, as the follower of the log knows them: where entries of other processes
/// go.
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

    /// Lets entries that another process recorded take effect on the matches in memory.
    pub fn deliver(&self, entries: &[(MatchId, store::Recorded)]) {
        for (match_id, recorded) in entries {
            if let Some(live) = self.0.find(*match_id) {
                live.apply_remote(recorded);
            }
        }
    }
}

/// The clock, as precise as the log keeps it.
fn now() -> OffsetDateTime {
    let now = OffsetDateTime::now_utc();
    now.replace_microsecond(now.microsecond()).expect("a microsecond of the same second")
}
