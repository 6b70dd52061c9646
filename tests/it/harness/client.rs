//! A client that speaks any protocol, with typed requests and answers.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering::SeqCst};
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use contract::v1::*;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor, MethodDescriptor};
use tokio::time::{sleep, timeout};

use super::wire::{self, Failure, Piece, Protocol, RawResponse};

/// The longest wait for anything that should happen at once: a machine under load is slow.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A request message and its rpc.
pub trait Rpc: Message + Default {
    const METHOD: &'static str;
    type Answer: Message + Default;

    fn method() -> MethodDescriptor {
        let (service, _) = Self::METHOD.rsplit_once('.').expect("a full name");
        let service = contract::descriptors().get_service_by_name(service).expect("a service");
        service.methods().find(|it| it.full_name() == Self::METHOD).expect("one of its rpcs")
    }
}

macro_rules! rpcs {
    ($($service:ident: $($method:ident $request:ident $answer:ident),*;)*) => {
        $($(impl Rpc for $request {
            const METHOD: &'static str =
                concat!("croupier.v1.", stringify!($service), ".", stringify!($method));
            type Answer = $answer;
        })*)*
    };
}

rpcs! {
    GameService:
        ListGames ListGamesRequest ListGamesResponse,
        GetGame GetGameRequest GetGameResponse,
        GetRules GetRulesRequest GetRulesResponse;
    MatchService:
        CreateMatch CreateMatchRequest CreateMatchResponse,
        BatchCreateMatches BatchCreateMatchesRequest BatchCreateMatchesResponse,
        GetMatch GetMatchRequest GetMatchResponse,
        ListMatches ListMatchesRequest ListMatchesResponse,
        ListOpenMatches ListOpenMatchesRequest ListOpenMatchesResponse,
        TagMatch TagMatchRequest TagMatchResponse,
        ImportMatch ImportMatchRequest ImportMatchResponse,
        CommitSeed CommitSeedRequest CommitSeedResponse,
        ContributeEntropy ContributeEntropyRequest ContributeEntropyResponse,
        DeleteMatch DeleteMatchRequest DeleteMatchResponse,
        UpdateMatch UpdateMatchRequest UpdateMatchResponse,
        JoinMatch JoinMatchRequest JoinMatchResponse,
        AttendMatch AttendMatchRequest AttendMatchResponse,
        SubmitAction SubmitActionRequest SubmitActionResponse,
        Play PlayRequest PlayResponse,
        ListLegalActions ListLegalActionsRequest ListLegalActionsResponse,
        SuggestActions SuggestActionsRequest SuggestActionsResponse,
        GetView GetViewRequest GetViewResponse,
        GetTableImage GetTableImageRequest GetTableImageResponse,
        ResignMatch ResignMatchRequest ResignMatchResponse,
        TakeBack TakeBackRequest TakeBackResponse,
        VoteMatch VoteMatchRequest VoteMatchResponse,
        PauseMatch PauseMatchRequest PauseMatchResponse,
        ResumeMatch ResumeMatchRequest ResumeMatchResponse,
        EndMatch EndMatchRequest EndMatchResponse,
        LeaveMatch LeaveMatchRequest LeaveMatchResponse,
        ReplaceSeat ReplaceSeatRequest ReplaceSeatResponse;
    EntryService:
        GetEntry GetEntryRequest GetEntryResponse,
        GetReceipt GetReceiptRequest GetReceiptResponse,
        ListEntries ListEntriesRequest ListEntriesResponse,
        WatchEntries WatchEntriesRequest WatchEntriesResponse,
        ReadRecord ReadRecordRequest ReadRecordResponse;
    PlayerService:
        GetPlayer GetPlayerRequest GetPlayerResponse,
        ListStandings ListStandingsRequest ListStandingsResponse,
        ListRatingChanges ListRatingChangesRequest ListRatingChangesResponse,
        WatchPlayer WatchPlayerRequest WatchPlayerResponse,
        ErasePlayer ErasePlayerRequest ErasePlayerResponse;
    ProjectionService:
        GetProjection GetProjectionRequest GetProjectionResponse,
        ListHoldings ListHoldingsRequest ListHoldingsResponse;
    SearchService:
        SearchEntries SearchEntriesRequest SearchEntriesResponse;
    HistoryService:
        DiffViews DiffViewsRequest DiffViewsResponse,
        ReplayEntries ReplayEntriesRequest ReplayEntriesResponse;
    StreamService:
        StreamEntries StreamEntriesRequest StreamEntriesResponse,
        CreateSubscription CreateSubscriptionRequest CreateSubscriptionResponse,
        GetSubscription GetSubscriptionRequest GetSubscriptionResponse,
        ListSubscriptions ListSubscriptionsRequest ListSubscriptionsResponse,
        UpdateSubscription UpdateSubscriptionRequest UpdateSubscriptionResponse,
        DeleteSubscription DeleteSubscriptionRequest DeleteSubscriptionResponse,
        ConsumeSubscription ConsumeSubscriptionRequest ConsumeSubscriptionResponse,
        AcknowledgeEntries AcknowledgeEntriesRequest AcknowledgeEntriesResponse,
        RotateSecret RotateSecretRequest RotateSecretResponse,
        ListDeliveries ListDeliveriesRequest ListDeliveriesResponse,
        RedeliverEntries RedeliverEntriesRequest RedeliverEntriesResponse,
        MoveWebhook MoveWebhookRequest MoveWebhookResponse,
        TestWebhook TestWebhookRequest TestWebhookResponse;
    PushService:
        GetPushKey GetPushKeyRequest GetPushKeyResponse,
        CreatePushSubscription CreatePushSubscriptionRequest CreatePushSubscriptionResponse,
        ListPushSubscriptions ListPushSubscriptionsRequest ListPushSubscriptionsResponse,
        DeletePushSubscription DeletePushSubscriptionRequest DeletePushSubscriptionResponse;
    ModuleService:
        InstallGame InstallGameRequest InstallGameResponse,
        RetireGame RetireGameRequest RetireGameResponse,
        ListModules ListModulesRequest ListModulesResponse;
    SeekService:
        CreateSeek CreateSeekRequest CreateSeekResponse,
        GetSeek GetSeekRequest GetSeekResponse,
        ListSeeks ListSeeksRequest ListSeeksResponse,
        DeleteSeek DeleteSeekRequest DeleteSeekResponse;
    InvitationService:
        CreateInvitation CreateInvitationRequest CreateInvitationResponse,
        RevokeInvitations RevokeInvitationsRequest RevokeInvitationsResponse,
        GetInvitation GetInvitationRequest GetInvitationResponse,
        AcceptInvitation AcceptInvitationRequest AcceptInvitationResponse;
    TokenService:
        CreateToken CreateTokenRequest CreateTokenResponse,
        RevokeTokens RevokeTokensRequest RevokeTokensResponse,
        CreatePlayerToken CreatePlayerTokenRequest CreatePlayerTokenResponse,
        RevokePlayerTokens RevokePlayerTokensRequest RevokePlayerTokensResponse,
        CreateSignIn CreateSignInRequest CreateSignInResponse,
        SignIn SignInRequest SignInResponse;
    PlatformService:
        GetPlatform GetPlatformRequest GetPlatformResponse,
        ListPlatforms ListPlatformsRequest ListPlatformsResponse,
        CreatePlatform CreatePlatformRequest CreatePlatformResponse,
        SetPlatformLimits SetPlatformLimitsRequest SetPlatformLimitsResponse,
        SuspendPlatform SuspendPlatformRequest SuspendPlatformResponse,
        ResumePlatform ResumePlatformRequest ResumePlatformResponse,
        CreateApiKey CreateApiKeyRequest CreateApiKeyResponse,
        RevokeApiKey RevokeApiKeyRequest RevokeApiKeyResponse,
        ListApiKeys ListApiKeysRequest ListApiKeysResponse,
        ListActs ListActsRequest ListActsResponse,
        GetMetrics GetMetricsRequest GetMetricsResponse;
}

