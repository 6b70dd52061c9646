//! Routing of calls to their services.

use std::convert::Infallible;
use std::task::{Context, Poll};

use futures::future::Either;
use http::{Request, Response};
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::service::Routes;
use tower::Service;

/// Calls one service without a router, and the others through one.
///
/// A router clones the service for each call, stores the matched path and its parameters, and wraps
/// the answer. Almost all calls go to the service of matches, which matches the path itself.
#[derive(Clone)]
pub(crate) struct Shortcut<S> {
    service: S,
    others: Routes,
}

impl<S> Shortcut<S> {
    pub fn new(service: S, others: Routes) -> Shortcut<S> {
        Shortcut { service, others }
    }
}

impl<S> Service<Request<Body>> for Shortcut<S>
where
    S: NamedService + Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<S::Future, <Routes as Service<Request<Body>>>::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.service.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let path = request.uri().path().strip_prefix('/');
        let method = path.and_then(|path| path.strip_prefix(S::NAME));
        match method.is_some_and(|method| method.starts_with('/')) {
            true => Either::Left(self.service.call(request)),
            false => Either::Right(self.others.call(request)),
        }
    }
}
