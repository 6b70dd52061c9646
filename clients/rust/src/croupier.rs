//! The client.

use contract::v1::{
    AcceptInvitationRequest, AcceptInvitationResponse, GetInvitationRequest, GetInvitationResponse,
};
use contract::{Bidirectional, ServerStreaming, Unary};
use http_body_util::BodyExt;
use tonic::body::Body;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Code, Streaming};
use tower_service::Service;

use crate::call::Call;
use crate::calls::Calls;
use crate::games::Games;
use crate::history::History;
use crate::match_handle::MatchHandle;
use crate::matches::Matches;
use crate::options::{ConnectError, Options};
use crate::pages::{Paged, Pages};
use crate::play::Play;
use crate::players::{PlayerHandle, Seeks};
use crate::refusal::Refusal;
use crate::resumed::{Resume, Resumed};
use crate::streams::Streams;

/// Where the service publishes its keys.
const KEYS: &str = "/.well-known/jwks.json";

/// A connection to a service, for one platform, player, seat or spectator. Cheap to clone; clones
/// share the connection.
#[derive(Clone)]
pub struct Croupier {
    calls: Calls,
    games: Games,
}

impl Croupier {
    /// Makes a client of the service at a URL. It connects with its first call.
    pub fn connect(url: &str, options: Options) -> Result<Croupier, ConnectError> {
        Ok(Croupier::over(Calls::connect(url, options)?))
    }

    /// The same, connected: fails at once if no service answers.
    pub async fn reach(url: &str, options: Options) -> Result<Croupier, ConnectError> {
        Ok(Croupier::over(Calls::reach(url, options).await?))
    }

    fn over(calls: Calls) -> Croupier {
        Croupier { games: Games::new(&calls), calls }
    }

    /// The address of the service.
    pub fn url(&self) -> &str {
        self.calls.url()
    }

    /// The games that can be played.
    pub fn games(&self) -> Games {
        self.games.clone()
    }

    /// Creates and lists matches.
    pub fn matches(&self) -> Matches {
        Matches::new(&self.calls)
    }

    /// A handle of a match, by its name. It calls nothing.
    pub fn match_named(&self, name: &str) -> MatchHandle {
        MatchHandle::new(&self.calls, &self.games, name)
    }

    /// A handle of a player, by the platform's id. It calls nothing.
    pub fn player(&self, name: &str) -> PlayerHandle {
        PlayerHandle::new(&self.calls, name)
    }

    /// What the invitation invites to that are the credentials of this client.
    pub fn invitation(&self) -> Call<GetInvitationRequest, GetInvitationResponse> {
        Call::new(&self.calls, GetInvitationRequest::default(), Some)
    }

    /// Takes a seat by the invitation that are the credentials of this client. With the same
    /// `guest_key`, the call returns the guest's seat again.
    pub fn accept_invitation(
        &self,
        guest: AcceptInvitationRequest,
    ) -> Call<AcceptInvitationRequest, AcceptInvitationResponse> {
        Call::new(&self.calls, guest, Some)
    }

    /// Players who look for a match.
    pub fn seeks(&self) -> Seeks {
        Seeks::new(&self.calls)
    }

    /// Search and standings.
    pub fn history(&self) -> History {
        History::new(&self.calls)
    }

    /// The stream of all matches, and subscriptions.
    pub fn streams(&self) -> Streams {
        Streams::new(&self.calls)
    }

    /// Actions of many matches over one stream.
    pub fn play(&self) -> Play {
        Play::new(&self.calls)
    }

    /// The public keys of the service for its receipts, as a JSON Web Key Set. Needs no
    /// credentials.
    pub async fn keys(&self) -> Result<String, Refusal> {
        let none = |code| Refusal::new(code, "the service publishes no keys");
        let page = self.page(KEYS).await?.ok_or_else(|| none(Code::NotFound))?;
        String::from_utf8(page).map_err(|_| none(Code::Internal))
    }

    /// A page of the service, by its path, such as `/log/checkpoint`; `None` if there is none.
    /// Needs no credentials.
    pub async fn page(&self, path: &str) -> Result<Option<Vec<u8>>, Refusal> {
        self.calls.repeat(true, |_| self.calls.in_time(page(self.calls.channel(), path))).await
    }
}

async fn page(mut channel: Channel, path: &str) -> Result<Option<Vec<u8>>, Refusal> {
    let unreached =
        |error: tonic::transport::Error| Refusal::from(tonic::Status::from_error(Box::new(error)));
    std::future::poll_fn(|context| channel.poll_ready(context)).await.map_err(unreached)?;
    let request = http::Request::get(path).body(Body::empty());
    let request = request.map_err(|_| Refusal::new(Code::InvalidArgument, "it is not a path"))?;
    let response = channel.call(request).await.map_err(unreached)?;
    match response.status() {
        it if it.is_success() => {}
        it if it.is_server_error() => {
            return Err(Refusal::new(Code::Unavailable, "the page cannot be read"));
        }
        _ => return Ok(None),
    }
    let bytes = response.into_body().collect().await.map_err(Refusal::from)?.to_bytes();
    Ok(Some(bytes.into()))
}

// === Every rpc of the contract ===

impl Croupier {
    /// Calls any rpc with one answer: its request says which. A request without a request id is
    /// given one, and a call that may be repeated is repeated while the service is away.
    pub async fn call<R: Unary>(&self, request: R) -> Result<R::Answer, Refusal> {
        self.calls.call(request).await
    }

    /// The items of any list.
    pub fn list<R: Paged>(&self, request: R) -> Pages<R> {
        Pages::new(&self.calls, request)
    }

    /// Any stream that resumes.
    pub fn stream<R: Resume>(&self, request: R) -> Resumed<R> {
        Resumed::new(&self.calls, request)
    }

    /// Opens any stream of answers, once.
    pub async fn open<R: ServerStreaming>(
        &self,
        request: R,
    ) -> Result<Streaming<R::Answer>, Refusal> {
        self.calls.open(request).await
    }

    /// Opens any stream of requests and answers, once.
    pub async fn open_both<R: Bidirectional>(
        &self,
        requests: impl tokio_stream::Stream<Item = R> + Send + 'static,
    ) -> Result<Streaming<R::Answer>, Refusal> {
        self.calls.open_both(requests).await
    }

    /// The connection itself, for calls that this package does not have. It sends no credentials:
    /// see [`authorization`](Croupier::authorization).
    pub fn channel(&self) -> Channel {
        self.calls.channel()
    }

    /// The value of the header `authorization` of the next call; none without credentials.
    pub async fn authorization(&self) -> Result<Option<MetadataValue<Ascii>>, Refusal> {
        self.calls.bearer().await
    }
}
