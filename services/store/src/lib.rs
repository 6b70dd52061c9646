//! The event store: every accepted action, once, in order, in Postgres.
//!
//! # Contract
//!
//! - An entry that [`append::Handle::append`] reports as recorded is durable and never changes.
//! - Within a match, positions run 1, 2, 3 … An entry is added only directly after the position
//!   that its action was decided on; otherwise the append is a [`Append::Conflict`].
//! - Within a [`Bucket`], across its matches, bucket positions have no gaps and follow commit
//!   order. A reader that continues after the last bucket position it read misses nothing.
//! - Nothing is added to a record that went back before that is noticed: see [`Epoch`].
//! - Any number of processes may read and write at once. The keys of the tables decide races; this
//!   crate takes no locks.
//!
//! # Reading order
//!
//! 1. `migrations/0001_record.sql`: the tables give the guarantees, this crate only relies on them.
//! 2. [`append`], the only way to add an entry, and [`Store::entries`], the usual way to read them.
//! 3. [`follow`], which delivers the entries that other processes add, and [`hints`], which make it
//!    look at once.
//! 4. What surrounds the entries: matches and seats ([`Store::create`], [`Store::take_seat`]), tags
//!    ([`Store::tag`]), platforms with their keys ([`Store::create_platform`], [`Credentials`]) and
//!    limits ([`Store::platform_limits`]), subscriptions ([`Store::lease`]) and the
//!    endpoints that they are sent to ([`Store::plan_webhook`]).
//! 5. The exceptions to a record that is written once: deleting a match that was never dealt
//!    ([`Store::delete_open`]), reducing one that ended long ago to its result ([`Retention`]), and
//!    moving what its entries say to an object store ([`Archiving`], [`ColdStore`]).
//!
//! The crate does not interpret entries: a body is bytes, and what it means is the business of the
//! crate `table`.

pub mod append;
mod archived;
mod batch;
mod bots;
mod bucket;
mod cold;
mod connect;
mod contributions;
mod copy;
mod credentials;
mod deletion;
mod digest;
mod display_names;
mod distribution;
mod durability;
mod erasures;
mod error;
pub mod follow;
pub mod hints;
mod hosts;
mod limits;
mod lobby;
mod marks;
mod matches;
mod migrations;
mod nodes;
mod platforms;
pub mod probe;
mod read;
mod retention;
mod scan;
mod seeks;
mod series;
mod shards;
mod sign_ins;
mod snapshots;
mod stream;
mod subscriptions;
mod tags;
mod timeouts;
mod watch;
mod webhooks;

pub use append::{Append, AppendError, Draft, Substitute, jittered};
pub use archived::{ArchiveCandidate, ArchiveState, Archived, Archiving, Emptied, Verified};
pub use bots::{BOT_MARK, BotMatch, bot_id, level_of};
pub use bucket::{BUCKETS, Bucket, NoSuchBucket};
pub use cold::{ColdStore, ColdStoreError, Content, pack};
pub use connect::{Options, QUERY_CONNECTIONS, Store};
pub use contributions::Contributed;
pub use copy::Copied;
pub use credentials::{
    CredentialChanges, Credentials, PlatformKey, PlatformRow, PlayerHash, PlayerRevocation,
    TokenKey, TokenRevocation,
};
pub use deletion::{Deletion, RemovalReader, Removals};
pub use digest::{Chain, Creation, Digest, DigestKey, Digested, hex};
pub use display_names::{Named, look_alike};
pub use distribution::{EVERYWHERE, distribution_of};
pub use durability::Hazard;
pub use erasures::{ErasedSeat, Erasure, ErasureChanges, Erasures};
pub use error::Error;
pub use hosts::UrlError;
pub use limits::LimitsRow;
pub use lobby::{LobbyFilter, LobbyRow};
pub use marks::{
    Claims, DigestStart, ENTRIES_LOST, Epoch, Mark, Marks, WENT_BACK, WentBack, positions,
};
pub use matches::{
    Created, FormerPlayer, HeldKey, Loaded, MadeFor, MatchRow, NewMatch, Origin, Place, SeatRow,
    Seating, Seed, ShownName, SpeechKey,
};
pub use migrations::Migration;
pub use nodes::{Node, OfNodes};
pub use platforms::{ApiKeyRow, ReceiptKey};
pub use read::{Heads, Recorded};
pub use retention::{AgedMatch, KeptResult, Reduced, Retention};
pub use scan::{Scan, Scanned};
pub use seeks::{FoundSeek, OpenSeek, SeekCreated, SeekRow};
pub use series::Follows;
pub use shards::OfMatches;
pub use sign_ins::SignIn;
pub use snapshots::{SNAPSHOT_INTERVAL, Snapshot};
pub use stream::{InScope, LastEntry, Scope, Streamed, Window, WindowEnds};
pub use subscriptions::{LEASE, Leased, SubscriptionRow};
pub use tags::{TAGS_MAX, Tagging, Tags};
pub use timeouts::{DueMatch, Outage};
pub use webhooks::{
    BucketFailure, BucketProgress, DeliveredPart, DeliveryRow, Plan, Rotation, SECRETS_MAX,
    Webhook, WebhookState,
};

use uuid::Uuid;

/// The id of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct MatchId(pub Uuid);

impl MatchId {
    /// `matches/{match}`, as the match is called wherever it is named.
    pub fn name(self) -> String {
        format!("matches/{}", self.0)
    }
}

/// The place of an entry within its match, counted from 1. [`Position::START`] is before the first
/// entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct Position(pub i64);

impl Position {
    pub const START: Self = Self(0);

    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}
