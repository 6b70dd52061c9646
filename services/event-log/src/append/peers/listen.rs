//! The other side of a connection: writes a peer's drafts.

use std::error::Error;
use std::io;
use std::time::Duration;

use positions::Bucket;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use super::channel::{self, Key, Receiving, Sending};
use super::peer::{greet, prologue};
use super::wire::{Answer, Request};
use crate::append::draft::{AppendError, BATCH_MAX};
use crate::append::queues::{Pending, Queues, Reply};
use crate::{Epoch, Log};

/// The timeout for a peer to prove that it knows the key.
const HANDSHAKE_WAIT: Duration = Duration::from_secs(1);
/// How long a peer's draft is tried.
const PEER_WAIT: Duration = Duration::from_secs(5);
/// The maximum number of a peer's drafts that wait for an answer or for its sending; beyond it, no
/// more are read.
const ANSWERS_MAX: usize = 8192;
/// The interval of keep-alive messages to a peer, if there is nothing else to send.
const ALIVE: Duration = Duration::from_millis(300);

/// Writes a peer's drafts until it closes the connection.
///
/// What this process reported to its peer is valid in one epoch only. So the connection ends when
/// another epoch begins, and the peer checks its knowledge before it opens another.
pub(super) async fn answer_peer(stream: TcpStream, log: Log, queues: Queues, key: Key) {
    let mut epochs = log.epochs();
    let epoch = *epochs.borrow_and_update();
    let prologue = prologue(log.0.process);
    let answering = async {
        let mut channel = channel::answer(stream, &prologue, &key).await?;
        greet(&log, &mut channel).await.map(|()| channel)
    };
    let answered = timeout(HANDSHAKE_WAIT, answering).await;
    let (sending, receiving) = match answered {
        Ok(Ok(channel)) => channel,
        Ok(Err(error)) => {
            let error = &error as &dyn Error;
            return tracing::debug!(error, "a connection to the address for peers is no peer's");
        }
        Err(_) => return,
    };
    let (answers, to_send) = mpsc::channel(ANSWERS_MAX);
    let ended = tokio::select! {
        ended = take_drafts(receiving, answers, &queues, epoch) => ended,
        ended = send_answers(sending, to_send) => ended,
        _ = epochs.changed() => return,
    };
    if let Err(error) = ended {
        tracing::debug!(error = &error as &dyn Error, "a peer has gone");
    }
}

async fn take_drafts(
    mut receiving: Receiving,
    answers: mpsc::Sender<Answer>,
    queues: &Queues,
    epoch: Epoch,
) -> io::Result<()> {
    while let Some(request) = receiving.receive::<Request>().await? {
        let (id, is_doubtful) = (request.id, request.is_doubtful);
        let epoch = if is_doubtful { Epoch::UNKNOWN } else { epoch };
        let (draft, known) = request.into_draft(epoch)?;
        let place = answers.clone().reserve_owned().await;
        let reply = Reply::Peer { id, place: place.map_err(io::Error::other)? };
        if !draft.is_valid() {
            reply.answer(Err(AppendError::Invalid), 0);
            continue;
        }
        let (bucket, deadline) = (Bucket::of(draft.stream), Instant::now() + PEER_WAIT);
        queues.push(Pending { draft, bucket, known, reply, deadline, rejections: 0 });
    }
    Ok(())
}

async fn send_answers(mut sending: Sending, mut answers: mpsc::Receiver<Answer>) -> io::Result<()> {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    loop {
        match timeout(ALIVE, answers.recv_many(&mut batch, BATCH_MAX)).await {
            Ok(0) => return Ok(()),
            Ok(_) => sending.send(batch.drain(..)).await?,
            Err(_) => sending.send([Answer::ALIVE]).await?,
        }
    }
}
