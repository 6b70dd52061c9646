//! Work that completes even if its caller cancels.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures::FutureExt;
use futures::future::BoxFuture;
use tracing::Instrument;

use crate::error::Error;

/// A future that completes even if it is dropped: the rest of it then runs in a task of its own. If
/// the work panics, its caller gets [`Error::Internal`].
///
/// Few callers cancel, so this costs less than spawning a task for each.
pub(crate) struct Detached<T: Send + 'static>(Option<BoxFuture<'static, std::thread::Result<T>>>);

impl<T: Send + 'static> Detached<T> {
    pub fn new(work: impl Future<Output = T> + Send + 'static) -> Detached<T> {
        Detached(Some(AssertUnwindSafe(work).catch_unwind().in_current_span().boxed()))
    }
}

impl<T: Send + 'static> Future for Detached<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let work = self.0.as_mut().expect("a future is not polled after it is ready");
        let done = ready!(work.as_mut().poll(cx));
        self.0 = None;
        Poll::Ready(done.map_err(|_| Error::Internal("the work panicked".into())))
    }
}

impl<T: Send + 'static> Drop for Detached<T> {
    fn drop(&mut self) {
        if let (Some(rest), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
            #[expect(clippy::disallowed_methods, reason = "it ends with the work of one call")]
            runtime.spawn(rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::oneshot;
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn dropped_work_still_completes() {
        let (go, going) = oneshot::channel();
        let (done, result) = oneshot::channel();
        let mut work = Detached::new(async move {
            going.await.expect("the sender is not dropped");
            done.send(7).expect("the receiver is not dropped");
        });
        assert!(timeout(Duration::from_millis(1), &mut work).await.is_err());
        drop(work);
        go.send(()).expect("the work waits");
        assert_eq!(result.await, Ok(7));
    }

    #[tokio::test]
    async fn a_panic_becomes_an_internal_error() {
        let work = Detached::new(async { panic!("a rule that cannot happen") });
        assert!(matches!(work.await, Err(Error::Internal(_))));
    }
}
