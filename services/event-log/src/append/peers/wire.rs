//! Messages between peers: drafts and their outcomes.

use std::io;

use bytes::Bytes;
use database::Reading;
use positions::{Digest, Mark, Position, StreamId, Term};
use time::OffsetDateTime;
use uuid::Uuid;

use super::channel::invalid;
use crate::Epoch;
use crate::append::draft::{Append, AppendError, Draft, Premise, Right};

/// The version of these messages. Only processes with the same version are peers.
pub(super) const PROTOCOL: i16 = 4;

/// The first message of each side of a connection.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub(super) struct Hello {
    /// The term of the sender's database.
    #[prost(int64, tag = "1")]
    term: i64,
}

/// A draft to record.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Request {
    /// Names the request in its answer. Never 0.
    #[prost(uint64, tag = "1")]
    pub id: u64,
    #[prost(bytes = "bytes", tag = "2")]
    stream: Bytes,
    #[prost(int64, tag = "3")]
    position: i64,
    #[prost(string, optional, tag = "4")]
    request_id: Option<String>,
    #[prost(int64, tag = "5")]
    create_time_us: i64,
    #[prost(bytes = "bytes", tag = "6")]
    body: Bytes,
    #[prost(bytes = "bytes", optional, tag = "7")]
    before: Option<Bytes>,
    #[prost(bytes = "bytes", tag = "8")]
    digest: Bytes,
    #[prost(string, optional, tag = "9")]
    companion: Option<String>,
    /// The last entry of the bucket that the sender knows: the log must still have it. `None` if
    /// the receiver itself reported that entry.
    #[prost(message, optional, tag = "10")]
    known: Option<Known>,
    /// Whether the log may have gone back since the action was decided.
    #[prost(bool, tag = "11")]
    pub is_doubtful: bool,
    /// What the database's clock shows at the moment, by the reading on which it was decided.
    #[prost(int64, optional, tag = "12")]
    database_time_us: Option<i64>,
    /// The right by which it is recorded.
    #[prost(string, optional, tag = "13")]
    right: Option<String>,
    #[prost(int64, tag = "14")]
    right_since: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Known {
    #[prost(int64, tag = "1")]
    bucket_position: i64,
    #[prost(bytes = "bytes", optional, tag = "2")]
    digest: Option<Bytes>,
}

/// The outcome of a draft. Without an id, it only shows that the peer is alive.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub(in crate::append) struct Answer {
    #[prost(uint64, tag = "1")]
    pub id: u64,
    #[prost(enumeration = "Outcome", tag = "2")]
    outcome: i32,
    /// Its bucket position, if known.
    #[prost(int64, tag = "3")]
    pub bucket_position: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, prost::Enumeration)]
enum Outcome {
    Unknown = 0,
    Recorded = 1,
    Conflict = 2,
    Busy = 3,
    Full = 4,
    Closed = 5,
    Invalid = 6,
    Untimely = 7,
    RightEnded = 8,
    Refused = 9,
}

impl Hello {
    /// Of a process that is in this term.
    pub fn of(term: Term) -> Self {
        Self { term: term.0 }
    }

    pub fn term(self) -> Term {
        Term(self.term)
    }
}

impl Request {
    pub fn new(id: u64, draft: &Draft, known: Option<Mark>, is_doubtful: bool) -> Self {
        let bytes = |it: &[u8]| Bytes::copy_from_slice(it);
        let known = known.map(|it| Known {
            bucket_position: it.position,
            digest: it.digest.map(|it| bytes(it.as_bytes())),
        });
        Self {
            id,
            stream: bytes(draft.stream.0.as_bytes()),
            position: draft.position.0,
            request_id: draft.request_id.clone(),
            create_time_us: micros(draft.create_time),
            body: draft.body.clone(),
            before: draft.before.map(|it| bytes(it.as_bytes())),
            digest: bytes(draft.digest.as_bytes()),
            companion: draft.companion.as_deref().map(str::to_owned),
            known,
            is_doubtful,
            database_time_us: draft.premise.decided.map(|it| micros(it.of_database_now())),
            right: draft.premise.right.as_ref().map(|it| it.text.clone().into_string()),
            right_since: draft.premise.right.as_ref().map_or(0, |it| it.since),
        }
    }

    /// The draft, to be written in `epoch`, and the mark that the log must have.
    pub fn into_draft(self, epoch: Epoch) -> io::Result<(Draft, Option<Mark>)> {
        let digest = |it: Bytes| <[u8; 32]>::try_from(&it[..]).map(Digest::from).map_err(invalid);
        let known = self.known.map(|it| -> io::Result<Mark> {
            Ok(Mark::new(it.bucket_position, it.digest.map(digest).transpose()?))
        });
        let decided = self.database_time_us.map(time_of).transpose()?.map(Reading::told);
        let since = self.right_since;
        let right = self.right.map(|text| Right { text: text.into_boxed_str(), since });
        let draft = Draft {
            stream: StreamId(Uuid::from_slice(&self.stream).map_err(invalid)?),
            position: Position(self.position),
            request_id: self.request_id,
            create_time: time_of(self.create_time_us)?,
            body: self.body,
            before: self.before.map(digest).transpose()?,
            digest: digest(self.digest)?,
            epoch,
            companion: self.companion.map(String::into_boxed_str),
            premise: Premise { decided, right },
        };
        Ok((draft, known.transpose()?))
    }
}

impl Answer {
    pub const ALIVE: Self = Self { id: 0, outcome: Outcome::Unknown as i32, bucket_position: 0 };

    pub fn new(id: u64, result: Result<Append, AppendError>, bucket_position: i64) -> Self {
        let outcome = match result {
            Ok(Append::Recorded) => Outcome::Recorded,
            Ok(Append::Conflict) => Outcome::Conflict,
            Ok(Append::Untimely) => Outcome::Untimely,
            Ok(Append::RightEnded) => Outcome::RightEnded,
            Err(AppendError::Busy) => Outcome::Busy,
            Err(AppendError::Unknown) => Outcome::Unknown,
            Err(AppendError::Full) => Outcome::Full,
            Err(AppendError::Closed) => Outcome::Closed,
            Err(AppendError::Invalid) => Outcome::Invalid,
            Err(AppendError::Refused) => Outcome::Refused,
        };
        Self { id, outcome: outcome.into(), bucket_position }
    }

    pub fn result(&self) -> Result<Append, AppendError> {
        match self.outcome() {
            Outcome::Recorded => Ok(Append::Recorded),
            Outcome::Conflict => Ok(Append::Conflict),
            Outcome::Untimely => Ok(Append::Untimely),
            Outcome::RightEnded => Ok(Append::RightEnded),
            Outcome::Busy => Err(AppendError::Busy),
            Outcome::Unknown => Err(AppendError::Unknown),
            Outcome::Full => Err(AppendError::Full),
            Outcome::Closed => Err(AppendError::Closed),
            Outcome::Invalid => Err(AppendError::Invalid),
            Outcome::Refused => Err(AppendError::Refused),
        }
    }
}

fn micros(time: OffsetDateTime) -> i64 {
    (time.unix_timestamp_nanos() / 1000) as i64
}

fn time_of(micros: i64) -> io::Result<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1000).map_err(invalid)
}
