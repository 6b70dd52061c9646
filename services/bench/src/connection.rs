//! A cheap client: it sends messages that are already encoded, and decodes only the fields that it
//! checks.

use std::time::Duration;

use bytes::Bytes;
use contract::v1::WatchEntriesRequest;
use http::uri::PathAndQuery;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::client::Grpc;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Request, Status, Streaming};
use tonic_types::StatusExt;
use transcoder::Raw;

use crate::report::Error;
use crate::service::Service;

/// A connection, shared by the clients that clone it.
#[derive(Clone)]
pub(crate) struct Connection {
    channel: Channel,
    bearer: Option<MetadataValue<Ascii>>,
    /// The language of the texts to ask for, if any.
    language: Option<MetadataValue<Ascii>>,
}

const SUBMIT_ACTION: PathAndQuery =
    PathAndQuery::from_static("/croupier.v1.MatchService/SubmitAction");

pub(crate) const GET_VIEW: PathAndQuery =
    PathAndQuery::from_static("/croupier.v1.MatchService/GetView");

const PLAY: PathAndQuery = PathAndQuery::from_static("/croupier.v1.MatchService/Play");

const WATCH_ENTRIES: PathAndQuery =
    PathAndQuery::from_static("/croupier.v1.EntryService/WatchEntries");

impl Connection {
    async fn connect(service: &Service) -> Result<Connection, Error> {
        let croupier = service.connect().await?;
        let bearer = croupier.authorization().await?;
        Ok(Connection { channel: croupier.channel(), bearer, language: None })
    }

    /// Connections to these processes in turn.
    pub(crate) async fn connect_all(
        services: &[Service],
        count: usize,
    ) -> Result<Vec<Connection>, Error> {
        let mut connections = Vec::new();
        for service in services.iter().cycle().take(count) {
            connections.push(Connection::connect(service).await?);
        }
        Ok(connections)
    }

    /// Requests texts in this language from now on, if there is one.
    pub(crate) fn speak(&mut self, language: Option<&MetadataValue<Ascii>>) {
        self.language = language.cloned();
    }

    /// Sends an encoded request and returns the encoded response.
    pub(crate) async fn call(&self, request: Bytes, method: PathAndQuery) -> Result<Bytes, Status> {
        let response = self.ready().await?.unary(self.request(request), method, Raw).await?;
        Ok(response.into_inner())
    }

    /// Opens a stream of encoded responses.
    pub(crate) async fn open(
        &self,
        request: Bytes,
        method: PathAndQuery,
    ) -> Result<Streaming<Bytes>, Status> {
        let request = self.request(request);
        let response = self.ready().await?.server_streaming(request, method, Raw).await?;
        Ok(response.into_inner())
    }

    /// The connection, once it is ready for a call.
    async fn ready(&self) -> Result<Grpc<Channel>, Status> {
        let mut grpc = Grpc::new(self.channel.clone());
        grpc.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
        Ok(grpc)
    }

    /// Submits an action; returns the position at which it was recorded.
    pub(crate) async fn submit(&self, request: Bytes) -> Result<i64, Status> {
        let response = Submitted::decode(self.call(request, SUBMIT_ACTION).await?);
        let entry = response.ok().and_then(|response| response.entry);
        Ok(entry.ok_or_else(|| Status::internal("a response without an entry"))?.position)
    }

    /// Reads a table; returns its position.
    pub(crate) async fn view(&self, request: Bytes) -> Result<i64, Status> {
        let response = Viewed::decode(self.call(request, GET_VIEW).await?);
        let table = response.ok().and_then(|response| response.table);
        Ok(table.ok_or_else(|| Status::internal("a response without a table"))?.position)
    }

    /// Opens a stream of actions; the messages are made by [`message`].
    pub(crate) async fn play(&self, messages: mpsc::Receiver<Bytes>) -> Result<Outcomes, Status> {
        let mut grpc = self.ready().await?;
        let request = self.request(ReceiverStream::new(messages));
        Ok(Outcomes(grpc.streaming(request, PLAY, Raw).await?.into_inner()))
    }

