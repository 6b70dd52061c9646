//! Streamed answers, which end when the caller's credentials expire.

use std::pin::Pin;
use std::time::SystemTime;

use futures::{Stream, StreamExt, stream};
use tokio::time::Sleep;
use tonic::Status;

use crate::auth::expired;

pub(crate) type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// The stream until its token expires, if it was opened with one; then it ends with that error.
pub(crate) fn until<T: Send + 'static>(
    answers: Answers<T>,
    expires: Option<SystemTime>,
) -> Answers<T> {
    let Some(expires) = expires else { return answers };
    let left = expires.duration_since(SystemTime::now()).unwrap_or_default();
    let expiry = Box::pin(tokio::time::sleep(left));
    let next = |state: Option<(Answers<T>, Pin<Box<Sleep>>)>| async {
        let (mut answers, mut expiry) = state?;
        tokio::select! {
            answer = answers.next() => Some((answer?, Some((answers, expiry)))),
            () = &mut expiry => Some((Err(expired()), None)),
        }
    };
    Box::pin(stream::unfold(Some((answers, expiry)), next))
}
