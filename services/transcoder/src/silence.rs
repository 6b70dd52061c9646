//! Connections that send nothing, or nothing that can be answered.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};
use tonic::transport::server::Connected;

/// The timeout for the first byte of a connection.
const FIRST_BYTE_WAIT: Duration = Duration::from_secs(10);

/// The timeout from then to the first answer: an HTTP/2 connection is answered at once, an HTTP/1
/// request after its body has arrived.
const FIRST_ANSWER_WAIT: Duration = Duration::from_secs(60);

/// A connection that is closed unless it begins with something that can be answered.
///
/// Afterwards HTTP itself limits silence: by pings in HTTP/2, by a timeout between requests in
/// HTTP/1.
pub struct Silence<S> {
    connection: S,
    /// `None` after the first answer.
    patience: Option<Patience>,
}

struct Patience {
    until: Pin<Box<Sleep>>,
    has_begun: bool,
}

impl<S> Silence<S> {
    pub fn new(connection: S) -> Self {
        let patience = Patience { until: Box::pin(sleep(FIRST_BYTE_WAIT)), has_begun: false };
        Self { connection, patience: Some(patience) }
    }
}

impl Patience {
    fn check(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        match self.until.as_mut().poll(cx) {
            Poll::Ready(()) => Err(ErrorKind::TimedOut.into()),
            Poll::Pending => Ok(()),
        }
    }

    fn received(&mut self) {
        if !self.has_begun {
            self.has_begun = true;
            self.until.as_mut().reset(Instant::now() + FIRST_ANSWER_WAIT);
        }
    }
}

impl<S: Connected> Connected for Silence<S> {
    type ConnectInfo = S::ConnectInfo;

    fn connect_info(&self) -> S::ConnectInfo {
        self.connection.connect_info()
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Silence<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.connection).poll_read(cx, buffer);
        if let Some(patience) = &mut this.patience {
            if buffer.filled().len() > before {
                patience.received();
            }
            // A pending read is woken when the time is over.
            patience.check(cx)?;
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Silence<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.connection).poll_write(cx, bytes))?;
        self.patience = None;
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.connection.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    use super::*;

    /// How long the server's read lasts, and whether it was given up.
    async fn read_to_end(mut server: Silence<DuplexStream>) -> (Duration, bool) {
        let began = Instant::now();
        let read = server.read_to_end(&mut Vec::new()).await;
        (began.elapsed(), read.is_err())
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_says_nothing_is_given_up() {
        let (_client, server) = duplex(100);
        assert_eq!(read_to_end(Silence::new(server)).await, (FIRST_BYTE_WAIT, true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_trickles_is_given_up() {
        let (mut client, server) = duplex(100);
        #[expect(clippy::disallowed_methods, reason = "it ends with the test")]
        let trickle = tokio::spawn(async move {
            while client.write_all(b"x").await.is_ok() {
                sleep(Duration::from_secs(1)).await;
            }
        });
        assert_eq!(read_to_end(Silence::new(server)).await, (FIRST_ANSWER_WAIT, true));
        trickle.await.expect("it does not panic");
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_was_answered_may_be_silent() {
        let (mut client, server) = duplex(100);
        let mut server = Silence::new(server);
        client.write_all(b"hello").await.expect("it is read");
        let mut hello = [0; 5];
        server.read_exact(&mut hello).await.expect("it was written");
        server.write_all(b"yes").await.expect("it is read");
        let silence = tokio::time::timeout(10 * FIRST_ANSWER_WAIT, server.read_u8()).await;
        assert!(silence.is_err(), "it waits on");
    }
}
