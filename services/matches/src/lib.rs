//! The use cases of the service: creating and playing matches, and reading what happened in them.
//!
//! The log alone decides what was accepted: an entry's key is its match and position, so of two
//! processes that record the same position one gets a conflict. A match in memory ([`live`]) is a
//! cache of its log, and any number of processes may serve one match.
//!
//! In reading order:
//!
//! - Who calls, and what a grant permits: [`caller`]. How much of it: [`budgets`], [`fair`].
//! - Matches in memory, how they are loaded, and how they are given up when the record went back:
//!   [`live`], [`rows`], [`lost`]. Whether their rows are the ones that were recorded: [`digests`].
//! - Writing: [`create`], [`display_names`], [`series`], [`play`], [`play_stream`], [`detached`],
//!   [`tags`], [`removal`]. For the seats that the service plays: [`bot_turns`].
//! - Reading one match: [`queries`], [`entries`], [`replay`], [`record`], [`reveal`]. Its players:
//!   [`casts`].
//! - The platform itself, and who signs in for it: [`platforms`].
//! - Reading across matches: [`players`], [`search`]. Who plays next: [`lobby`], [`seeks`].
//! - All of a platform's entries as a stream: [`stream`], [`subscribe`]. Those that the service
//!   sends to an endpoint: [`push`], [`pusher`].

mod bot_turns;
mod budgets;
mod caller;
mod casts;
mod contributions;
mod create;
mod detached;
mod digests;
mod display_names;
mod entries;
mod erasing;
mod error;
mod fair;
#[cfg(test)]
mod fixtures;
mod live;
mod lobby;
mod lost;
mod now;
mod platforms;
mod play;
mod play_stream;
mod players;
mod push;
mod pusher;
mod queries;
mod record;
mod removal;
mod replay;
mod reveal;
mod rows;
mod search;
mod seeks;
mod series;
mod stream;
mod subscribe;
mod tags;
mod timeouts;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

pub use bot_turns::{BOT_DECISIONS, BotDue, BotOptions, BotPlayers};
pub use budgets::{Budgets, Limits, NamedLimit};
pub use caller::{Caller, Grant, RequestedViewer};
pub use casts::Cast;
pub use create::{Joined, NewMatch, NewPlayer};
pub use entries::{EntryStream, RedactedEntry, Stamp};
pub use error::Error;
pub use now::{SimulatedTime, simulate_time};
pub use platforms::{LimitState, PlatformState};
pub use play::{Action, NewSubstitute};
pub use play_stream::{ActionStream, Expected, Submission, Submitted};
pub use projector::{
    ConsistencyToken, Cursor, Filter, Holding, League, Model, Opponent, Outcome, Player,
    Projection, Standing, StandingCursor, State,
};
pub use push::{Delivery, DeliveryPage, NewPush, PushPart, Test};
pub use pusher::{Options as PushOptions, PUSH_ATTEMPTS, PUSH_ENTRIES, Service as PushService};
pub use queries::{AsOf, LegalActions, LegalFilter, Summary, SummaryPage, View};
pub use record::{Record, RecordPages};
pub use replay::ReplaySpeed;
pub use reveal::Reveal;
pub use rows::{PastPlayer, SeatedPlayer};
pub use search::{Search, SearchCursor, SearchPage};
pub use seeks::{NewSeek, Seating, Seek, SeekCursor, SeekError};
pub use series::{Series, SeriesError};
pub use store::{
    BUCKETS, Claims, Digest, DigestStart, Heads, LobbyFilter, Mark, Marks, MatchId, Position,
    TAGS_MAX, Tags, WebhookState,
};
pub use store::{DueMatch, Outage};
pub use stream::{Batch, BatchStream, EntryFilter, StreamError, StreamStart, StreamTiming};
pub use subscribe::{NewSubscription, Subscription, SubscriptionPage};

use live::LiveMatches;
pub use live::{MemoryUse, opened_at};
use now::now;

#[derive(Clone, Debug)]
pub struct Options {
    /// How much memory matches may take while nothing uses them. A match takes about ten kilobytes.
    pub cache_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { cache_bytes: 256 << 20 }
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
        tokio::spawn(lost::report(store.clone(), sink.0.clone(), drain.clone()));
        tokio::spawn(removal::follow(store.clone(), sink.0.clone(), drain.clone()));
        let budgets = Budgets::new(store.readers_max());
        Matches(Arc::new(Inner {
            store,
            writer,
            follower,
            projector,
            live: sink.0,
            budgets,
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
        Sink(Arc::new(LiveMatches::new(options.cache_bytes)))
    }

    /// How the memory for matches is used.
    pub fn memory_use(&self) -> MemoryUse {
        self.0.memory_use()
    }

    /// Applies entries that another process recorded. Matches not in memory are skipped.
    pub fn deliver(&self, entries: &[(MatchId, store::Recorded)]) {
        for (match_id, recorded) in entries {
            if let Some(live) = self.0.peek(*match_id) {
                live.apply_remote(recorded);
                if live.has_ended() {
                    self.0.ended(&live);
                } else if live.has_bots() {
                    self.0.bots.add_remote(&live);
                }
            }
        }
    }
}
