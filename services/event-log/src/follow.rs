//! Follows the log: delivers entries of other processes as they are recorded.
//!
//! A bucket's head, polled about once a second, shows whether there are new entries.
//! [Hints](hints), sent after each commit, only reduce the delay.
//!
//! For each bucket the process keeps a *high-water mark*: it has written or read every entry up to
//! it. Each poll checks that the log still has the last entries that this process knows.
//!
//! If one of several nodes is unreachable, the others are still followed.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use database::{Error, pace};
use futures::future::BoxFuture;
use positions::{BUCKETS, Bucket, Mark, Recorded, StreamId};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::log::Shared;
use crate::{Log, Window};

/// Options of the follower.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The interval of polls, and thus the longest delay after a lost hint, in a process that is
    /// used.
    pub poll_wait: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { poll_wait: Duration::from_secs(1) }
    }
}

/// The follower. There is one per process.
///
/// It passes to its sink the new entries of each bucket that has an [`Interest`], in commit order,
/// each once. It skips entries that this process wrote, unless they are among unread entries of
/// other processes, or it reads them before the writer has raised the high-water mark. Delivery may
/// start with entries up to one poll older than the interest. So to follow a match, first register
/// an interest, then read the match, and ignore delivered entries that were already read.
pub struct Service {
    log: Log,
    options: Options,
    handle: Handle,
    sink: Box<Sink>,
    /// Buckets, as bits, whose heads were never read: their nodes have been unreachable since the
    /// start.
    unread: u64,
    /// Buckets, as bits, whose nodes were unreachable at the last poll.
    away: u64,
}

/// Registers interest in buckets.
#[derive(Clone)]
pub struct Handle {
    interests: Arc<[AtomicUsize; BUCKETS]>,
}

/// An interest in a bucket, withdrawn when dropped.
#[must_use]
pub struct Interest {
    bucket: Bucket,
    handle: Handle,
}

/// Entries read at a time.
const PAGE: i64 = 500;
/// With more changed buckets than this, reading all heads first is cheaper.
const HINTED_MAX: u32 = 8;
/// Hints within this time after a read of the heads are combined, so that a flood of hints costs at
/// most one read every few milliseconds.
const HINT_GAP: Duration = Duration::from_millis(5);
/// How often the term is read, and the database compared with the one that it was.
const TERM_WAIT: Duration = Duration::from_secs(2);

/// Takes the new entries of a bucket.
type Sink = dyn Fn(Bucket, Vec<(StreamId, Recorded)>) + Send + Sync;

