//! Batches of entries, and streams of them.

use std::future::ready;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::{Stream, StreamExt};
use positions::{Bookmark, Position};
use rows::{MatchId, RedactedEntry};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::error::Error;
use crate::summary::Summary;
use crate::went_back::RecordWentBack;

#[derive(Clone, Copy, Debug)]
pub struct StreamTiming {
    /// How long a stream is silent before it sends an empty batch.
    pub heartbeat: Duration,
    /// How long the client may take to accept a batch.
    pub take_wait: Duration,
}

/// An entry of a stream.
#[derive(Clone, Debug)]
pub struct StreamedEntry {
    pub entry: RedactedEntry,
    /// In a player's stream, whether the player has the seat after the entry: not in entries from
    /// before the player took it over, nor in the one by which another player did.
    pub is_seated: bool,
    /// The match after its last entry, in a stream whose filter asks for ends.
    pub result: Option<Box<Summary>>,
}

/// Some entries of a stream; a heartbeat has none, nor has a notice that the record went back.
#[derive(Clone, Debug)]
pub struct Batch {
    pub entries: Vec<StreamedEntry>,
    /// Entries among them that this release cannot read, and that the stream skips.
    pub unreadable: Vec<(MatchId, Position)>,
    /// Entries that were sent before are void. What the record has instead comes next.
    pub went_back: Option<RecordWentBack>,
    /// The position after these entries, to resume from.
    pub at: Bookmark,
}

/// Why a stream ended, and the position to resume from.
#[derive(Debug)]
pub struct StreamError {
    pub error: Error,
    pub at: Bookmark,
}

impl Batch {
    pub(super) fn empty(at: Bookmark) -> Batch {
        Batch { entries: Vec::new(), unreadable: Vec::new(), went_back: None, at }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len() + self.unreadable.len()
    }
}

pub type BatchStream = Pin<Box<dyn Stream<Item = Result<Batch, StreamError>> + Send>>;

/// A source of batches.
pub(crate) trait BatchSource: Send + 'static {
    fn next(&mut self) -> impl Future<Output = Result<Batch, Error>> + Send;
    /// The position to resume from before the first batch.
    fn at(&self) -> Bookmark;
    /// Called once when the stream ends, for any reason.
    fn close(self) -> impl Future<Output = ()> + Send;
}

/// A batch that the client has not taken yet, and that the source may withdraw.
#[derive(Clone)]
struct Offer(Arc<Mutex<Option<Batch>>>);

impl Offer {
    fn new(batch: Batch) -> Offer {
        Offer(Arc::new(Mutex::new(Some(batch))))
    }

    fn take(&self) -> Option<Batch> {
        self.0.lock().expect("no holder of this lock panics").take()
    }
}

/// Runs `source` in a task of its own and returns its batches as a stream. The source reads a batch
/// only after the client has taken the one before, so a stream holds one batch, besides what its
/// connection buffers. If the client does not take it for `take_wait`, it is dropped, and the
/// client gets [`Error::SlowConsumer`] and must resume.
///
/// `open` is dropped when the stream ends.
pub(crate) fn spawn_stream<Open: Send + 'static>(
    mut source: impl BatchSource,
    take_wait: Duration,
    open: Open,
) -> BatchStream {
    let (sender, receiver) = mpsc::channel(1);
    #[expect(clippy::disallowed_methods, reason = "it ends with the stream")]
    tokio::spawn(async move {
        let _open = open;
        let mut at = source.at();
        let error = loop {
            let batch = tokio::select! {
                () = sender.closed() => break None,
                batch = source.next() => batch,
            };
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => break Some(error),
            };
            let (next_at, offer) = (batch.at.clone(), Offer::new(batch));
            if sender.send(Ok(offer.clone())).await.is_err() {
                break None;
            }
            // There is room again once the client has taken the batch.
            let taken = tokio::time::timeout(take_wait, sender.reserve()).await;
            match taken.map(|room| room.is_ok()) {
                Ok(true) => at = next_at,
                Ok(false) => break None,
                Err(_) if offer.take().is_some() => break Some(Error::SlowConsumer),
                // It was taken just now.
                Err(_) => at = next_at,
            }
        };
        // Before the error is sent, so that other consumers can take over at once.
        source.close().await;
        if let Some(error) = error {
            let _ = sender.send(Err(StreamError { error, at })).await;
        }
    });
    let taken =
        |offered: Result<Offer, StreamError>| ready(offered.map(|offer| offer.take()).transpose());
    Box::pin(ReceiverStream::new(receiver).filter_map(taken))
}

#[cfg(test)]
mod tests {
    use positions::{BUCKETS, Mark, Term};

    use super::*;

    /// Sends numbered batches; the position of bucket 0 is the number.
    struct Numbers {
        sent: i64,
        closed: Option<tokio::sync::oneshot::Sender<()>>,
        fails_after: i64,
    }

    impl BatchSource for Numbers {
        async fn next(&mut self) -> Result<Batch, Error> {
            if self.sent == self.fails_after {
                return Err(Error::ShuttingDown);
            }
            self.sent += 1;
            Ok(Batch::empty(self.at()))
        }

        fn at(&self) -> Bookmark {
            let mut at = [Mark::default(); BUCKETS];
            at[0] = Mark::new(self.sent, None);
            Bookmark::of_all(Term::UNKNOWN, at)
        }

        async fn close(mut self) {
            self.closed.take().expect("it closes once").send(()).expect("the test waits");
        }
    }

    fn numbers(fails_after: i64) -> (Numbers, tokio::sync::oneshot::Receiver<()>) {
        let (closed, is_closed) = tokio::sync::oneshot::channel();
        (Numbers { sent: 0, closed: Some(closed), fails_after }, is_closed)
    }

    #[tokio::test]
    async fn an_error_ends_a_stream_with_the_position_of_the_last_batch() {
        use futures::StreamExt;
        let (source, is_closed) = numbers(2);
        let batches: Vec<_> = spawn_stream(source, Duration::from_secs(60), ()).collect().await;
        is_closed.await.expect("the source is closed");
        let at: Vec<i64> =
            batches.iter().flatten().map(|batch| batch.at.marks[0].position).collect();
        assert_eq!(at, [1, 2]);
        let Some(Err(StreamError { error: Error::ShuttingDown, at })) = batches.last() else {
            panic!("the error of the source comes last");
        };
        assert_eq!(at.marks[0].position, 2);
    }

    #[tokio::test]
    async fn a_client_that_accepts_no_batch_in_time_must_resume_after_the_last_one() {
        use futures::StreamExt;
        let (source, is_closed) = numbers(i64::MAX);
        let stream = spawn_stream(source, Duration::from_millis(1), ());
        is_closed.await.expect("the source is closed before the client reads");
        let batches: Vec<_> = stream.collect().await;
        let [Err(StreamError { error: Error::SlowConsumer, at })] = &batches[..] else {
            panic!("nothing is held for a client that was too slow");
        };
        assert_eq!(at.marks[0].position, 0);
    }

    #[tokio::test]
    async fn a_client_that_disconnects_closes_the_source() {
        let (source, is_closed) = numbers(i64::MAX);
        drop(spawn_stream(source, Duration::from_secs(60), ()));
        is_closed.await.expect("the source is closed");
    }
}
