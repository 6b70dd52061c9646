//! HTTP to an object store.
//!
//! `object_store` would bring a second HTTP client for it. This one is what webhooks are sent with,
//! `hyper`, and like it uses the certificates of the system.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::time::Duration;

use futures::future::BoxFuture;
use http_body_util::BodyExt;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector as TcpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody,
    HttpResponse, HttpResponseBody, HttpService,
};
use tokio::time::timeout;

/// How long connecting may take.
const CONNECT_WAIT: Duration = Duration::from_secs(3);
/// How long a server may take to begin its answer.
const ANSWER_WAIT: Duration = Duration::from_secs(10);
/// How long a connection is kept for the next request.
const IDLE_WAIT: Duration = Duration::from_secs(30);

/// Connects an object store.
#[derive(Debug)]
pub(super) struct Connector;

#[derive(Debug)]
struct Service(Client<HttpsConnector<TcpConnector>, HttpRequestBody>);

impl HttpConnector for Connector {
    /// The endpoint's scheme decides about TLS. The options are S3's defaults, which say nothing.
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let mut tcp = TcpConnector::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(CONNECT_WAIT));
        let roots = HttpsConnectorBuilder::new().with_native_roots();
        let roots = roots.map_err(|source| object_store::Error::Generic {
            store: "S3",
            source: Box::new(source),
        })?;
        let https = roots.https_or_http().enable_http1().wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_WAIT)
            .build(https);
        Ok(HttpClient::new(Service(client)))
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
            let answer = timeout(ANSWER_WAIT, self.0.request(request)).await;
            let answer = answer
                .map_err(|elapsed| HttpError::new(HttpErrorKind::Timeout, elapsed))?
                .map_err(|error| {
                    let kind = match error.is_connect() {
                        true => HttpErrorKind::Connect,
                        false => kind(&error),
                    };
                    HttpError::new(kind, error)
                })?;
            Ok(answer.map(|body| {
                HttpResponseBody::new(body.map_err(|error| HttpError::new(kind(&error), error)))
            }))
        })
    }
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