/// Every rpc of the contract, with full names such as `croupier.v1.MatchService.GetMatch`.
pub fn methods() -> Vec<MethodDescriptor> {
    let services = contract::descriptors().services();
    services.flat_map(|service| service.methods().collect::<Vec<_>>()).collect()
}

/// The rpc with this name, short or full.
pub fn method(name: &str) -> MethodDescriptor {
    let named = |method: &MethodDescriptor| method.name() == name || method.full_name() == name;
    methods().into_iter().find(named).unwrap_or_else(|| panic!("the contract has no {name}"))
}

/// A caller: credentials, protocol and port. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    pub protocol: Protocol,
    port: Port,
    token: Option<String>,
    headers: Vec<(&'static str, String)>,
    http: Http,
}

/// The port of a service; it changes when the service restarts.
pub type Port = Arc<AtomicU16>;

type Http = Arc<[legacy::Client<HttpConnector, Full<Bytes>>; 2]>;

fn connections() -> Http {
    let http = |is_http2| {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        legacy::Client::builder(TokioExecutor::new()).http2_only(is_http2).build(connector)
    };
    Arc::new([http(false), http(true)])
}

impl Client {
    pub fn new(port: &Port, protocol: Protocol, token: &str) -> Client {
        let (port, token, headers) = (port.clone(), Some(token.to_owned()), Vec::new());
        Client { protocol, port, token, headers, http: connections() }
    }

