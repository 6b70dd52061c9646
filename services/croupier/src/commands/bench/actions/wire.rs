//! A client that costs little: what it sends was encoded before, and of an answer it reads no more than it checks.

use std::time::Duration;

use bytes::{Buf, BufMut, Bytes};
use http::uri::PathAndQuery;
use prost::Message;
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Request, Status};
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

impl Wire {
    pub async fn connect(service: &Service) -> Result<Wire, Failure> {
        let channel = service.endpoint()?.connect().await;
        let channel = channel.map_err(|_| Failure::Silent(service.address.clone()))?;
        Ok(Wire { channel, bearer: service.bearer()? })
    }

    /// Submits an action; returns the position at which it was recorded.
    pub async fn submit(&self, request: Bytes) -> Result<i64, Status> {
        let mut grpc = Grpc::new(self.channel.clone());
        grpc.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
        let answer = grpc.unary(self.request(request), SUBMIT_ACTION, Raw).await?.into_inner();
        let answer = Submitted::decode(answer);
        let entry = answer.ok().and_then(|answer| answer.entry);
        Ok(entry.ok_or_else(|| Status::internal("an answer without an entry"))?.position)
    }

    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        request.metadata_mut().insert("authorization", self.bearer.clone());
        request
    }
}

/// As much of a `SubmitActionResponse` as is looked at.
#[derive(Clone, PartialEq, Message)]
struct Submitted {
    #[prost(message, optional, tag = "1")]
    entry: Option<Recorded>,
}

/// As much of an `Entry`.
#[derive(Clone, PartialEq, Message)]
pub struct Recorded {
    #[prost(int64, tag = "2")]
    pub position: i64,
}

/// Why a call was refused, as programs read it, and when it may be tried again.
pub fn reason(status: &Status) -> (String, Option<Duration>) {
    let details = status.get_error_details();
    let reason = details.error_info().map(|info| info.reason.clone());
    let delay = details.retry_info().and_then(|info| info.retry_delay);
    (reason.unwrap_or_else(|| format!("{:?}", status.code())), delay)
}

/// Messages as bytes, in both directions.
#[derive(Clone, Copy)]
struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Raw;
    type Decoder = Raw;

    fn encoder(&mut self) -> Raw {
        Raw
    }

    fn decoder(&mut self) -> Raw {
        Raw
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, out: &mut EncodeBuf<'_>) -> Result<(), Status> {
        out.put(message);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, message: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(message.copy_to_bytes(message.remaining())))
    }
}