impl Service {
    /// A follower that starts at the current end of the log.
    pub async fn new(
        log: &Log,
        options: Options,
        sink: impl Fn(Bucket, Vec<(StreamId, Recorded)>) + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let sink = Box::new(sink);
        log.settle_term().await?;
        let heads = log.heads_if_seen().await?;
        log.0.marks.raise(heads.found);
        let handle = Handle { interests: Arc::new([const { AtomicUsize::new(0) }; BUCKETS]) };
        let unread = bits(&heads.away);
        let mut service = Self { log: log.clone(), options, handle, sink, unread, away: 0 };
        service.report_away(unread);
        Ok(service)
    }

    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Follows until `drain` is cancelled.
    pub fn run(self, drain: CancellationToken) -> BoxFuture<'static, ()> {
        // Compiled here: docs/decisions/0054-code-that-rarely-runs-is-compiled-for-size.md
        Box::pin(self.follow(drain))
    }

    async fn follow(mut self, drain: CancellationToken) {
        let (log, listening) = (self.log.clone(), self.log.clone());
        let mut receiver = JoinSet::new();
        receiver.spawn(async move {
            let Shared { hints, database, terms, hinted, .. } = &*listening.0;
            hints.receive(database, terms, hinted).await;
        });
        let (poll_wait, term_wait) = (self.options.poll_wait, TERM_WAIT);
        let mut poll = pin!(pace::pause(poll_wait));
        let mut term = pin!(pace::pause(term_wait));
        let mut next_hints = Instant::now();
        loop {
            let read = tokio::select! {
                () = drain.cancelled() => return,
                Some(ended) = receiver.join_next() => {
                    return ended.expect("receiving does not panic");
                }
                changed = log.0.hinted.take_from(next_hints) => {
                    // Others are used.
                    pace::note_use();
                    let read = self.read_hinted(changed).await;
                    next_hints = Instant::now() + HINT_GAP;
                    read
                }
                () = &mut poll => {
                    let read = self.read_changed().await;
                    poll.set(pace::pause(poll_wait));
                    read
                }
                () = &mut term => {
                    let settled = log.settle_term().await.map(drop);
                    term.set(pace::pause(term_wait));
                    settled
                }
                () = log.0.terms.wanted() => log.settle_term().await.map(drop),
            };
            if let Err(error) = read {
                // No entry is lost: the next poll finds the same heads above the high-water marks.
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "new entries cannot be read, retrying"
                );
            }
        }
    }

    async fn read_hinted(&mut self, changed: u64) -> Result<(), Error> {
        // Receivers of high-water changes need the marks of all buckets, with or without an
        // interest.
        let needs_all = self.log.0.marks.has_receivers() || changed & self.unread != 0;
        if changed.count_ones() > HINTED_MAX || needs_all {
            return self.read_changed().await;
        }
        for bucket in Bucket::all().filter(|bucket| changed & bucket.bit() != 0) {
            if self.handle.has_interest(bucket) {
                self.read(bucket).await?;
            }
        }
        Ok(())
    }

    /// Reads the buckets whose heads have moved. For a bucket without an interest, raises the
    /// high-water mark and reads nothing.
    async fn read_changed(&mut self) -> Result<(), Error> {
        let heads = self.log.heads_if_seen().await?;
        self.report_away(bits(&heads.away));
        self.begin(&heads.found);
        let (read, raised): (Vec<_>, Vec<_>) =
            heads.found.into_iter().partition(|(bucket, _)| self.handle.has_interest(*bucket));
        self.log.0.marks.raise(raised);
        for (bucket, head) in read {
            if head.position > self.log.0.marks.get(bucket).position {
                self.read(bucket).await?;
            }
        }
        Ok(())
    }

    /// Starts at the heads of buckets that were not read before. Matches read since the node
    /// returned may be older, and entries in between are not delivered. So a new epoch begins, in
    /// which they are read again.
    fn begin(&mut self, heads: &[(Bucket, Mark)]) {
        let new: Vec<(Bucket, Mark)> =
            heads.iter().copied().filter(|(bucket, _)| self.unread & bucket.bit() != 0).collect();
        if new.is_empty() {
            return;
        }
        self.unread = new.iter().fold(self.unread, |bits, (bucket, _)| bits & !bucket.bit());
        let marks = &self.log.0.marks;
        marks.raise(new);
        marks.leave_epoch(marks.epoch());
    }

    fn report_away(&mut self, away: u64) {
        if std::mem::replace(&mut self.away, away) == away {
            return;
        }
        match away.count_ones() {
            0 => tracing::info!("all nodes of the database answer again"),
            count => tracing::warn!(
                buckets = count,
                "nodes of the database are away: the matches of {count} of {BUCKETS} buckets can \
                 be neither read nor written"
            ),
        }
    }

    /// Reads a bucket from its high-water mark to its head.
    async fn read(&self, bucket: Bucket) -> Result<(), Error> {
        loop {
            let mark = self.log.0.marks.get(bucket);
            // The entry at the mark is read again, to check that it still exists.
            let window = Window { bucket, after: mark.position - 1, until: mark.position + PAGE };
            let mut entries = self.log.entries_in(&[window]).await?;
            let continues = mark.position == 0 || {
                let first = entries.first().map(|(_, first)| first.mark());
                first.is_some_and(|first| {
                    first.position == mark.position
                        && (mark.digest.is_none() || mark.digest == first.digest)
                })
            };
            if !continues {
                // Reading the heads reports it; later entries are not delivered.
                self.log.heads_if_seen().await?;
                return Ok(());
            }
            entries.retain(|(_, entry)| entry.bucket_position > mark.position);
            let is_last_page = entries.len() < PAGE as usize;
            if let Some((_, last)) = entries.last() {
                self.log.0.marks.raise([(bucket, last.mark())]);
                (self.sink)(bucket, entries);
            }
            if is_last_page {
                return Ok(());
            }
        }
    }
}

/// A set of buckets.
fn bits(buckets: &[Bucket]) -> u64 {
    buckets.iter().fold(0, |bits, bucket| bits | bucket.bit())
}

impl Handle {
    /// Delivers new entries of the bucket from now on.
    pub fn interest(&self, bucket: Bucket) -> Interest {
        self.interests[bucket.index()].fetch_add(1, Relaxed);
        Interest { bucket, handle: self.clone() }
    }

    fn has_interest(&self, bucket: Bucket) -> bool {
        self.interests[bucket.index()].load(Relaxed) > 0
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        self.handle.interests[self.bucket.index()].fetch_sub(1, Relaxed);
    }
}
