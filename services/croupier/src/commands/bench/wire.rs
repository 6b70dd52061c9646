//! A client that costs little: what it sends was encoded before, and of an answer it reads no more
//! than it checks.

use std::time::Duration;

use api::v1::WatchEntriesRequest;
use api::{Raw, match_name};
use bytes::Bytes;
use http::uri::PathAndQuery;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint};
use store::MatchId;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::client::Grpc;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Request, Status, Streaming};
use tonic_types::StatusExt;

use crate::client::{Failure, Service};

/// A client's place on a connection.
#[derive(Clone)]
pub struct Wire {
    channel: Channel,
    bearer: MetadataValue<Ascii>,
}

const SUBMIT_ACTION: PathAndQuery =
    PathAndQuery::from_static("/croupier.v1.MatchService/SubmitAction");

const GET_VIEW: PathAndQuery = PathAndQuery::from_static("/croupier.v1.MatchService/GetView");

const PLAY: PathAndQuery = PathAndQuery::from_static("/croupier.v1.MatchService/Play");

const WATCH_ENTRIES: PathAndQuery =
    PathAndQuery::from_static("/croupier.v1.EntryService/WatchEntries");

impl Wire {
    async fn connect(service: &Service) -> Result<Wire, Failure> {
        let channel = service.endpoint()?.connect().await;
        let channel = channel.map_err(|_| Failure::Silent(service.address.clone()))?;
        Ok(Wire { channel, bearer: service.bearer()? })
    }

    /// So many connections.
    pub async fn connect_all(service: &Service, count: usize) -> Result<Vec<Wire>, Failure> {
        let mut wires = Vec::new();
        for _ in 0..count {
            wires.push(Wire::connect(service).await?);
        }
        Ok(wires)
    }

    async fn call(&self, request: Bytes, method: PathAndQuery) -> Result<Bytes, Status> {
        let answer = self.ready().await?.unary(self.request(request), method, Raw).await?;
        Ok(answer.into_inner())
    }

    /// The connection, once it takes a call.
    async fn ready(&self) -> Result<Grpc<Channel>, Status> {
        let mut grpc = Grpc::new(self.channel.clone());
        grpc.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
        Ok(grpc)
    }

    /// Submits an action; returns the position at which it was recorded.
    pub async fn submit(&self, request: Bytes) -> Result<i64, Status> {
        let answer = Submitted::decode(self.call(request, SUBMIT_ACTION).await?);
        let entry = answer.ok().and_then(|answer| answer.entry);
        Ok(entry.ok_or_else(|| Status::internal("an answer without an entry"))?.position)
    }

    /// Looks at a table; returns the position at which it is seen.
    pub async fn view(&self, request: Bytes) -> Result<i64, Status> {
        let answer = Viewed::decode(self.call(request, GET_VIEW).await?);
        let table = answer.ok().and_then(|answer| answer.table);
        Ok(table.ok_or_else(|| Status::internal("an answer without a table"))?.position)
    }

    /// Opens a stream of actions; each message is as [`message`] makes it.
    pub async fn play(&self, messages: mpsc::Receiver<Bytes>) -> Result<Outcomes, Status> {
        let mut grpc = self.ready().await?;
        let request = self.request(ReceiverStream::new(messages));
        Ok(Outcomes(grpc.streaming(request, PLAY, Raw).await?.into_inner()))
    }

    /// Watches a match as a spectator, from its beginning.
    pub async fn watch(&self, match_id: MatchId) -> Result<Watch, Status> {
        let request = WatchEntriesRequest {
            parent: match_name(match_id),
            viewer: "spectator".to_owned(),
            after_position: 0,
        };
        let mut grpc = self.ready().await?;
        let request = self.request(Bytes::from(request.encode_to_vec()));
        let answer = grpc.server_streaming(request, WATCH_ENTRIES, Raw).await?;
        Ok(Watch(answer.into_inner()))
    }

    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        request.metadata_mut().insert("authorization", self.bearer.clone());
        request
    }
}

