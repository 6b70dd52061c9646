//! Calls to the gRPC service within this process.

use std::convert::Infallible;
use std::time::Duration;

use bytes::Bytes;
use futures::Stream;
use http::{Extensions, HeaderMap, HeaderValue, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::time::Instant;
use tonic::body::Body;
use tonic::metadata::MetadataMap;
use tonic::{Request, Response, Status, Streaming};
use tower::Service;

use crate::answer::header_text;
use crate::codec::{Raw, too_large};
use crate::contract::Procedure;
use crate::deadline::{self, GRPC_TIMEOUT};
use crate::refusal::{Failure, Reason};

/// A gRPC service within this process, such as `tonic::service::Routes`.
pub trait Grpc:
    Service<
        http::Request<Body>,
        Response = http::Response<Body>,
        Error = Infallible,
        Future: Send + 'static,
    > + Clone
    + Send
    + 'static
{
}

impl<S> Grpc for S where
    S: Service<
            http::Request<Body>,
            Response = http::Response<Body>,
            Error = Infallible,
            Future: Send + 'static,
        > + Clone
        + Send
        + 'static
{
}

/// An HTTP request without its message; the service receives it as metadata.
#[derive(Clone)]
pub struct Head {
    pub headers: HeaderMap,
    pub extensions: Extensions,
}

/// Headers that describe the HTTP message, and would be wrong for the gRPC call.
const OF_HTTP_ONLY: [header::HeaderName; 15] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::CONNECTION,
    header::CONTENT_ENCODING,
    header::CONTENT_LENGTH,
    header::HOST,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    header::HeaderName::from_static("connect-accept-encoding"),
    header::HeaderName::from_static("connect-content-encoding"),
    header::HeaderName::from_static("connect-protocol-version"),
    header::HeaderName::from_static("connect-timeout-ms"),
    header::HeaderName::from_static("grpc-accept-encoding"),
    header::HeaderName::from_static("grpc-encoding"),
    header::HeaderName::from_static("last-event-id"),
];

impl Head {
    fn into_request<T>(mut self, message: T) -> Request<T> {
        OF_HTTP_ONLY.iter().for_each(|name| drop(self.headers.remove(name)));
        Request::from_parts(MetadataMap::from_headers(self.headers), self.extensions, message)
    }

    /// Sets the caller's timeout; replaces a `Grpc-Timeout` header.
    pub fn set_timeout_ms(&mut self, ms: u64) {
        // gRPC writes at most eight digits.
        let text = if ms < 100_000_000 {
            format!("{ms}m")
        } else {
            format!("{}S", (ms / 1000).min(99_999_999))
        };
        self.headers.insert(
            GRPC_TIMEOUT,
            HeaderValue::try_from(text).expect("digits and a letter are a header value"),
        );
    }
}

/// Calls a method that answers once.
pub async fn unary(
    grpc: impl Grpc,
    procedure: &Procedure,
    head: Head,
    message: Bytes,
) -> Result<Response<Bytes>, Status> {
    let mut client = client(grpc).await;
    client.unary(head.into_request(message), procedure.path.clone(), Raw).await
}

/// Calls a method that answers with a stream.
pub async fn stream(
    grpc: impl Grpc,
    procedure: &Procedure,
    head: Head,
    message: Bytes,
) -> Result<Response<Streaming<Bytes>>, Status> {
    let mut client = client(grpc).await;
    client.server_streaming(head.into_request(message), procedure.path.clone(), Raw).await
}

/// Calls a method of any kind: the messages of both sides are streams, if of one message.
pub async fn open(
    grpc: impl Grpc,
    procedure: &Procedure,
    head: Head,
    messages: impl Stream<Item = Bytes> + Send + 'static,
) -> Result<Response<Streaming<Bytes>>, Status> {
    let mut client = client(grpc).await;
    client.streaming(head.into_request(messages), procedure.path.clone(), Raw).await
}

async fn client<S: Grpc>(grpc: S) -> tonic::client::Grpc<S> {
    let mut client = tonic::client::Grpc::new(grpc).max_decoding_message_size(usize::MAX);
    let Ok(()) = client.ready().await;
    client
}

/// How long a request's body may take to arrive, so that a trickling body does not hold a call.
const ARRIVAL_MAX: Duration = Duration::from_secs(30);

/// The whole body, of at most `bytes_max` bytes.
pub async fn read_body(bytes_max: usize, head: &Head, body: Body) -> Result<Bytes, Failure> {
    let announced = header_text(&head.headers, header::CONTENT_LENGTH.as_str())
        .and_then(|length| length.parse::<usize>().ok());
    if announced.is_some_and(|bytes| bytes > bytes_max) {
        return Err(too_large(bytes_max).into());
    }
    let of_caller = deadline::of_caller(&head.headers, &head.extensions);
    let deadline = of_caller.into_iter().fold(Instant::now() + ARRIVAL_MAX, Instant::min);
    match deadline::until(deadline, Limited::new(body, bytes_max).collect()).await {
        Some(Ok(body)) => Ok(body.to_bytes()),
        Some(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(bytes_max).into()),
        Some(Err(error)) => {
            Err(Status::cancelled(format!("the request broke off: {error}")).into())
        }
        None => Err(Reason::DeadlineExceeded
            .refusal("the request did not arrive in time, and nothing was done", [])
            .into()),
    }
}

#[cfg(test)]
mod tests {
    use http_body::Frame;
    use http_body_util::StreamBody;
    use tokio::time::timeout;

    use super::*;
    use crate::deadline::Arrived;

    /// How long a body that never arrives is waited for.
    async fn waited(headers: HeaderMap) -> Duration {
        let arrived = Arrived(Instant::now());
        let mut head = Head { headers, extensions: Extensions::new() };
        head.extensions.insert(arrived);
        let never = futures::stream::pending::<Result<Frame<Bytes>, Status>>();
        let never = Body::new(StreamBody::new(never));
        let read = timeout(2 * ARRIVAL_MAX, read_body(100, &head, never)).await;
        assert!(read.expect("the read ends by itself").is_err());
        arrived.0.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_does_not_arrive_is_given_up_in_time() {
        let timeout = |text| {
            HeaderMap::from_iter([(
                header::HeaderName::from_static(GRPC_TIMEOUT),
                HeaderValue::from_static(text),
            )])
        };
        assert_eq!(waited(HeaderMap::new()).await, ARRIVAL_MAX);
        assert_eq!(waited(timeout("1H")).await, ARRIVAL_MAX);
        assert_eq!(waited(timeout("2S")).await, Duration::from_millis(1995));
        assert_eq!(waited(timeout("soon")).await, ARRIVAL_MAX);
    }
}
