//! What the tools call: a service, with someone's credentials.

use std::future::Future;

use croupier_client::{Code, Croupier, Refusal, ServerStreaming, Unary};
use rmcp::model::Extensions;
use tonic::Streaming;

/// The rpcs of a service, called with the credentials of an agent.
pub trait Service: Send + Sync {
    /// Calls an rpc with one answer.
    fn call<R: Unary>(&self, request: R)
    -> impl Future<Output = Result<R::Answer, Refusal>> + Send;

    /// Opens a stream, once.
    fn open<R: ServerStreaming>(
        &self,
        request: R,
    ) -> impl Future<Output = Result<Streaming<R::Answer>, Refusal>> + Send;

    /// The player that it plays as where the credentials do not say it: with an API key.
    fn player(&self) -> &str;

    /// The language of texts, as a BCP 47 tag.
    fn language(&self) -> &str;
}

/// The services of requests.
pub trait Source: Send + Sync + 'static {
    type Service: Service;

    /// The service for a request of the protocol.
    fn service(&self, request: &Extensions) -> Self::Service;
}

/// Calls with the configured player, and again with none: a player's token knows its player, and
/// may name no other.
pub async fn as_player<S: Service, R: Unary>(
    service: &S,
    request: impl Fn(String) -> R,
) -> Result<R::Answer, Refusal> {
    match service.call(request(service.player().to_owned())).await {
        Err(refusal) if refusal.code() == Code::PermissionDenied => {
            service.call(request(String::new())).await
        }
        answer => answer,
    }
}

/// A service that is called over the network, for one agent.
#[derive(Clone)]
pub struct Remote {
    pub croupier: Croupier,
    pub player: String,
    pub language: String,
}

impl Service for Remote {
    async fn call<R: Unary>(&self, request: R) -> Result<R::Answer, Refusal> {
        self.croupier.call(request).await
    }

    async fn open<R: ServerStreaming>(&self, request: R) -> Result<Streaming<R::Answer>, Refusal> {
        self.croupier.open(request).await
    }

    fn player(&self) -> &str {
        &self.player
    }

    fn language(&self) -> &str {
        &self.language
    }
}

impl Source for Remote {
    type Service = Remote;

    fn service(&self, _request: &Extensions) -> Remote {
        self.clone()
    }
}