    pub fn port(&self) -> u16 {
        self.port.load(SeqCst)
    }

    pub fn speaking(&self, protocol: Protocol) -> Client {
        Client { protocol, ..self.clone() }
    }

    /// The same client on its own connections.
    pub fn apart(&self) -> Client {
        Client { http: connections(), ..self.clone() }
    }

    pub fn holding(&self, token: impl Into<String>) -> Client {
        Client { token: Some(token.into()), ..self.clone() }
    }

    pub fn anonymous(&self) -> Client {
        Client { token: None, ..self.clone() }
    }

    pub fn with_header(&self, name: &'static str, value: impl ToString) -> Client {
        let mut client = self.clone();
        client.headers.push((name, value.to_string()));
        client
    }

    /// Calls a unary rpc.
    pub async fn ask<R: Rpc>(&self, request: &R) -> Result<R::Answer, Failure> {
        self.receive(request).await.and_then(|response| self.read::<R>(response))
    }

    /// As [`Client::ask`], and repeats what an overloaded service has refused, as clients do.
    pub async fn ask_in_a_rush<R: Rpc>(&self, request: &R) -> Result<R::Answer, Failure> {
        loop {
            match self.ask(request).await {
                Err(failure) if failure.reason == "OVERLOADED" => {
                    let wait = failure.retry_ms.expect("it says when to repeat the call");
                    sleep(Duration::from_millis(wait.into())).await;
                }
                answer => return answer,
            }
        }
    }

    /// As [`Client::ask`], and repeats what was refused because a read model is behind, as clients
    /// do.
    pub async fn ask_in_step<R: Rpc>(&self, request: &R) -> Result<R::Answer, Failure> {
        let began = Instant::now();
        loop {
            match self.ask(request).await {
                Err(failure) if failure.reason == "PROJECTION_BEHIND" => {
                    assert!(began.elapsed() < PATIENCE, "{failure:?}");
                }
                answer => return answer,
            }
        }
    }

    /// Calls a unary rpc and returns the raw response.
    pub async fn receive<R: Rpc>(&self, request: &R) -> Result<RawResponse, Failure> {
        let method = R::method();
        self.send(wire::request(self.protocol, &method, &dynamic(&method, request))).await
    }

