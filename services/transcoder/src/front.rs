//! The first branch of every request: native gRPC skips the transcoder.

use std::task::{Context, Poll};

use futures::future::Either;
use http::{Request, Response, header};
use tokio::time::Instant;
use tonic::body::Body;
use tower::Service;
use tower_layer::Layer;

use crate::deadline::Arrived;

/// Lays a [`Front`] around the service for all other requests.
#[derive(Clone)]
pub struct FrontLayer<Native> {
    native: Native,
}

impl<Native> FrontLayer<Native> {
    /// `native` answers native gRPC.
    pub fn new(native: Native) -> Self {
        Self { native }
    }
}

impl<Native: Clone, Others> Layer<Others> for FrontLayer<Native> {
    type Service = Front<Native, Others>;

    fn layer(&self, others: Others) -> Self::Service {
        Front { native: self.native.clone(), others }
    }
}

/// Sends native gRPC straight to the services, and all other requests to `others`: pages, browsers
/// and the transcoder.
#[derive(Clone)]
pub struct Front<Native, Others> {
    native: Native,
    others: Others,
}

impl<Native, Others> Service<Request<Body>> for Front<Native, Others>
where
    Native: Service<Request<Body>, Response = Response<Body>>,
    Others: Service<Request<Body>, Response = Response<Body>, Error = Native::Error>,
{
    type Response = Response<Body>;
    type Error = Native::Error;
    type Future = Either<Native::Future, Others::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        match self.native.poll_ready(cx) {
            Poll::Ready(Ok(())) => self.others.poll_ready(cx),
            other => other,
        }
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        if is_native(&request) {
            Either::Left(self.native.call(request))
        } else {
            request.extensions_mut().insert(Arrived(Instant::now()));
            Either::Right(self.others.call(request))
        }
    }
}

/// Whether the media type is `application/grpc`, also with a message format such as
/// `application/grpc+proto`; gRPC-Web is not native.
fn is_native(request: &Request<Body>) -> bool {
    let media_type = request.headers().get(header::CONTENT_TYPE).map(|value| value.as_bytes());
    let kind = media_type.and_then(|it| it.strip_prefix(b"application/grpc"));
    kind.is_some_and(|kind| matches!(kind.first(), None | Some(b'+' | b';')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content_type: &str, is_grpc: bool) {
        let request = Request::builder().header("content-type", content_type).body(Body::empty());
        assert_eq!(is_native(&request.expect("a request")), is_grpc, "{content_type}");
    }

    #[test]
    fn only_native_grpc_skips_the_transcoder() {
        check("application/grpc", true);
        check("application/grpc+proto", true);
        check("application/grpc;charset=utf-8", true);
        check("application/grpc-web", false);
        check("application/grpc-web-text+proto", false);
        check("application/json", false);
    }
}
