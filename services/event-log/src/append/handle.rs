//! The callers' side of the writer.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use positions::Bucket;
use time::OffsetDateTime;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

use super::counters::{Counters, Statistics};
use super::draft::{Append, AppendError, Draft};
use super::queues::{Pending, Queues, Reply, Routes};

/// Accepts drafts.
#[derive(Clone)]
pub struct Handle {
    pub(super) queues: Queues,
    /// The destination of the drafts of each node of the database.
    pub(super) routes: watch::Receiver<Routes>,
    pub(super) counters: Arc<Counters>,
    pub(super) append_wait: Duration,
}

impl Handle {
    /// Records a draft. Once called, the draft is written even if the caller stops waiting.
    pub async fn append(&self, mut draft: Draft) -> Result<Append, AppendError> {
        if !draft.is_valid() {
            return Err(AppendError::Invalid);
        }
        draft.create_time = whole_micros(draft.create_time);
        let (reply, answer) = oneshot::channel();
        let bucket = Bucket::of(draft.stream);
        let began = Instant::now();
        let (reply, deadline) = (Reply::Caller(reply), began + self.append_wait);
        self.queue(Pending { draft, bucket, known: None, reply, deadline, rejections: 0 });
        let answer = answer.await.unwrap_or(Err(AppendError::Unknown));
        if answer == Err(AppendError::Busy) {
            self.counters.shed.fetch_add(1, Relaxed);
        }
        self.counters.append_seconds.record(began.elapsed());
        answer
    }

    /// Queues a draft for the peer that is preferred to write it, or here.
    fn queue(&self, pending: Pending) {
        let routes = self.routes.borrow();
        let refused = match routes.get(self.queues.node(pending.bucket)) {
            Some(Some(peer)) => peer.try_send(pending),
            _ => Err(TrySendError::Closed(pending)),
        };
        drop(routes);
        if let Err(TrySendError::Closed(pending) | TrySendError::Full(pending)) = refused {
            self.queues.push(pending);
        }
    }

    pub fn statistics(&self) -> Statistics {
        self.counters.statistics()
    }
}

fn whole_micros(time: OffsetDateTime) -> OffsetDateTime {
    time - Duration::from_nanos(u64::from(time.nanosecond() % 1000))
}