    /// Decodes a raw response.
    pub fn read<R: Rpc>(&self, response: RawResponse) -> Result<R::Answer, Failure> {
        self.answer(&R::method(), response).map(|answer| typed(&answer))
    }

    /// Calls an rpc by name, with a request in JSON.
    pub async fn call(&self, rpc: &str, request: &str) -> Result<DynamicMessage, Failure> {
        let method = method(rpc);
        let mut text = serde_json::Deserializer::from_str(request);
        let message = DynamicMessage::deserialize(method.input(), &mut text);
        let message = message.unwrap_or_else(|error| panic!("{error}: {request}"));
        if method.is_server_streaming() {
            let mut stream = self.opened::<()>(&method, &message).await;
            return stream.next().await.map(|_| message);
        }
        let request = wire::request(self.protocol, &method, &message);
        self.answer(&method, self.send(request).await?)
    }

    /// Decodes a raw response of `method`.
    pub fn answer(
        &self,
        method: &MethodDescriptor,
        response: RawResponse,
    ) -> Result<DynamicMessage, Failure> {
        let answer = wire::answer(self.protocol, method.output(), &response);
        answer.map_err(|failure| Failure { response: Box::new(response), ..failure })
    }

    /// Sends an HTTP request, adding only address and credentials.
    pub async fn send(&self, request: Request<Full<Bytes>>) -> Result<RawResponse, Failure> {
        let (status, headers, body) = self.open(request).await?;
        let body = timeout(PATIENCE, body.collect()).await.expect("an answer comes to an end");
        let body = body.map_err(Failure::of_connection)?;
        let trailers = body.trailers().cloned().unwrap_or_default();
        Ok(RawResponse { status, headers, body: body.to_bytes(), trailers })
    }

    /// The HTTP status of a GET, without waiting for the end of the body.
    pub async fn head(&self, uri: &str) -> Result<StatusCode, Failure> {
        let request = Request::get(uri).header("accept", "text/event-stream");
        Ok(self.open(request.body(Full::default()).expect("a request")).await?.0)
    }

    async fn open(
        &self,
        mut request: Request<Full<Bytes>>,
    ) -> Result<(StatusCode, HeaderMap, Incoming), Failure> {
        let uri = format!("http://127.0.0.1:{}{}", self.port(), request.uri());
        *request.uri_mut() = uri.parse().expect("an address");
        let credentials =
            self.token.iter().map(|token| ("authorization", format!("Bearer {token}")));
        for (name, value) in credentials.chain(self.headers.iter().cloned()) {
            request.headers_mut().insert(name, value.parse().expect("a header's value"));
        }
        let http = &self.http[usize::from(self.protocol == Protocol::Grpc)];
        let response =
            timeout(PATIENCE, http.request(request)).await.expect("an answer comes in time");
        let (head, body) = response.map_err(Failure::of_connection)?.into_parts();
        Ok((head.status, head.headers, body))
    }

    /// Opens a stream of entries.
    pub async fn watch(&self, request: &WatchEntriesRequest) -> Watch {
        self.stream(request).await
    }

    /// Opens a stream.
    pub async fn stream<R: Rpc>(&self, request: &R) -> Watch<R::Answer> {
        let method = R::method();
        self.opened(&method, &dynamic(&method, request)).await
    }

    /// The failure of a streaming call that was refused before its stream began.
    async fn refusal<T>(
        &self,
        method: &MethodDescriptor,
        status: StatusCode,
        headers: HeaderMap,
        body: Incoming,
    ) -> Result<T, Failure> {
        let body = body.collect().await.map_err(Failure::of_connection)?.to_bytes();
        let response = RawResponse { status, headers, body, trailers: HeaderMap::new() };
        let refused = self.answer(method, response);
        Err(refused.expect_err("only refusals have another status"))
    }

