//! Requests that are answered before their body has been read.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::runtime::Handle;
use tokio::time::timeout;
use tonic::Status;
use tonic::body::Body;

/// How much of a body is read after the answer.
const REST_MAX: usize = 4 << 20;

/// How long a body is kept after the answer: the client has received it by then.
const REST_WAIT: Duration = Duration::from_secs(2);

/// A request body whose rest is read and discarded if it is dropped early.
///
/// If an unread body were dropped, HTTP/2 would reset the stream and HTTP/1 the connection. A
/// client that is still sending takes that for a broken connection and never sees the answer.
pub struct UnreadBody(Option<Body>);

impl UnreadBody {
    pub fn new(body: Body) -> Self {
        Self(Some(body))
    }
}

impl http_body::Body for UnreadBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Some(body) = &mut self.0 else { return Poll::Ready(None) };
        let frame = ready!(Pin::new(body).poll_frame(cx));
        if !matches!(frame, Some(Ok(_))) {
            self.0 = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.0.as_ref().map_or(SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for UnreadBody {
    fn drop(&mut self) {
        let Some(body) = self.0.take().filter(|body| !body.is_end_stream()) else { return };
        // Without a runtime there is no connection either.
        if let Ok(runtime) = Handle::try_current() {
            #[expect(
                clippy::disallowed_methods,
                reason = "it ends with the body, or after a while"
            )]
            runtime.spawn(timeout(REST_WAIT, discard(body)));
        }
    }
}

/// Reads the body to its end. What exceeds the limit is left unread, so that the client waits.
async fn discard(mut body: Body) {
    let mut left = REST_MAX;
    while let Some(Ok(frame)) = body.frame().await {
        match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
            Some(rest) => left = rest,
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use futures::StreamExt;
    use http_body_util::StreamBody;

    use super::*;

    /// A body of pieces of a kilobyte, which counts those that are read.
    fn body(pieces: usize, read: &Arc<AtomicUsize>) -> UnreadBody {
        let read = read.clone();
        let piece = move |_| {
            read.fetch_add(1, SeqCst);
            Ok::<_, Status>(Frame::data(Bytes::from_static(&[7; 1024])))
        };
        let pieces = futures::stream::iter(0..pieces).map(piece);
        UnreadBody::new(Body::new(StreamBody::new(pieces)))
    }

    #[tokio::test(start_paused = true)]
    async fn the_rest_of_a_dropped_body_is_read_within_a_limit() {
        for (pieces, expected) in [(0, 0), (100, 100), (10_000, REST_MAX / 1024 + 1)] {
            let read = Arc::new(AtomicUsize::new(0));
            drop(body(pieces, &read));
            tokio::time::sleep(2 * REST_WAIT).await;
            assert_eq!(read.load(SeqCst), expected);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_was_read_leaves_nothing_to_read() {
        let read = Arc::new(AtomicUsize::new(0));
        let whole = body(3, &read).collect().await.expect("a whole body");
        assert_eq!(whole.to_bytes().len(), 3 * 1024);
        tokio::time::sleep(2 * REST_WAIT).await;
        assert_eq!(read.load(SeqCst), 3);
    }
}
