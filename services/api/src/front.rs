//! The way in: native gRPC takes the short one.

use std::task::{Context, Poll};

use futures::future::Either;
use http::{Request, Response, header};
use tonic::body::Body;
use tower::Service;

/// Native gRPC goes straight to the services. Whatever else comes is for pages, browsers, and the
/// transcoder, which asks the same services.
#[derive(Clone)]
pub(crate) struct Front<Native, Others> {
    pub native: Native,
    pub others: Others,
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

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if is_native(&request) {
            Either::Left(self.native.call(request))
        } else {
            Either::Right(self.others.call(request))
        }
    }
}

/// `application/grpc`, and what says more precisely which messages, such as
/// `application/grpc+proto`; but not gRPC-Web.
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
    fn only_native_grpc_takes_the_short_way() {
        check("application/grpc", true);
        check("application/grpc+proto", true);
        check("application/grpc;charset=utf-8", true);
        check("application/grpc-web", false);
        check("application/grpc-web-text+proto", false);
        check("application/json", false);
    }
}
