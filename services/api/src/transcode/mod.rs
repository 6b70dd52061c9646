//! One port, one handler for every protocol: REST, Connect, server-sent events and NDJSON become
//! gRPC calls within this process.
//!
//! gRPC and gRPC-Web pass through. Everything else finds its rpc in the descriptors, its JSON
//! becomes a protobuf message, the gRPC service is called as if over a socket, and its answer
//! becomes what the caller speaks. So authorization, limits and metrics see one kind of call, and
//! no rpc is written twice.
//!
//! Read on in this order: `contract` (which rpc answers a request), `template`, `bind` and `json`
//! (what the request says), `call` (the way through gRPC), `rest` and `connect` (the two
//! protocols), `stream` (answers that go on), `error` (refusals).

mod bind;
mod call;
mod connect;
mod contract;
mod cors;
mod error;
mod json;
mod rest;
mod stream;
mod template;
#[cfg(test)]
pub mod tests;

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{HeaderMap, Request, Response, header};
use prost_reflect::DescriptorPool;
use tonic::body::Body;
use tonic_web::{GrpcWebLayer, GrpcWebService};
use tower::{Service, ServiceExt};
use tower_layer::Layer;

use crate::codec::MessageLimit;
pub use contract::{Contract, ContractError, Route, RouteBody};
pub use cors::cors;
use error::Renderer;
pub use error::{DOMAIN, Reason};
pub use json::json_of;

/// What a deployment may choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// The longest request message, in bytes as sent: JSON text or protobuf. tonic's own limit must
    /// be no smaller.
    pub message_bytes_max: usize,
    /// How often a silent event stream carries a comment, so that proxies keep it open and lost
    /// clients are noticed.
    pub heartbeat: Duration,
    /// The streams that `Last-Event-ID` takes up again.
    pub resumes: Vec<Resume>,
}

impl Default for Options {
    fn default() -> Self {
        Self { message_bytes_max: 1 << 20, heartbeat: Duration::from_secs(15), resumes: Vec::new() }
    }
}

/// How a broken event stream is taken up again, by the names of the contract:
/// `croupier.v1.MatchService.WatchMatch`, `entry.position`, `after_position`.
#[derive(Clone, Debug)]
pub struct Resume {
    pub method: String,
    /// The field of each message that becomes its event's `id:`.
    pub id: String,
    /// The field of the request that `Last-Event-ID` fills.
    pub after: String,
}

/// Answers every protocol before the gRPC service that it is laid around.
#[derive(Clone)]
pub struct TranscodeLayer {
    shared: Arc<Shared>,
}

/// The layer for the services of `pool`.
///
/// # Errors
///
/// When an HTTP rule of the contract, or a resumption, names what does not exist.
pub fn layer(pool: &DescriptorPool, options: Options) -> Result<TranscodeLayer, ContractError> {
    let contract = Contract::new(pool, &options.resumes)?;
    Ok(TranscodeLayer {
        shared: Arc::new(Shared { contract, renderer: Renderer::new(pool.clone()), options }),
    })
}

impl TranscodeLayer {
    /// What the layer answers; OpenAPI is made from it.
    pub fn contract(&self) -> &Contract {
        &self.shared.contract
    }
}

impl<S: Clone> Layer<S> for TranscodeLayer
where
    MessageLimit<S>: Grpc,
{
    type Service = Transcoder<S>;

    fn layer(&self, inner: S) -> Transcoder<S> {
        let grpc = MessageLimit::new(inner, self.shared.options.message_bytes_max);
        Transcoder {
            shared: self.shared.clone(),
            web: GrpcWebLayer::new().layer(grpc.clone()),
            grpc,
        }
    }
}

/// A gRPC service within this process.
pub trait Grpc:
    Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send + 'static>
    + Clone
    + Send
    + 'static
{
}

impl<S> Grpc for S where
    S: Service<
            Request<Body>,
            Response = Response<Body>,
            Error = Infallible,
            Future: Send + 'static,
        > + Clone
        + Send
        + 'static
{
}

/// See [`layer`].
#[derive(Clone)]
pub struct Transcoder<S> {
    shared: Arc<Shared>,
    grpc: MessageLimit<S>,
    web: GrpcWebService<MessageLimit<S>>,
}

struct Shared {
    contract: Contract,
    renderer: Renderer,
    options: Options,
}

impl<S, B> Service<Request<B>> for Transcoder<S>
where
    MessageLimit<S>: Grpc,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<tonic::codegen::StdError>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // Each call readies its own clone of the service it needs.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let request = request.map(Body::new);
        match Protocol::of(&request, &self.shared.contract) {
            Protocol::Grpc => Box::pin(self.grpc.clone().oneshot(request)),
            Protocol::GrpcWeb => {
                Box::pin(ServiceExt::<Request<Body>>::oneshot(self.web.clone(), request))
            }
            Protocol::Connect => {
                let (shared, grpc) = (self.shared.clone(), self.grpc.clone());
                Box::pin(async move { Ok(connect::answer(shared, grpc, request).await) })
            }
            Protocol::Rest => {
                let (shared, grpc) = (self.shared.clone(), self.grpc.clone());
                Box::pin(async move { Ok(rest::answer(shared, grpc, request).await) })
            }
        }
    }
}

#[derive(Debug, PartialEq)]
enum Protocol {
    Grpc,
    GrpcWeb,
    Connect,
    Rest,
}

impl Protocol {
    fn of(request: &Request<Body>, contract: &Contract) -> Self {
        let headers = request.headers();
        match content_type(headers) {
            Some(of_web) if of_web.starts_with("application/grpc-web") => Self::GrpcWeb,
            Some(of_grpc) if of_grpc.starts_with("application/grpc") => Self::Grpc,
            Some(of_connect) if of_connect.starts_with("application/connect+") => Self::Connect,
            _ if headers.contains_key("connect-protocol-version") => Self::Connect,
            _ if contract.procedure(request.uri().path()).is_some() => Self::Connect,
            _ => Self::Rest,
        }
    }
}

/// The media type without its parameters, where there is one.
fn content_type(headers: &HeaderMap) -> Option<&str> {
    Some(
        header_text(headers, header::CONTENT_TYPE.as_str())?
            .split(';')
            .next()
            .unwrap_or_default()
            .trim(),
    )
}

fn header_text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}
