//! Drafts that wait to be written, and the receivers of their outcomes.

use std::sync::Arc;

use database::Node;
use positions::{BUCKETS, Bucket, Mark, Position, StreamId};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::draft::{Append, AppendError, Draft};
use super::peers::Answer;
use crate::Epoch;

/// By node of the database: the queue to the peer that writes for it; `None` if this process does.
pub(super) type Routes = Vec<Option<mpsc::Sender<Pending>>>;

/// An unanswered draft.
pub(super) struct Pending {
    pub(super) draft: Draft,
    pub(super) bucket: Bucket,
    /// The last entry of the bucket that the draft's peer knows, unless this process reported it:
    /// the log must still have it.
    pub(super) known: Option<Mark>,
    pub(super) reply: Reply,
    pub(super) deadline: Instant,
    /// How often the database rejected it while it was alone in its batch.
    pub(super) rejections: u8,
}

/// The receiver of a draft's outcome.
pub(super) enum Reply {
    Caller(oneshot::Sender<Result<Append, AppendError>>),
    /// The permit reserves a place for the answer: no more drafts are accepted from a peer that
    /// does not read its answers.
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
            pending.refuse(refusal);
        }
    }
}

impl Pending {
    pub(super) fn key(&self) -> (Bucket, StreamId, Position) {
        (self.bucket, self.draft.stream, self.draft.position)
    }

    /// Notes that an attempt to write it had no answer, so it may be recorded, now or shortly.
    pub(super) fn doubt(&mut self) {
        self.draft.epoch = Epoch::UNKNOWN;
    }

    /// Answers that nothing was recorded, unless an earlier attempt, or a peer, may have written
    /// it, or may still do so.
    pub(super) fn refuse(self, refusal: AppendError) {
        let is_doubtful = self.draft.epoch == Epoch::UNKNOWN;
        self.answer(Err(if is_doubtful { AppendError::Unknown } else { refusal }), 0);
    }

    /// Answers with the outcome, and with the entry's bucket position or 0 if it is unknown.
    pub(super) fn answer(self, outcome: Result<Append, AppendError>, bucket_position: i64) {
        self.reply.answer(outcome, bucket_position);
    }
}

impl Reply {
    pub(super) fn answer(self, outcome: Result<Append, AppendError>, bucket_position: i64) {
        // The caller may have stopped waiting.
        match self {
            Self::Caller(caller) => drop(caller.send(outcome)),
            Self::Peer { id, place } => {
                drop(place.send(Answer::new(id, outcome, bucket_position)));
            }
        }
    }
}
