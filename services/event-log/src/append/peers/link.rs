//! The connection to a peer that writes this process's drafts.

use std::collections::HashMap;
use std::error::Error;
use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use positions::{BUCKETS, Mark};
use tokio::net::TcpStream;
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;
use uuid::Uuid;

use super::channel::{self, Receiving, Sending};
use super::peer::{Peer, greet, prologue};
use super::wire::{Answer, Request};
use crate::Log;
use crate::append::counters::Counters;
use crate::append::draft::{Append, AppendError, BATCH_MAX};
use crate::append::queues::{Pending, Queues};

/// Passes drafts to a peer until its queue is closed or the peer does not answer. Then it hands
/// back the unanswered drafts.
pub(super) struct Link {
    peer: Peer,
    log: Log,
    /// The queues of this process.
    queues: Queues,
    counters: Arc<Counters>,
    drafts: mpsc::Receiver<Pending>,
    ready: mpsc::UnboundedSender<Uuid>,
    passed: Mutex<Passed>,
    /// Notified when every forwarded draft is answered.
    emptied: Notify,
}

/// The drafts passed to the peer.
struct Passed {
    last_id: u64,
    /// The unanswered drafts, by id.
    waiting: HashMap<u64, Pending>,
    /// The last entry of each bucket that the peer reported.
    told: Box<[Mark; BUCKETS]>,
}

/// The timeout of connecting, including the handshake and checks.
const CONNECT_WAIT: Duration = Duration::from_secs(1);
/// A peer that is silent for this long is dead or unreachable. A live peer sends several messages
/// in this time, even if its database is slow.
const SILENCE_MAX: Duration = Duration::from_millis(1500);
/// How long a link whose queue was closed waits for the last answers.
const LAST_WAIT: Duration = Duration::from_secs(1);

impl Link {
    pub fn new(
        log: &Log,
        queues: &Queues,
        counters: &Arc<Counters>,
        peer: Peer,
        drafts: mpsc::Receiver<Pending>,
        ready: mpsc::UnboundedSender<Uuid>,
    ) -> Self {
        let told = Box::new([Mark::default(); BUCKETS]);
        let passed = Mutex::new(Passed { last_id: 0, waiting: HashMap::new(), told });
        Self {
            peer,
            log: log.clone(),
            queues: queues.clone(),
            counters: counters.clone(),
            drafts,
            ready,
            passed,
            emptied: Notify::new(),
        }
    }

    /// Returns the peer's id once nothing more is passed to it.
    pub async fn run(mut self) -> Uuid {
        match timeout(CONNECT_WAIT, self.connect()).await {
            Ok(Ok((sending, receiving))) => {
                let _ = self.ready.send(self.peer.process);
                if let Err(error) = self.pass_on(sending, receiving).await {
                    let (peer, error) = (&self.peer.address, &error as &dyn Error);
                    tracing::warn!(
                        peer,
                        error,
                        "a peer does not answer: this process writes itself"
                    );
                }
            }
            Ok(Err(error)) => {
                let (peer, error) = (&self.peer.address, &error as &dyn Error);
                tracing::debug!(peer, error, "a peer cannot be reached");
            }
            Err(_) => tracing::debug!(peer = self.peer.address, "a peer takes too long to answer"),
        }
        let process = self.peer.process;
        self.hand_back();
        process
    }

    async fn connect(&self) -> io::Result<(Sending, Receiving)> {
        let stream = TcpStream::connect(&self.peer.address).await?;
        let prologue = prologue(self.peer.process);
        let mut channel = channel::call(stream, &prologue, &self.peer.key).await?;
        greet(&self.log, &mut channel).await?;
        // If the log went back before, this process notices now, except on nodes that are
        // unreachable: there the peer notices that the log lacks the entry on which a draft was
        // decided.
        self.log.heads_if_seen().await.map_err(io::Error::other)?;
        Ok(channel)
    }

    async fn pass_on(&mut self, mut sending: Sending, receiving: Receiving) -> io::Result<()> {
        let Self { log, counters, drafts, passed, emptied, .. } = self;
        let pass_on = async {
            let mut batch = Vec::with_capacity(BATCH_MAX);
            while drafts.recv_many(&mut batch, BATCH_MAX).await > 0 {
                counters.forwarded.fetch_add(batch.len() as u64, Relaxed);
                let requests = lock(passed).requests(log, &mut batch);
                sending.send(requests).await?;
            }
            // The queue was closed: nothing more is passed on.
            let all_answered = async {
                while !lock(passed).waiting.is_empty() {
                    emptied.notified().await;
                }
            };
            let _ = timeout(LAST_WAIT, all_answered).await;
            Ok(())
        };
        tokio::select! {
            ended = pass_on => ended,
            ended = take_answers(receiving, log, passed, emptied) => ended,
        }
    }

    /// Lets this process write the unanswered drafts.
    fn hand_back(mut self) {
        let waiting = std::mem::take(&mut lock(&self.passed).waiting);
        self.counters.handed_back.fetch_add(waiting.len() as u64, Relaxed);
        for mut pending in waiting.into_values() {
            // The peer may have written it, or may still write it.
            pending.doubt();
            self.queues.push(pending);
        }
        self.drafts.close();
        while let Ok(pending) = self.drafts.try_recv() {
            self.queues.push(pending);
        }
    }
}

async fn take_answers(
    mut receiving: Receiving,
    log: &Log,
    passed: &Mutex<Passed>,
    emptied: &Notify,
) -> io::Result<()> {
    loop {
        let answer: Option<Answer> = timeout(SILENCE_MAX, receiving.receive()).await??;
        let Some(answer) = answer else { return Err(io::ErrorKind::UnexpectedEof.into()) };
        if answer.result() == Err(AppendError::Closed) {
            // It stops; its unanswered drafts are handed back.
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        let mut passed = lock(passed);
        let Some(pending) = passed.waiting.remove(&answer.id) else { continue };
        if answer.result() == Ok(Append::Recorded) && answer.bucket_position > 0 {
            let mark = Mark::new(answer.bucket_position, Some(pending.draft.digest));
            passed.told[pending.bucket.index()] = mark;
            log.0.marks.wrote(pending.bucket, mark);
        }
        if passed.waiting.is_empty() {
            emptied.notify_one();
        }
        drop(passed);
        pending.answer(answer.result(), 0);
    }
}

impl Passed {
    /// The requests for these drafts, which now wait for their answers.
    fn requests(&mut self, log: &Log, drafts: &mut Vec<Pending>) -> Vec<Request> {
        // Reads these in this order: if the log is seen to go back in between, the drafts are
        // doubtful.
        let seen = log.0.marks.seen();
        let epoch = log.epoch();
        let requests = drafts.drain(..).map(|pending| {
            self.last_id += 1;
            let n = pending.bucket.index();
            let known = Some(seen[n]).filter(|it| it.position > 0 && *it != self.told[n]);
            let is_doubtful = pending.draft.epoch != epoch;
            let request = Request::new(self.last_id, &pending.draft, known, is_doubtful);
            self.waiting.insert(self.last_id, pending);
            request
        });
        requests.collect()
    }
}

fn lock(passed: &Mutex<Passed>) -> MutexGuard<'_, Passed> {
    passed.lock().expect("no holder of this lock panics")
}
