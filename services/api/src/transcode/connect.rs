//! The Connect protocol: rpcs at their gRPC paths, in JSON or protobuf, over plain HTTP.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bytes::{BufMut, Bytes, BytesMut};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use prost::Message;
use prost_reflect::MessageDescriptor;
use serde_json::{Map, Value, json};
use tonic::Status;
use tonic::body::Body;
use tonic::metadata::MetadataMap;

use super::call::{self, Head};
use super::contract::Procedure;
use super::error::{Reason, Renderer};
use super::stream::{self, Framing};
use super::{Grpc, Shared, content_type, json as proto_json};

/// How messages are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Encoding {
    Json,
    Proto,
}

/// An envelope's flags: a message.
pub const MESSAGE: u8 = 0;
/// An envelope's flags: the end of the stream.
const END: u8 = 0b10;
const ENVELOPE_HEADER_BYTES: usize = 5;

/// Answers one Connect request.
pub async fn answer(
    shared: Arc<Shared>,
    grpc: impl Grpc,
    request: Request<Body>,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let head = Head { headers: parts.headers, extensions: parts.extensions };
    let asked = match asked(&shared, &parts.method, parts.uri.path(), &head.headers) {
        Ok(asked) => asked,
        Err(status) => return refusal(&shared, &status),
    };
    match asked {
        Asked::Unary(procedure, encoding) => {
            match unary(&shared, grpc, procedure, encoding, head, body).await {
                Ok(response) => response,
                Err(status) => refusal(&shared, &status),
            }
        }
        Asked::Get(procedure) => {
            match get(grpc, procedure, head, parts.uri.query().unwrap_or_default()).await {
                Ok(response) => response,
                Err(status) => refusal(&shared, &status),
            }
        }
        Asked::Stream(procedure, encoding) => {
            match stream(&shared, grpc, procedure, encoding, head, body).await {
                Ok(response) => response,
                // A stream always begins with success; its one envelope says how it ended.
                Err(status) => {
                    let headers = call::response_headers(MetadataMap::new());
                    let end = end_of_stream(&shared.renderer, Err(status));
                    call::response(
                        StatusCode::OK,
                        Framing::Envelopes(encoding).content_type(),
                        headers,
                        end,
                    )
                }
            }
        }
    }
}

enum Asked<'c> {
    Unary(&'c Arc<Procedure>, Encoding),
    Get(&'c Arc<Procedure>),
    Stream(&'c Arc<Procedure>, Encoding),
}

fn asked<'c>(
    shared: &'c Shared,
    verb: &Method,
    path: &str,
    headers: &HeaderMap,
) -> Result<Asked<'c>, Status> {
    let unknown = || Reason::UnknownRoute.status("nothing answers at this path", []);
    let procedure = shared
        .contract
        .procedure(path)
        .filter(|procedure| !procedure.client_streaming)
        .ok_or_else(unknown)?;
    let streaming = procedure.server_streaming;
    match (verb, content_type(headers).unwrap_or_default()) {
        (&Method::GET, _) if procedure.free_of_effects && !streaming => Ok(Asked::Get(procedure)),
        (&Method::POST, "application/json") if !streaming => {
            Ok(Asked::Unary(procedure, Encoding::Json))
        }
        (&Method::POST, "application/proto") if !streaming => {
            Ok(Asked::Unary(procedure, Encoding::Proto))
        }
        (&Method::POST, "application/connect+json") if streaming => {
            Ok(Asked::Stream(procedure, Encoding::Json))
        }
        (&Method::POST, "application/connect+proto") if streaming => {
            Ok(Asked::Stream(procedure, Encoding::Proto))
        }
        (&Method::POST, _) => Err(wrong_media_type(streaming)),
        _ => {
            let allow = if procedure.free_of_effects && !streaming { "GET, POST" } else { "POST" };
            Err(Reason::WrongMethod
                .status(format!("this method answers to {allow}"), [("allow", allow.to_owned())]))
        }
    }
}

fn wrong_media_type(streaming: bool) -> Status {
    let accepts = if streaming {
        "application/connect+json, application/connect+proto"
    } else {
        "application/json, application/proto"
    };
    Reason::UnsupportedMediaType
        .status(format!("send the message as one of {accepts}"), [("accepts", accepts.to_owned())])
}

fn refusal(shared: &Shared, status: &Status) -> Response<Body> {
    call::refusal(status, &shared.renderer.connect(status))
}

async fn unary(
    shared: &Shared,
    grpc: impl Grpc,
    procedure: &Procedure,
    encoding: Encoding,
    mut head: Head,
    body: Body,
) -> Result<Response<Body>, Status> {
    read_head(&mut head, "content-encoding")?;
    let body = call::read_body(shared, &head.headers, body).await?;
    call_unary(grpc, procedure, encoding, head, body).await
}

