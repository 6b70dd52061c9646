//! Writers, followers and streams to try the log with.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use event_log::append::{self, Append, Draft, Premise};
use event_log::{AppendError, Digest, Epoch, Log, Position, Recorded, StreamId, follow};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub struct Writer {
    pub handle: append::Handle,
    pub drain: CancellationToken,
    pub running: JoinHandle<()>,
}

impl Writer {
    pub fn run(log: &Log, options: append::Options) -> Self {
        Self::of(append::Service::new(log, options))
    }

    pub fn of(service: append::Service) -> Self {
        let drain = CancellationToken::new();
        Self {
            handle: service.handle(),
            drain: drain.clone(),
            running: tokio::spawn(service.run(drain)),
        }
    }

    /// Offers a draft again for as long as its outcome is unknown.
    pub async fn until_recorded(&self, draft: Draft) {
        loop {
            match self.handle.append(draft.clone()).await {
                Err(AppendError::Unknown) => {}
                outcome => return assert_eq!(outcome, Ok(Append::Recorded)),
            }
        }
    }
}

/// A follower and the entries it has delivered.
pub struct Followed {
    pub handle: follow::Handle,
    pub entries: Arc<Mutex<Vec<(StreamId, Recorded)>>>,
}

impl Followed {
    pub async fn by(log: &Log, options: follow::Options) -> Self {
        let entries = Arc::<Mutex<Vec<_>>>::default();
        let sink = entries.clone();
        let service = follow::Service::new(log, options, move |_, entries| {
            sink.lock().unwrap().extend(entries)
        });
        let service = service.await.unwrap();
        let handle = service.handle();
        tokio::spawn(service.run(CancellationToken::new()));
        Self { handle, entries }
    }

    pub async fn until(&self, count: usize) {
        let delivered = async {
            while self.entries.lock().unwrap().len() < count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(60), delivered).await.expect("all entries are delivered");
    }
}

/// Plays like a correct caller: decides on the last position it knows; after a conflict, reads the
/// new entries and looks for its own request id before it tries again.
pub async fn play(
    log: &Log,
    writer: &append::Handle,
    stream: StreamId,
    name: &str,
    actions: usize,
) {
    let mut tail = Position::START;
    for action in 0..actions {
        let request_id = Some(format!("{name}{action}"));
        let mut is_recorded = false;
        while !is_recorded {
            let draft =
                Draft { request_id: request_id.clone(), ..draft(stream, tail.next().0, name) };
            if writer.append(draft).await == Ok(Append::Recorded) {
                tail = tail.next();
                break;
            }
            for entry in log.entries(stream, tail, 10_000).await.unwrap_or_default() {
                tail = entry.position;
                is_recorded |= entry.request_id == request_id;
            }
        }
    }
}

pub fn draft(stream: StreamId, position: i64, body: &str) -> Draft {
    let body = Bytes::copy_from_slice(body.as_bytes());
    Draft {
        stream,
        position: Position(position),
        request_id: None,
        create_time: test_database::now(),
        body,
        before: Some(digest(stream, position - 1)).filter(|_| position > 1),
        digest: digest(stream, position),
        epoch: Epoch::default(),
        companion: None,
        premise: Premise::default(),
    }
}

/// The digest that an entry has in these tests.
pub fn digest(stream: StreamId, position: i64) -> Digest {
    let hash = blake3::keyed_hash(&[position as u8; 32], stream.0.as_bytes());
    Digest::from(*hash.as_bytes())
}

pub fn new_stream() -> StreamId {
    StreamId(Uuid::new_v4())
}
