//! The protocol over HTTP, within the service.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::response::IntoResponse;
use contract::Codec;
use croupier_client::{Refusal, Rpc, ServerStreaming, Unary};
use http::header::{ACCEPT_LANGUAGE, AUTHORIZATION, HeaderMap};
use http::request::Parts;
use http::uri::PathAndQuery;
use http::{Extensions, Request, Response, StatusCode};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::time::timeout;
use tonic::Streaming;
use tonic::body::Body;
use tonic::metadata::MetadataMap;
use tower::util::BoxCloneSyncService;

use crate::server::Server;
use crate::service::{Service, Source};

/// The gRPC service of this process.
pub type Grpc = BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>;

/// Where the protocol is served.
pub const PATH: &str = "/mcp";

/// The header with the player that an API key plays as.
const PLAYER: &str = "croupier-player";
/// That player unless the header names one.
const AGENT: &str = "agent";
/// The language of texts unless the request names one.
const LANGUAGE: &str = "en";

/// How long a request may take to arrive.
const ARRIVAL_MAX: Duration = Duration::from_secs(30);
/// The longest request.
const REQUEST_BYTES_MAX: usize = 64 * 1024;

/// Serves the protocol at [`PATH`]. Sessions are not kept, so any process answers any request.
///
/// Any host may be named: callers send credentials in a header, which a browser never adds by
/// itself, so a page that rebinds a name gains nothing.
pub fn routes(grpc: Grpc) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .disable_allowed_hosts()
        .with_max_request_body_bytes(REQUEST_BYTES_MAX);
    let server = Server(Within(grpc));
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let answer = tower::service_fn(move |request: Request<axum::body::Body>| {
        let service = service.clone();
        async move {
            let request = match arrived(request).await {
                Ok(request) => request,
                Err(status) => return Ok::<_, Infallible>(status.into_response()),
            };
            Ok(service.handle(request).await.into_response())
        }
    });
    Router::new().route_service(PATH, answer)
}

/// The request once all of it has arrived, so that a trickling body does not hold a call.
async fn arrived(
    request: Request<axum::body::Body>,
) -> Result<Request<axum::body::Body>, StatusCode> {
    let (parts, body) = request.into_parts();
    let body = timeout(ARRIVAL_MAX, axum::body::to_bytes(body, REQUEST_BYTES_MAX)).await;
    let body = body.map_err(|_| StatusCode::REQUEST_TIMEOUT)?;
    let body = body.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
    Ok(Request::from_parts(parts, body.into()))
}

/// The service of this process.
#[derive(Clone)]
struct Within(Grpc);

impl Source for Within {
    type Service = Caller;

    fn service(&self, request: &rmcp::model::Extensions) -> Caller {
        let parts = request.get::<Parts>();
        let mut headers = parts.map(|it| it.headers.clone()).unwrap_or_default();
        let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.to_owned());
        let player = text(PLAYER).filter(|it| !it.is_empty()).unwrap_or_else(|| AGENT.to_owned());
        let language = text(ACCEPT_LANGUAGE.as_str()).and_then(|it| first(&it));
        let language = language.unwrap_or_else(|| LANGUAGE.to_owned());
        let of_http: Vec<_> = headers.keys().filter(|it| !is_kept(it.as_str())).cloned().collect();
        of_http.iter().for_each(|name| drop(headers.remove(name)));
        // Among them is the connection, by whose address guesses of credentials are counted.
        let extensions = parts.map(|it| it.extensions.clone()).unwrap_or_default();
        Caller { grpc: self.0.clone(), headers, extensions, player, language }
    }
}

/// Whether a header of the request is one of its calls: who calls, and from where.
fn is_kept(name: &str) -> bool {
    name == AUTHORIZATION.as_str() || name == "forwarded" || name.starts_with("x-")
}

/// The first language of a list that names one.
fn first(accepted: &str) -> Option<String> {
    let tag = accepted.split([',', ';']).next()?.trim();
    (!tag.is_empty() && tag != "*").then(|| tag.to_owned())
}

/// Calls the service of this process with the credentials of a request.
struct Caller {
    grpc: Grpc,
    headers: HeaderMap,
    extensions: Extensions,
    player: String,
    language: String,
}

impl Caller {
    fn request<R>(&self, message: R) -> tonic::Request<R> {
        let metadata = MetadataMap::from_headers(self.headers.clone());
        tonic::Request::from_parts(metadata, self.extensions.clone(), message)
    }

    async fn client(&self) -> tonic::client::Grpc<Grpc> {
        let mut client =
            tonic::client::Grpc::new(self.grpc.clone()).max_decoding_message_size(usize::MAX);
        let Ok(()) = client.ready().await;
        client
    }
}

fn path<R: Rpc>() -> PathAndQuery {
    PathAndQuery::from_static(R::PATH)
}

impl Service for Caller {
    async fn call<R: Unary>(&self, request: R) -> Result<R::Answer, Refusal> {
        let mut client = self.client().await;
        let answer = client.unary(self.request(request), path::<R>(), Codec::default()).await;
        Ok(answer?.into_inner())
    }

    async fn open<R: ServerStreaming>(&self, request: R) -> Result<Streaming<R::Answer>, Refusal> {
        let mut client = self.client().await;
        let request = self.request(request);
        Ok(client.server_streaming(request, path::<R>(), Codec::default()).await?.into_inner())
    }

    fn player(&self) -> &str {
        &self.player
    }

    fn language(&self) -> &str {
        &self.language
    }
}
