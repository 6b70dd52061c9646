//! What all calls have in common: credentials, a language, a time limit, safe retries and typed
//! refusals.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use contract::v1::BatchCreateMatchesRequest;
use contract::{Bidirectional, Codec, Rpc, ServerStreaming, Unary};
use http::uri::PathAndQuery;
use tokio::time::timeout;
use tonic::client::Grpc;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Code, IntoStreamingRequest, Request, Status, Streaming};

use crate::backoff::Backoff;
use crate::credentials::{Bearer, Header};
use crate::names::new_request_id;
use crate::options::{ConnectError, Listener, Options};
use crate::refusal::Refusal;

/// Calls that change something, and may be repeated without a request id by the contract.
const REPEATABLE: [&str; 17] = [
    "AcceptInvitation",
    "AcknowledgeEntries",
    "AttendMatch",
    "ContributeEntropy",
    "CreateInvitation",
    "CreatePlayerToken",
    "CreateToken",
    "DeleteSeek",
    "ErasePlayer",
    "ImportMatch",
    "JoinMatch",
    "RevokeInvitations",
    "RevokePlayerTokens",
    "RevokeTokens",
    "TagMatch",
    "UpdateMatch",
    "UpdateSubscription",
];

/// The longest pause between two attempts of a call that the service did not ask for.
const PAUSE_MAX: Duration = Duration::from_secs(2);
/// How long the service may take to answer a call that opens a stream.
const OPENING_MAX: Duration = Duration::from_secs(15);
/// The longest answer. A page of entries with texts has some megabytes.
const ANSWER_BYTES_MAX: usize = 64 << 20;

/// A connection that connects again by itself. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Calls(Arc<Connection>);

struct Connection {
    url: String,
    channel: Channel,
    bearer: Bearer,
    language: Option<MetadataValue<Ascii>>,
    request_timeout: Duration,
    retry_for: Duration,
    listener: Option<Listener>,
    is_lost: AtomicBool,
}

impl Calls {
    /// Opens nothing yet.
    pub(crate) fn connect(url: &str, options: Options) -> Result<Calls, ConnectError> {
        let channel = options.endpoint(url)?.connect_lazy();
        Calls::over(channel, url, options)
    }

    /// Fails at once if no service answers.
    pub(crate) async fn reach(url: &str, options: Options) -> Result<Calls, ConnectError> {
        let channel = options.endpoint(url)?.connect().await;
        let unreached = |source| ConnectError::Unreached { address: url.to_owned(), source };
        Calls::over(channel.map_err(unreached)?, url, options)
    }

    fn over(channel: Channel, url: &str, options: Options) -> Result<Calls, ConnectError> {
        let Options { credentials, language, request_timeout, retry_for, on_connection, .. } =
            options;
        let header = language.parse().map_err(|_| ConnectError::Language(language.clone()))?;
        Ok(Calls(Arc::new(Connection {
            url: url.trim_end_matches('/').to_owned(),
            channel,
            bearer: Bearer::new(credentials),
            language: (!language.is_empty()).then_some(header),
            request_timeout,
            retry_for,
            listener: on_connection,
            is_lost: AtomicBool::new(false),
        })))
    }

    pub(crate) fn url(&self) -> &str {
        &self.0.url
    }

    pub(crate) fn channel(&self) -> Channel {
        self.0.channel.clone()
    }

    /// Calls an rpc with one answer. A request without a request id is given one, and a call that
    /// may be repeated is repeated while the service is away.
    pub(crate) async fn call<R: Unary>(&self, mut request: R) -> Result<R::Answer, Refusal> {
        let is_safe = self.identify(&mut request);
        self.repeat(is_safe, |bearer| self.attempt(request.clone(), bearer)).await
    }

    /// Makes attempts with credentials while the service is away. What is not safe to do twice is
    /// only attempted again if the refusal says that nothing was done.
    pub(crate) async fn repeat<T, F>(
        &self,
        is_safe: bool,
        mut attempt: impl FnMut(Option<Header>) -> F,
    ) -> Result<T, Refusal>
    where
        F: Future<Output = Result<T, Refusal>>,
    {
        let mut backoff = Backoff::new(PAUSE_MAX);
        let (began, mut is_renewed) = (Instant::now(), false);
        loop {
            let bearer = self.0.bearer.header().await?;
            let refusal = match attempt(bearer.clone()).await {
                Ok(answer) => {
                    self.note(None);
                    return Ok(answer);
                }
                Err(refusal) => refusal,
            };
            if !is_renewed && self.renew(&refusal, bearer.as_ref()).await {
                is_renewed = true;
                continue;
            }
            let may_repeat = refusal.is_retryable() && (is_safe || !refusal.outcome_unknown());
            let pause = backoff.next(refusal.retry_after());
            if !may_repeat || began.elapsed() + pause > self.0.retry_for {
                return Err(refusal);
            }
            self.note(Some(&refusal));
            tokio::time::sleep(pause).await;
        }
    }

    /// Gives a request that lacks one a request id, and each match of a batch one of its own.
    /// Whether the request may be sent repeatedly.
    pub(crate) fn identify<R: Rpc>(&self, request: &mut R) -> bool {
        if R::ONLY_READS {
            return true;
        }
        let any: &mut dyn Any = request;
        if let Some(batch) = any.downcast_mut::<BatchCreateMatchesRequest>() {
            for each in &mut batch.requests {
                give_id(&mut each.request_id);
            }
            return true;
        }
        match request.request_id() {
            Some(id) => {
                give_id(id);
                true
            }
            None => REPEATABLE.iter().any(|name| R::PATH.ends_with(name)),
        }
    }

