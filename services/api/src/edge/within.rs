//! Protocols above this one: they answer requests by calls of the gRPC service of this process.

use std::convert::Infallible;

use axum::Router;
use http::{Request, Response};
use tonic::body::Body;
use tower::util::BoxCloneSyncService;

/// The gRPC service of this process. Its calls have the credentials, the limits and the metrics of
/// those that arrive from outside.
pub type Within = BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>;

/// Makes the routes of a protocol.
pub type Protocol = fn(Within) -> Router;

/// The routes of these protocols, which pages of `origins` may call.
pub(super) fn routes<S>(grpc: &S, protocols: &[Protocol], origins: &[String]) -> Router
where
    S: tower::Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S: Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
{
    let routes = |protocol: &Protocol| protocol(Within::new(grpc.clone()));
    let routes = protocols.iter().map(routes).fold(Router::new(), Router::merge);
    routes.layer(transcoder::cors(origins))
}
