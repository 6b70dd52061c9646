//! Deadlines: a typed answer before the caller stops listening.

use std::collections::HashSet;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{Extensions, HeaderMap, Request, Response};
use http_body::{Frame, SizeHint};
use prost_reflect::DescriptorPool;
use tokio::time::{Instant, Sleep, sleep_until};
use tonic::Status;
use tonic::body::Body;
use tower::Service;
use tower_layer::Layer;

use crate::refusal::{Domain, Reason, Refusal};

/// The header with the caller's timeout. It is gRPC's own; REST callers may send it too.
pub const GRPC_TIMEOUT: &str = "grpc-timeout";

/// Ends calls with `DEADLINE_EXCEEDED` at the caller's deadline (`grpc-timeout`), and unary calls
/// after a limit of the service's own.
///
/// A stream ends at the caller's deadline too; without one it has no limit.
#[derive(Clone)]
pub struct DeadlineLayer {
    domain: Domain,
    unary_max: Duration,
    unary_paths: Arc<HashSet<String>>,
}

/// The layer for the services of `pool`, whose unary methods take at most `unary_max`.
pub fn layer(pool: &DescriptorPool, domain: Domain, unary_max: Duration) -> DeadlineLayer {
    let mut unary_paths = HashSet::new();
    for service in pool.services() {
        let unary = service
            .methods()
            .filter(|method| !method.is_server_streaming() && !method.is_client_streaming());
        unary_paths
            .extend(unary.map(|method| format!("/{}/{}", service.full_name(), method.name())));
    }
    DeadlineLayer { domain, unary_max, unary_paths: Arc::new(unary_paths) }
}

impl<S> Layer<S> for DeadlineLayer {
    type Service = Deadlines<S>;

    fn layer(&self, inner: S) -> Deadlines<S> {
        Deadlines { inner, layer: self.clone() }
    }
}

/// See [`layer`].
#[derive(Clone)]
pub struct Deadlines<S> {
    inner: S,
    layer: DeadlineLayer,
}

impl<S> Service<Request<Body>> for Deadlines<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Response<Body>, S::Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let domain = self.layer.domain;
        let asked = match timeout(request.headers()) {
            Ok(asked) => asked,
            Err(refusal) => {
                return Box::pin(async move { Ok(domain.refuse(refusal).into_http()) });
            }
        };
        let is_unary = self.layer.unary_paths.contains(request.uri().path());
        let allowed = asked.into_iter().chain(is_unary.then_some(self.layer.unary_max)).min();
        let began = Arrived::of(request.extensions()).unwrap_or_else(Instant::now);
        let answer = self.inner.call(request);
        let Some(deadline) = allowed.map(|allowed| began + allowed) else {
            return Box::pin(answer);
        };
        Box::pin(async move {
            match until(deadline, answer).await {
                None => Ok(domain.refuse(exceeded()).into_http()),
                // The body of a unary answer is complete when its head is.
                Some(answer) if is_unary => answer,
                Some(answer) => {
                    let at_deadline = Box::pin(sleep_until(deadline));
                    let until = |body| UntilDeadline { body: Some(body), at_deadline, domain };
                    Ok(answer?.map(|body| Body::new(until(body))))
                }
            }
        })
    }
}

/// When the head of a request arrived, before tonic's server begins to count.
#[derive(Clone, Copy)]
pub(crate) struct Arrived(pub(crate) Instant);

impl Arrived {
    fn of(extensions: &Extensions) -> Option<Instant> {
        extensions.get::<Self>().map(|it| it.0)
    }
}

/// The deadline of a request's caller, if it has one. A timeout that cannot be read is refused
/// later.
pub(crate) fn of_caller(headers: &HeaderMap, extensions: &Extensions) -> Option<Instant> {
    Some(Arrived::of(extensions)? + timeout(headers).ok()??)
}

/// Waits for a future until the deadline. The clock decides too, because timers that expire within
/// a millisecond may fire in either order: when tonic's fires first, its server polls what it
/// serves once more before it answers.
pub(crate) async fn until<F: Future>(deadline: Instant, future: F) -> Option<F::Output> {
    let (mut future, mut at_deadline) = (pin!(future), pin!(sleep_until(deadline)));
    poll_fn(|cx| {
        if let Poll::Ready(output) = future.as_mut().poll(cx) {
            return Poll::Ready(Some(output));
        }
        match at_deadline.as_mut().poll(cx).is_ready() || Instant::now() >= deadline {
            true => Poll::Ready(None),
            false => Poll::Pending,
        }
    })
    .await
}

fn exceeded() -> Refusal {
    Reason::DeadlineExceeded.refusal(
        "the deadline passed before the answer; whether a write happened is unknown: \
         send the same request, with the same request_id, again, and it takes effect once",
        [],
    )
}

/// How long the caller waits, less [`HEAD_START`].
fn timeout(headers: &HeaderMap) -> Result<Option<Duration>, Refusal> {
    let Some(value) = headers.get(GRPC_TIMEOUT) else { return Ok(None) };
    let timeout = value.to_str().ok().and_then(parse).ok_or_else(|| {
        let message = "grpc-timeout must be up to eight digits and one of H, M, S, m, u, n";
        Reason::MalformedHeader.refusal(message, [("header", GRPC_TIMEOUT.to_owned())])
    })?;
    Ok(Some(timeout - HEAD_START.min(timeout / 10)))
}

/// The answer must leave before the caller stops listening, and before tonic's server, which obeys
/// the same header, answers `CANCELLED`: callers of REST and Connect read that as an empty success.
const HEAD_START: Duration = Duration::from_millis(5);