    async fn opened<T>(&self, method: &MethodDescriptor, request: &DynamicMessage) -> Watch<T> {
        let request = wire::request(self.protocol, method, request);
        let opened = match self.open(request).await {
            Ok((StatusCode::OK, headers, body)) => Ok((headers, body)),
            Ok((status, headers, body)) => self.refusal(method, status, headers, body).await,
            Err(failure) => Err(failure),
        };
        let (headers, body, refused) = match opened {
            Ok((headers, body)) => (headers, Some(body), None),
            Err(failure) => (HeaderMap::new(), None, Some(failure)),
        };
        let (output, buffer) = (method.output(), BytesMut::new());
        let marker = PhantomData;
        Watch { protocol: self.protocol, output, headers, body, buffer, refused, marker }
    }
}

/// An open stream, by default of entries.
pub struct Watch<T = WatchEntriesResponse> {
    protocol: Protocol,
    output: MessageDescriptor,
    headers: HeaderMap,
    body: Option<Incoming>,
    buffer: BytesMut,
    refused: Option<Failure>,
    marker: PhantomData<T>,
}

/// One message of a stream.
#[derive(Debug)]
pub struct Batch<T = WatchEntriesResponse> {
    pub message: T,
    /// The encoded message.
    pub raw: Bytes,
    /// The id with which an event stream is resumed.
    pub id: Option<String>,
}

impl<T: Message + Default> Watch<T> {
    /// Whether the service accepted the call, and the stream has not ended.
    pub fn is_open(&self) -> bool {
        self.body.is_some()
    }

    /// The next message; none at the end.
    pub async fn next(&mut self) -> Result<Option<Batch<T>>, Failure> {
        self.next_within(PATIENCE).await
    }

    /// The same of a stream that may be silent for longer.
    pub async fn next_within(&mut self, longest: Duration) -> Result<Option<Batch<T>>, Failure> {
        if let Some(refused) = self.refused.take() {
            return Err(refused);
        }
        timeout(longest, self.read()).await.expect("a stream goes on or ends in time")
    }

    async fn read(&mut self) -> Result<Option<Batch<T>>, Failure> {
        loop {
            match wire::piece(self.protocol, &self.output, &mut self.buffer) {
                Some(Piece::Message { message, raw, id }) => {
                    return Ok(Some(Batch { message: typed(&message), raw, id }));
                }
                Some(Piece::End(end)) => {
                    self.body = None;
                    return end.map(|()| None);
                }
                Some(Piece::Nothing) => continue,
                None => {}
            }
            let Some(body) = &mut self.body else { return Ok(None) };
            let frame = match body.frame().await {
                Some(frame) => frame.map_err(Failure::of_connection)?,
                None => return self.end(&HeaderMap::new()),
            };
            match frame.into_data() {
                Ok(data) => self.buffer.extend_from_slice(&data),
                Err(frame) => {
                    let trailers = frame.into_trailers().unwrap_or_default();
                    return self.end(&trailers);
                }
            }
        }
    }

    fn end(&mut self, trailers: &HeaderMap) -> Result<Option<Batch<T>>, Failure> {
        assert!(self.buffer.is_empty(), "a stream ends with a whole message");
        self.body = None;
        wire::end_of_body(self.protocol, &self.headers, trailers).map(|()| None)
    }
}

impl Watch {
    /// The entries up to `position`, or all of them if the stream ends earlier.
    pub async fn up_to(&mut self, position: i32) -> Result<Vec<Entry>, Failure> {
        let mut entries: Vec<Entry> = Vec::new();
        while entries.last().is_none_or(|last| last.position < position) {
            let Some(batch) = self.next().await? else { break };
            entries.extend(batch.message.entries);
        }
        Ok(entries)
    }
}

fn dynamic(method: &MethodDescriptor, message: &impl Message) -> DynamicMessage {
    let bytes = message.encode_to_vec();
    DynamicMessage::decode(method.input(), &bytes[..]).expect("a request of this rpc")
}

fn typed<M: Message + Default>(message: &DynamicMessage) -> M {
    M::decode(&message.encode_to_vec()[..]).expect("an answer of this rpc")
}