/// A `PlayRequest` of these actions, which are encoded.
pub fn message<'a>(actions: impl Iterator<Item = &'a Bytes>) -> Bytes {
    let mut message = Vec::new();
    for action in actions {
        encode_key(1, WireType::LengthDelimited, &mut message);
        encode_varint(action.len() as u64, &mut message);
        message.extend_from_slice(action);
    }
    message.into()
}

/// What became of the actions of a stream.
pub struct Outcomes(Streaming<Bytes>);

impl Outcomes {
    /// Outcomes that became known: which action's, and its position.
    pub async fn next(&mut self) -> Result<Vec<(i64, Result<i64, Status>)>, Status> {
        let message = self.0.message().await?;
        let message = message.ok_or_else(|| Status::unavailable("the stream ended"))?;
        let played =
            Played::decode(message).map_err(|error| Status::internal(error.to_string()))?;
        Ok(played.outcomes.into_iter().map(|it| (it.index, it.became())).collect())
    }
}

/// As much of a `PlayResponse` as is looked at.
#[derive(Clone, PartialEq, Message)]
struct Played {
    #[prost(message, repeated, tag = "1")]
    outcomes: Vec<Outcome>,
}

#[derive(Clone, PartialEq, Message)]
struct Outcome {
    #[prost(int64, tag = "1")]
    index: i64,
    #[prost(message, optional, tag = "2")]
    entry: Option<Recorded>,
    #[prost(message, optional, tag = "3")]
    error: Option<tonic_types::Status>,
}

impl Outcome {
    fn became(self) -> Result<i64, Status> {
        match (self.entry, self.error) {
            (Some(entry), _) => Ok(entry.position),
            (None, Some(error)) => {
                let (code, details) = (error.code.into(), error.encode_to_vec().into());
                Err(Status::with_details(code, error.message, details))
            }
            (None, None) => Err(Status::internal("an outcome that is none")),
        }
    }
}

/// Entries as they come.
pub struct Watch(Streaming<Bytes>);

impl Watch {
    /// The next entries; none after the last.
    pub async fn next(&mut self) -> Result<Option<Vec<Recorded>>, Status> {
        let Some(message) = self.0.message().await? else { return Ok(None) };
        let told = Watched::decode(message).map_err(|error| Status::internal(error.to_string()))?;
        Ok(Some(told.entries))
    }
}

/// As much of a `WatchEntriesResponse` as is looked at.
#[derive(Clone, PartialEq, Message)]
struct Watched {
    #[prost(message, repeated, tag = "1")]
    entries: Vec<Recorded>,
}

/// As much of a `SubmitActionResponse` as is looked at.
#[derive(Clone, PartialEq, Message)]
struct Submitted {
    #[prost(message, optional, tag = "1")]
    entry: Option<Recorded>,
}

/// As much of a `GetViewResponse` as is looked at.
#[derive(Clone, PartialEq, Message)]
struct Viewed {
    #[prost(message, optional, tag = "1")]
    table: Option<Seen>,
}

/// As much of a `Table`.
#[derive(Clone, PartialEq, Message)]
struct Seen {
    #[prost(int64, tag = "3")]
    position: i64,
}

/// As much of an `Entry`.
#[derive(Clone, PartialEq, Message)]
pub struct Recorded {
    #[prost(int64, tag = "2")]
    pub position: i64,
    /// When it was decided, a moment before it was durable.
    #[prost(message, optional, tag = "3")]
    pub create_time: Option<prost_types::Timestamp>,
}

/// Why a call was refused, as programs read it, and when it may be tried again.
pub fn reason(status: &Status) -> (String, Option<Duration>) {
    let details = status.get_error_details();
    let reason = details.error_info().map(|info| info.reason.clone());
    let delay = details.retry_info().and_then(|info| info.retry_delay);
    (reason.unwrap_or_else(|| format!("{:?}", status.code())), delay)
}