async fn get(
    grpc: impl Grpc,
    procedure: &Procedure,
    mut head: Head,
    query: &str,
) -> Result<Response<Body>, Status> {
    read_head(&mut head, "content-encoding")?;
    let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    let parameter = |name: &str| pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let malformed = |name: &str| {
        Reason::MalformedMessage.status(
            format!("the query parameter \"{name}\" cannot be read"),
            [("parameter", name.to_owned())],
        )
    };
    let encoding = match parameter("encoding").map(Cow::as_ref) {
        Some("json") => Encoding::Json,
        Some("proto") => Encoding::Proto,
        _ => return Err(malformed("encoding")),
    };
    if parameter("connect").is_some_and(|version| version != "v1") {
        return Err(malformed("connect"));
    }
    if parameter("compression").is_some_and(|compression| compression != "identity") {
        return Err(compressed());
    }
    let message = parameter("message").ok_or_else(|| malformed("message"))?;
    let message: Bytes = match parameter("base64").map(Cow::as_ref) {
        Some("1") => BASE64.decode(message.as_bytes()).map_err(|_| malformed("message"))?.into(),
        _ => message.as_bytes().to_vec().into(),
    };
    call_unary(grpc, procedure, encoding, head, message).await
}

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

async fn call_unary(
    grpc: impl Grpc,
    procedure: &Procedure,
    encoding: Encoding,
    head: Head,
    message: Bytes,
) -> Result<Response<Body>, Status> {
    let message = encoding.read(&procedure.input, message)?;
    let (metadata, answer, _) = call::unary(grpc, procedure, head, message).await?.into_parts();
    let answer = encoding.write(&procedure.output, answer)?;
    Ok(call::response(
        StatusCode::OK,
        encoding.content_type(),
        call::response_headers(metadata),
        answer,
    ))
}

async fn stream(
    shared: &Arc<Shared>,
    grpc: impl Grpc,
    procedure: &Arc<Procedure>,
    encoding: Encoding,
    mut head: Head,
    body: Body,
) -> Result<Response<Body>, Status> {
    read_head(&mut head, "connect-content-encoding")?;
    let body = call::read_body(shared, &head.headers, body).await?;
    let message = encoding.read(&procedure.input, only_message(&body)?)?;
    let answer = call::stream(grpc, procedure, head, message).await?;
    Ok(stream::response(shared.clone(), procedure.clone(), Framing::Envelopes(encoding), answer))
}

/// What the headers say of the protocol: its version, compression (none), and how long the caller
/// waits.
fn read_head(head: &mut Head, compression_header: &str) -> Result<(), Status> {
    let malformed = |header: &str| {
        Reason::MalformedHeader
            .status(format!("the header {header} cannot be read"), [("header", header.to_owned())])
    };
    if head.headers.get("connect-protocol-version").is_some_and(|version| version != "1") {
        return Err(malformed("connect-protocol-version"));
    }
    if head.headers.get(compression_header).is_some_and(|compression| compression != "identity") {
        return Err(compressed());
    }
    if let Some(ms) = head.headers.get("connect-timeout-ms") {
        let ms = ms
            .to_str()
            .ok()
            .filter(|ms| ms.len() <= TIMEOUT_DIGITS_MAX)
            .and_then(|ms| ms.parse().ok());
        head.set_timeout_ms(ms.ok_or_else(|| malformed("connect-timeout-ms"))?);
    }
    Ok(())
}

/// The protocol's own limit.
const TIMEOUT_DIGITS_MAX: usize = 10;

fn compressed() -> Status {
    Reason::UnsupportedMediaType
        .status("send the message uncompressed", [("accepts", "identity".to_owned())])
}

/// The message of a request body that must be exactly one envelope.
fn only_message(body: &Bytes) -> Result<Bytes, Status> {
    let malformed =
        || Reason::MalformedMessage.status("the body must be one envelope with one message", []);
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
    let names = headers.keys().filter(|name| !call::is_grpcs_own(name));
    names
        .map(|name| {
            let values: Vec<_> =
                headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
            (name.to_string(), json!(values))
        })
        .collect()
}

impl Encoding {
    const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Proto => "application/proto",
        }
    }

    /// A message as sent, in protobuf. Bytes that are said to be protobuf are the service's own to
    /// judge.
    fn read(self, descriptor: &MessageDescriptor, message: Bytes) -> Result<Bytes, Status> {
        match self {
            Self::Json => Ok(proto_json::read(descriptor, &message)?.encode_to_vec().into()),
            Self::Proto => Ok(message),
        }
    }

    /// A protobuf message in this encoding.
    pub fn write(self, descriptor: &MessageDescriptor, message: Bytes) -> Result<Bytes, Status> {
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