    async fn attempt<R: Unary>(
        &self,
        request: R,
        bearer: Option<Header>,
    ) -> Result<R::Answer, Refusal> {
        let mut request = self.with_headers(request, bearer);
        request.set_timeout(self.0.request_timeout);
        self.in_time(async {
            let mut grpc = self.ready().await?;
            let answer = grpc.unary(request, path::<R>(), Codec::default()).await?;
            Ok(answer.into_inner())
        })
        .await
    }

    /// Limits the time of an attempt.
    pub(crate) async fn in_time<T>(
        &self,
        attempt: impl Future<Output = Result<T, Refusal>>,
    ) -> Result<T, Refusal> {
        timeout(self.0.request_timeout, attempt).await.map_err(|_| Refusal::late())?
    }

    /// Opens a stream of answers, once.
    pub(crate) async fn open<R: ServerStreaming>(
        &self,
        request: R,
    ) -> Result<Streaming<R::Answer>, Refusal> {
        let bearer = self.0.bearer.header().await?;
        let request = self.with_headers(request, bearer.clone());
        let call = async {
            let mut grpc = self.ready().await?;
            grpc.server_streaming(request, path::<R>(), Codec::default()).await
        };
        self.opened(timeout(OPENING_MAX, call).await)
    }

    /// Opens a stream of requests and answers, once.
    pub(crate) async fn open_both<R: Bidirectional>(
        &self,
        requests: impl tokio_stream::Stream<Item = R> + Send + 'static,
    ) -> Result<Streaming<R::Answer>, Refusal> {
        let bearer = self.0.bearer.header().await?;
        let request = self.with_headers(requests, bearer);
        let call = async {
            let mut grpc = self.ready().await?;
            grpc.streaming(request.into_streaming_request(), path::<R>(), Codec::default()).await
        };
        self.opened(timeout(OPENING_MAX, call).await)
    }

    fn opened<T>(
        &self,
        answer: Result<Result<tonic::Response<Streaming<T>>, Status>, tokio::time::error::Elapsed>,
    ) -> Result<Streaming<T>, Refusal> {
        let answer = answer.map_err(|_| Refusal::late())?.map_err(Refusal::from)?;
        self.note(None);
        Ok(answer.into_inner())
    }

    /// Whether other credentials can be had after this refusal.
    pub(crate) async fn renew(&self, refusal: &Refusal, refused: Option<&Header>) -> bool {
        refusal.code() == Code::Unauthenticated && self.0.bearer.renew(refused).await
    }

    /// The credentials as the next call sends them, if they are known.
    pub(crate) async fn bearer(&self) -> Result<Option<Header>, Refusal> {
        self.0.bearer.header().await
    }

    /// Tells the listener when the service is lost, and when it is back.
    pub(crate) fn note(&self, refusal: Option<&Refusal>) {
        let was_lost = self.0.is_lost.swap(refusal.is_some(), Relaxed);
        if was_lost != refusal.is_some()
            && let Some(listener) = &self.0.listener
        {
            listener(refusal);
        }
    }

    async fn ready(&self) -> Result<Grpc<Channel>, Status> {
        let mut grpc =
            Grpc::new(self.0.channel.clone()).max_decoding_message_size(ANSWER_BYTES_MAX);
        grpc.ready().await.map_err(|error| Status::from_error(error.into()))?;
        Ok(grpc)
    }

    fn with_headers<T>(&self, message: T, bearer: Option<Header>) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(bearer) = bearer {
            request.metadata_mut().insert("authorization", bearer);
        }
        if let Some(language) = &self.0.language {
            request.metadata_mut().insert("accept-language", language.clone());
        }
        request
    }
}

/// The next message of a stream, or `None` at its end.
///
/// A stream without trailers did not end: something between here and the service cut it off. tonic
/// takes that for the end.
pub(crate) async fn next_of<T>(stream: &mut Streaming<T>) -> Result<Option<T>, Refusal> {
    let message = stream.message().await?;
    if message.is_none() && stream.trailers().await?.is_none() {
        return Err(Refusal::new(Code::Unavailable, "the stream broke off"));
    }
    Ok(message)
}

/// Makes a request id where there is none.
fn give_id(id: &mut String) {
    if id.is_empty() {
        *id = new_request_id();
    }
}

fn path<R: Rpc>() -> PathAndQuery {
    PathAndQuery::from_static(R::PATH)
}

#[cfg(test)]
mod tests {
    use contract::v1::{CreateMatchRequest, DeleteMatchRequest, GetMatchRequest, TagMatchRequest};

    use super::*;

    #[tokio::test]
    async fn a_call_that_changes_something_is_repeated_only_if_it_is_done_once() {
        let calls = Calls::connect("http://127.0.0.1:1", Options::default()).expect("an address");
        let mut create = CreateMatchRequest::default();
        assert!(calls.identify(&mut create) && create.request_id.len() == 32);
        let id = create.request_id.clone();
        assert!(calls.identify(&mut create) && create.request_id == id);
        let requests = vec![create, CreateMatchRequest::default()];
        let mut batch = BatchCreateMatchesRequest { requests, ..Default::default() };
        assert!(calls.identify(&mut batch) && batch.requests[0].request_id == id);
        assert_eq!(batch.requests[1].request_id.len(), 32);
        assert!(calls.identify(&mut GetMatchRequest::default()));
        assert!(calls.identify(&mut TagMatchRequest::default()));
        assert!(!calls.identify(&mut DeleteMatchRequest::default()));
    }
}
