//! Streams that nobody reads are ended, so that they hold nothing.
//!
//! A connection asks a stream for its next message once the client has room for it, so a stream
//! that has given a message and is not asked again has a client that takes nothing.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use futures::Stream;
use matches::Error;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::streaming::Answers;
use crate::error::of;

/// How long a client may take nothing of a stream whose request names no time for it.
const TAKE_WAIT: Duration = Duration::from_secs(30);

/// How often streams are looked at.
const LOOK: Duration = Duration::from_secs(5);

/// The open streams of a server.
#[derive(Clone)]
pub(crate) struct Unread(Arc<Mutex<Vec<Weak<dyn Held>>>>);

impl Unread {
    /// Looks at the streams until all clones are dropped.
    pub fn watch() -> Unread {
        let unread = Unread(Arc::default());
        let streams = Arc::downgrade(&unread.0);
        let look = async move {
            let mut looks = interval(LOOK);
            looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                looks.tick().await;
                let Some(streams) = streams.upgrade() else { break };
                lock(&streams).retain(|it| it.upgrade().is_some_and(|it| it.is_read()));
            }
        };
        #[expect(clippy::disallowed_methods, reason = "it ends with the server")]
        tokio::spawn(look);
        unread
    }

    /// The stream, which ends with [`Error::SlowConsumer`] when its client takes nothing of it.
    pub fn until_unread<T: Send + 'static>(&self, answers: Answers<T>) -> Answers<T> {
        let state = State { answers: Some(answers), given: None, is_over: false };
        let stream = Arc::new(Mutex::new(state));
        lock(&self.0).push(Arc::downgrade(&stream) as _);
        Box::pin(Taken(stream))
    }
}

/// A stream, whatever its messages are.
trait Held: Send + Sync {
    /// Drops what the stream holds if its client has taken nothing for too long; false from then
    /// on.
    fn is_read(&self) -> bool;
}

struct State<T> {
    /// None once nobody has read it.
    answers: Option<Answers<T>>,
    /// When the last message was given; none while the client waits for one.
    given: Option<Instant>,
    is_over: bool,
}

impl<T: Send> Held for Mutex<State<T>> {
    fn is_read(&self) -> bool {
        let mut state = lock(self);
        let unread = state.given.filter(|given| given.elapsed() > TAKE_WAIT);
        if unread.is_some() {
            state.answers = None;
        }
        unread.is_none()
    }
}

struct Taken<T>(Arc<Mutex<State<T>>>);

impl<T> Stream for Taken<T> {
    type Item = Result<T, tonic::Status>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut state = lock(&self.0);
        if state.is_over {
            return Poll::Ready(None);
        }
        state.given = None;
        let Some(answers) = &mut state.answers else {
            state.is_over = true;
            return Poll::Ready(Some(Err(of(Error::SlowConsumer))));
        };
        let answer = answers.as_mut().poll_next(context);
        match &answer {
            Poll::Ready(Some(_)) => state.given = Some(Instant::now()),
            Poll::Ready(None) => state.is_over = true,
            Poll::Pending => {}
        }
        answer
    }
}

/// A panic of a stream ends that stream only.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures::{StreamExt, stream};
    use tokio::time::sleep;

    use super::*;

    /// Numbers without end, and whether something still holds them.
    fn numbers() -> (Answers<u32>, Weak<()>) {
        let held = Arc::new(());
        let is_held = Arc::downgrade(&held);
        let next = |(number, held)| async move { Some((Ok(number), (number + 1, held))) };
        (Box::pin(stream::unfold((0, held), next)), is_held)
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_whose_client_takes_nothing_holds_nothing_and_says_why() {
        let unread = Unread::watch();
        let (numbers, is_held) = numbers();
        let mut stream = unread.until_unread(numbers);
        assert_eq!(stream.next().await.expect("a number").expect("no error"), 0);
        sleep(TAKE_WAIT - LOOK).await;
        assert_eq!(stream.next().await.expect("a number").expect("no error"), 1, "slow, in time");
        sleep(TAKE_WAIT + 2 * LOOK).await;
        assert!(is_held.upgrade().is_none());
        let status = stream.next().await.expect("a message").expect_err("nothing was taken");
        assert_eq!(status.code(), tonic::Code::Aborted);
        assert!(stream.next().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_waits_for_a_message_is_left_alone() {
        let unread = Unread::watch();
        let mut stream = unread.until_unread(Box::pin(stream::pending::<Result<u32, _>>()));
        let waiting = tokio::time::timeout(TAKE_WAIT * 10, stream.next());
        waiting.await.expect_err("the stream goes on");
        assert_eq!(lock(&unread.0).len(), 1);
        drop(stream);
        sleep(2 * LOOK).await;
        assert_eq!(lock(&unread.0).len(), 0, "streams that are over are forgotten");
    }
}
