//! Drafts that wait to be written, and where their outcomes go.

use std::sync::Arc;

use database::Node;
use positions::{BUCKETS, Bucket, Mark, Position, StreamId};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::draft::{Append, AppendError, Draft};
use super::peers::Answer;
use crate::Epoch;

/// By node of the database: the queue to the peer that writes for it; none if this process does.
pub(super) type Routes = Vec<Option<mpsc::Sender<Pending>>>;

/// A draft that is not answered yet.
pub(super) struct Pending {
    pub(super) draft: Draft,
    pub(super) bucket: Bucket,
    /// The last entry of the bucket that the peer knows who decided on the draft, if this process
    /// has not told it of that entry: the log must still have it.
    pub(super) known: Option<Mark>,
    pub(super) reply: Reply,
    pub(super) deadline: Instant,
}

/// Where the outcome of a draft goes.
pub(super) enum Reply {
    Caller(oneshot::Sender<Result<Append, AppendError>>),
    /// The permit keeps a place for the answer: a peer that does not read its answers has no more
    /// drafts accepted.
    Peer {
        id: u64,
        place: mpsc::OwnedPermit<Answer>,
    },
}

/// The queues of the flushers, of which there is one for each node of the database.
#[derive(Clone)]
pub(super) struct Queues {
    queues: Arc<[mpsc::Sender<Pending>]>,
    /// By bucket.
    nodes: Arc<[usize; BUCKETS]>,
}

impl Queues {
    pub(super) fn new(queues: Vec<mpsc::Sender<Pending>>, nodes: &[Node]) -> Self {
        let mut of = [0; BUCKETS];
        for (n, node) in nodes.iter().enumerate() {
            node.buckets.iter().for_each(|bucket| of[bucket.index()] = n);
        }
        Self { queues: queues.into(), nodes: Arc::new(of) }
    }

    /// The node that has a bucket.
    pub(super) fn node(&self, bucket: Bucket) -> usize {
        self.nodes[bucket.index()]
    }

    /// How many nodes the database has.
    pub(super) fn nodes(&self) -> usize {
        self.queues.len()
    }

    /// Queues a draft, or answers that it cannot be queued.
    pub(super) fn push(&self, pending: Pending) {
        let queue = &self.queues[self.node(pending.bucket)];
        if let Err(error) = queue.try_send(pending) {
            let (pending, refusal) = match error {
                TrySendError::Full(pending) => (pending, AppendError::Busy),
                TrySendError::Closed(pending) => (pending, AppendError::Closed),
            };
            // What a peer may have written, or may write yet, is not refused.
            let is_doubtful = pending.draft.epoch == Epoch::UNKNOWN;
            pending.answer(Err(if is_doubtful { AppendError::Unknown } else { refusal }), 0);
        }
    }
}

impl Pending {
    pub(super) fn key(&self) -> (Bucket, StreamId, Position) {
        (self.bucket, self.draft.stream, self.draft.position)
    }

    /// Answers with the outcome, and with the entry's place in its bucket or 0 if that is not
    /// known.
    pub(super) fn answer(self, outcome: Result<Append, AppendError>, bucket_position: i64) {
        self.reply.answer(outcome, bucket_position);
    }
}

impl Reply {
    pub(super) fn answer(self, outcome: Result<Append, AppendError>, bucket_position: i64) {
        // Whoever asked may have stopped waiting.
        match self {
            Self::Caller(caller) => drop(caller.send(outcome)),
            Self::Peer { id, place } => {
                drop(place.send(Answer::new(id, outcome, bucket_position)));
            }
        }
    }
}
