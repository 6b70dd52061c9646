//! HTTP to an object store.
//!
//! `object_store` would bring a second HTTP client. This one is `hyper`, which sends the webhooks,
//! and trusts the same certificates.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{StreamExt, stream};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector as TcpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody,
    HttpResponse, HttpResponseBody, HttpService,
};
use tokio::time::error::Elapsed;
use tokio::time::{Instant, timeout_at};

/// How long connecting may take.
const CONNECT_WAIT: Duration = Duration::from_secs(3);
/// How long an exchange may take, to the end of the answer.
const ANSWER_WAIT: Duration = Duration::from_secs(10);
/// How long a connection is kept for the next request.
const IDLE_WAIT: Duration = Duration::from_secs(30);

/// Connects an object store.
#[derive(Debug)]
pub(super) struct Connector;

#[derive(Debug)]
struct Service {
    client: Client<HttpsConnector<TcpConnector>, HttpRequestBody>,
    answer_wait: Duration,
}

impl HttpConnector for Connector {
    /// Ignores the options: the scheme of the endpoint decides whether TLS is used, and the waits
    /// are the constants above.
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(Service::new(ANSWER_WAIT)))
    }
}

impl Service {
    fn new(answer_wait: Duration) -> Service {
        let mut tcp = TcpConnector::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(CONNECT_WAIT));
        // A machine without certificates trusts those that browsers trust.
        let tls = (HttpsConnectorBuilder::new().with_native_roots())
            .unwrap_or_else(|_| HttpsConnectorBuilder::new().with_webpki_roots());
        let https = tls.https_or_http().enable_http1().wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_WAIT)
            .build(https);
        Service { client, answer_wait }
    }
}

impl HttpService for Service {
    fn call<'a, 'call>(
        &'a self,
        request: HttpRequest,
    ) -> BoxFuture<'call, Result<HttpResponse, HttpError>>
    where
        'a: 'call,
        Self: 'call,
    {
        Box::pin(async move {
            let deadline = Instant::now() + self.answer_wait;
            let answer = timeout_at(deadline, self.client.request(request)).await;
            let answer = answer.map_err(too_slow)?.map_err(|error| {
                let kind = if error.is_connect() { HttpErrorKind::Connect } else { kind(&error) };
                HttpError::new(kind, error)
            })?;
            Ok(answer.map(|body| {
                let frames = stream::unfold(body, move |body| next_frame(body, deadline));
                // A body may be polled after its end.
                let frames = frames.fuse();
                HttpResponseBody::new(StreamBody::new(frames))
            }))
        })
    }
}

/// The next part of an answer, which fails once the deadline has passed.
async fn next_frame(
    mut body: Incoming,
    deadline: Instant,
) -> Option<(Result<Frame<Bytes>, HttpError>, Incoming)> {
    let frame = match timeout_at(deadline, body.frame()).await {
        Ok(frame) => frame?.map_err(|error| HttpError::new(kind(&error), error)),
        Err(elapsed) => Err(too_slow(elapsed)),
    };
    Some((frame, body))
}

fn too_slow(elapsed: Elapsed) -> HttpError {
    HttpError::new(HttpErrorKind::Timeout, elapsed)
}

/// What failed, so that the store knows whether to try again.
fn kind(error: &(dyn Error + 'static)) -> HttpErrorKind {
    for cause in successors(Some(error), |&error| error.source()) {
        if let Some(error) = cause.downcast_ref::<hyper::Error>() {
            if error.is_timeout() {
                return HttpErrorKind::Timeout;
            }
            if error.is_closed() || error.is_incomplete_message() || error.is_body_write_aborted() {
                return HttpErrorKind::Request;
            }
        }
        match cause.downcast_ref::<io::Error>().map(io::Error::kind) {
            Some(io::ErrorKind::TimedOut) => return HttpErrorKind::Timeout,
            Some(
                io::ErrorKind::ConnectionAborted
                | io::ErrorKind::ConnectionReset
                | io::ErrorKind::BrokenPipe
                | io::ErrorKind::UnexpectedEof,
            ) => return HttpErrorKind::Interrupted,
            _ => {}
        }
    }
    HttpErrorKind::Unknown
}

#[cfg(test)]
mod tests {
    use hyper::Request;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio::time::timeout;

    use super::*;

    /// The answer to a request, from a server that sends this and then falls silent.
    async fn exchange(said: &'static str) -> Result<Bytes, HttpError> {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let asking = async {
            let request = Request::get(format!("http://{address}/")).body(HttpRequestBody::empty());
            let service = Service::new(Duration::from_millis(300));
            let answer = service.call(request.expect("a request")).await?;
            Ok(answer.into_body().collect().await?.to_bytes())
        };
        let answering = async {
            let (mut connection, _) = listener.accept().await.expect("a connection");
            let _ = connection.read(&mut [0; 1024]).await.expect("a request");
            connection.write_all(said.as_bytes()).await.expect("a reader");
            std::future::pending::<()>().await
        };
        tokio::select! {
            answer = timeout(Duration::from_secs(20), asking) => answer.expect("it ends"),
            () = answering => unreachable!("it waits for ever"),
        }
    }

    #[tokio::test]
    async fn an_answer_is_read_to_its_end() {
        let answer = exchange("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwhole").await;
        assert_eq!(answer.expect("an answer"), "whole");
    }

    #[tokio::test]
    async fn a_server_that_falls_silent_before_or_within_its_answer_is_given_up() {
        for said in ["", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwh"] {
            let error = exchange(said).await.expect_err("it never ends");
            assert_eq!(error.kind(), HttpErrorKind::Timeout, "{said}");
        }
    }
}
