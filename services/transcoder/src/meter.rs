//! Call metrics: calls by method and code, durations of unary calls, and open streams.
//!
//! Every protocol is counted here as gRPC. Labels are the methods of the descriptors and the codes
//! of gRPC, never a value that a caller chose (`every_method_has_a_label_of_its_own`). A metric is
//! registered when it first occurs; after that a call costs a lookup by path, two clock reads and
//! two additions, which `benches/meter.rs` measures. The messages of a stream are not counted.
//!
//! At the level `debug` a call is also a span of the log: lines within it carry its request id and
//! method, and its end is logged.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body::{Frame, SizeHint};
use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};
use prost_reflect::DescriptorPool;
use tonic::body::Body;
use tonic::{Code, Status};
use tower::Service;
use tower_layer::Layer;
use tracing::field::Empty;
use tracing::{Level, Span};

use crate::answer::header_text;
use crate::request_id::REQUEST_ID;

/// The names of the metrics.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// Counter: calls that ended, by `method` and `code`.
    pub requests: &'static str,
    /// Histogram: durations of unary calls in seconds, by `method`.
    pub request_duration: &'static str,
    /// Gauge: open streams, by `method`.
    pub streams_open: &'static str,
}

/// The `method` of calls outside the contract, such as health checks, reflection and unknown paths.
const OTHER: &str = "other";

/// Counts the calls of the service that it is laid around.
#[derive(Clone)]
pub struct MeterLayer {
    /// By path.
    methods: Arc<HashMap<String, Arc<Method>>>,
    other: Arc<Method>,
}

/// The layer for the services of `pool`. Methods are labelled as in `Library.GetBook`.
pub fn layer(pool: &DescriptorPool, names: Names) -> MeterLayer {
    let methods = pool.services().flat_map(|service| {
        let of_service = service.clone();
        let method = move |method: prost_reflect::MethodDescriptor| {
            let path = format!("/{}/{}", of_service.full_name(), method.name());
            let name = format!("{}.{}", of_service.name(), method.name());
            (path, Arc::new(Method::new(names, name, !method.is_server_streaming())))
        };
        service.methods().map(method).collect::<Vec<_>>()
    });
    let other = Method::new(names, OTHER.to_owned(), false);
    MeterLayer { methods: Arc::new(methods.collect()), other: Arc::new(other) }
}

impl<S> Layer<S> for MeterLayer {
    type Service = Meter<S>;

    fn layer(&self, inner: S) -> Meter<S> {
        Meter { inner, layer: self.clone() }
    }
}

/// Names the caller in the log's span, if calls are logged. Call it within a call of a metered
/// service.
pub fn name_caller(caller: &str) {
    // Otherwise every call would pay for a span that is never shown.
    if tracing::enabled!(Level::DEBUG) {
        Span::current().record("caller", caller);
    }
}

/// See [`layer`].
#[derive(Clone)]
pub struct Meter<S> {
    inner: S,
    layer: MeterLayer,
}

impl<S> Service<Request<Body>> for Meter<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Future: Unpin,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Metered<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let method = self.layer.methods.get(request.uri().path()).unwrap_or(&self.layer.other);
        let span = span(&request, &method.name);
        let answer = span.in_scope(|| self.inner.call(request));
        let call = Call { method: method.clone(), began: Instant::now(), code: None, span };
        Metered { answer, call: Some(call) }
    }
}

/// The future of a call.
pub struct Metered<F> {
    answer: F,
    /// `None` once it has been answered.
    call: Option<Call>,
}

impl<F, E> Future for Metered<F>
where
    F: Future<Output = Result<Response<Body>, E>> + Unpin,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let entered = this.call.as_ref().map(|call| call.span.enter());
        let answer = Pin::new(&mut this.answer).poll(cx);
        drop(entered);
        let answer = ready!(answer);
        let call = self.call.take().expect("a future is not polled after it is ready");
        Poll::Ready(answer.map(|response| call.answered(response)))
    }
}

/// A call in progress. It is counted when it is dropped: as cancelled, if it had not ended.
struct Call {
    method: Arc<Method>,
    began: Instant,
    code: Option<Code>,
    span: Span,
}

