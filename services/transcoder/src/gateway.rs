//! Everything on one port: native gRPC, the transcoder, sockets, the OpenAPI document and CORS.

use axum::Router;
use axum::extract::Request;
use axum::routing::any;
use tonic::body::Body;
use tower_layer::Layer;

use crate::cache::compression;
use crate::call::Grpc;
use crate::codec::MessageLimit;
use crate::cors::cors;
use crate::front::FrontLayer;
use crate::openapi::{self, Info};
use crate::socket::Sockets;
use crate::transcoder::TranscoderLayer;

/// The two parts of a server that answers every protocol on one port:
///
/// ```ignore
/// Server::builder()
///     .layer(gateway.front)
///     .accept_http1(true)
///     .add_routes(Routes::from(gateway.pages))
/// ```
pub struct Gateway<S> {
    /// Sends native gRPC straight to the services, before any routing.
    pub front: FrontLayer<MessageLimit<S>>,
    /// Everything else: `/openapi.json`, sockets, and the transcoder at all other paths.
    pub pages: Router,
}

impl TranscoderLayer {
    /// The OpenAPI document of the services.
    pub fn document(&self, info: &Info<'_>) -> serde_json::Value {
        openapi::document(&self.shared.pool, &self.shared.contract, info)
    }

    /// The gateway to a gRPC service. Connections must be [`Handover`](crate::Handover)s, or no
    /// socket can be opened.
    pub fn gateway<S>(&self, grpc: S, info: &Info<'_>, sockets: Sockets) -> Gateway<S>
    where
        S: Clone + Sync,
        MessageLimit<S>: Grpc + Sync,
    {
        let shared = &self.shared;
        let (of_sockets, opened) = (shared.clone(), self.limited(grpc.clone()));
        let path = sockets.path();
        let socket = any(async move |request: Request| {
            sockets.answer(&of_sockets, opened, request.map(Body::new))
        });
        let pages = openapi::router(&self.document(info))
            .route(path, socket)
            .fallback_service(self.layer(grpc.clone()))
            .layer(compression())
            .layer(cors(&shared.options.origins));
        Gateway { front: FrontLayer::new(self.limited(grpc)), pages }
    }
}
