//! Entries to be recorded, and their outcomes.

use std::time::Duration;

use bytes::Bytes;
use database::Reading;
use positions::{Digest, Position, StreamId};
use time::OffsetDateTime;

use crate::Epoch;

/// An entry that is not recorded yet.
#[derive(Clone, Debug)]
pub struct Draft {
    pub stream: StreamId,
    /// One more than the position on which the action was decided. A caller waits for the answer to
    /// one draft of a stream before it sends the next.
    pub position: Position,
    /// At most [`REQUEST_ID_MAX`] bytes.
    pub request_id: Option<String>,
    /// Stored in whole microseconds, the resolution of Postgres.
    pub create_time: OffsetDateTime,
    /// At most [`BODY_MAX`] bytes.
    pub body: Bytes,
    /// The digest of the entry on which the action was decided; `None` for a stream's first entry.
    pub before: Option<Digest>,
    pub digest: Digest,
    /// The epoch in which the state for the decision was read.
    pub epoch: Epoch,
    /// The argument of [`Tables::companion`](crate::Tables::companion), which the statement that
    /// records the entry calls: both take effect, or neither does.
    pub companion: Option<Box<str>>,
    pub premise: Premise,
}

/// What must still hold when an entry is recorded, besides the entries before it.
#[derive(Clone, Debug, Default)]
pub struct Premise {
    /// The shared time at which it was decided: the database must agree, so that no process whose
    /// time is off, or that was suspended, records anything under a wrong time.
    pub decided: Option<Reading>,
    /// The right by which it is recorded; `None` for what needs none.
    pub right: Option<Right>,
}

/// A right that must hold when an entry is recorded, as the database knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Right {
    /// An argument of [`Rights::hold`](crate::Rights::hold).
    pub text: Box<str>,
    /// The right was checked against all that transactions before this one have ended. 0 if it was
    /// not checked.
    pub since: i64,
}

/// The outcome of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Append {
    /// The draft is durably recorded, perhaps by an earlier attempt whose answer was lost.
    Recorded,
    /// Another entry has its position, or its predecessor is not the entry on which it was decided.
    /// Read the stream's last entries and decide again.
    Conflict,
    /// Nothing was recorded: the database's clock contradicts the time of the decision. Wait until
    /// the shared time is known, and decide again.
    Untimely,
    /// Nothing was recorded: the right by which it was to be recorded has ended.
    RightEnded,
}

/// Why the outcome of an append is unknown, or why it was not tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// Nothing was recorded.
    #[error("too many actions are waiting to be recorded")]
    Busy,
    /// The draft may be recorded, now or shortly. Retry with the same request id.
    #[error("it is not known whether the entry was recorded")]
    Unknown,
    /// The draft may be recorded, but the database reports a full disk. Retry with the same request
    /// id when it has space again.
    #[error("the database has no space left, and it is not known whether the entry was recorded")]
    Full,
    /// Nothing was recorded: this process is shutting down.
    #[error("this process is shutting down and records nothing more")]
    Closed,
    /// Nothing was recorded: the draft exceeds a limit of its fields. It is refused early, because
    /// it would fail its whole batch.
    #[error("the action exceeds a limit and cannot be recorded")]
    Invalid,
    /// Nothing was recorded: the database rejects the entry or its companion, alone and when
    /// repeated. A mistake of this program or of the database, which is logged.
    #[error("the database rejects the entry, and nothing was recorded")]
    Refused,
}

/// The maximum number of entries in a batch. Larger batches cost as much per entry, and callers
/// wait longer.
pub const BATCH_MAX: usize = 1000;
/// The maximum length of a request id in bytes: enough for any common identifier, but not for
/// content.
pub const REQUEST_ID_MAX: usize = 256;
/// How far the time of a decision may be from the database's: more than a statement takes to reach
/// it.
pub const TIME_ERROR_MAX: Duration = Duration::from_secs(3);
/// The maximum size of a body in bytes. A usual entry has 60, the largest set-up a few thousand. A
/// full batch of the largest bodies still fits in one statement.
pub const BODY_MAX: usize = 65_536;

impl Draft {
    pub(super) fn is_valid(&self) -> bool {
        let request_id = self.request_id.as_deref().unwrap_or_default();
        self.position > Position::START
            && self.body.len() <= BODY_MAX
            && request_id.len() <= REQUEST_ID_MAX
            // Postgres allows no zero byte in a text.
            && !request_id.contains('\0')
    }
}