/// `250m`: at most eight digits and a unit.
fn parse(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.len() > 8 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let amount = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(amount * 3600)),
        "M" => Some(Duration::from_secs(amount * 60)),
        "S" => Some(Duration::from_secs(amount)),
        "m" => Some(Duration::from_millis(amount)),
        "u" => Some(Duration::from_micros(amount)),
        "n" => Some(Duration::from_nanos(amount)),
        _ => None,
    }
}

/// A body that ends at the deadline, with the refusal as its trailers.
struct UntilDeadline {
    /// `None` once it has ended.
    body: Option<Body>,
    at_deadline: Pin<Box<Sleep>>,
    domain: Domain,
}

impl http_body::Body for UntilDeadline {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let Some(body) = &mut this.body else { return Poll::Ready(None) };
        // The deadline is polled first: a stream that always has a message ready must end too.
        if this.at_deadline.as_mut().poll(cx).is_pending() {
            return Pin::new(body).poll_frame(cx);
        }
        this.body = None;
        let mut trailers = HeaderMap::new();
        this.domain.refuse(exceeded()).add_header(&mut trailers)?;
        Poll::Ready(Some(Ok(Frame::trailers(trailers))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(http_body::Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(http_body::Body::size_hint).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures::StreamExt;
    use http_body_util::{BodyExt, StreamBody};
    use tonic_types::StatusExt;
    use tower::ServiceExt;

    use super::*;

    const UNARY: &str = "/google.longrunning.Operations/Wait";

    fn deadlines() -> DeadlineLayer {
        DeadlineLayer {
            domain: Domain::new("toy"),
            unary_max: Duration::from_secs(30),
            unary_paths: Arc::new([UNARY.to_owned()].into()),
        }
    }

    /// The answer of a service that waits `after` seconds, then sends a message every second.
    async fn call(path: &str, timeout: Option<&'static str>, after: u64) -> Response<Body> {
        let mut request = Request::builder().uri(path);
        if let Some(timeout) = timeout {
            request = request.header(GRPC_TIMEOUT, timeout);
        }
        let service = deadlines().layer(tower::service_fn(move |_: Request<Body>| async move {
            tokio::time::sleep(Duration::from_secs(after)).await;
            let seconds = futures::stream::repeat(()).then(|()| async {
                tokio::time::sleep(Duration::from_secs(1)).await;
                Ok::<_, Status>(Frame::data(Bytes::from_static(b"tick")))
            });
            Ok::<_, Infallible>(Response::new(Body::new(StreamBody::new(seconds))))
        }));
        let Ok(response) = service.oneshot(request.body(Body::empty()).expect("a request")).await;
        response
    }

    fn reason(headers: &HeaderMap) -> (tonic::Code, String) {
        let status = Status::from_header_map(headers).expect("a status");
        (status.code(), status.get_details_error_info().map(|info| info.reason).unwrap_or_default())
    }

    fn exceeded() -> (tonic::Code, String) {
        (tonic::Code::DeadlineExceeded, "DEADLINE_EXCEEDED".to_owned())
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_ends_at_the_callers_deadline_or_at_the_services_limit() {
        let started = Instant::now();
        assert_eq!(reason(call(UNARY, Some("2S"), 60).await.headers()), exceeded());
        assert_eq!(started.elapsed().as_secs(), 1, "just before the caller stops listening");
        assert_eq!(reason(call(UNARY, Some("1H"), 60).await.headers()), exceeded());
        assert_eq!(reason(call(UNARY, None, 60).await.headers()), exceeded());
        assert!(!call(UNARY, None, 20).await.headers().contains_key("grpc-status"));
        assert!(
            !call("/a.Stream/Goes", None, 60).await.headers().contains_key("grpc-status"),
            "only unary calls have a limit"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_deadline_counts_from_when_the_request_arrived() {
        let arrived = Arrived(Instant::now());
        tokio::time::sleep(Duration::from_millis(1500)).await;
        let request = Request::builder().uri(UNARY).header(GRPC_TIMEOUT, "2S").extension(arrived);
        let never = tower::service_fn(|_: Request<Body>| {
            std::future::pending::<Result<Response<Body>, Infallible>>()
        });
        let request = request.body(Body::empty()).expect("a request");
        let Ok(response) = deadlines().layer(never).oneshot(request).await;
        assert_eq!(reason(response.headers()), exceeded());
        assert_eq!(arrived.0.elapsed(), Duration::from_secs(2) - HEAD_START);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_at_its_deadline_with_trailers() {
        let body = call("/a.Stream/Goes", Some("10500m"), 5)
            .await
            .into_body()
            .collect()
            .await
            .expect("an end");
        assert_eq!(reason(body.trailers().expect("trailers")), exceeded());
        assert_eq!(body.to_bytes(), "tick".repeat(5));
    }

    #[tokio::test]
    async fn a_malformed_timeout_is_refused() {
        for timeout in ["", "S", "2", "2x", "123456789S", "-2S", "+2S", "2 S"] {
            let refusal = reason(call(UNARY, Some(timeout), 0).await.headers());
            assert_eq!(
                refusal,
                (tonic::Code::InvalidArgument, "MALFORMED_HEADER".to_owned()),
                "{timeout:?}"
            );
        }
    }

    #[test]
    fn every_unit_is_known() {
        let seconds = ["1H", "60M", "3600S", "3600000m"].map(parse);
        assert!(seconds.iter().all(|parsed| *parsed == Some(Duration::from_secs(3600))));
        assert_eq!(
            (parse("7u"), parse("7n")),
            (Some(Duration::from_micros(7)), Some(Duration::from_nanos(7)))
        );
    }
}
