//! The transcoder as a tower layer: finds the protocol of each request and answers in it.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{Request, Response};
use prost_reflect::DescriptorPool;
use tonic::body::Body;
use tonic_web::{GrpcWebLayer, GrpcWebService};
use tower::{Service, ServiceExt};
use tower_layer::Layer;

use crate::answer::content_type;
use crate::call::Grpc;
use crate::codec::MessageLimit;
use crate::contract::{Contract, ContractError};
use crate::shared::{Options, Shared};
use crate::unread::UnreadBody;
use crate::{connect, rest};

/// Lays a [`Transcoder`] around a gRPC service.
#[derive(Clone)]
pub struct TranscoderLayer {
    pub(crate) shared: Arc<Shared>,
}

impl TranscoderLayer {
    /// The layer for the services of `pool`.
    ///
    /// # Errors
    ///
    /// If an HTTP rule of the contract, or a resumption, names something that does not exist.
    pub fn new(pool: &DescriptorPool, options: Options) -> Result<Self, ContractError> {
        Ok(Self { shared: Arc::new(Shared::new(pool, options)?) })
    }

    pub(crate) fn limited<S>(&self, grpc: S) -> MessageLimit<S> {
        MessageLimit::new(grpc, self.shared.clone())
    }
}

impl<S: Clone> Layer<S> for TranscoderLayer
where
    MessageLimit<S>: Grpc,
{
    type Service = Transcoder<S>;

    fn layer(&self, grpc: S) -> Transcoder<S> {
        let grpc = self.limited(grpc);
        Transcoder {
            shared: self.shared.clone(),
            web: GrpcWebLayer::new().layer(grpc.clone()),
            grpc,
        }
    }
}

/// Answers requests of every protocol by calls to a gRPC service. See [`TranscoderLayer`].
#[derive(Clone)]
pub struct Transcoder<S> {
    shared: Arc<Shared>,
    grpc: MessageLimit<S>,
    web: GrpcWebService<MessageLimit<S>>,
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
        // Each call polls a clone of the inner service.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let request = request.map(|body| Body::new(UnreadBody::new(Body::new(body))));
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

/// The protocol of a request.
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
