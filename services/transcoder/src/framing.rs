//! Encodings and framings of message streams: events, lines and Connect envelopes.

use bytes::{BufMut, Bytes, BytesMut};
use http::HeaderMap;
use prost::Message;
use prost_reflect::MessageDescriptor;
use serde_json::{Map, Value, json};
use tonic::Status;
use tonic::metadata::MetadataMap;

use crate::answer::belongs_to_grpc;
use crate::codec::compressed;
use crate::json as proto_json;
use crate::refusal::{Reason, Refusal};
use crate::render::Renderer;

/// The encoding of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Encoding {
    Json,
    Proto,
}

/// The framing of messages in a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Framing {
    /// Server-sent events.
    Events,
    /// NDJSON.
    Lines,
    /// Connect envelopes.
    Envelopes(Encoding),
}

/// An envelope's flags: a message.
pub const MESSAGE: u8 = 0;
/// An envelope's flags: the end of the stream.
const END: u8 = 0b10;
const ENVELOPE_HEADER_BYTES: usize = 5;

impl Encoding {
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Proto => "application/proto",
        }
    }

    /// A message in this encoding, as protobuf. Bytes labelled as protobuf are not checked here:
    /// the service decodes them.
    pub fn read(self, descriptor: &MessageDescriptor, message: Bytes) -> Result<Bytes, Refusal> {
        match self {
            Self::Json => Ok(proto_json::read(descriptor, &message)?.encode_to_vec().into()),
            Self::Proto => Ok(message),
        }
    }

    /// A protobuf message in this encoding.
    pub fn write(self, descriptor: &MessageDescriptor, message: Bytes) -> Result<Bytes, Refusal> {
        match self {
            Self::Json => {
                let mut text = Vec::new();
                proto_json::write_encoded(descriptor, message, &mut text)?;
                Ok(text.into())
            }
            Self::Proto => Ok(message),
        }
    }
}

impl Framing {
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Events => "text/event-stream",
            Self::Lines => "application/x-ndjson",
            Self::Envelopes(Encoding::Json) => "application/connect+json",
            Self::Envelopes(Encoding::Proto) => "application/connect+proto",
        }
    }
}

/// The message of a request body that must be exactly one envelope.
pub fn only_message(body: &Bytes) -> Result<Bytes, Refusal> {
    let malformed =
        || Reason::MalformedMessage.refusal("the body must be one envelope with one message", []);
    let (header, _) = body.split_first_chunk::<ENVELOPE_HEADER_BYTES>().ok_or_else(malformed)?;
    let [flags, length @ ..] = *header;
    if flags & 1 == 1 {
        return Err(compressed());
    }
    if flags != MESSAGE || u32::from_be_bytes(length) as usize != body.len() - ENVELOPE_HEADER_BYTES
    {
        return Err(malformed());
    }
    Ok(body.slice(ENVELOPE_HEADER_BYTES..))
}

/// One envelope: flags, length, content.
pub fn envelope(flags: u8, content: &[u8]) -> Bytes {
    let mut envelope = BytesMut::with_capacity(ENVELOPE_HEADER_BYTES + content.len());
    envelope.put_u8(flags);
    envelope.put_u32(u32::try_from(content.len()).expect("a message has less than 4 GiB"));
    envelope.put_slice(content);
    envelope.freeze()
}

/// The last envelope of a stream: `{"error": …, "metadata": {…}}`.
pub fn end_of_stream(renderer: &Renderer, end: Result<MetadataMap, Status>) -> Bytes {
    let mut content = Map::new();
    let metadata = match &end {
        Ok(metadata) => metadata.clone(),
        Err(status) => {
            content.insert("error".to_owned(), renderer.connect(status));
            status.metadata().clone()
        }
    };
    let metadata = metadata_json(&metadata.into_headers());
    if !metadata.is_empty() {
        content.insert("metadata".to_owned(), metadata.into());
    }
    envelope(END, Value::Object(content).to_string().as_bytes())
}

fn metadata_json(headers: &HeaderMap) -> Map<String, Value> {
    let names = headers.keys().filter(|name| !belongs_to_grpc(name));
    names
        .map(|name| {
            let values: Vec<_> =
                headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
            (name.to_string(), json!(values))
        })
        .collect()
}