/// The span of a call. See [`name_caller`].
fn span(request: &Request<Body>, method: &str) -> Span {
    let id = || header_text(request.headers(), REQUEST_ID.as_str());
    tracing::debug_span!("call", request.id = id(), rpc = method, caller = Empty)
}

impl Call {
    fn answered(mut self, response: Response<Body>) -> Response<Body> {
        self.code = code(response.headers());
        if self.code.is_none() && self.method.is_unary {
            // Its body is complete when its head is.
            self.code = Some(Code::Ok);
        }
        if self.code.is_some() {
            return response;
        }
        self.method.open().increment(1);
        response.map(|body| Body::new(Streaming { body, call: self }))
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let code = self.code.unwrap_or(Code::Cancelled);
        self.method.ended(code).increment(1);
        let took = self.began.elapsed();
        let _entered = self.span.enter();
        let duration_ms = took.as_secs_f64() * 1000.0;
        tracing::debug!(rpc.code = CODES[code as usize], duration_ms, "the call ended");
        if self.method.is_unary {
            self.method.took().record(took);
        }
    }
}

/// The body of a streamed answer, counted as open until it ends.
struct Streaming {
    body: Body,
    call: Call,
}

impl http_body::Body for Streaming {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let entered = this.call.span.enter();
        let frame = Pin::new(&mut this.body).poll_frame(cx);
        drop(entered);
        let frame = ready!(frame);
        match &frame {
            Some(Ok(frame)) => {
                let end = frame.trailers_ref().and_then(code);
                self.call.code = end.or(self.call.code);
            }
            Some(Err(status)) => self.call.code = Some(status.code()),
            None => {}
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Streaming {
    fn drop(&mut self) {
        self.call.method.open().decrement(1);
    }
}

/// A method and its metrics.
struct Method {
    names: Names,
    name: String,
    is_unary: bool,
    ended: [OnceLock<Counter>; CODES.len()],
    took: OnceLock<Histogram>,
    open: OnceLock<Gauge>,
}

impl Method {
    fn new(names: Names, name: String, is_unary: bool) -> Method {
        let ended = std::array::from_fn(|_| OnceLock::new());
        Method { names, name, is_unary, ended, took: OnceLock::new(), open: OnceLock::new() }
    }

    fn ended(&self, code: Code) -> &Counter {
        let register = || {
            let code = CODES[code as usize];
            counter!(self.names.requests, "method" => self.name.clone(), "code" => code)
        };
        self.ended[code as usize].get_or_init(register)
    }

    fn took(&self) -> &Histogram {
        let name = self.names.request_duration;
        self.took.get_or_init(|| histogram!(name, "method" => self.name.clone()))
    }

    fn open(&self) -> &Gauge {
        let name = self.names.streams_open;
        self.open.get_or_init(|| gauge!(name, "method" => self.name.clone()))
    }
}

/// The names of gRPC's codes, by number.
const CODES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

/// The code a call ended with: in the headers if there is no body, otherwise in the trailers.
fn code(headers: &HeaderMap) -> Option<Code> {
    Some(Code::from_bytes(headers.get(Status::GRPC_STATUS)?.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::tests::pool;

    const NAMES: Names = Names {
        requests: "toy_requests_total",
        request_duration: "toy_request_duration_seconds",
        streams_open: "toy_streams_open",
    };

    #[test]
    fn every_method_has_a_label_of_its_own() {
        let layer = layer(&pool(), NAMES);
        let names: HashSet<&str> = layer.methods.values().map(|it| it.name.as_str()).collect();
        assert_eq!(names.len(), layer.methods.len());
        let method = &layer.methods["/toy.v1.Library/LendBook"];
        assert_eq!((&*method.name, method.is_unary), ("Library.LendBook", true));
        assert!(!layer.methods["/toy.v1.Library/ReadBook"].is_unary);
    }

    #[test]
    fn codes_are_named_by_their_numbers() {
        for (code, name) in [(Code::Ok, "OK"), (Code::Unauthenticated, "UNAUTHENTICATED")] {
            assert_eq!(CODES[code as usize], name);
        }
        let headers =
            tonic::Status::aborted("the book was lent").into_http::<Body>().headers().clone();
        assert_eq!(CODES[code(&headers).expect("a code") as usize], "ABORTED");
        assert_eq!(code(&HeaderMap::new()), None, "the trailers have the code");
    }
}
