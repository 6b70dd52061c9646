//! The Connect protocol: rpcs at their gRPC paths, in JSON or protobuf, over plain HTTP.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use tonic::body::Body;
use tonic::metadata::MetadataMap;

use crate::answer::{self, content_type};
use crate::call::{self, Grpc, Head};
use crate::codec::compressed;
use crate::contract::Procedure;
use crate::framing::{Encoding, Framing, end_of_stream, only_message};
use crate::refusal::{Failure, Reason, Refusal};
use crate::shared::Shared;
use crate::stream;

/// Answers one Connect request.
pub async fn answer(
    shared: Arc<Shared>,
    grpc: impl Grpc,
    request: Request<Body>,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let head = Head { headers: parts.headers, extensions: parts.extensions };
    match Asked::of(&shared, &parts.method, parts.uri.path(), &head.headers) {
        Err(refusal) => failed(&shared, refusal.into()),
        Ok(Asked::Unary(procedure, encoding)) => {
            unary(&shared, grpc, procedure, encoding, head, body)
                .await
                .unwrap_or_else(|failure| failed(&shared, failure))
        }
        Ok(Asked::Get(procedure)) => {
            get(grpc, procedure, head, parts.uri.query().unwrap_or_default())
                .await
                .unwrap_or_else(|failure| failed(&shared, failure))
        }
        Ok(Asked::Stream(procedure, encoding)) => {
            stream(&shared, grpc, procedure, encoding, head, body)
                .await
                .unwrap_or_else(|failure| failed_stream(&shared, encoding, failure))
        }
    }
}

/// The kind of call that a request makes.
enum Asked<'c> {
    Unary(&'c Arc<Procedure>, Encoding),
    Get(&'c Arc<Procedure>),
    Stream(&'c Arc<Procedure>, Encoding),
}

impl<'c> Asked<'c> {
    fn of(
        shared: &'c Shared,
        verb: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Result<Self, Refusal> {
        let unknown = || shared.contract.nothing_at(path);
        let procedure = shared.contract.procedure(path).ok_or_else(unknown)?;
        if procedure.client_streaming {
            return Err(grpc_only());
        }
        let streaming = procedure.server_streaming;
        match (verb, content_type(headers).unwrap_or_default()) {
            (&Method::GET, _) if procedure.free_of_effects && !streaming => {
                Ok(Self::Get(procedure))
            }
            (&Method::POST, "application/json") if !streaming => {
                Ok(Self::Unary(procedure, Encoding::Json))
            }
            (&Method::POST, "application/proto") if !streaming => {
                Ok(Self::Unary(procedure, Encoding::Proto))
            }
            (&Method::POST, "application/connect+json") if streaming => {
                Ok(Self::Stream(procedure, Encoding::Json))
            }
            (&Method::POST, "application/connect+proto") if streaming => {
                Ok(Self::Stream(procedure, Encoding::Proto))
            }
            (&Method::POST, _) => Err(wrong_media_type(streaming)),
            _ => {
                let allow =
                    if procedure.free_of_effects && !streaming { "GET, POST" } else { "POST" };
                Err(Reason::WrongMethod
                    .refusal(format!("this method takes {allow}"), [("allow", allow.to_owned())]))
            }
        }
    }
}

/// The refusal of a call whose requests are a stream, which HTTP/1.1 and browsers cannot send.
fn grpc_only() -> Refusal {
    let message = "this method takes a stream of requests, which neither REST nor Connect carries \
                   here: call it over gRPC, on HTTP/2 with `content-type: application/grpc`";
    Reason::UnsupportedMediaType.refusal(message, [("accepts", "application/grpc".to_owned())])
}

fn wrong_media_type(streaming: bool) -> Refusal {
    let accepts = if streaming {
        "application/connect+json, application/connect+proto"
    } else {
        "application/json, application/proto"
    };
    Reason::UnsupportedMediaType
        .refusal(format!("send the message as one of {accepts}"), [("accepts", accepts.to_owned())])
}

fn failed(shared: &Shared, failure: Failure) -> Response<Body> {
    let status = failure.status(shared.options.domain);
    shared.renderer.response(&status, &shared.renderer.connect(&status))
}

/// A Connect stream always begins with success; its only envelope holds the error.
fn failed_stream(shared: &Shared, encoding: Encoding, failure: Failure) -> Response<Body> {
    let status = failure.status(shared.options.domain);
    let headers = answer::response_headers(MetadataMap::new());
    let end = end_of_stream(&shared.renderer, Err(status));
    let content_type = Framing::Envelopes(encoding).content_type();
    answer::response(StatusCode::OK, content_type, headers, end)
}

async fn unary(
    shared: &Shared,
    grpc: impl Grpc,
    procedure: &Procedure,
    encoding: Encoding,
    mut head: Head,
    body: Body,
) -> Result<Response<Body>, Failure> {
    read_head(&mut head, "content-encoding")?;
    let body = call::read_body(shared.options.message_bytes_max, &head, body).await?;
    call_unary(grpc, procedure, encoding, head, body).await
}

async fn get(
    grpc: impl Grpc,
    procedure: &Procedure,
    mut head: Head,
    query: &str,
) -> Result<Response<Body>, Failure> {
    read_head(&mut head, "content-encoding")?;
    let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    let parameter = |name: &str| pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let malformed = |name: &str| {
        Reason::MalformedMessage.refusal(
            format!("the query parameter \"{name}\" cannot be read"),
            [("parameter", name.to_owned())],
        )
    };
    let encoding = match parameter("encoding").map(Cow::as_ref) {
        Some("json") => Encoding::Json,
        Some("proto") => Encoding::Proto,
        _ => return Err(malformed("encoding").into()),
    };
    if parameter("connect").is_some_and(|version| version != "v1") {
        return Err(malformed("connect").into());
    }
    if parameter("compression").is_some_and(|compression| compression != "identity") {
        return Err(compressed().into());
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
) -> Result<Response<Body>, Failure> {
    let message = encoding.read(&procedure.input, message)?;
    let (metadata, message, _) = call::unary(grpc, procedure, head, message).await?.into_parts();
    let message = encoding.write(&procedure.output, message)?;
    let headers = answer::response_headers(metadata);
    Ok(answer::response(StatusCode::OK, encoding.content_type(), headers, message))
}

async fn stream(
    shared: &Arc<Shared>,
    grpc: impl Grpc,
    procedure: &Arc<Procedure>,
    encoding: Encoding,
    mut head: Head,
    body: Body,
) -> Result<Response<Body>, Failure> {
    read_head(&mut head, "connect-content-encoding")?;
    let body = call::read_body(shared.options.message_bytes_max, &head, body).await?;
    let message = encoding.read(&procedure.input, only_message(&body)?)?;
    let answer = call::stream(grpc, procedure, head, message).await?;
    Ok(stream::response(shared.clone(), procedure.clone(), Framing::Envelopes(encoding), answer))
}

/// Checks the protocol's version and compression (there is none), and takes over the timeout.
fn read_head(head: &mut Head, compression_header: &str) -> Result<(), Refusal> {
    let malformed = |header: &str| {
        Reason::MalformedHeader
            .refusal(format!("the header {header} cannot be read"), [("header", header.to_owned())])
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

/// The protocol's limit.
const TIMEOUT_DIGITS_MAX: usize = 10;
