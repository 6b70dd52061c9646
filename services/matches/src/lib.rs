//! The use cases of the service: creating and playing matches, and reading what happened in them.
//!
//! The log alone decides what was accepted: an entry's key is its match and position, so of two
//! processes that record the same position one gets a conflict. A match in memory is a cache of its
//! log, and any number of processes may serve one match (`tests/it/races.rs`).
//!
//! [`Matches`] has every use case. It is defined low, in `matches.rs`, with what all of them need:
//! the store, the matches in memory, the budgets. Every folder above adds the use cases of its
//! subject in an `impl Matches` of its own, so no folder needs to know those beside or above it.
//!
//! In reading order, each above those before it:
//!
//! - [`quiet`], [`error`], [`random`], [`detached`], [`presence`], [`attendance`], [`went_back`],
//!   [`happening`]: shared by everything.
//! - [`request`]: checks of request fields.
//! - [`access`]: callers, and how much each may use.
//! - [`live`]: matches in memory. [`summary`]: the public state of a match.
//! - [`matches`]: the state that every use case shares.
//! - [`installing`]: games that operators add by calls.
//! - [`accepting`]: how a command becomes the next entry of a match.
//! - [`finding`]: how a caller's request finds its match.
//! - [`playing`]: actions of seats, clocks and bots in a match.
//! - [`reading`]: queries, of one match and across matches.
//! - [`seating`]: how players get seats.
//! - [`feeds`]: entries of many matches, as streams, subscriptions and webhooks.
//! - [`platforms`]: a platform's own affairs.
//! - [`following`]: changes by other processes that affect the matches in memory.
//!
//! To follow an action, read `playing/submit.rs`, `finding.rs`, `accepting/accept.rs`,
//! `accepting/decide.rs` and `live/apply.rs`; a query, `reading/views.rs`, `finding.rs`,
//! `live/roles.rs` and `live/past.rs`; an erasure, `platforms/erasing.rs`, `live/cache.rs` and
//! `live/seats.rs`, and in other processes `following/erasures.rs`.
//!
//! # Invariants
//!
//! - Accepting an action completes without its caller: `detached::dropped_work_still_completes`.
//! - An answer is the same without a snapshot:
//!   `fairness::a_long_match_is_read_from_its_snapshots_wherever_it_is_cold`.
//! - An entry that cannot be read affects its match and no other:
//!   `unreadable::an_unreadable_match_affects_no_other_and_is_read_as_soon_as_it_can_be`.
//! - Platforms that wait for a slot are served in rotation
//!   (`fair::waiting_platforms_are_served_in_rotation`), and one platform always leaves a slot to
//!   another (`fair::a_platform_leaves_a_slot_to_another`).
//! - A module that failed lately computes on no thread that serves calls:
//!   `modules::a_module_that_failed_computes_on_no_thread_that_serves`.
//! - A client that does not read its `Play` stream blocks nobody else:
//!   `play_streams::a_client_that_does_not_read_blocks_nobody_else`.

mod accepting;
mod access;
mod attendance;
mod detached;
mod error;
mod feeds;
mod finding;
#[cfg(test)]
mod fixtures;
mod following;
mod happening;
mod installing;
mod live;
mod matches;
pub mod operators;
mod platforms;
mod playing;
mod presence;
mod quiet;
mod random;
mod reading;
mod request;
mod seating;
mod sent;
mod summary;
mod went_back;

pub use accepting::{ACTIONS_SHED, Action, ActionOf, Expected};
pub use access::{
    Budgets, Caller, CheckedRight, Grant, Invitation, Limits, NamedLimit, RequestedViewer, Slot,
};
pub use accounts::{ActFilter, ActRow, ApiKeyRow, PlatformRow};
pub use attendance::{Present, Rematch};
pub use error::{Error, SeekError, SeriesError, module_of};
pub use feeds::{
    Batch, BatchStream, Browser, BrowserCursor, Delivery, DeliveryPage, EntryFilter, NewBrowser,
    NewSubscription, NewWebhook, PUSH_MESSAGES, PushContent, PushNotice, PushOptions, PushService,
    PushTurn, StreamError, StreamStart, StreamTiming, StreamedEntry, Subscription,
    SubscriptionChanges, SubscriptionPage, TURN_WAIT, WEBHOOK_ATTEMPTS, WEBHOOK_ENTRIES,
    WebhookEntries, WebhookMessage, WebhookOptions, WebhookService, WebhookTest, WebhookWentBack,
};
pub use happening::Happening;
pub use installing::{MODULE_BYTES, NewGame, OperatorCaller, too_large};
pub use live::{MemoryUse, Options, Sink, opened_at};
pub use matches::Matches;
pub use platforms::{LimitState, MatchChanges, PlatformState, check_platform_name};
pub use playing::{
    ActionStream, BOT_DECISIONS, BotDue, BotOptions, BotPlayers, Submission, Submitted,
};
pub use presence::Watched;
pub use quiet::{QuietHours, QuietHoursError};
pub use reading::{
    AsOf, EntryStream, LegalActions, LegalFilter, Record, RecordPages, ReplaySpeed, Search,
    SearchCursor, SearchPage, Suggestions, SummaryPage, Told, View,
};
pub use rows::{Cast, PastPlayer, RedactedEntry, Reveal, SeatedPlayer, Series, Stamp};
pub use seating::{
    BatchError, Commitment, Giver, Joined, NewGuest, NewMatch, NewPlayer, NewSeek, NewSubstitute,
    SeatedGuest, Seating, Seek, SeekCursor,
};
pub use summary::Summary;
pub use went_back::{MatchWentBack, RecordWentBack};

pub use deliveries::WebhookState;
pub use device::Given;
pub use modules::admission::Progress;
pub use positions::{
    BUCKETS, Bookmark, Claims, Digest, DigestStart, Heads, Mark, Marks, Position, Term,
};
pub use projector::{
    ConsistencyToken, Cursor, Filter, Holding, League, Model, Opponent, Outcome, Player, Pool,
    Projection, PublicState, RatingChange, RatingCursor, Standing, StandingCursor, State,
};
pub use rows::{MatchId, TAGS_MAX, Tags};
pub use store::{DueMatch, LobbyFilter, ModuleRow, ModuleState, Outage};
