//! Counting calls: how many of each method ended how, how long they took, which streams are open,
//! and what was refused why.
//!
//! Every protocol passes here as gRPC. Labels are methods, codes and reasons, of which the contract
//! and the games have so many and no more: nothing that a caller chose becomes one. Whatever is
//! counted is registered when it first happens; from then on a call costs a lookup by its path, two
//! looks at the clock and two additions.
//!
//! An action that comes over a stream is no call of its own: it is counted as the entry that it
//! became, or as a refusal.

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

/// Calls that ended, by `method` and `code`.
pub const REQUESTS: &str = "croupier_requests_total";
/// How long unary calls took, by `method`.
pub const REQUEST_DURATION: &str = "croupier_request_duration_seconds";
/// Streams under way, by `method`.
pub const STREAMS_OPEN: &str = "croupier_streams_open";
/// Refusals, by `domain` (the service, or a game) and `reason`.
pub const REFUSALS: &str = "croupier_refusals_total";

/// What is called that is no method of the contract: health, reflection, and what is not there.
const OTHER: &str = "other";

/// Counts the calls of the service that it is laid around.
#[derive(Clone)]
pub struct MeterLayer {
    /// By path.
    methods: Arc<HashMap<String, Arc<Method>>>,
    other: Arc<Method>,
}

/// The layer for the services of `pool`, whose methods are named as in `MatchService.GetMatch`.
pub fn layer(pool: &DescriptorPool) -> MeterLayer {
    let methods = pool.services().flat_map(|service| {
        let of_service = service.clone();
        let method = move |method: prost_reflect::MethodDescriptor| {
            let path = format!("/{}/{}", of_service.full_name(), method.name());
            let name = format!("{}.{}", of_service.name(), method.name());
            (path, Arc::new(Method::new(name, !method.is_server_streaming())))
        };
        service.methods().map(method).collect::<Vec<_>>()
    });
    let other = Method::new(OTHER.to_owned(), false);
    MeterLayer { methods: Arc::new(methods.collect()), other: Arc::new(other) }
}

/// Counts a refusal as it is made.
pub(crate) fn refused(domain: &str, reason: &'static str) {
    counter!(REFUSALS, "domain" => domain.to_owned(), "reason" => reason).increment(1);
}

impl<S> Layer<S> for MeterLayer {
    type Service = Meter<S>;

    fn layer(&self, inner: S) -> Meter<S> {
        Meter { inner, layer: self.clone() }
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
        let call = Call { method: method.clone(), began: Instant::now(), code: None };
        Metered { answer: self.inner.call(request), call: Some(call) }
    }
}

/// An answer on its way.
pub struct Metered<F> {
    answer: F,
    /// None once it is answered.
    call: Option<Call>,
}

impl<F, E> Future for Metered<F>
where
    F: Future<Output = Result<Response<Body>, E>> + Unpin,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = ready!(Pin::new(&mut self.answer).poll(cx));
        let call = self.call.take().expect("nothing is awaited again after its end");
        Poll::Ready(answer.map(|response| call.answered(response)))
    }
}

/// A call under way. It is counted as it is dropped; as cancelled, if it had not ended by then.
struct Call {
    method: Arc<Method>,
    began: Instant,
    code: Option<Code>,
}

impl Call {
    fn answered(mut self, response: Response<Body>) -> Response<Body> {
        self.code = code(response.headers());
        if self.code.is_none() && self.method.is_unary {
            // Its body is there when its head is.
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
        if self.method.is_unary {
            self.method.took().record(self.began.elapsed());
        }
    }
}

/// The messages of a stream that is counted until it ends.
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
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
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

/// A method and its figures.
struct Method {
    name: String,
    is_unary: bool,
    ended: [OnceLock<Counter>; CODES.len()],
    took: OnceLock<Histogram>,
    open: OnceLock<Gauge>,
}

impl Method {
    fn new(name: String, is_unary: bool) -> Method {
        let ended = std::array::from_fn(|_| OnceLock::new());
        Method { name, is_unary, ended, took: OnceLock::new(), open: OnceLock::new() }
    }

    fn ended(&self, code: Code) -> &Counter {
        let register =
            || counter!(REQUESTS, "method" => self.name.clone(), "code" => CODES[code as usize]);
        self.ended[code as usize].get_or_init(register)
    }

    fn took(&self) -> &Histogram {
        self.took.get_or_init(|| histogram!(REQUEST_DURATION, "method" => self.name.clone()))
    }

    fn open(&self) -> &Gauge {
        self.open.get_or_init(|| gauge!(STREAMS_OPEN, "method" => self.name.clone()))
    }
}

/// The codes of gRPC, by number, in the words of its specification.
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

/// How a call ended, in headers where there is no body, otherwise in trailers.
fn code(headers: &HeaderMap) -> Option<Code> {
    Some(Code::from_bytes(headers.get(Status::GRPC_STATUS)?.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::descriptors::descriptors;

    #[test]
    fn every_method_is_counted_under_a_name_of_its_own() {
        let layer = layer(descriptors());
        let names: HashSet<&str> = layer.methods.values().map(|it| it.name.as_str()).collect();
        assert_eq!(names.len(), layer.methods.len());
        let method = &layer.methods["/croupier.v1.MatchService/SubmitAction"];
        assert_eq!((&*method.name, method.is_unary), ("MatchService.SubmitAction", true));
        assert!(!layer.methods["/croupier.v1.EntryService/WatchEntries"].is_unary);
    }

    #[test]
    fn codes_are_named_by_their_numbers() {
        for (code, name) in [(Code::Ok, "OK"), (Code::Unauthenticated, "UNAUTHENTICATED")] {
            assert_eq!(CODES[code as usize], name);
        }
        let headers = tonic::Status::aborted("it moved on").into_http::<Body>().headers().clone();
        assert_eq!(CODES[code(&headers).expect("a code") as usize], "ABORTED");
        assert_eq!(code(&HeaderMap::new()), None, "the body tells");
    }
}
