//! Work that nothing cancels.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::Error;

/// Work that is carried through: whoever awaits it has its result, and if nobody does any more, the
/// rest of it is done in a task of its own. Where it panics, that is an internal error of this one
/// piece of work.
///
/// It costs less than a task from the start, for hardly anybody goes away.
pub(crate) struct Detached<T: Send + 'static>(Option<BoxFuture<'static, std::thread::Result<T>>>);

impl<T: Send + 'static> Detached<T> {
    pub fn new(work: impl Future<Output = T> + Send + 'static) -> Detached<T> {
        Detached(Some(AssertUnwindSafe(work).catch_unwind().boxed()))
    }
}

impl<T: Send + 'static> Future for Detached<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let work = self.0.as_mut().expect("it is not polled after its end");
        let done = ready!(work.as_mut().poll(cx));
        self.0 = None;
        Poll::Ready(done.map_err(|_| Error::Internal("the work panicked".into())))
    }
}

impl<T: Send + 'static> Drop for Detached<T> {
    fn drop(&mut self) {
        if let (Some(rest), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
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
    async fn what_nobody_awaits_any_more_is_done_all_the_same() {
        let (go, going) = oneshot::channel();
        let (done, told) = oneshot::channel();
        let mut work = Detached::new(async move {
            going.await.expect("it is let go");
            done.send(7).expect("somebody listens");
        });
        assert!(timeout(Duration::from_millis(1), &mut work).await.is_err());
        drop(work);
        go.send(()).expect("it waits");
        assert_eq!(told.await, Ok(7));
    }

    #[tokio::test]
    async fn a_panic_is_an_error_of_this_work() {
        let work = Detached::new(async { panic!("a rule that cannot happen") });
        assert!(matches!(work.await, Err(Error::Internal(_))));
    }
}
