//! A leased bucket, and the attempts to send what is planned for it.

use std::collections::{HashSet, VecDeque};

use positions::{Bucket, Mark, Term};
use tokio::task::AbortHandle;
use tokio::time::Instant;
use webhooks::Attempt;

use super::messages::WebhookMessage;

/// A bucket that is leased.
pub(super) struct LeasedBucket {
    /// The end of the stored plan.
    pub planned: Option<i64>,
    /// How often the plan has failed.
    pub attempts: u32,
    /// When the plan is due.
    pub due: Instant,
    /// The ids of the plan's messages that the endpoint has taken.
    pub taken: HashSet<String>,
    pub round: Option<Round>,
    /// Whether the position or the plan has changed since it was stored.
    pub is_unsaved: bool,
}

/// An attempt to send the messages of a plan.
pub(super) struct Round {
    pub until: Mark,
    pub waiting: VecDeque<Outgoing>,
    pub sending: Vec<(String, AbortHandle)>,
    pub failure: Option<String>,
    /// The term of which its only message tells; the bucket stays where it is.
    pub tells: Option<Term>,
}

/// A message to send.
pub(super) struct Outgoing {
    /// The bucket whose plan it belongs to.
    pub bucket: Bucket,
    pub message: WebhookMessage,
    pub attempt: u32,
}

/// The result of an attempt to send a message.
pub(super) struct Sent {
    pub outgoing: Outgoing,
    pub url: String,
    pub attempt: Attempt,
}

impl LeasedBucket {
    /// The plan is complete.
    pub fn move_on(&mut self) {
        self.planned = None;
        self.attempts = 0;
        self.due = Instant::now();
        self.taken.clear();
        self.is_unsaved = true;
    }
}

impl Round {
    pub fn abort(&self) {
        self.sending.iter().for_each(|(_, task)| task.abort());
    }
}