    /// Watches the match of this name from its first entry, as a spectator.
    pub(crate) async fn watch(&self, name: &str) -> Result<Watch, Status> {
        let request = WatchEntriesRequest {
            parent: name.to_owned(),
            viewer: "spectator".to_owned(),
            after_position: 0,
            ..WatchEntriesRequest::default()
        };
        Ok(Watch(self.open(request.encode_to_vec().into(), WATCH_ENTRIES).await?))
    }

    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(bearer) = &self.bearer {
            request.metadata_mut().insert("authorization", bearer.clone());
        }
        if let Some(language) = &self.language {
            request.metadata_mut().insert("accept-language", language.clone());
        }
        request
    }
}

/// Encodes a `PlayRequest` of actions that are already encoded.
pub(crate) fn message<'a>(actions: impl Iterator<Item = &'a Bytes>) -> Bytes {
    let mut message = Vec::new();
    for action in actions {
        encode_key(1, WireType::LengthDelimited, &mut message);
        encode_varint(action.len() as u64, &mut message);
        message.extend_from_slice(action);
    }
    message.into()
}

/// The outcomes of the actions of a stream.
pub(crate) struct Outcomes(Streaming<Bytes>);

impl Outcomes {
    /// The next outcomes: the index of each action, and the position of its entry.
    pub(crate) async fn next(&mut self) -> Result<Vec<(i64, Result<i64, Status>)>, Status> {
        let message = self.0.message().await?;
        let message = message.ok_or_else(|| Status::unavailable("the stream ended"))?;
        let played =
            Played::decode(message).map_err(|error| Status::internal(error.to_string()))?;
        Ok(played.outcomes.into_iter().map(|it| (it.index, it.result())).collect())
    }
}

/// The fields of a `PlayResponse` that are checked.
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
    fn result(self) -> Result<i64, Status> {
        match (self.entry, self.error) {
            (Some(entry), _) => Ok(entry.position),
            (None, Some(error)) => {
                let (code, details) = (error.code.into(), error.encode_to_vec().into());
                Err(Status::with_details(code, error.message, details))
            }
            (None, None) => Err(Status::internal("an outcome without entry or error")),
        }
    }
}

/// A stream of entries.
pub(crate) struct Watch(Streaming<Bytes>);

impl Watch {
    /// The next entries; `None` after the last.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<Recorded>>, Status> {
        let Some(message) = self.0.message().await? else { return Ok(None) };
        let watched =
            Watched::decode(message).map_err(|error| Status::internal(error.to_string()))?;
        Ok(Some(watched.entries))
    }
}

/// The fields of a `WatchEntriesResponse` that are checked.
#[derive(Clone, PartialEq, Message)]
struct Watched {
    #[prost(message, repeated, tag = "1")]
    entries: Vec<Recorded>,
}

/// The fields of a `SubmitActionResponse` that are checked.
#[derive(Clone, PartialEq, Message)]
struct Submitted {
    #[prost(message, optional, tag = "1")]
    entry: Option<Recorded>,
}

/// The fields of a `GetViewResponse` that are checked.
#[derive(Clone, PartialEq, Message)]
struct Viewed {
    #[prost(message, optional, tag = "1")]
    table: Option<ViewedTable>,
}

/// The fields of a `Table` that are checked.
#[derive(Clone, PartialEq, Message)]
struct ViewedTable {
    #[prost(int64, tag = "3")]
    position: i64,
}

/// The fields of an `Entry` that are checked.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Recorded {
    #[prost(int64, tag = "2")]
    pub position: i64,
    /// When the action was accepted, just before it was durable.
    #[prost(message, optional, tag = "3")]
    pub create_time: Option<prost_types::Timestamp>,
}

/// The reason of a refusal, and how long to wait before a retry.
pub(crate) fn reason(status: &Status) -> (String, Option<Duration>) {
    let details = status.get_error_details();
    let reason = details.error_info().map(|info| info.reason.clone());
    let delay = details.retry_info().and_then(|info| info.retry_delay);
    (reason.unwrap_or_else(|| format!("{:?}", status.code())), delay)
}
