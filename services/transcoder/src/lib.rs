//! One port, one handler, every protocol: REST, Connect, gRPC-Web, server-sent events and NDJSON
//! become calls to a gRPC service in the same process.
//!
//! A request finds its rpc in a descriptor pool, its JSON becomes a protobuf message, the gRPC
//! service is called as if over a socket, and its answer is written in the caller's protocol.
//! Therefore authorization, limits and metrics see one kind of call, and no rpc is written twice.
//! No code is generated: the crate serves any tonic service whose descriptors are known, as its
//! tests do with `src/tests/toy.proto`.
//!
//! - **REST** follows the `google.api.http` rules of the contract, with proto3 JSON.
//! - **Connect** answers at the gRPC paths, in JSON or protobuf, unary and server-streaming.
//! - **Streams** are sent as server-sent events, as NDJSON or as Connect envelopes; event streams
//!   resume by `Last-Event-ID` as [`Resume`] describes.
//! - **Sockets** ([`Sockets`]) carry any number of calls of any kind at once, in JSON or protobuf.
//! - **gRPC and gRPC-Web** pass through, within the same limit on message size.
//! - **Refusals** are typed: each has a [`Reason`] in a `google.rpc.ErrorInfo` of the service's
//!   [`Domain`].
//! - **OpenAPI** ([`openapi`]) is generated from the descriptors and their comments.
//!
//! # Use
//!
//! Give the layer the descriptors of a service and lay it around the service. Here the service is
//! gRPC's own health check, called by Connect:
//!
//! ```
//! use http::Request;
//! use http_body_util::BodyExt;
//! use prost_reflect::DescriptorPool;
//! use tonic::body::Body;
//! use tonic::service::Routes;
//! use tower::{Layer, ServiceExt};
//! use transcoder::{Domain, Options, TranscoderLayer};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
//! let pool = DescriptorPool::decode(tonic_health::pb::FILE_DESCRIPTOR_SET)?;
//! let (_reporter, health) = tonic_health::server::health_reporter();
//! let grpc = Routes::new(health).prepare();
//!
//! let options = Options::new(Domain::new("health.example.com"));
//! let service = TranscoderLayer::new(&pool, options)?.layer(grpc);
//!
//! let request = Request::post("/grpc.health.v1.Health/Check")
//!     .header("content-type", "application/json")
//!     .body(Body::new(r#"{"service": ""}"#.to_owned()))?;
//! let response = service.oneshot(request).await?;
//! assert_eq!(response.into_body().collect().await?.to_bytes(), r#"{"status":"SERVING"}"#);
//! # Ok(())
//! # }
//! ```
//!
//! [`TranscoderLayer::gateway`] puts it together with the OpenAPI document, CORS and a direct path
//! for native gRPC. [`deadline`] and [`meter`] are layers for the gRPC service itself.
//!
//! # Files
//!
//! In reading order. `.ci/layers` checks that no file imports one that imports it.
//!
//! 1. `refusal`: refusals as data. `answer`: HTTP headers and responses. `cache`: answers that
//!    caches may keep. `template`: path templates. `front`, `connection`, `silence`, `handover`,
//!    `proxies`, `proxy_header`, `cors`, `health`, `request_id`, `meter`, `unread`: parts of a
//!    server that stand alone.
//! 2. `deadline`: limits on time. `json`: messages as JSON. `bind`: fields sent as text.
//! 3. `contract`: the rpcs and their HTTP requests. `render`: statuses as each protocol sends them.
//!    `shared`: options and state.
//! 4. `codec`: messages as bytes, and the limit on their size. `framing`: events, lines and
//!    envelopes. `call`: calls to the gRPC service. `openapi`: the document.
//! 5. `stream`: streamed answers. `rest` and `connect`: the two protocols.
//! 6. `frames`, `session`, `socket`: WebSockets.
//! 7. `transcoder`: the layer. `gateway`: everything on one port.
//!
//! See `docs/decisions/0044-our-own-transcoder.md`.

mod answer;
mod bind;
mod cache;
mod call;
mod codec;
mod connect;
mod connection;
mod contract;
mod cors;
pub mod deadline;
mod frames;
mod framing;
mod front;
mod gateway;
mod handover;
pub mod health;
mod json;
pub mod meter;
pub mod openapi;
mod proxies;
mod proxy_header;
mod refusal;
mod render;
mod request_id;
mod rest;
mod session;
mod shared;
mod silence;
mod socket;
mod stream;
mod template;
#[cfg(test)]
mod tests;
mod transcoder;
mod unread;

pub use cache::Cached;
pub use call::Grpc;
pub use codec::{MessageLimit, Raw, refusals};
pub use connection::Connection;
pub use contract::{Contract, ContractError, Resume};
pub use cors::cors;
pub use front::{Front, FrontLayer};
pub use gateway::Gateway;
pub use handover::{ConnectionInfo, Handover, Io};
pub use proxies::{ClientHeader, Network, NoNetwork, Proxies};
pub use proxy_header::read_proxy_header;
pub use refusal::{Domain, Reason, Refusal};
pub use render::{code_name, http_status};
pub use request_id::{REQUEST_ID, RequestIdLayer};
pub use shared::Options;
pub use silence::Silence;
pub use socket::{LastSocket, Sockets};
pub use transcoder::{Transcoder, TranscoderLayer};
