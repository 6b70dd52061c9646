//! Streamed answers, which end when the caller's credentials expire or are revoked.

use std::pin::Pin;
use std::time::Duration;

use contract::v1::{Entry, RecordWentBack};
use futures::{Stream, StreamExt, stream};
use matches::{EntryStream, Error, Told};
use tokio::sync::watch;
use tokio::time::{Sleep, sleep};
use tonic::Status;

use crate::answers::texts::Texts;
use crate::answers::values::{wire_digest, wire_position};
use crate::answers::went_back::went_back_of;
use crate::auth::{Auth, Credentials, Erasure, expired};
use crate::error::of;

pub(crate) type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// The stream while its credentials are valid; then it ends with an error that gives the reason.
pub(crate) fn while_valid<T: Send + 'static>(
    answers: Answers<T>,
    auth: Auth,
    credentials: Credentials,
) -> Answers<T> {
    guarded(answers, auth, credentials, None)
}

/// Like [`while_valid`], for a stream about a player: it also ends when the player is erased.
pub(crate) fn until_erased<T: Send + 'static>(
    answers: Answers<T>,
    auth: Auth,
    credentials: Credentials,
    before: Erasure,
) -> Answers<T> {
    guarded(answers, auth, credentials, Some(before))
}

fn guarded<T: Send + 'static>(
    answers: Answers<T>,
    auth: Auth,
    credentials: Credentials,
    before: Option<Erasure>,
) -> Answers<T> {
    let expiry = credentials.expires.map(|expires| {
        let left = Duration::try_from(expires - auth.now()).unwrap_or_default();
        Box::pin(sleep(left))
    });
    let taken_back = auth.taken_back();
    let guarded = Guarded { answers, auth, credentials, before, expiry, taken_back };
    Box::pin(stream::unfold(Some(guarded), Guarded::next))
}

/// A message of a stream of one match.
pub(crate) struct OfMatch {
    pub entries: Vec<Entry>,
    /// The last entry, or the one that is still valid: its position and its digest.
    pub position: i32,
    pub digest: Vec<u8>,
    pub went_back: Option<RecordWentBack>,
}

/// What a stream of one match tells, as answers.
pub(crate) fn told<T: Send + 'static>(
    stream: EntryStream,
    texts: Texts,
    answer: impl Fn(OfMatch) -> T + Copy + Send + Sync + 'static,
) -> Answers<T> {
    let next = move |(mut stream, mut texts): (EntryStream, Texts)| async move {
        let told = match stream.next().await? {
            Ok(Told::Entries(entries)) => {
                let last = entries.last().expect("a batch is not empty");
                let (position, digest) = (wire_position(last.position), wire_digest(last.digest));
                texts
                    .entries(entries)
                    .await
                    .map(|entries| answer(OfMatch { entries, position, digest, went_back: None }))
            }
            Ok(Told::WentBack(it)) => {
                let its = it.matches.first().expect("it names the match");
                let (position, digest) = (wire_position(its.position), wire_digest(its.digest));
                let went_back = Some(went_back_of(&it));
                Ok(answer(OfMatch { entries: Vec::new(), position, digest, went_back }))
            }
            Err(error) => Err(of(error)),
        };
        Some((told, (stream, texts)))
    };
    Box::pin(stream::unfold((stream, texts), next))
}

struct Guarded<T> {
    answers: Answers<T>,
    auth: Auth,
    credentials: Credentials,
    /// The last erasure of the player before a stream about the player began.
    before: Option<Erasure>,
    expiry: Option<Pin<Box<Sleep>>>,
    taken_back: watch::Receiver<()>,
}

impl<T> Guarded<T> {
    /// The next answer, and the stream to continue with; `None` after an error or the end.
    async fn next(guarded: Option<Self>) -> Option<(Result<T, Status>, Option<Self>)> {
        let mut guarded = guarded?;
        loop {
            tokio::select! {
                // A revocation is noticed before another answer is sent.
                biased;
                Ok(()) = guarded.taken_back.changed() => {
                    // The tokens of an erased player are refused too, but this says why.
                    if guarded.before.is_some_and(|it| guarded.auth.is_erased_since(&it)) {
                        return Some((Err(of(Error::PlayerErased)), None));
                    }
                    if let Err(status) = guarded.auth.check(&mut guarded.credentials) {
                        return Some((Err(status), None));
                    }
                }
                () = expires(&mut guarded.expiry) => return Some((Err(expired()), None)),
                answer = guarded.answers.next() => return Some((answer?, Some(guarded))),
            }
        }
    }
}

/// Waits for the expiry; forever if there is none.
async fn expires(expiry: &mut Option<Pin<Box<Sleep>>>) {
    match expiry {
        Some(expiry) => expiry.await,
        None => std::future::pending().await,
    }
}
